"""Scoring the exported models on rendered pictures, through the very code that reads a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models import die_sets
from models.training.ground_truth import Truth
from models.training.picture_dataset import Kept
from referee.dice import DieSet, FaceName
from vision.classification import Reader
from vision.detection import Finder
from vision.drawings import faces_of_drawing
from vision.frames import Frame
from vision.observations import DieReading
from vision.rectification import unrectified_view
from vision.statistics import wilson_interval


@dataclass(frozen=True)
class Met:
    """A die of the truth, what its face is called in its game, and the reading that lies on it, if any."""

    truth: Truth
    wanted: str
    reading: DieReading | None

    @property
    def right(self) -> bool:
        """Whether a reading lies there and names the face."""
        return self.reading is not None and self.reading.face == self.wanted

    @property
    def asked(self) -> bool:
        """Whether it was found, and a person is asked what it shows."""
        return self.reading is not None and not self.reading.accepted

    @property
    def silently_wrong(self) -> bool:
        """Whether it was accepted as what it is not."""
        return self.reading is not None and self.reading.accepted and not self.right


@dataclass(frozen=True)
class Scored:
    """What became of one picture: its dice, and the readings that lie on none of them."""

    kept: Kept
    met: tuple[Met, ...]
    strays: tuple[DieReading, ...]

    @property
    def phantoms(self) -> int:
        """Accepted readings where no die is."""
        return sum(stray.accepted for stray in self.strays)


@dataclass
class Score:
    """What became of many pictures."""

    pictures: list[Scored] = field(default_factory=list)

    def dice(self, *, flat: bool = True) -> list[Met]:
        """Every clear die that lies flat, or every one that leans or lies on another."""
        return [met for one in self.pictures for met in one.met if (met.truth.posture == "flat") is flat]


def score(pictures: Iterable[Kept], finder: Finder, reader: Reader, *, with_sets: bool = True) -> Score:
    """Read every picture and compare with its truth: with the die set of its game, where it has one and it is known."""
    total = Score()
    for number, kept in enumerate(tqdm(list(pictures), desc="scoring", mininterval=5)):
        dice = die_sets.load(kept.game) if kept.game and with_sets else None
        view = unrectified_view(Frame(kept.pixels(), number, 0.0))
        readings = reader.read(view, finder.find(view), dice)
        met, strays = match(kept.dice, readings)
        named = tuple(Met(truth, called(truth, dice), reading) for truth, reading in met)
        total.pictures.append(Scored(kept, named, tuple(strays)))
    return total


def called(truth: Truth, dice: DieSet | None) -> str:
    """What a die's face is called on the dice of a set: a Traffic die's three pips are its three."""
    if dice is None:
        return truth.face
    meant = [face for kind, face in faces_of_drawing(FaceName(truth.face), dice) if kind == truth.kind]
    return str(meant[0]) if meant else truth.face


def match(
    dice: Sequence[Truth], readings: Sequence[DieReading]
) -> tuple[list[tuple[Truth, DieReading | None]], list[DieReading]]:
    """Each clear or leaning die with the nearest reading within half its edge; and the readings left over.

    What lies near a die that is cut or hidden may be that die, and is left out.
    """
    left = list(readings)
    met: list[tuple[Truth, DieReading | None]] = []
    for die in sorted(dice, key=lambda d: not d.clear):
        nearest = min(left, key=lambda r: _apart(die, r), default=None)
        if nearest is not None and _apart(die, nearest) < 0.5 * die.edge:
            left.remove(nearest)
        else:
            nearest = None
        if die.clear or die.posture == "cocked":
            met.append((die, nearest))
    hidden = [die for die in dice if not die.clear]
    return met, [r for r in left if all(_apart(die, r) > die.edge for die in hidden)]


def _apart(die: Truth, reading: DieReading) -> float:
    return float(np.hypot(die.x - reading.sighting.x, die.y - reading.sighting.y))


def table(total: Score) -> str:
    """The figures as lines of text, each with its count and 95 % interval."""
    flat, other = total.dice(), total.dice(flat=False)
    empty = [one for one in total.pictures if not one.kept.dice]
    rows = [
        ("flat dice found", sum(m.reading is not None for m in flat), len(flat)),
        ("flat dice asked about", sum(m.asked for m in flat), len(flat)),
        ("flat dice silently wrong", sum(m.silently_wrong for m in flat), len(flat)),
        ("cocked or stacked, silently wrong", sum(m.silently_wrong for m in other), len(other)),
        ("cocked or stacked, taken for flat", sum(m.reading.accepted for m in other if m.reading), len(other)),
        ("pictures with a phantom, of those with dice", *_haunted(one for one in total.pictures if one.kept.dice)),
        ("pictures with a phantom, of those without dice", *_haunted(empty)),
    ]
    return "\n".join(_line(*row) for row in rows)


def by_game(total: Score) -> str:
    """For each game's pictures: flat dice, found, asked, silently wrong."""
    games = sorted({one.kept.game for one in total.pictures})
    return "\n".join(_game_line(game, total) for game in games)


def _game_line(game: str, total: Score) -> str:
    flat = Score([one for one in total.pictures if one.kept.game == game]).dice()
    found = _percent(sum(m.reading is not None for m in flat), flat)
    asked, wrong = _percent(sum(m.asked for m in flat), flat), sum(m.silently_wrong for m in flat)
    return f"{game or 'medley'}: {len(flat)} dice, {found} found, {asked} asked, {wrong} silently wrong"


def _percent(part: int, of: Sequence[Met]) -> str:
    return f"{100 * part / len(of):.1f} %" if of else "-"


def _haunted(pictures: Iterable[Scored]) -> tuple[int, int]:
    phantoms = [one.phantoms for one in pictures]
    return sum(count > 0 for count in phantoms), len(phantoms)


def _line(what: str, hits: int, count: int) -> str:
    low, high = wilson_interval(hits, count)
    share = hits / count if count else 0.0
    return f"{what}: {hits} of {count} = {100 * share:.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f} %)"


def confusions(total: Score, most: int = 12) -> str:
    """The commonest silent errors: truth, its drawing, and what was read."""
    wrong = Counter(
        f"{m.truth.drawing} read as {m.reading.face}" for m in total.dice() if m.reading and m.silently_wrong
    )
    return "\n".join(f"{count} x {name}" for name, count in wrong.most_common(most))


def doubts(total: Score, most: int = 12) -> str:
    """The drawings most asked about, and of how many."""
    asked = Counter(m.truth.drawing for m in total.dice() if m.asked)
    met = Counter(m.truth.drawing for m in total.dice())
    return "\n".join(f"{count} of {met[name]} x {name}" for name, count in asked.most_common(most))


def models_of(weights: Path) -> tuple[Finder, Reader]:
    """The finder and the reader in a folder of weights."""
    return Finder(weights / "finder.onnx"), Reader(weights / "reader.onnx")
