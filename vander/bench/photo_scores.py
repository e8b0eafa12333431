"""Scores of read photographs: readings compared with labels, shares with their intervals, and how all benches print."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from models import die_sets
from referee.dice import DieSet, FaceName
from vander.resources.game_catalog import PLAIN_DICE
from vision.kinds import faces_of_drawing
from vision.model_file import Z95, wilson_interval

WIDTH = 160
"""Columns of text; a narrower terminal wraps lines."""

errors = Console(stderr=True)
"""The console for progress, on standard error."""


def print_lines(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        print(json.dumps(row), flush=True)


def print_grid(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    grid = Grid(*headings)
    for row in rows:
        grid.add_row(*row)
    Console(width=max(WIDTH, Console().width)).print(grid)


def share(figures: dict[str, Any], name: str, unit: str = "percent") -> str:
    """Return a share with its 95 % interval from a score's JSON; '' if nothing was counted."""
    value = figures[f"{name}_{unit}"]
    low, high = figures[f"{name}_interval"]
    return "" if value is None else f"{value:.2f} ({low:.1f}-{high:.1f})"


NUMBERED = frozenset({"pip", "digit"})
"""Kinds of pictures that are read as ordinary dice, unless their label names a die set."""

MANY = 1000
"""More ordinary dice than any picture shows: a label without a die set does not say how many there are."""


class LabelError(ValueError):
    """A labelled folder cannot be used; the message names the file, the line and what is missing."""


@dataclass(frozen=True)
class LabelledDie:
    """A labelled die: its face, the centre of its box and the box's longer side, in pixels.

    kind: its kind in the set; '' if the label does not say and several kinds have the face, or no set is named.
    """

    face: str
    x: float
    y: float
    edge: float
    kind: str = ""


@dataclass(frozen=True)
class PhotoLabel:
    """The truth of one photograph: `dice` where there are boxes, else `faces` alone.

    `cut` dice are cut by the edge and not labelled: reading one is no error. `there` are the dice that may lie
    there; None for any that are known. Faces are called as those dice have them.
    """

    file: str
    kind: str
    view: str
    faces: tuple[str, ...]
    dice: tuple[LabelledDie, ...] = ()
    boxes: bool = False
    cut: int = 0
    there: DieSet | None = None

    @property
    def source(self) -> str:
        """The photograph's source: the first part of its file's name."""
        return source_of(self.file)

    def is_among(self, names: Iterable[str]) -> bool:
        """True if one of the names is its source, or a pattern of its file's name (`penlington_*[02468]`)."""
        return any(self.source == name or fnmatch(Path(self.file).stem, name) for name in names)


@dataclass(frozen=True)
class BenchReading:
    """A reading for scoring: position in pixels of the photograph, confidence 0 to 1.

    kind: the kind it was read as; '' from a reader that knows no kinds.
    """

    face: str
    accepted: bool
    x: float
    y: float
    edge: float = 0.0
    turned_degrees: float = 0.0
    sure: float = 1.0
    kind: str = ""


class DieVerdict(StrEnum):
    """What became of a die or of a phantom; the worst first."""

    WRONG = "silently wrong"
    PHANTOM = "phantom"
    MISSED = "missed"
    ASKED = "asked"
    LOUD_PHANTOM = "phantom, asked"
    RIGHT = "right"


@dataclass(frozen=True)
class DieOutcome:
    """The outcome of one die: verdict, true face ('' if unknown), and reading and label if known."""

    verdict: DieVerdict
    truth: str
    read: BenchReading | None = None
    die: LabelledDie | None = None

    @property
    def only_kind_wrong(self) -> bool:
        """True if the right face was accepted on the wrong die."""
        return self.verdict is DieVerdict.WRONG and self.read is not None and self.read.face == self.truth


