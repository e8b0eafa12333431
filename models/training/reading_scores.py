"""Score the exported models on rendered pictures, through the same code that reads a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models import die_sets
from models.training import posture_truth
from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture, in_workers
from models.training.posture_truth import PosturePicture, TrueLie
from referee.dice import DieSet, FaceName
from vision.classification import Reader, SecondLook
from vision.detection import Finder
from vision.frames import Frame
from vision.kinds import faces_of_drawing
from vision.model_file import wilson_interval
from vision.observations import DieReading
from vision.rectification import unrectified_view

LISTED = 12
"""Drawings that are listed at most."""


@dataclass(frozen=True)
class ScoredDie:
    """A true die, the name of its face in its game, and the reading that lies on it; None if it was not found.

    kind: its kind in the die set that it was read with; '' if it was read without one.
    """

    truth: TrueDie
    wanted: str
    reading: DieReading | None
    kind: str = ""

    @property
    def right_face(self) -> bool:
        return self.reading is not None and self.reading.face == self.wanted

    @property
    def correct(self) -> bool:
        """True if a reading lies there and has the right face and kind."""
        return self.right_face and self.reading is not None and self.kind in ("", self.reading.kind)

    @property
    def asked(self) -> bool:
        """True if it was found, and a person is asked what it shows."""
        return self.reading is not None and not self.reading.accepted

    @property
    def silently_wrong(self) -> bool:
        """True if it was accepted with a wrong face or kind."""
        return self.reading is not None and self.reading.accepted and not self.correct

    @property
    def silently_wrong_kind(self) -> bool:
        """True if it was accepted with the right face on the wrong kind of die."""
        return self.silently_wrong and self.right_face


@dataclass(frozen=True)
class ScoredPicture:
    """The score of one picture: its dice, and the readings that lie on none of them."""

    picture: StoredPicture
    met: tuple[ScoredDie, ...]
    unmatched: tuple[DieReading, ...]

    @property
    def phantoms(self) -> int:
        """Number of accepted readings where no die is."""
        return sum(reading.accepted for reading in self.unmatched)


@dataclass
class ReadingScore:
    """The score of many pictures."""

    pictures: list[ScoredPicture] = field(default_factory=list)

    def dice(self, *, flat: bool = True) -> list[ScoredDie]:
        """Return every clear die that lies flat or, with `flat` False, every one that leans or is stacked."""
        return [met for one in self.pictures for met in one.met if (met.truth.posture == "flat") is flat]


def score(pictures: Iterable[StoredPicture], finder: Finder, reader: Reader, *, with_sets: bool = True) -> ReadingScore:
    """Read every picture, with its game's die set unless `with_sets` is False, and compare with the ground truth."""
    total = ReadingScore()
    for number, picture in enumerate(tqdm(list(pictures), desc="scoring", mininterval=5)):
        dice = die_sets.load(picture.game) if picture.game and with_sets else None
        view = unrectified_view(Frame(picture.pixels(), number, 0.0))
        readings = reader.read(view, finder.find(view), dice)
        met, unmatched = match(picture.dice, readings)
        named = tuple(
            ScoredDie(truth, name_in_set(truth, dice), reading, truth.kind if dice else "") for truth, reading in met
        )
        total.pictures.append(ScoredPicture(picture, named, tuple(unmatched)))
    return total


def name_in_set(truth: TrueDie | TrueLie, dice: DieSet | None) -> str:
    """Return the name of a die's face in a set: a Traffic die's three pips are its `three`."""
    if dice is None:
        return truth.face
    meant = [face for kind, face in faces_of_drawing(FaceName(truth.face), dice) if kind == truth.kind]
    return str(meant[0]) if meant else truth.face


