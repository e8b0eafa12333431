"""The journal's tables and their version, and its games and entries as columns."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, Self
from zlib import crc32

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Dialect, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.types import TypeDecorator

from models import atomic_files
from referee.actions import Action
from referee.dice import BadAction, Die
from referee.journal import Deed, Entry, Source
from referee.phrases import in_a_row
from referee.sentences import Remembered, say, say_count
from vander.storage.evidence_store import place_of
from vander.storage.migrations import steps

# The journal's tables, their version, and the engine that they live in
#
# The same code runs on SQLite and on PostgreSQL; only the pragmas at connecting are SQLite's own.


SCHEMA = 11
"""The version of the tables below. A database holds the version that it was made with; an older one is migrated."""


class _UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone; this gives it back."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value if value.tzinfo else value.replace(tzinfo=UTC))


_TABLES = sa.MetaData()
_VERSIONS = sa.Table("vander_schema", _TABLES, sa.Column("version", sa.Integer, primary_key=True, autoincrement=False))
GAMES = sa.Table(
    "games",
    _TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("die_set", sa.String(40), nullable=False),
    sa.Column("started_at", _UtcTime, nullable=False),
    sa.Column("ended_at", _UtcTime),
    sa.Column("clock_doubted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("table_turn", sa.Integer, nullable=False, server_default="0"),
    sa.Column("misreadings", sa.Text, nullable=False, server_default=""),
    sa.Column("told", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""The game with the highest `table_turn` is on the table, or was there last; it is 0 for one played elsewhere.
`misreadings` has the texts of its dice that the camera reads otherwise than people said. A hall is told of games that
are `told`."""
ENTRIES = sa.Table(
    "entries",
    _TABLES,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", _UtcTime, nullable=False),
    sa.Column("source", sa.String(10), nullable=False),
    sa.Column("deed", sa.String(10), nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("rule", sa.String(20), nullable=False),
    sa.Column("evidence", sa.String(120), nullable=False),
    sa.Column("device", sa.String(60), nullable=False, server_default=""),
    sa.Column("seat", sa.Integer, nullable=False, server_default="0"),
    sa.Column("dice", sa.Text, nullable=False, server_default=""),
)
PLAYERS = sa.Table(
    "players",
    _TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.Text, unique=True),
    sa.Column("colour", sa.String(20), nullable=False),
    sa.Column("picture", sa.String(20), nullable=False),
    sa.Column("made_at", _UtcTime, nullable=False),
    sa.Column("forgotten_at", _UtcTime),
)
"""The name of a forgotten player is '', and `name_key`, the name as it is told from others, is empty."""
SEATS = sa.Table(
    "seats",
    _TABLES,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False),
)
RESULTS = sa.Table(
    "results",
    _TABLES,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("method", sa.Integer, nullable=False),
    sa.Column("finished", sa.Boolean, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("throws", sa.Integer, nullable=False),
    sa.Column("best_turn", sa.Integer, nullable=False),
    sa.Column("best_entry", sa.Integer, nullable=False),
    sa.Column("stops", sa.Integer, nullable=False),
    sa.Column("stop_chance", sa.Float, nullable=False),
    sa.Column("stop_variance", sa.Float, nullable=False),
    sa.Column("points_luck", sa.Float, nullable=False),
    sa.Column("points_variance", sa.Float, nullable=False),
    sa.Column("risks", sa.Integer, nullable=False),
    sa.Column("risk", sa.Float, nullable=False),
)
"""What an ended game came to for each seat: the fields of `referee.game_results.SeatResult`, by a `method` of it."""

FEATS = sa.Table(
    "feats",
    _TABLES,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("feat", sa.String(20), primary_key=True),
    sa.Column("entry", sa.Integer, nullable=False),
    sa.Column("value", sa.Float, nullable=False),
)
"""The feats of an ended game: the fields of `referee.feats.SeatFeat`."""
READ_FACES = sa.Table(
    "read_faces",
    _TABLES,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("kind", sa.String(40), primary_key=True),
    sa.Column("read_as", sa.String(40), primary_key=True),
    sa.Column("truth", sa.String(40), primary_key=True),
    sa.Column("dice", sa.Integer, nullable=False),
)
"""How many dice of an ended game were read as a face. `truth` is what people corrected it to, '' for a die as it was
read: those corrected later are among these too."""
COUNTED = (RESULTS, FEATS, READ_FACES)
"""The tables of what is counted of an ended game: it goes when the game goes on."""
CAREERS = sa.Table(
    "careers",
    _TABLES,
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
    sa.Column("achievement", sa.String(40), primary_key=True),
    sa.Column("level", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("method", sa.Integer, nullable=False),
    sa.Column("occasions", sa.Integer, nullable=False),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("entry", sa.Integer, nullable=False),
)
"""How far a player has come with an achievement, by a `method` of counting: at level 0 the occasions so far, and for
each level that was reached the occasions that it took, with the game and the entry of the last one. A player's rows go
when a result of the player's comes or goes."""
HALL_LINK = sa.Table(
    "hall_link",
    _TABLES,
    sa.Column("link", sa.String(40), primary_key=True),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("taken", sa.Integer, nullable=False),
)
"""The pairing with a hall, if any: the last line of the outbox, by number and hash, and how many the hall has taken."""
OUTBOX = sa.Table(
    "outbox",
    _TABLES,
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)
"""The lines that a hall has not taken yet, in order, as they were when they were written; see `outbox_tables`."""

LOG_PAGES = 64
"""Pages of 4 KB in the write-ahead log from which on it is copied into the database: some 20 entries. SQLite's own
default of 1000 held 21 games, which one lost file or one wrong bit took away."""
PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",  # what is replaced, such as a forgotten name, is overwritten in the file
    f"wal_autocheckpoint = {LOG_PAGES}",
)
"""What each connection to an SQLite file begins with."""


def open_engine(address: str | URL) -> Engine:
    """Return the engine of a database. Raises ArgumentError or ImportError for an address that means nothing here."""
    engine = sa.create_engine(address)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_pragmas)
    return engine


