"""A table's certificate: how well its dice are read, from the throws that people were asked about at random.

What people correct of themselves says little: nobody corrects what nobody noticed. So now and then the table asks, and
only those answers are a measure.
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

from models.dataset.table_labels import CheckedDie, LabelSource, SpotCheck
from referee.refused import Reason, Refused
from vander.learning.presentation import share
from vander.storage.preferences import PreferenceStore
from vander.storage.storage_errors import StorageError, Unwritten
from vision.statistics import wilson_interval
from web.schemas.learning_schemas import Certificate

log = logging.getLogger(__name__)

WRITTEN_EVERY = 5
"""Throws after which the running counts are written: so many a pulled plug may lose. An answer is written at once."""


class BrokenAccuracyLog(StorageError):
    """The certificate's file cannot be read; it is left as it is."""


@dataclass(frozen=True)
class AccuracyCounts:
    """Counts. `read`, `asked`, `corrected`, `checked` and `right` are dice; the others throws.

    `asked`: dice whose face people were asked for; `corrected`: dice that people corrected of themselves. `checks` were
    answered and `waiting` were not; of the answered `clean` had no mistake; of the `checked` dice `right` were right.
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


class AccuracyLog:
    """The counts of one table, in `certificate.jsonl` of its data folder: each line adds to those before it.

    Any thread may call. A last line that a pulled plug tore is dropped. Raises BrokenAccuracyLog for any other damage.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "certificate.jsonl"
        self._lock = Lock()
        self._pending = AccuracyCounts()
        self._kept, self._since, self._size = _read(self._path)

    @property
    def tally(self) -> AccuracyCounts:
        """All that was counted so far."""
        with self._lock:
            return self._kept + self._pending

    def add(self, tally: AccuracyCounts) -> None:
        """Add to the counts; they are written now and then, and a full disk only puts that off."""
        with self._lock:
            self._pending += tally
            if self._pending.throws >= WRITTEN_EVERY:
                self._try_to_write()

    def add_answer(self, tally: AccuracyCounts) -> None:
        """Add a person's answer; it is on disk when this returns. Raises Unwritten: it does not count then."""
        with self._lock:
            self._write(self._pending + tally)

    def close(self) -> None:
        """Write what was counted since the last line."""
        with self._lock:
            if self._pending != AccuracyCounts():
                self._try_to_write()

    def certificate(self) -> Certificate:
        """The certificate as it stands."""
        now = self.tally
        return Certificate(
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

    def _write(self, tally: AccuracyCounts) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        counted = {name: count for name, count in asdict(tally).items() if count}
        line = json.dumps({"at": at, **counted}).encode() + b"\n"
        try:
            _append(self._path, line, self._size)
        except OSError as error:
            raise Unwritten(f"the certificate {self._path} cannot be written: {error.strerror}") from error
        self._kept, self._pending = self._kept + tally, AccuracyCounts()
        self._size += len(line)
        self._since = self._since or at


class SpotChecker:
    """Decides which throws people are asked about, and counts. It has no lock: the table's is held by whoever calls.

    `choices` say how often; `seed` makes the choice of throws come again.
    """

    def __init__(self, certificates: AccuracyLog, choices: PreferenceStore, seed: int | None = None) -> None:
        self._certificates = certificates
        self._choices = choices
        self._random = random.Random(seed)  # noqa: S311  # nobody must not guess which throw is asked about
        self._last = certificates.tally.checks + certificates.tally.waiting  # no page of before a restart is answered
        self._open: SpotCheck | None = None
        self._throw = -1
        self._ruled: dict[int, CheckedDie] = {}

    @property
    def open(self) -> SpotCheck | None:
        """The check that is open."""
        return self._open

    def throw_ruled(self, throw: int, dice: Sequence[CheckedDie]) -> None:
        """Count the dice that a throw gave, now that it is ruled on; maybe ask about it. A throw counts once."""
        if throw == self._throw or not dice:
            return
        self.skip_open()
        self._throw = throw
        self._ruled = {die.number: die for die in dice}
        said = Counter(die.said for die in dice)
        tally = AccuracyCounts(
            throws=1, read=len(dice), asked=said[LabelSource.ANSWERED], corrected=said[LabelSource.CORRECTED]
        )
        self._certificates.add(tally)
        certain = tuple(die for die in dice if die.by_itself)
        if certain and self._is_due():
            self._last += 1
            self._open = SpotCheck(self._last, certain)

    def face_corrected(self, number: int, throw: int) -> None:
        """Count a die of the last throw ruled on that people corrected of themselves."""
        die = self._ruled.get(number)
        if die is not None and die.throw == throw and die.by_itself:
            self._ruled[number] = replace(die, said=LabelSource.CORRECTED)
            self._certificates.add(AccuracyCounts(corrected=1))

    def record_answer(self, number: int, wrong: Collection[int]) -> None:
        """Take an answer: all dice of the check were read right but these.

        Raises Refused when that check is not open, and Unwritten, after which it still is.
        """
        check = self.find_open(number)
        amiss = sum(die.number in wrong for die in check.dice)
        checked = len(check.dice)
        self._certificates.add_answer(
            AccuracyCounts(checks=1, clean=int(not amiss), checked=checked, right=checked - amiss)
        )
        self._open = None

    def find_open(self, number: int) -> SpotCheck:
        """The open check of that number. Raises Refused."""
        if self._open is None or self._open.number != number:
            raise Refused("That throw is no longer asked about.", Reason.NOT_FOUND)
        return self._open

    def skip_open(self) -> None:
        """Another throw lies there, or another game begins: whoever has not answered need not any more."""
        if self._open is not None:
            self._certificates.add(AccuracyCounts(waiting=1))
            self._open = None

    def reset(self) -> None:
        """Other dice lie there, and their throws are counted from one again."""
        self.skip_open()
        self._throw, self._ruled = -1, {}

    def _is_due(self) -> bool:
        one_in = self._choices.now.check_one_in
        return one_in > 0 and self._random.random() * one_in < 1


def _read(path: Path) -> tuple[AccuracyCounts, str, int]:
    """The counts of a file, when its first line was written ('' without one), and its length in bytes so far as good.

    Raises BrokenAccuracyLog.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return AccuracyCounts(), "", 0
    except OSError as error:
        raise BrokenAccuracyLog(f"the certificate {path} cannot be read: {error.strerror}") from error
    if lines and _counted(lines[-1]) is None:
        lines.pop()  # torn by a pulled plug
    counted = [_counted(line) for line in lines]
    if None in counted:
        raise BrokenAccuracyLog(
            f"the certificate {path} is damaged in line {counted.index(None) + 1}; mend it, or move the file away"
        )
    whole = [one for one in counted if one is not None]
    return sum((tally for _, tally in whole), AccuracyCounts()), whole[0][0] if whole else "", sum(map(len, lines))


def _counted(line: bytes) -> tuple[str, AccuracyCounts] | None:
    """When a line was written and what it adds, or None when it is no whole line of a certificate."""
    try:
        said: Any = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    if not isinstance(said, dict) or not isinstance(at := said.pop("at", None), str):
        return None
    if not said.keys() <= NAMES or not all(_is_count(count) for count in said.values()):
        return None
    return at, AccuracyCounts(**said)


def _is_count(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count >= 0


def _append(path: Path, line: bytes, size: int) -> None:
    """Put a line behind the first `size` bytes of a file, in place of what a failed try may have left there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _sentence(tally: AccuracyCounts) -> str:
    if tally.checked == 0:
        return "Nobody has said yet whether a throw was read right."
    low, high = wilson_interval(tally.right, tally.checked)
    return (
        f"Of {tally.checked} dice that people looked at again, {tally.right} were read right: "
        f"with 95 % certainty {100 * low:.1f} to {100 * high:.1f} % of all that Vander reads by itself."
    )