def match(
    dice: Sequence[TrueDie], readings: Sequence[DieReading]
) -> tuple[list[tuple[TrueDie, DieReading | None]], list[DieReading]]:
    """Return each clear or leaning die with the nearest reading within half its edge, and the readings left over.

    Readings near a die that is cut off or hidden may be of that die, and are left out.
    """
    left = list(readings)
    met: list[tuple[TrueDie, DieReading | None]] = []
    for die in sorted(dice, key=lambda d: not d.clear):
        nearest = min(left, key=lambda r: _distance(die, r), default=None)
        if nearest is not None and _distance(die, nearest) < 0.5 * die.edge:
            left.remove(nearest)
        else:
            nearest = None
        if die.clear or die.posture == "cocked":
            met.append((die, nearest))
    hidden = [die for die in dice if not die.clear]
    return met, [r for r in left if all(_distance(die, r) > die.edge for die in hidden)]


def _distance(die: TrueDie, reading: DieReading) -> float:
    return float(np.hypot(die.x - reading.sighting.x, die.y - reading.sighting.y))


def table(total: ReadingScore) -> str:
    """Return the figures as lines of text, each with its count and 95 % interval."""
    flat, other = total.dice(), total.dice(flat=False)
    empty = [one for one in total.pictures if not one.picture.dice]
    rows = [
        ("flat dice found", sum(m.reading is not None for m in flat), len(flat)),
        ("flat dice asked about", sum(m.asked for m in flat), len(flat)),
        ("flat dice silently wrong", sum(m.silently_wrong for m in flat), len(flat)),
        ("of these with the right face on the wrong kind", sum(m.silently_wrong_kind for m in flat), len(flat)),
        ("cocked or stacked, silently wrong", sum(m.silently_wrong for m in other), len(other)),
        ("cocked or stacked, taken for flat", sum(m.reading.accepted for m in other if m.reading), len(other)),
        (
            "pictures with a phantom, of those with dice",
            *_with_phantoms(one for one in total.pictures if one.picture.dice),
        ),
        ("pictures with a phantom, of those without dice", *_with_phantoms(empty)),
    ]
    return "\n".join(share_line(*row) for row in rows)


def table_by_game(total: ReadingScore) -> str:
    """Return a line for each game: flat dice, found, asked about, silently wrong."""
    games = sorted({one.picture.game for one in total.pictures})
    return "\n".join(_game_line(game, total) for game in games)


def _game_line(game: str, total: ReadingScore) -> str:
    flat = ReadingScore([one for one in total.pictures if one.picture.game == game]).dice()
    found = _percent(sum(m.reading is not None for m in flat), flat)
    asked, wrong = _percent(sum(m.asked for m in flat), flat), sum(m.silently_wrong for m in flat)
    kinds = sum(m.silently_wrong_kind for m in flat)
    by_kind = f" ({kinds} by kind)" if kinds else ""
    return f"{game or 'medley'}: {len(flat)} dice, {found} found, {asked} asked, {wrong} silently wrong{by_kind}"


def _percent(part: int, of: Sequence[ScoredDie]) -> str:
    return f"{100 * part / len(of):.1f} %" if of else "-"


def _with_phantoms(pictures: Iterable[ScoredPicture]) -> tuple[int, int]:
    phantoms = [one.phantoms for one in pictures]
    return sum(count > 0 for count in phantoms), len(phantoms)


def share_line(what: str, part: int, count: int) -> str:
    """Return a share with its count and 95 % interval as text."""
    if not count:
        return f"{what}: none"
    low, high = wilson_interval(part, count)
    return (
        f"{what}: {part} of {count} = {100 * part / count:.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f} %)"
    )


def confusions(total: ReadingScore) -> str:
    """Return the commonest silent errors: the drawing, and what was read."""
    wrong = Counter(
        f"{m.truth.drawing} read as {m.reading.kind if m.silently_wrong_kind else m.reading.face}"
        for m in total.dice()
        if m.reading and m.silently_wrong
    )
    return "\n".join(f"{count} x {name}" for name, count in wrong.most_common(LISTED))


def doubts(total: ReadingScore) -> str:
    """Return the drawings most asked about, and how often each was seen."""
    asked = Counter(m.truth.drawing for m in total.dice() if m.asked)
    met = Counter(m.truth.drawing for m in total.dice())
    return "\n".join(f"{count} of {met[name]} x {name}" for name, count in asked.most_common(LISTED))


