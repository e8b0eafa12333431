"""Choose how sure the second look may be, on pictures not trained or scored on; score it on signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models import die_sets
from models.synthetic.canvas import Use
from models.training.crops import NONE, TrainingCrop, sighted_lying
from models.training.painted_dice import paint_batch
from models.training.picture_dataset import StoredPicture
from models.training.posture_truth import PosturePicture
from models.training.reading_scores import cost_of
from models.training.texture_atlas import DieAtlas, Rng, novel_dice
from models.training.varied_dice import foreign_dice
from referee.dice import DieSet, FaceName
from vision.classification import Reader, SecondLook, SecondLookSettings, combined, combined_oblique
from vision.detection import POSTURES, Finder
from vision.frames import Frame
from vision.kinds import CLASSES
from vision.model_file import Floats, wilson_interval
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import RotatedSquare, crop, unrectified_view


@dataclass(frozen=True, eq=False)
class LookedAgain:
    """Dice as the reader and the second look see them.

    first: the reader's probabilities of CLASSES. logits: the second look's. labels: indices into CLASSES.
    """

    first: Floats
    logits: Floats
    labels: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Choice:
    """The settings chosen, and what they were chosen on, in words."""

    settings: SecondLookSettings
    figures: str


SIGNS_TAKEN = 0.75
"""Share of the foreign signs accepted by the reader alone that may still be accepted."""
TEMPERATURES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)
VETO_TEMPERATURES = (0.5, 0.7, 1.0, 1.4)
DOUBTS_BELOW = (0.985, 0.99, 0.995)
"""What is tried. A die whose likeliest drawing has more than the last of DOUBTS_BELOW is not in doubt."""
MOST_CERTAIN = 0.5
"""Share of the dice looked at again, the most certain ones, whose accuracy limits the certainty."""


def looked_again(pictures: Sequence[StoredPicture], finder: Finder, reader: Reader, second: SecondLook) -> LookedAgain:
    """Return the flat dice of the pictures that are surely there."""
    found: list[tuple[Floats, Floats, int]] = []
    for number, picture in enumerate(tqdm(pictures, desc="looking again", mininterval=5)):
        view = unrectified_view(Frame(picture.pixels(), number, 0.0))
        sightings = [one for one in finder.find(view) if one.confidence >= reader.sure_from(view)]
        classified = reader.classify(view, sightings, None)
        labels = [_label(picture, one.sighting) for one in classified]
        logits = second.logits([one.crop for one in classified]) if classified else ()
        rows = zip(classified, logits, labels, strict=True)
        found += [(one.class_probabilities, of, label) for one, of, label in rows if label is not None]
    first, seen, true = zip(*found, strict=True)
    return LookedAgain(np.array(first), np.array(seen), np.array(true))


def _label(picture: StoredPicture, one: DieSighting) -> int | None:
    """Return the class of the flat die that a sighting lies on; None if there is none."""
    near = [die for die in picture.dice if np.hypot(die.x - one.x, die.y - one.y) < 0.3 * die.edge]
    flat = [die for die in near if die.clear and die.posture == "flat" and 0.7 < one.edge / die.edge < 1.4]
    return CLASSES.index(FaceName(flat[0].face)) if flat and flat[0].face in CLASSES else None


def signs_looked_again(shown: Sequence[TrainingCrop], reader: Reader, second: SecondLook) -> LookedAgain:
    """Return painted foreign signs, of class NONE."""
    views = [unrectified_view(Frame(one.pixels, 0, 0.0)) for one in shown]
    seen = [reader.classify(view, [sighting_of(one)], None)[0] for view, one in zip(views, shown, strict=True)]
    first = np.array([one.class_probabilities for one in seen])
    return LookedAgain(first, second.logits([one.crop for one in seen]), np.full(len(seen), NONE))


def lying_looked_again(
    pictures: Iterable[PosturePicture], finder: Finder, reader: Reader, second: SecondLook
) -> tuple[LookedAgain, LookedAgain]:
    """Return what is surely seen from above, dice alone, and what is seen aslant, other things too, of class NONE."""
    found: dict[bool, list[tuple[Floats, Floats, int]]] = {False: [], True: []}
    for view, seen in sighted_lying(pictures, finder, reader):
        sure = [(one, label) for one, label in seen if one.confidence >= reader.sure_from(view)]
        classified = reader.classify(view, [one for one, _ in sure], None)
        for one, (sighting, label) in zip(classified, sure, strict=True):
            is_oblique = view.sight_at(sighting.x_mm, sighting.y_mm).may_be_oblique
            if is_oblique or label != NONE:
                logits = second.logits([one.crop], oblique=is_oblique)[0]
                found[is_oblique].append((one.class_probabilities, logits, label))
    above, aslant = (zip(*found[is_oblique], strict=True) for is_oblique in (False, True))
    return LookedAgain(*map(np.array, above)), LookedAgain(*map(np.array, aslant))


def choose(dice: Sequence[LookedAgain], signs: Sequence[LookedAgain], accept_from: float) -> Choice:
    """Return the settings that cost the worst of the sources least, SIGNS_TAKEN given, and the cap that they need.

    The cap is the lower 95 % limit (Wilson) of how often the most certain of all dice in doubt are right: no doubtful
    die becomes more certain than that. Raises ValueError if no settings keep to SIGNS_TAKEN.
    """
    tried = product(TEMPERATURES, VETO_TEMPERATURES, DOUBTS_BELOW)
    alone = [_accepted(one.first, accept_from).mean() for one in signs]
    most = SIGNS_TAKEN * float(np.mean(alone))
    certain = [_accepted(one.first, accept_from) for one in dice]
    good = []
    for values in tried:
        one = SecondLookSettings(*values, cap=1.0)
        if _taken(signs, one, accept_from) <= most:
            good.append((max(cost_of(*_asked_and_wrong(source, one, accept_from)) for source in dice), one))
    if not good:
        raise ValueError("no settings of the second look keep foreign signs within their limit")
    best = min(good, key=lambda row: row[0])[1]
    settings = replace(best, cap=_cap(dice, best))
    lines = []
    for source, sure in zip(dice, certain, strict=True):
        asked, wrong = _asked_and_wrong(source, settings, accept_from)
        lines.append(
            f"of {len(sure)} flat dice asked about: {100 * (1 - sure.mean()):.1f} % by the reader alone,"
            f" {100 * asked:.1f} % after the second look, then silently wrong {round(wrong * len(sure))}"
        )
    taken = _taken(signs, settings, accept_from)
    lines.append(f"of foreign signs taken for a face: {100 * float(np.mean(alone)):.1f} %, then {100 * taken:.1f} %")
    return Choice(settings, "; ".join(lines))


def oblique_looked_at(shown: Sequence[TrainingCrop], reader: Reader, second: SecondLook) -> LookedAgain:
    """Return painted crops by an oblique camera, of which sides have the class NONE."""
    crops = [crop(one.pixels, RotatedSquare(one.x, one.y, one.edge, one.turned_degrees)) for one in shown]
    first = np.array([reader.probabilities([one])[0] for one in crops])
    logits = np.concatenate([second.logits([one], oblique=True) for one in crops])
    return LookedAgain(first, logits, np.array([one.face for one in shown]))


def oblique_figures(sources: Sequence[LookedAgain], settings: SecondLookSettings, accept_from: float) -> str:
    """Return what the settings make of what an oblique camera sees."""
    shares = [_oblique_shares(source, settings, accept_from) for source in sources]
    return "; ".join(
        f"of {len(source.labels)} dice and sides of dice seen by an oblique camera silently wrong"
        f" {round(wrong * len(source.labels))}; of the dice {100 * asked:.1f} % asked about"
        for source, (asked, wrong) in zip(sources, shares, strict=True)
    )


def _oblique_shares(seen: LookedAgain, settings: SecondLookSettings, accept_from: float) -> tuple[float, float]:
    """Return the shares of dice asked about, and of all things silently wrong."""
    found = combined_oblique(seen.first, seen.logits, np.zeros(len(seen.labels), bool), settings)
    accepted = _accepted(found, accept_from)
    wrong = float((accepted & (found.argmax(axis=1) != seen.labels)).mean())
    return float((~accepted)[seen.labels != NONE].mean()), wrong


def _asked_and_wrong(dice: LookedAgain, settings: SecondLookSettings, accept_from: float) -> tuple[float, float]:
    """Return the shares of dice asked about and silently wrong."""
    found = settled(dice.first, dice.logits, settings)
    accepted = _accepted(found, accept_from)
    return 1.0 - float(accepted.mean()), float((accepted & (found.argmax(axis=1) != dice.labels)).mean())


def _taken(signs: Sequence[LookedAgain], settings: SecondLookSettings, accept_from: float) -> float:
    """Return the share of signs taken for a face."""
    shares = [_accepted(settled(one.first, one.logits, settings), accept_from).mean() for one in signs]
    return float(np.mean(shares))


def _accepted(found: Floats, accept_from: float) -> npt.NDArray[np.bool_]:
    return (found.argmax(axis=1) != NONE) & (found.max(axis=1) >= accept_from)


def settled(first: Floats, logits: Floats, settings: SecondLookSettings) -> Floats:
    """Return the probabilities of CLASSES when the dice in doubt have been looked at again."""
    doubtful = first.max(axis=1) < settings.doubt_below
    return np.where(doubtful[:, None], combined(first, logits, settings), first)


def _cap(sources: Sequence[LookedAgain], settings: SecondLookSettings) -> float:
    parts = zip(*((one.first, one.logits, one.labels) for one in sources), strict=True)
    first, logits, labels = map(np.concatenate, parts)
    doubtful = first.max(axis=1) < settings.doubt_below
    found = combined(first[doubtful], logits[doubtful], settings)
    right = found.argmax(axis=1) == labels[doubtful]
    surest = np.argsort(-found.max(axis=1))[: max(1, round(MOST_CERTAIN * len(right)))]
    low, _ = wilson_interval(int(right[surest].sum()), len(surest))
    return round(low, 3)


# How often a sign that belongs to no set is silently taken for a face: painted dice, read where they lie


SURE = 0.9
"""The finder's confidence in a painted die, which is there without doubt."""


