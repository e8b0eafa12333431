"""How well a table's dice are read, measured by the throws that people are asked about at random.

What people correct unasked says little: nobody corrects what nobody noticed. So some throws are asked about, and only
those answers are a measure.
"""

from __future__ import annotations

import json
import logging
import os
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from models.atomic_files import append_durably
from models.dataset.samples import AnsweredCheck, CheckedDie, LabelSource, SpotCheck
from referee.dice import BadAction, Die
from referee.phrases import decimal
from referee.sentences import Reason, Refused, cause_of, say
from vander.learning.page_views import share
from vander.storage.data_folder import StorageError, Unwritten
from vander.storage.preferences import PreferenceStore
from vision.model_file import wilson_interval
from web.schemas.learning_schemas import TableAccuracy

log = logging.getLogger(__name__)

THROW = "throw"
"""The member of a line that names the throw."""
HIGHEST = 2**31
"""The highest number of a game or an entry that a line may name."""
WRITTEN_EVERY = 5
"""Throws after which the counts are written; a power failure may lose that many. An answer is written at once."""


class BrokenAccuracyLog(StorageError):
    """`certificate.jsonl` cannot be read; it is left as it is."""


@dataclass(frozen=True)
class AccuracyCounts:
    """Counts of dice (`read`, `asked`, `corrected`, `checked`, `right`) and of throws (the others).

    `asked`: dice whose face people were asked for; `corrected`: dice that people corrected unasked. `checks` were
    answered and `waiting` were not; of the answered ones `clean` had no mistake; of the `checked` dice `right` were
    read right.
    """

    throws: int = 0
    read: int = 0
    asked: int = 0
    corrected: int = 0
    checks: int = 0
    clean: int = 0
    checked: int = 0
    right: int = 0
    waiting: int = 0

    def __add__(self, other: AccuracyCounts) -> AccuracyCounts:
        return AccuracyCounts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


NAMES = frozenset(one.name for one in fields(AccuracyCounts))


@dataclass(frozen=True)
class AccuracyLine:
    """A line of the file: when it was written, what it adds, and the throw that was checked, where one is named.

    Files that were written before throws were named go on with the sums alone.
    """

    at: str
    counts: AccuracyCounts
    throw: AnsweredCheck | None = None


class AccuracyLog:
    """The counts of one table, in `certificate.jsonl` of its data folder: each line adds to those before it.

    Any thread may call. A last line cut off by a power failure is dropped. Raises BrokenAccuracyLog for other damage.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "certificate.jsonl"
        self._lock = Lock()
        self._pending = AccuracyCounts()
        lines, self._size = _read(self._path)
        self._kept = sum((line.counts for line in lines), AccuracyCounts())
        self._since = lines[0].at if lines else ""
        self._throws = tuple(line.throw for line in lines if line.throw)

    @property
    def tally(self) -> AccuracyCounts:
        with self._lock:
            return self._kept + self._pending

    @property
    def throws(self) -> tuple[AnsweredCheck, ...]:
        """The throws that were checked, in the order of the answers; none of before throws were named."""
        with self._lock:
            return self._throws

    def add(self, tally: AccuracyCounts) -> None:
        """Add to the counts; they are written every WRITTEN_EVERY throws, or later where the disk is full."""
        with self._lock:
            self._pending += tally
            if self._pending.throws >= WRITTEN_EVERY:
                self._try_to_write()

    def add_answer(self, tally: AccuracyCounts, thrown: AnsweredCheck | None = None) -> None:
        """Add a person's answer about a throw, on disk when this returns. Raises Unwritten: it does not count then."""
        with self._lock:
            self._write(self._pending + tally, thrown)

    def close(self) -> None:
        """Write what was counted since the last line."""
        with self._lock:
            if self._pending != AccuracyCounts():
                self._try_to_write()

    def summarize(self) -> TableAccuracy:
        now = self.tally
        return TableAccuracy(
            since=self._since,
            right=share(now.right, now.checked),
            throws=share(now.clean, now.checks),
            asked=share(now.asked, now.read),
            corrected=share(now.corrected, now.read),
            waiting=now.waiting,
            sentence=_sentence(now),
        )

    def _try_to_write(self) -> None:
        try:
            self._write(self._pending)
        except Unwritten as error:
            log.warning("%s", error)

    def _write(self, tally: AccuracyCounts, thrown: AnsweredCheck | None = None) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        counted = {name: count for name, count in asdict(tally).items() if count}
        named = {THROW: _throw_json(thrown)} if thrown else {}
        line = json.dumps({"at": at, **counted, **named}) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                os.truncate(self._path, self._size)  # what a power failure or a failed write left is dropped
            append_durably(self._path, line)
        except OSError as error:
            raise Unwritten(
                say("the certificate {path} cannot be written: {cause}", path=self._path, cause=cause_of(error))
            ) from error
        self._kept, self._pending = self._kept + tally, AccuracyCounts()
        self._size += len(line)
        self._since = self._since or at
        self._throws += (replace(thrown, at=at),) if thrown else ()


