"""Look again at dice in doubt: a larger network, from all four sides and at several scales.

What it sees is pooled with what the reader saw, which may settle the doubt. How much either counts, and how certain a
face may become, is chosen on pictures that are neither trained nor scored on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
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
"""Quarter turns of each view: a die has no upper edge."""


@dataclass(frozen=True)
class SecondLookSettings:
    """The values of the second look's card.

    temperature: divides the logarithms of the pool. share: the second look's weight in the pool, 0 to 1; the rest is
    the reader's. veto_temperature: divides its logits where they say that no face is there. doubt_below: dice whose
    likeliest drawing has less are looked at again. cap: highest probability of a drawing afterwards.
    """

    temperature: float
    share: float
    veto_temperature: float
    doubt_below: float
    cap: float

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

    def logits(self, crops: Sequence[Pixels]) -> Floats:
        """Return the mean logits of all views, float32 (n, CLASSES)."""
        views = [rotated(rescaled(crop, scale), turn) for scale in SCALES for turn in QUARTERS for crop in crops]
        seen = self._session.run(["faces"], {"crops": network_input(views)})[0]
        return np.asarray(seen.reshape(-1, len(crops), len(CLASSES)).mean(axis=0), np.float32)

    def settle(self, crops: Sequence[Pixels], classes: Floats, is_die: npt.NDArray[np.bool_]) -> Floats:
        """Return the reader's probabilities of CLASSES, (n, CLASSES), with those of dice in doubt looked at again.

        `is_die`, (n,), is False where nothing is to be looked at: what is there may be no die.
        """
        doubtful = np.nonzero(is_die & (classes.max(axis=1) < self._settings.doubt_below))[0].tolist()
        if not doubtful:
            return classes
        settled = classes.copy()
        logits = self.logits([crops[n] for n in doubtful])
        settled[doubtful] = combined(classes[doubtful], logits, self._settings)
        return settled


def combined(first: Floats, logits: Floats, settings: SecondLookSettings) -> Floats:
    """Return probabilities by the reader's (`first`) and the second look's mean logits, each (n, CLASSES)."""
    joint = pooled(first, softmax(logits), settings.share, settings.temperature)
    rejected = softmax(logits / settings.veto_temperature)[:, -1]
    return capped(vetoed(joint, first, rejected), settings.cap)


def pooled(first: Floats, second: Floats, share: float, temperature: float = 1.0) -> Floats:
    """Return the logarithmic opinion pool (Genest and Zidek 1986) of two probabilities, (n, classes), tempered."""
    logs = [np.log(np.maximum(probabilities, 1e-9)) for probabilities in (first, second)]
    return softmax(np.asarray(((1 - share) * logs[0] + share * logs[1]) / temperature, np.float32))


def vetoed(joint: Floats, first: Floats, rejected: Floats) -> Floats:
    """Return probabilities that are no surer of a face than the reader's doubt of a die, and the second look's, allow.

    joint, first: (n, classes), the last being none. rejected: (n,), the second look's probability of none, which knows
    more signs of no set. What was a die at first stays one: a doubt ends in a question, not in a die that is left out.
    """
    most = np.maximum(first[:, -1], NONE_CAP)
    none = np.minimum(np.maximum(np.maximum(joint[:, -1], first[:, -1]), rejected), most)[:, None]
    faces = joint[:, :-1] / np.maximum(joint[:, :-1].sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.concatenate([faces * (1 - none), none], axis=1), np.float32)


def capped(probabilities: Floats, cap: float) -> Floats:
    """Return probabilities of which none exceeds `cap`: what is above it goes to the others, in equal parts."""
    best = probabilities.max(axis=1, keepdims=True)
    over = np.maximum(best - cap, 0.0)
    others = over / (probabilities.shape[1] - 1)
    return np.asarray(np.where((probabilities == best) & (over > 0), cap, probabilities + others), np.float32)


def rescaled(crop: Pixels, scale: float) -> Pixels:
    """Return a crop with its centre enlarged; what is missing at the border is mirrored."""
    if scale == 1.0:
        return crop
    turn = cv2.getRotationMatrix2D(((INPUT_SIDE - 1) / 2,) * 2, 0.0, scale)
    size = (INPUT_SIDE, INPUT_SIDE)
    return np.asarray(cv2.warpAffine(crop, turn, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)