@dataclass(frozen=True)
class SignsTaken:
    """How many readings of foreign signs there were, and how many of them were accepted; `taken` counts the faces."""

    of: str
    read: int
    taken: Counter[str]

    def __str__(self) -> str:
        wrong = self.taken.total()
        low, high = wilson_interval(wrong, self.read)
        worst = ", ".join(f"{count} x {face}" for face, count in self.taken.most_common(6))
        share = 100 * wrong / self.read if self.read else 0.0
        return (f"{self.of}: {wrong} of {self.read} silently taken for a face = {share:.2f} per 100 "
                f"(95 % interval {100 * low:.2f} to {100 * high:.2f}); {worst or 'none'}")  # fmt: skip


def painted_signs(batches: int, use: Use, seed: int) -> dict[str, list[TrainingCrop]]:
    """Return flat painted dice with foreign signs and, where the use has any, with novel symbols."""
    sources = {"signs of no set": partial(_foreign), "novel symbols": partial(_novel)}
    return {
        name: [crop for number in range(batches) for crop in paint_batch(seed, use, number, source) if _flat(crop)]
        for name, source in sources.items()
        if name != "novel symbols" or use is not Use.TRAINING
    }


def _foreign(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    return foreign_dice(rng, count, use)


def _novel(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    """Return novel dice under the class of no face."""
    return [
        DieAtlas(die.kind, die.pixels, ("none",) * len(die.faces), die.drawings)
        for die in novel_dice(rng, count, use, "sign")
    ]


def _flat(crop: TrainingCrop) -> bool:
    return POSTURES[crop.posture] is Posture.FLAT


def score_signs(reader: Reader, shown: Sequence[TrainingCrop], of: str) -> list[SignsTaken]:
    """Return the scores with every game's die set, and without any."""
    sets: list[DieSet | None] = [die_sets.load(name) for name in die_sets.names()]
    with_sets = [reading for dice in sets for crop in shown for reading in [read_one(reader, crop, dice)]]
    without = [read_one(reader, crop, None) for crop in shown]
    return [_scored(f"{of}, each read with every die set", with_sets), _scored(f"{of}, without a die set", without)]


def _scored(of: str, readings: Sequence[DieReading | None]) -> SignsTaken:
    taken = Counter(str(reading.face) for reading in readings if reading is not None and reading.accepted)
    return SignsTaken(of, len(readings), taken)


def read_one(reader: Reader, crop: TrainingCrop, dice: DieSet | None) -> DieReading | None:
    """Read the die of a crop where it lies; None if it is taken for no die."""
    view = unrectified_view(Frame(crop.pixels, 0, 0.0))
    return next(iter(reader.read(view, [sighting_of(crop)], dice)), None)


def sighting_of(crop: TrainingCrop) -> DieSighting:
    turned = float(np.mod(crop.turned_degrees, 90.0))
    return DieSighting(crop.x, crop.y, crop.edge, turned, Posture.FLAT, SURE, crop.x, crop.y, crop.edge)
