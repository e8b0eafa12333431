"""Count a journal's games and entries in a small file next to it, so that a journal that lost some is found out.

SQLite keeps what was written last in a log of its own. A log that is lost, or has one wrong bit, is an older journal
to SQLite, and no error.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from zlib import crc32

from sqlalchemy import select
from sqlalchemy.engine import Connection

from models import atomic_files
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from vander.storage.evidence_store import place_of
from vander.storage.journal_schema import ENTRIES

log = logging.getLogger(__name__)

SUFFIX = ".count"
"""The count of `journal.sqlite` is in `journal.count`."""
LENGTH = 160
"""Characters of the count's line: always as many, so that it can be written over."""
WHAT_HELPS = say("Restore a backup with `vander restore`, or accept the loss on the page /doctor.")


_COUNTS = (
    "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM entries), (SELECT coalesce(max(id), 0) FROM games)"
)
"""In plain SQL, since it is asked with each entry."""


class UnreadableCount(ValueError):
    """A count file holds what no Vander wrote."""


@dataclass(frozen=True)
class JournalCount:
    """How many games and entries a journal holds; `last_game` is the highest number that was ever given to a game."""

    games: int = 0
    entries: int = 0
    last_game: int = 0

    def __str__(self) -> str:
        numbers = asdict(self)
        return json.dumps({**numbers, "crc32": _checksum([*numbers.values()])})

    @classmethod
    def parse(cls, text: str) -> JournalCount:
        """Parse what `str` wrote; further names are ignored. Raises UnreadableCount."""
        try:
            found = json.loads(text)
            numbers = [found[name] for name in ("games", "entries", "last_game")]
            checksum = found["crc32"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UnreadableCount(f"{text[:80]!r} is no count") from error
        if not all(type(number) is int and number >= 0 for number in numbers) or checksum != _checksum(numbers):
            raise UnreadableCount(f"{text[:80]!r} is no count")
        return cls(*numbers)


def _checksum(numbers: Sequence[int]) -> int:
    return crc32(str(numbers).encode())


@dataclass(frozen=True)
class MissingGames:
    """What a journal lacks of what was played here. `entries` includes those of the missing `games`."""

    games: int = 0
    entries: int = 0

    def __bool__(self) -> bool:
        return bool(self.games or self.entries)

    @property
    def sentence(self) -> str:
        """Return what is missing for people, '' for nothing."""
        if self.games:
            return say_count(
                "The journal lacks {count} game that was played here.",
                "The journal lacks {count} games that were played here.",
                self.games,
            )
        if not self.entries:
            return ""
        return say_count(
            "The journal lacks {count} entry of games that were played here.",
            "The journal lacks {count} entries of games that were played here.",
            self.entries,
        )

    @property
    def alert(self) -> str:
        """Return the sentence and what helps, '' if nothing is missing."""
        return in_a_row(self.sentence, WHAT_HELPS) if self else ""


@dataclass(frozen=True)
class Pictured:
    """What the evidence tells of games: the highest number in the names of each game's pictures.

    `named` is the highest that the journal's last game can have: a picture is on disk before its entry.
    """

    highest: Mapping[int, int]
    named: int = 0

    @property
    def last_game(self) -> int:
        """Return the highest number of a game that has pictures, 0 without any."""
        return max(self.highest, default=0)

    def games_above(self, number: int) -> int:
        """Return how many games with a higher number have pictures."""
        return sum(game > number for game in self.highest)


def count_held(connection: Connection) -> JournalCount:
    """Return what a journal holds."""
    return JournalCount(*connection.exec_driver_sql(_COUNTS).one())


def highest_nameable(connection: Connection, game: int) -> int:
    """Return the highest number that a picture of a game can have: that of its next entry, or one that was kept."""
    rows = connection.execute(select(ENTRIES.c.number, ENTRIES.c.evidence).where(ENTRIES.c.game_id == game)).all()
    kept = (number for of, number in map(place_of, (row.evidence for row in rows)) if of == game)
    return max((0, *(int(row.number) for row in rows), *kept)) + 1


def find_missing(expected: JournalCount | None, held: JournalCount, pictured: Pictured) -> MissingGames:
    """Return what a journal lacks by its count file, and by the evidence; `expected` is None without a count file."""
    if expected is None:
        entries = pictured.highest.get(held.last_game, 0) - pictured.named
        return MissingGames(pictured.games_above(held.last_game), max(0, entries))
    unknown = pictured.games_above(max(held.last_game, expected.last_game))
    return MissingGames(max(0, expected.games - held.games) + unknown, max(0, expected.entries - held.entries))


class CountFile:
    """The count file of a database. Any thread may call it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_suffix(SUFFIX)
        self._lock = Lock()

    def read(self) -> JournalCount | None:
        """Return the count; None without a file, and for a file that cannot be read, which the log names then."""
        try:
            return JournalCount.parse(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.warning("journal: %s: unreadable, made again: %s", self._path, error)
            return None

    def write(self, count: JournalCount, durably: bool) -> None:
        """Write the count, `durably` or soon. Raises OSError; the file is then as it was, or cannot be read."""
        contents = f"{count!s:<{LENGTH}}\n".encode()
        with self._lock:
            if durably or not self._overwrite(contents):
                atomic_files.write_atomically(self._path, contents)

    def _overwrite(self, contents: bytes) -> bool:
        """Write over the file, within one sector; return False where none of that length is there.

        Replacing it with each entry would cost as much as writing the entry: ext4 writes a replaced file out at once.
        """
        with suppress(FileNotFoundError), self._path.open("r+b", buffering=0) as file:
            if file.seek(0, os.SEEK_END) == len(contents):
                file.seek(0)
                return file.write(contents) == len(contents)
        return False


class JournalTally:
    """What a journal should hold: its count file is kept up to date, with what is missing until that is accepted."""

    def __init__(self, file: CountFile, held: JournalCount, pictured: Pictured) -> None:
        self._file = file
        expected = file.read()
        self.missing = find_missing(expected, held, pictured)
        self.last_game = max(held.last_game, pictured.last_game, expected.last_game if expected else 0)
        if self.missing:
            log.warning("journal: %s", self.missing.alert)
        if self._with_missing(held) != (expected or JournalCount()):
            self.note(held, durably=True)

    def note(self, held: JournalCount, durably: bool = False) -> None:
        """Take in what the journal holds now. A count that cannot be written stops nobody: the log says so."""
        try:
            self._file.write(self._with_missing(held), durably)
        except OSError as error:
            log.warning("journal: the count file cannot be written: %s", error.strerror or error)

    def accept(self, held: JournalCount) -> None:
        """Expect no more than the journal holds. Raises OSError."""
        missing, self.missing = self.missing, MissingGames()
        try:
            self._file.write(self._with_missing(held), durably=True)
        except OSError:
            self.missing = missing
            raise

    def _with_missing(self, held: JournalCount) -> JournalCount:
        self.last_game = max(self.last_game, held.last_game)
        games, entries = held.games + self.missing.games, held.entries + self.missing.entries
        return replace(held, games=games, entries=entries, last_game=self.last_game)
