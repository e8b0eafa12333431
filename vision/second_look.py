"""Look again at dice in doubt: a larger network, from all four sides and at several scales.

What it sees is pooled with what the reader saw, which may settle the doubt. How much either counts, and how certain a
face may become, is chosen on pictures that are neither trained nor scored on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum, auto
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.sentences import say
from vision.die_crops import INPUT_SIDE
from vision.face_drawings import CLASSES
from vision.frames import Pixels
from vision.model_file import BrokenModel, load_model
from vision.network_values import Floats, network_input, rotated, softmax

SCALES = (0.92, 1.0, 1.09)
"""How much the die is enlarged in each view: the finder errs by that much."""

NONE_CAP = 0.75
"""Highest probability of no face that a second look gives a die: below what the reader leaves out."""

QUARTERS = range(4)
"""Quarter turns of each view from above: a die has no upper edge."""
SHIFTS = (-0.08, 0.08)
"""How far up and down an oblique view is shifted, as a share of the crop: the finder errs towards the sides."""


KNOWN_FROM = 0.8
"""Probability from which on the reader knows a face among those that an oblique camera sees."""


class Look(Enum):
    """How something is looked at again.

    Not at all; as seen from above; as seen by an oblique camera; and so right below another top, whose side it may be.
    """

    NONE = auto()
    FROM_ABOVE = auto()
    OBLIQUE = auto()
    OBLIQUE_SIDE = auto()


@dataclass(frozen=True)
class SecondLookSettings:
    """The values of the second look's card.

    temperature: divides the logarithms of the pool. share: the second look's weight in the pool, 0 to 1; the rest is
    the reader's. veto_temperature: divides its logits where they say that no face is there. doubt_below: dice whose
    likeliest drawing has less are looked at again. cap: highest probability of a drawing afterwards. oblique_share:
    the share where an oblique camera sees the dice.
    """

    temperature: float
    share: float
    veto_temperature: float
    doubt_below: float
    cap: float
    oblique_share: float

    @classmethod
    def from_card(cls, card: Mapping[str, str | float]) -> SecondLookSettings:
        """Return the settings that a card holds."""
        return cls(*(float(card[field.name]) for field in fields(cls)))


class SecondLook:
    """Look again at doubtful dice. Several threads may use one: nothing in it changes."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        if tuple(card["classes"]) != CLASSES:
            raise BrokenModel(
                say("the model {weights} knows other faces than this program; install it again", weights=weights)
            )
        self._settings = SecondLookSettings.from_card(card)

    @property
    def cap(self) -> float:
        """Highest probability (0 to 1) of a drawing after a second look."""
        return self._settings.cap

    def probabilities(self, crops: Sequence[Pixels]) -> Floats:
        """Return the probabilities of CLASSES for upright crops, float32 (n, CLASSES), from the mean of all views."""
        return softmax(self.logits(crops))

    def logits(self, crops: Sequence[Pixels], *, oblique: bool = False) -> Floats:
        """Return the mean logits of all views, float32 (n, CLASSES).

        Of `oblique` crops, whose sides are below their tops, no quarter turns are looked at.
        """
        if oblique:
            views = [rescaled(crop, scale, shift) for scale in SCALES for shift in SHIFTS for crop in crops]
        else:
            views = [rotated(rescaled(crop, scale), turn) for scale in SCALES for turn in QUARTERS for crop in crops]
        seen = self._session.run(["faces"], {"crops": network_input(views)})[0]
        return np.asarray(seen.reshape(-1, len(crops), len(CLASSES)).mean(axis=0), np.float32)

    def settle(self, crops: Sequence[Pixels], classes: Floats, looks: Sequence[Look]) -> Floats:
        """Return the reader's probabilities of CLASSES, (n, CLASSES), with those of dice looked at again.

        `looks` says how each is to be looked at. From above only what is in doubt is.
        """
        is_clear = classes.max(axis=1) >= self._settings.doubt_below
        above = [n for n, look in enumerate(looks) if look is Look.FROM_ABOVE and not is_clear[n]]
        oblique = [n for n, look in enumerate(looks) if look in {Look.OBLIQUE, Look.OBLIQUE_SIDE}]
        settled = classes.copy() if above or oblique else classes
        if above:
            settled[above] = combined(classes[above], self.logits([crops[n] for n in above]), self._settings)
        if oblique:
            logits = self.logits([crops[n] for n in oblique], oblique=True)
            is_side = np.array([looks[n] is Look.OBLIQUE_SIDE for n in oblique])
            settled[oblique] = combined_oblique(classes[oblique], logits, is_side, self._settings)
        return settled


