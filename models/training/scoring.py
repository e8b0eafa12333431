"""Scoring the exported models on rendered pictures, through the very code that reads a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.training.pictures import Kept
from models.training.truth import Truth
from vision.find import Finder
from vision.frames import Frame
from vision.read import Reader
from vision.rectify import plain_view
from vision.sightings import DieReading


@dataclass(frozen=True)
class Met:
    """A die of the truth and the reading that lies on it, if any."""

    truth: Truth
    reading: DieReading | None


@dataclass
class Score:
    """What became of the dice of many pictures; `phantoms` are accepted readings where no die is."""

    met: list[Met] = field(default_factory=list)
    phantoms: int = 0
    pictures: int = 0


def score(pictures: Iterable[Kept], finder: Finder, reader: Reader) -> Score:
    """Read every picture with no die set given and compare with its truth."""
    total = Score()
    for number, kept in enumerate(tqdm(list(pictures), desc="scoring", mininterval=5)):
        view = plain_view(Frame(kept.pixels(), number, 0.0))
        readings = reader.read(view, finder.find(view), None)
        met, strays = match(kept.dice, readings)
        total.met += met
        total.phantoms += sum(reading.accepted for reading in strays)
        total.pictures += 1
    return total


def match(dice: Sequence[Truth], readings: Sequence[DieReading]) -> tuple[list[Met], list[DieReading]]:
    """Each clear die with the nearest reading within half its edge; and the readings that lie on no die at all."""
    left = list(readings)
    met = []
    for die in sorted(dice, key=lambda d: not d.clear):
        nearest = min(left, key=lambda r: _apart(die, r), default=None)
        if nearest is not None and _apart(die, nearest) < 0.5 * die.edge:
            left.remove(nearest)
        else:
            nearest = None
        if die.clear:
            met.append(Met(die, nearest))
    return met, [r for r in left if all(_apart(die, r) > die.edge for die in dice)]


def _apart(die: Truth, reading: DieReading) -> float:
    return float(np.hypot(die.x - reading.sighting.x, die.y - reading.sighting.y))


def interval(hits: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(total: Score) -> str:
    """The figures as lines of text, each with its count and 95 % interval."""
    flat = [m for m in total.met if m.truth.posture == "flat"]
    other = [m for m in total.met if m.truth.posture != "flat"]
    found = [m for m in flat if m.reading is not None]
    rows = [
        ("flat dice found", len(found), len(flat)),
        ("found, and asked about", sum(not m.reading.accepted for m in found if m.reading), len(found)),
        ("flat dice silently wrong", sum(_wrong(m) for m in flat), len(flat)),
        ("cocked or stacked, silently wrong", sum(_wrong(m) for m in other), len(other)),
    ]
    lines = [_line(*row) for row in rows]
    return "\n".join([*lines, f"accepted where no die is: {total.phantoms} in {total.pictures} pictures"])


def _wrong(met: Met) -> bool:
    return met.reading is not None and met.reading.accepted and met.reading.face != met.truth.face


def _line(what: str, hits: int, count: int) -> str:
    low, high = interval(hits, count)
    share = hits / count if count else 0.0
    return f"{what}: {hits} of {count} = {100 * share:.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f} %)"


def confusions(total: Score, most: int = 12) -> str:
    """The commonest silent errors: truth, its drawing, and what was read."""
    wrong = [f"{m.truth.drawing} read as {m.reading.face}" for m in total.met if m.reading and _wrong(m)]
    counted = sorted({name: wrong.count(name) for name in wrong}.items(), key=lambda item: -item[1])
    return "\n".join(f"{count} x {name}" for name, count in counted[:most])


def models_of(weights: Path) -> tuple[Finder, Reader]:
    """The finder and the reader in a folder of weights."""
    return Finder(weights / "finder.onnx"), Reader(weights / "reader.onnx")
