"""How well photographs are read: readings held against labels, and the shares with their intervals. Pure functions."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

Z95 = 1.959964
"""Standard deviations on each side that hold 95 % of a normal distribution."""


class BadLabels(ValueError):
    """A labelled folder cannot be used; the message names the file, the line and what it lacks."""


@dataclass(frozen=True)
class LabelledDie:
    """A die as labelled: its face, the centre of its box and the box's longer side, in pixels."""

    face: str
    x: float
    y: float
    edge: float


@dataclass(frozen=True)
class Label:
    """The truth of one photograph: `dice` where there are boxes, else `faces` alone.

    `cut` dice are cut by the edge and not labelled: reading one is no error.
    """

    file: str
    kind: str
    view: str
    faces: tuple[str, ...]
    dice: tuple[LabelledDie, ...] = ()
    boxes: bool = False
    cut: int = 0

    @property
    def source(self) -> str:
        """Where the photograph comes from: the first part of its file's name."""
        return Path(self.file).stem.rsplit("_", 1)[0]


@dataclass(frozen=True)
class Read:
    """A reading, as far as scoring needs it: pixels of the photograph."""

    face: str
    accepted: bool
    x: float
    y: float


@dataclass(frozen=True)
class Score:
    """Counts over photographs. `phantoms` are readings where no die is, `loud` those of them that were asked.

    `wrong` are silently wrong: accepted, and not what the die shows. `exact` photographs have every die read right
    and nothing asked.
    """

    pictures: int = 0
    exact: int = 0
    dice: int = 0
    found: int = 0
    asked: int = 0
    wrong: int = 0
    phantoms: int = 0
    loud: int = 0
    ms: float = 0.0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


@dataclass(frozen=True)
class Row:
    """A line of the report: what it is over, and the score."""

    over: str
    score: Score = field(default_factory=Score)

    def shares(self) -> dict[str, Any]:
        """The score in the words of the report: shares in per cent, silently wrong per 1000 with its interval."""
        score = self.score
        low, high = wilson(score.wrong, score.dice)
        return {
            "over": self.over,
            "pictures": score.pictures,
            "dice": score.dice,
            "found_percent": _percent(score.found, score.dice),
            "found_interval": [round(100 * share, 1) for share in wilson(score.found, score.dice)],
            "asked_percent": _percent(score.asked, score.dice),
            "wrong_per_1000": _percent(10 * score.wrong, score.dice),
            "wrong_interval": [round(1000 * low, 1), round(1000 * high, 1)],
            "phantoms": score.phantoms,
            "phantoms_asked": score.loud,
            "exact_percent": _percent(score.exact, score.pictures),
            "ms": round(score.ms / score.pictures, 1) if score.pictures else None,
        }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), 0 to 1; (0, 1) where nothing was counted."""
    if whole == 0:
        return 0.0, 1.0
    share, z2 = min(part / whole, 1.0), Z95 * Z95
    middle = share + z2 / (2 * whole)
    spread = Z95 * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    return max(0.0, (middle - spread) / (1 + z2 / whole)), min(1.0, (middle + spread) / (1 + z2 / whole))


def load_labels(folder: Path) -> tuple[Label, ...]:
    """The labels of a folder, from its `labels.jsonl`. Raises BadLabels."""
    path = folder / "labels.jsonl"
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadLabels(f"the labels {path} cannot be read: {error}") from error
    return tuple(_label(path, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _label(path: Path, number: int, line: str) -> Label:
    try:
        row = json.loads(line)
        dice = tuple(_labelled_die(die) for die in row.get("dice", ()))
        faces = tuple(die.face for die in dice) or tuple(plain_face(face) for face in row.get("faces", ()))
        cut = int(row.get("cut_dice", 0))
        return Label(str(row["file"]), str(row["kind"]), str(row["view"]), faces, dice, "dice" in row, cut)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadLabels(
            f"line {number} of {path} is no label with file, kind, view and dice or faces: {error}"
        ) from error


def _labelled_die(row: dict[str, Any]) -> LabelledDie:
    edge = max(float(row["w"]), float(row["h"]))
    return LabelledDie(plain_face(row["face"]), float(row["cx"]), float(row["cy"]), edge)


def plain_face(face: str) -> str:
    """A number by its pips, however it is drawn."""
    return face.replace("digit-", "pip-")


def score(label: Label, readings: Sequence[Read], ms: float) -> Score:
    """One photograph's score."""
    readings = [Read(plain_face(read.face), read.accepted, read.x, read.y) for read in readings]
    counted = _with_boxes(label, readings) if label.boxes else _without_boxes(label, readings)
    exact = counted.found == counted.dice and not (counted.asked or counted.wrong or counted.phantoms)
    return counted + Score(pictures=1, exact=int(exact), ms=ms)


def _with_boxes(label: Label, readings: Sequence[Read]) -> Score:
    pairs = match(label.dice, readings)
    matched = {id(read) for _, read in pairs}
    strangers = [read for read in readings if id(read) not in matched]
    return Score(
        dice=len(label.dice),
        found=len(pairs),
        asked=sum(not read.accepted for _, read in pairs),
        wrong=sum(read.accepted and read.face != die.face for die, read in pairs),
        phantoms=max(0, len(strangers) - label.cut),
        loud=min(sum(not read.accepted for read in strangers), max(0, len(strangers) - label.cut)),
    )


def match(dice: Iterable[LabelledDie], readings: Sequence[Read]) -> list[tuple[LabelledDie, Read]]:
    """Pairs of a die and its reading, nearest first: a reading belongs to a die within half an edge of its centre."""
    near = sorted(
        (math.hypot(die.x - read.x, die.y - read.y), i, j)
        for i, die in enumerate(dice)
        for j, read in enumerate(readings)
        if math.hypot(die.x - read.x, die.y - read.y) <= die.edge / 2
    )
    known, pairs = list(dice), list[tuple[int, int]]()
    for _, i, j in near:
        if all(i != other and j != another for other, another in pairs):
            pairs.append((i, j))
    return [(known[i], readings[j]) for i, j in pairs]


def _without_boxes(label: Label, readings: Sequence[Read]) -> Score:
    """Multisets alone: an accepted face that the truth does not hold (so often) is wrong."""
    accepted = Counter(read.face for read in readings if read.accepted)
    doubted = len(readings) - accepted.total()
    surplus = max(0, len(readings) - len(label.faces) - label.cut)
    wrong = max(0, (accepted - Counter(label.faces)).total() - label.cut)
    return Score(
        dice=len(label.faces),
        found=min(len(readings), len(label.faces)),
        asked=min(doubted, len(label.faces)),
        wrong=wrong,
        phantoms=surplus,
        loud=min(doubted, surplus),
    )


def report(scored: Iterable[tuple[Label, Score]]) -> tuple[Row, ...]:
    """A row for each source and view, then the totals."""
    totals: dict[str, Score] = {}
    for label, one in scored:
        for over in (f"{label.source}, {label.view}", *_wholes(label)):
            totals[over] = totals.get(over, Score()) + one
    last = [over for over in (TOP_DOWN, ALL) if over in totals]
    return tuple(Row(over, totals[over]) for over in (*sorted(set(totals) - set(last)), *last))


TOP_DOWN = "top-down with boxes"
ALL = "all"


def _wholes(label: Label) -> tuple[str, ...]:
    return (TOP_DOWN, ALL) if label.boxes and "top-down" in label.view else (ALL,)