@dataclass(frozen=True)
class PhotoScore:
    """Counts over photographs. `phantoms` are readings where no die is, `loud` those of them that were asked.

    `right` were accepted as what they are, face and kind; `wrong` are silently wrong: accepted, and not what the die
    shows or not the die that shows it, of which `wrong_kind` had the right face. `exact` photographs have every die
    read right and nothing asked; `haunted` ones have a phantom that was accepted.
    """

    pictures: int = 0
    exact: int = 0
    haunted: int = 0
    dice: int = 0
    found: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    wrong_kind: int = 0
    phantoms: int = 0
    loud: int = 0
    ms: float = 0.0

    def __add__(self, other: PhotoScore) -> PhotoScore:
        return PhotoScore(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))

    @property
    def accepted_phantoms(self) -> int:
        """Phantoms that were accepted without asking."""
        return self.phantoms - self.loud

    def shares(self) -> dict[str, Any]:
        """Return the counts, and the shares with their 95 % intervals: per cent, silent errors per 1000."""
        return {
            "pictures": self.pictures,
            "dice": self.dice,
            "found": self.found,
            **share_of("found", self.found, self.dice),
            "right": self.right,
            **share_of("right", self.right, self.dice),
            "asked": self.asked,
            **share_of("asked", self.asked, self.dice),
            "wrong": self.wrong,
            **share_of("wrong", self.wrong, self.dice, 1000),
            "wrong_kind": self.wrong_kind,
            "phantoms": self.accepted_phantoms,
            "phantoms_asked": self.loud,
            "haunted": self.haunted,
            **share_of("haunted", self.haunted, self.pictures),
            "exact": self.exact,
            **share_of("exact", self.exact, self.pictures),
            "ms": round(self.ms / self.pictures, 1) if self.pictures else None,
        }


def share_of(name: str, part: int, whole: int, unit: int = 100) -> dict[str, Any]:
    """Return a share per cent, or of another unit, with its 95 % interval, as JSON; null if nothing was counted."""
    named = "percent" if unit == 100 else f"per_{unit}"
    interval = [round(unit * limit, 2) for limit in wilson_interval(part, whole)]
    return {f"{name}_{named}": round(unit * part / whole, 2) if whole else None, f"{name}_interval": interval}


@dataclass(frozen=True)
class ReportRow:
    """A row of the report: what it covers, and the score."""

    over: str
    score: PhotoScore = field(default_factory=PhotoScore)

    def shares(self) -> dict[str, Any]:
        return {"over": self.over, **self.score.shares()}


def source_of(file: str) -> str:
    """Return a picture's or clip's source: its file's name up to the last `_`."""
    return Path(file).stem.rsplit("_", 1)[0]