def load_models(weights: Path) -> tuple[Finder, Reader]:
    """Return the finder and the reader of a folder of weights, with its second look if there is one."""
    second = SecondLook(weights / "second.onnx") if (weights / "second.onnx").exists() else None
    return Finder(weights / "finder.onnx"), Reader(weights / "reader.onnx", second=second)


Seen = TypeVar("Seen")
SeenBy = Callable[[Iterable[PosturePicture], Finder, Reader], Iterable[Seen]]
"""Return what the models see in pictures."""


def seen_in(folders: Sequence[Path], seen_by: SeenBy[Seen], weights: Path) -> list[Seen]:
    """Return what the models see in the pictures of `cycles-pictures` and their like, a folder a process."""
    work = partial(_seen_in_one, weights, seen_by)
    return [one for found in in_workers(work, folders, "looking") for one in found]


def _seen_in_one(weights: Path, seen_by: SeenBy[Seen], folder: Path) -> list[Seen]:
    return list(seen_by(posture_truth.load(folder), Finder(weights / "finder.onnx"), Reader(weights / "reader.onnx")))


# The acceptance threshold, by the risk-coverage curve (Geifman and El-Yaniv 2017)
#
# It is selected on pictures of several sources whose drawings, colours, surfaces and lights are neither trained nor
# scored on: the source that it costs most decides.


Floats = npt.NDArray[np.float64]
Share = TypeVar("Share", float, Floats)

ERROR_QUESTIONS = 20.0
"""Questions that a silent error costs: to ask about one die of fifty is as bad as to err about one of a thousand."""

THRESHOLDS = np.arange(500, 1000) / 1000
"""What is tried."""


@dataclass(frozen=True)
class ReadingOutcome:
    """The reading of one flat die.

    confidence: 0 to 1. correct: True if the face is right; the kind has a threshold of its own. readable: False if the
    die is asked about whatever the threshold, since it seems to lean or hardly to be a die.
    """

    confidence: float
    correct: bool
    readable: bool


def outcomes(total: ReadingScore) -> list[ReadingOutcome]:
    """Return the outcomes of all flat dice found, of a score taken with threshold 0."""
    found = [(met, met.reading) for met in total.dice() if met.reading]
    return [ReadingOutcome(reading.confidence, met.right_face, reading.accepted) for met, reading in found]


def risk_and_coverage(found: Sequence[ReadingOutcome]) -> tuple[Floats, Floats, Floats]:
    """Return thresholds, highest first, and for each the shares of all dice silently wrong and asked about, each (n,).

    In Geifman and El-Yaniv 2017 the first share is the risk, and 1 minus the second is the coverage.
    """
    ranked = sorted((one for one in found if one.readable), key=lambda one: -one.confidence)
    wrong = np.cumsum([not one.correct for one in ranked]) / len(found)
    asked = 1.0 - np.arange(1, len(ranked) + 1) / len(found)
    return np.array([one.confidence for one in ranked]), wrong, asked


def choose_threshold(sources: Sequence[Sequence[ReadingOutcome]]) -> float:
    """Return the threshold of THRESHOLDS that costs the worst of the sources least."""
    return float(THRESHOLDS[int(np.argmin(np.max([_costs(found) for found in sources], axis=0)))])


def _costs(found: Sequence[ReadingOutcome]) -> Floats:
    """Return what each of THRESHOLDS costs, in questions a die."""
    sures = np.array([one.confidence if one.readable else -1.0 for one in found])
    is_wrong = np.array([not one.correct for one in found])
    accepted = sures >= THRESHOLDS[:, None]
    return cost_of(1.0 - accepted.mean(axis=1), (accepted & is_wrong).mean(axis=1))


def cost_of(asked: Share, wrong: Share) -> Share:
    """Return what the shares of dice asked about and silently wrong cost, in questions a die."""
    return asked + ERROR_QUESTIONS * wrong