def _set_pragmas(connection: DBAPIConnection, _record: object) -> None:
    """Set the pragmas. A damaged file is noticed here first and not changed: its mode is set only if it can be read."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def read_version(connection: Connection) -> int | None:
    """Return the version of a database's tables, or None where there are none.

    Version 1 wrote its number after it had made its tables, so that a power cut could leave tables without a number.
    """
    tables = sa.inspect(connection)
    silent = 1 if tables.has_table(GAMES.name) else None
    found = connection.execute(sa.select(_VERSIONS.c.version)).scalar() if tables.has_table(_VERSIONS.name) else None
    return silent if found is None else int(found)


def migrate(connection: Connection) -> None:
    """Migrate the tables within the connection's transaction; another program may have done so meanwhile."""
    version = read_version(connection)
    for step in steps(version or SCHEMA, SCHEMA):
        step(connection)
    _TABLES.create_all(connection)
    connection.execute(sa.delete(_VERSIONS))
    connection.execute(sa.insert(_VERSIONS).values(version=SCHEMA))


# A game as the journal holds it, without its entries


@dataclass(frozen=True)
class Misreading:
    """A die that the camera reads otherwise than people said: as what, what it shows, and where it lies.

    x_mm, y_mm: its place on the tray; turned_degrees: its rotation, 0 to 90. Its text,
    `traffic:two=traffic:sad@30.0,50.0,12.0`, reads back to the same.
    """

    read: Die
    shows: Die
    x_mm: float
    y_mm: float
    turned_degrees: float

    def __str__(self) -> str:
        return f"{self.read}={self.shows}@{self.x_mm:.1f},{self.y_mm:.1f},{self.turned_degrees:.1f}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what a text says. Raises BadAction."""
        dice, _, place = text.partition("@")
        read, _, shows = dice.partition("=")
        try:
            x_mm, y_mm, turned_degrees = map(float, place.split(","))
        except ValueError as error:
            raise BadAction(say("{text} is no place of a die", text=repr(text))) from error
        return cls(Die.parse(read), Die.parse(shows), x_mm, y_mm, turned_degrees)


@dataclass(frozen=True)
class KeptGame:
    """A game as the journal stores it: its setup and its times. `ended_at` is None until it ends.

    `clock_doubted`: nobody knows whether the clock was right when it began; of a game played elsewhere nobody does.
    `misreadings` are of the dice as they lay when the table was last seen.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str
    started_at: datetime
    ended_at: datetime | None = None
    clock_doubted: bool = False
    misreadings: tuple[Misreading, ...] = ()


@dataclass(frozen=True)
class Ending:
    """When a game was over; `at` is None for a game that goes on after all."""

    at: datetime | None


# An entry as the columns of a table: how it is written to a journal or a hall, and read back


class JournalColumns(Protocol):
    """The columns of an entry: a row of a database, or a line of an outbox.

    `action` and `dice` are texts, '' for none; `source` and `deed` are the values of their enumerations.
    """

    number: int
    at: datetime
    source: str
    deed: str
    action: str
    target: int
    note: str
    rule: str
    evidence: str
    device: str
    seat: int
    dice: str


def read_entry(columns: JournalColumns, players: Iterable[str]) -> Entry:
    """Return the entry of a game with these players. Raises ValueError for one that cannot be read."""
    return Entry(
        number=columns.number,
        at=columns.at,
        source=Source(columns.source),
        deed=Deed(columns.deed),
        action=Action.parse(columns.action) if columns.action else None,
        target=columns.target,
        note=Remembered(columns.note, players),
        rule=columns.rule,
        evidence=columns.evidence,
        device=columns.device,
        seat=columns.seat,
        dice=tuple(map(Die.parse, columns.dice.split())),
    )


def entry_columns(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": entry.at,
        "source": str(entry.source),
        "deed": str(entry.deed),
        "action": str(entry.action) if entry.action else "",
        "target": entry.target,
        "note": str(entry.note),
        "rule": entry.rule,
        "evidence": entry.evidence,
        "device": str(entry.device),
        "seat": entry.seat,
        "dice": " ".join(map(str, entry.dice)),
    }


# Count a journal's games and entries in a small file next to it, so that a journal that lost some is found out
#
# SQLite keeps what was written last in a log of its own. A log that is lost, or has one wrong bit, is an older journal
# to SQLite, and no error.


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
    return JournalCount(*connection.exec_driver_sql(_COUNTS).one())


def highest_nameable(connection: Connection, game: int) -> int:
    """Return the highest number that a picture of a game can have: that of its next entry, or one that was kept."""
    rows = connection.execute(sa.select(ENTRIES.c.number, ENTRIES.c.evidence).where(ENTRIES.c.game_id == game)).all()
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