class SpotChecker:
    """Decides which throws people are asked about, and counts. It has no lock: the session calls under its own.

    `preferences` say how often; `seed` makes the choice of throws repeatable.
    """

    def __init__(self, accuracy_log: AccuracyLog, preferences: PreferenceStore, seed: int | None = None) -> None:
        self._log = accuracy_log
        self._preferences = preferences
        self._random = random.Random(seed)  # noqa: S311  # nobody must not guess which throw is asked about
        self._last = accuracy_log.tally.checks + accuracy_log.tally.waiting  # no page of before a restart is answered
        self._open: SpotCheck | None = None
        self._throw = -1
        self._ruled: dict[int, CheckedDie] = {}

    @property
    def open(self) -> SpotCheck | None:
        """The check that is open, or None."""
        return self._open

    def throw_ruled(self, throw: int, dice: Sequence[CheckedDie]) -> None:
        """Count the dice of a throw that was ruled on, and perhaps ask about it. A throw counts once."""
        if throw == self._throw or not dice:
            return
        self.skip_open()
        self._throw = throw
        self._ruled = {die.number: die for die in dice}
        sources = Counter(die.said for die in dice)
        tally = AccuracyCounts(
            throws=1, read=len(dice), asked=sources[LabelSource.ANSWERED], corrected=sources[LabelSource.CORRECTED]
        )
        self._log.add(tally)
        certain = tuple(die for die in dice if die.by_itself)
        if certain and self._is_due():
            self._last += 1
            self._open = SpotCheck(self._last, certain)

    def face_corrected(self, number: int, throw: int) -> None:
        """Count a die of the last throw that people corrected unasked."""
        die = self._ruled.get(number)
        if die is not None and die.throw == throw and die.by_itself:
            self._ruled[number] = replace(die, said=LabelSource.CORRECTED)
            self._log.add(AccuracyCounts(corrected=1))

    def record_answer(self, number: int, wrong: Collection[int], thrown: AnsweredCheck | None = None) -> None:
        """Record an answer: all dice of the check were read right except these.

        Raises Refused where that check is not open, and Unwritten, after which it stays open.
        """
        check = self.find_open(number)
        misread = sum(die.number in wrong for die in check.dice)
        checked = len(check.dice)
        tally = AccuracyCounts(checks=1, clean=int(not misread), checked=checked, right=checked - misread)
        self._log.add_answer(tally, thrown)
        self._open = None

    def find_open(self, number: int) -> SpotCheck:
        """Return the open check if it has that number. Raises Refused."""
        if self._open is None or self._open.number != number:
            raise Refused(say("That throw is no longer asked about."), Reason.NOT_FOUND)
        return self._open

    def skip_open(self) -> None:
        """Close the open check unanswered: another throw lies there, or another game begins."""
        if self._open is not None:
            self._log.add(AccuracyCounts(waiting=1))
            self._open = None

    def reset(self) -> None:
        """Start over: other dice lie there, whose throws are counted from one."""
        self.skip_open()
        self._throw, self._ruled = -1, {}

    def _is_due(self) -> bool:
        one_in = self._preferences.current.check_one_in
        return one_in > 0 and self._random.random() * one_in < 1


def _read(path: Path) -> tuple[tuple[AccuracyLine, ...], int]:
    """Return the whole lines of a file, and their bytes. Raises BrokenAccuracyLog."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return (), 0
    except OSError as error:
        raise BrokenAccuracyLog(
            say("the certificate {path} cannot be read: {cause}", path=path, cause=cause_of(error))
        ) from error
    if lines and _counted(lines[-1]) is None:
        lines.pop()  # cut off by a power failure
    counted = [_counted(line) for line in lines]
    if None in counted:
        raise BrokenAccuracyLog(
            say(
                "the certificate {path} is damaged in line {line}; mend it, or move the file away",
                path=path,
                line=counted.index(None) + 1,
            )
        )
    return tuple(one for one in counted if one is not None), sum(map(len, lines))


def _counted(line: bytes) -> AccuracyLine | None:
    """Return what a line says, or None where it is not a whole line."""
    try:
        record: Any = json.loads(line) if line.endswith(b"\n") else None
        thrown = _throw_of(record.pop(THROW)) if isinstance(record, dict) and THROW in record else None
    except (ValueError, TypeError, KeyError, BadAction, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(at := record.pop("at", None), str):
        return None
    if not record.keys() <= NAMES or not all(_is_count(count) for count in record.values()):
        return None
    return AccuracyLine(at, AccuracyCounts(**record), replace(thrown, at=at) if thrown else None)


def _throw_json(thrown: AnsweredCheck) -> dict[str, object]:
    return {"game": thrown.game, "entry": thrown.entry, "dice": [list(map(str, pair)) for pair in thrown.dice]}


def _throw_of(record: dict[str, Any]) -> AnsweredCheck:
    """Return the throw that JSON names. Raises ValueError, TypeError, KeyError and BadAction where it names none."""
    place = (record["game"], record["entry"])
    if not all(_is_count(number) and number <= HIGHEST for number in place):
        raise ValueError(place)
    return AnsweredCheck(*place, tuple((Die.parse(read), Die.parse(true)) for read, true in record["dice"]))


def _is_count(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count >= 0


def _sentence(tally: AccuracyCounts) -> str:
    if tally.checked == 0:
        return say("Nobody has said yet whether a throw was read right.")
    low, high = wilson_interval(tally.right, tally.checked)
    return say(
        "Of {checked} dice that people looked at again, {right} were read right. "
        "With 95 % certainty that is {low} to {high} % of all that Vander reads alone.",
        checked=tally.checked,
        right=tally.right,
        low=decimal(100 * low, 1),
        high=decimal(100 * high, 1),
    )