def combined(first: Floats, logits: Floats, settings: SecondLookSettings) -> Floats:
    """Return probabilities by the reader's (`first`) and the second look's mean logits, each (n, CLASSES)."""
    joint = pooled(first, softmax(logits), settings.share, settings.temperature)
    doubts = np.maximum(first, softmax(logits / settings.veto_temperature))
    return capped(vetoed(joint, doubts, np.maximum(first[:, -1], NONE_CAP)), settings.cap)


def combined_oblique(
    first: Floats, logits: Floats, is_side: npt.NDArray[np.bool_], settings: SecondLookSettings
) -> Floats:
    """Return the same for what an oblique camera sees, where the reader takes sides for tops.

    `is_side`, (n,), is True below another die's top: there the second look may tell that no face is there at all.
    Where the reader knows not one of the faces, its doubts count: the picture may show no dice, but large print.
    """
    seen = softmax(logits)
    joint = pooled(first, seen, settings.oblique_share, settings.temperature)
    knows_none = not (first[:, :-1].max(axis=1) >= KNOWN_FROM).any()
    doubts = np.maximum(seen, first) if knows_none else seen
    doubted = capped(vetoed(joint, doubts, np.maximum(first[:, -1], NONE_CAP)), settings.cap)
    return np.where((is_side & (seen[:, -1] > NONE_CAP))[:, None], seen, doubted)


def pooled(first: Floats, second: Floats, share: float, temperature: float = 1.0) -> Floats:
    """Return the logarithmic opinion pool (Genest and Zidek 1986) of two probabilities, (n, classes), tempered."""
    logs = [np.log(np.maximum(probabilities, 1e-9)) for probabilities in (first, second)]
    return softmax(np.asarray(((1 - share) * logs[0] + share * logs[1]) / temperature, np.float32))


def vetoed(joint: Floats, doubts: Floats, most: Floats) -> Floats:
    """Return probabilities that are no surer of a face than the doubts of a die allow.

    joint, doubts: (n, classes), the last being none: of the second look's, which knows more signs of no set, and of the
    reader's unless an oblique camera confuses it. most: (n,), the highest probability of none. What was a die at first
    stays one: a doubt ends in a question, not in a die that is left out.
    """
    none = np.minimum(np.maximum(joint[:, -1], doubts[:, -1]), most)[:, None]
    faces = joint[:, :-1] / np.maximum(joint[:, :-1].sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.concatenate([faces * (1 - none), none], axis=1), np.float32)


def capped(probabilities: Floats, cap: float) -> Floats:
    """Return probabilities of which none exceeds `cap`: what is above it goes to the others, in equal parts."""
    best = probabilities.max(axis=1, keepdims=True)
    over = np.maximum(best - cap, 0.0)
    others = over / (probabilities.shape[1] - 1)
    return np.asarray(np.where((probabilities == best) & (over > 0), cap, probabilities + others), np.float32)


def rescaled(crop: Pixels, scale: float, shift: float = 0.0) -> Pixels:
    """Return a crop with its centre enlarged and shifted down; what is missing at the border is mirrored."""
    if scale == 1.0 and not shift:
        return crop
    turn = cv2.getRotationMatrix2D(((INPUT_SIDE - 1) / 2,) * 2, 0.0, scale)
    turn[1, 2] += shift * INPUT_SIDE
    size = (INPUT_SIDE, INPUT_SIDE)
    return np.asarray(cv2.warpAffine(crop, turn, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)