def load_labels(folder: Path) -> tuple[PhotoLabel, ...]:
    """Return the labels of a folder's `labels.jsonl`. Raises LabelError."""
    path = folder / "labels.jsonl"
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(f"the labels {path} cannot be read: {error}") from error
    return tuple(_label(path, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _label(path: Path, number: int, line: str) -> PhotoLabel:
    try:
        return parse_row(json.loads(line))
    except die_sets.NoSuchDieSet as error:
        raise LabelError(f"line {number} of {path} names dice that are not known: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabelError(
            f"line {number} of {path} is no label with file, kind, view and dice or faces: {error}"
        ) from error


def parse_row(row: dict[str, Any]) -> PhotoLabel:
    """Return the label of one line. Raises ValueError, KeyError, TypeError, AttributeError and NoSuchDieSet."""
    there = _labelled_set(row)
    dice = tuple(_labelled_die(die, there) for die in row.get("dice", ()))
    faces = tuple(die.face for die in dice) or tuple(canonical_face(face, there) for face in row.get("faces", ()))
    cut = int(row.get("cut_dice", 0))
    return PhotoLabel(str(row["file"]), str(row["kind"]), str(row["view"]), faces, dice, "dice" in row, cut, there)


def _labelled_set(row: dict[str, Any]) -> DieSet | None:
    """Return the set that a row names, else any number of ordinary dice for pips and digits. Raises NoSuchDieSet."""
    if row.get("set"):
        return die_sets.load(str(row["set"]))
    return ordinary_dice() if row["kind"] in NUMBERED else None


@cache
def ordinary_dice() -> DieSet:
    plain = die_sets.load(PLAIN_DICE)
    return replace(plain, counts=tuple((kind, MANY) for kind in plain.kinds))


def _labelled_die(row: dict[str, Any], there: DieSet | None) -> LabelledDie:
    edge, face = max(float(row["w"]), float(row["h"])), canonical_face(row["face"], there)
    kind = _labelled_kind(str(row.get("kind", "")), face, there)
    return LabelledDie(face, float(row["cx"]), float(row["cy"]), edge, kind)


def _labelled_kind(kind: str, face: str, there: DieSet | None) -> str:
    """Return a die's kind, else the one kind of the set that has the face, else ''. Raises ValueError."""
    if there is None:
        return kind
    owners = [str(one.name) for one in there.kinds if any(canonical_face(own, None) == face for own in one.faces)]
    if kind and kind not in owners:
        raise ValueError(f"a die of kind {kind!r} with face {face!r} is none of {there.title}")
    return kind or (owners[0] if len(owners) == 1 else "")


def canonical_face(face: str, there: DieSet | None) -> str:
    """Return a face as the dice of a set name it, or itself; a number is named by its pips."""
    meant = faces_of_drawing(FaceName(face), there) if there else []
    return (meant[0][1] if meant else face).replace("digit-", "pip-")


def outcomes(label: PhotoLabel, readings: Iterable[BenchReading]) -> tuple[DieOutcome, ...]:
    """Return the outcome of every die of a photograph, and of every reading, the worst first.

    Without boxes the multisets alone can be compared: of a face that was accepted too often the least sure reading
    counts as wrong, even where there are more readings than dice, and dice that were missed have no face.
    """
    named = [replace(read, face=canonical_face(read.face, label.there)) for read in readings]
    found = _with_boxes(label, named) if label.boxes else _without_boxes(label, named)
    return tuple(sorted(found, key=lambda outcome: list(DieVerdict).index(outcome.verdict)))


def _with_boxes(label: PhotoLabel, readings: Sequence[BenchReading]) -> Iterator[DieOutcome]:
    pairs = match(label.dice, readings)
    yield from (DieOutcome(_verdict(die, read), die.face, read, die) for die, read in pairs)
    met = {id(die) for die, _ in pairs}
    yield from (DieOutcome(DieVerdict.MISSED, die.face, None, die) for die in label.dice if id(die) not in met)
    taken = {id(read) for _, read in pairs}
    strangers = sorted((read for read in readings if id(read) not in taken), key=lambda read: not read.accepted)
    yield from (DieOutcome(_phantom_verdict(read), "", read) for read in strangers[label.cut :])


def _verdict(die: LabelledDie, read: BenchReading) -> DieVerdict:
    if not read.accepted:
        return DieVerdict.ASKED
    same_kind = not (die.kind and read.kind) or read.kind == die.kind
    return DieVerdict.RIGHT if read.face == die.face and same_kind else DieVerdict.WRONG


def _phantom_verdict(read: BenchReading) -> DieVerdict:
    return DieVerdict.PHANTOM if read.accepted else DieVerdict.LOUD_PHANTOM


def match(dice: Iterable[LabelledDie], readings: Sequence[BenchReading]) -> list[tuple[LabelledDie, BenchReading]]:
    """Return pairs of a die and its reading, nearest first; a pair is at most half an edge apart, of box or reading.

    Some boxes mark the one pip of a face and not the face.
    """
    near = sorted(
        (math.hypot(die.x - read.x, die.y - read.y), i, j)
        for i, die in enumerate(dice)
        for j, read in enumerate(readings)
        if math.hypot(die.x - read.x, die.y - read.y) <= max(die.edge, read.edge) / 2
    )
    known, pairs = list(dice), list[tuple[int, int]]()
    for _, i, j in near:
        if all(i != other and j != another for other, another in pairs):
            pairs.append((i, j))
    return [(known[i], readings[j]) for i, j in pairs]


def _without_boxes(label: PhotoLabel, readings: Sequence[BenchReading]) -> Iterator[DieOutcome]:
    yield from _accepted(label, sorted((read for read in readings if read.accepted), key=lambda read: -read.sure))
    doubted = sorted((read for read in readings if not read.accepted), key=lambda read: -read.sure)
    surplus = max(0, len(readings) - len(label.faces) - label.cut)
    asked = len(doubted) - min(surplus, len(doubted))
    yield from (DieOutcome(DieVerdict.ASKED, "", read) for read in doubted[:asked])
    yield from (DieOutcome(DieVerdict.LOUD_PHANTOM, "", read) for read in doubted[asked:])
    yield from (DieOutcome(DieVerdict.MISSED, "") for _ in range(len(label.faces) - len(readings)))


def _accepted(label: PhotoLabel, readings: Iterable[BenchReading]) -> Iterator[DieOutcome]:
    """Match each reading with a remaining true face; the others are wrong, except as many as are cut."""
    left, excused = Counter(label.faces), label.cut
    for read in readings:
        if left[read.face]:
            left[read.face] -= 1
            yield DieOutcome(DieVerdict.RIGHT, read.face, read)
        elif excused:
            excused -= 1
        else:
            yield DieOutcome(DieVerdict.WRONG if label.faces else DieVerdict.PHANTOM, "", read)


def score(label: PhotoLabel, became: Sequence[DieOutcome], ms: float) -> PhotoScore:
    verdicts = Counter(outcome.verdict for outcome in became)
    quiet, loud = verdicts[DieVerdict.PHANTOM], verdicts[DieVerdict.LOUD_PHANTOM]
    return PhotoScore(
        pictures=1,
        exact=int(verdicts[DieVerdict.RIGHT] == len(label.faces) and len(became) == len(label.faces)),
        haunted=int(quiet > 0),
        dice=len(label.faces),
        found=len(label.faces) - verdicts[DieVerdict.MISSED],
        right=verdicts[DieVerdict.RIGHT],
        asked=verdicts[DieVerdict.ASKED],
        wrong=verdicts[DieVerdict.WRONG],
        wrong_kind=sum(outcome.only_kind_wrong for outcome in became),
        phantoms=quiet + loud,
        loud=loud,
        ms=ms,
    )


def report(scored: Iterable[tuple[PhotoLabel, PhotoScore]]) -> tuple[ReportRow, ...]:
    """Return a row for each source and view, then the totals."""
    totals: dict[str, PhotoScore] = {}
    for label, one in scored:
        for over in (f"{label.source}, {label.view}", *_wholes(label)):
            totals[over] = totals.get(over, PhotoScore()) + one
    last = [over for over in (WITHOUT_DICE, TOP_DOWN, OBLIQUE, ALL) if over in totals]
    return tuple(ReportRow(over, totals[over]) for over in (*sorted(set(totals) - set(last)), *last))


WITHOUT_DICE = "without dice"
TOP_DOWN = "top-down with boxes"
OBLIQUE = "oblique, of all sources"
ALL = "all"


def _wholes(label: PhotoLabel) -> Iterator[str]:
    if not label.faces and not label.cut:
        yield WITHOUT_DICE
    if label.boxes and "top-down" in label.view:
        yield TOP_DOWN
    if "oblique" in label.view and "slightly" not in label.view:
        yield OBLIQUE
    yield ALL


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median and its 95 % interval (Conover 1999, section 3.2). Needs one value."""
    ordered = sorted(values)
    reach = Z95 * math.sqrt(len(ordered)) / 2
    low, high = math.floor(len(ordered) / 2 - reach), math.ceil(len(ordered) / 2 + reach)
    return statistics.median(ordered), ordered[max(0, low - 1)], ordered[min(len(ordered), high + 1) - 1]
