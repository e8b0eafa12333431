"""The journal's tables and their version, and its games and entries as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, Self

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    false,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, Connection, Dialect, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.types import TypeDecorator

from referee.actions import Action
from referee.dice import BadAction, Die
from referee.journal import Deed, Entry, Source
from referee.sentences import Remembered, say
from vander.storage.migrations import steps

# The journal's tables, their version, and the engine that they live in
#
# The same code runs on SQLite and on PostgreSQL; only the pragmas at connecting are SQLite's own.


SCHEMA = 11
"""The version of the tables below. A database holds the version that it was made with; an older one is migrated."""


class _UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone; this gives it back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value if value.tzinfo else value.replace(tzinfo=UTC))


_TABLES = MetaData()
_VERSIONS = Table("vander_schema", _TABLES, Column("version", Integer, primary_key=True, autoincrement=False))
GAMES = Table(
    "games",
    _TABLES,
    Column("id", Integer, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("players", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("die_set", String(40), nullable=False),
    Column("started_at", _UtcTime, nullable=False),
    Column("ended_at", _UtcTime),
    Column("clock_doubted", Boolean, nullable=False, server_default=false()),
    Column("table_turn", Integer, nullable=False, server_default="0"),
    Column("misreadings", Text, nullable=False, server_default=""),
    Column("told", Boolean, nullable=False, server_default=false()),
)
"""The game with the highest `table_turn` is on the table, or was there last; it is 0 for one played elsewhere.
`misreadings` has the texts of its dice that the camera reads otherwise than people said. A hall is told of games that
are `told`."""
ENTRIES = Table(
    "entries",
    _TABLES,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", _UtcTime, nullable=False),
    Column("source", String(10), nullable=False),
    Column("deed", String(10), nullable=False),
    Column("action", Text, nullable=False),
    Column("target", Integer, nullable=False),
    Column("note", Text, nullable=False),
    Column("rule", String(20), nullable=False),
    Column("evidence", String(120), nullable=False),
    Column("device", String(60), nullable=False, server_default=""),
    Column("seat", Integer, nullable=False, server_default="0"),
    Column("dice", Text, nullable=False, server_default=""),
)
PLAYERS = Table(
    "players",
    _TABLES,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, unique=True),
    Column("colour", String(20), nullable=False),
    Column("picture", String(20), nullable=False),
    Column("made_at", _UtcTime, nullable=False),
    Column("forgotten_at", _UtcTime),
)
"""The name of a forgotten player is '', and `name_key`, the name as it is told from others, is empty."""
SEATS = Table(
    "seats",
    _TABLES,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
)
RESULTS = Table(
    "results",
    _TABLES,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("method", Integer, nullable=False),
    Column("finished", Boolean, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("throws", Integer, nullable=False),
    Column("best_turn", Integer, nullable=False),
    Column("best_entry", Integer, nullable=False),
    Column("stops", Integer, nullable=False),
    Column("stop_chance", Float, nullable=False),
    Column("stop_variance", Float, nullable=False),
    Column("points_luck", Float, nullable=False),
    Column("points_variance", Float, nullable=False),
    Column("risks", Integer, nullable=False),
    Column("risk", Float, nullable=False),
)
"""What an ended game came to for each seat: the fields of `referee.game_results.SeatResult`, by a `method` of it."""

FEATS = Table(
    "feats",
    _TABLES,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("feat", String(20), primary_key=True),
    Column("entry", Integer, nullable=False),
    Column("value", Float, nullable=False),
)
"""The feats of an ended game: the fields of `referee.feats.SeatFeat`."""
READ_FACES = Table(
    "read_faces",
    _TABLES,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("kind", String(40), primary_key=True),
    Column("read_as", String(40), primary_key=True),
    Column("truth", String(40), primary_key=True),
    Column("dice", Integer, nullable=False),
)
"""How many dice of an ended game were read as a face. `truth` is what people corrected it to, '' for a die as it was
read: those corrected later are among these too."""
COUNTED = (RESULTS, FEATS, READ_FACES)
"""The tables of what is counted of an ended game: it goes when the game goes on."""
CAREERS = Table(
    "careers",
    _TABLES,
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("achievement", String(40), primary_key=True),
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("method", Integer, nullable=False),
    Column("occasions", Integer, nullable=False),
    Column("game", Integer, nullable=False),
    Column("entry", Integer, nullable=False),
)
"""How far a player has come with an achievement, by a `method` of counting: at level 0 the occasions so far, and for
each level that was reached the occasions that it took, with the game and the entry of the last one. A player's rows go
when a result of the player's comes or goes."""
HALL_LINK = Table(
    "hall_link",
    _TABLES,
    Column("link", String(40), primary_key=True),
    Column("sequence", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("taken", Integer, nullable=False),
)
"""The pairing with a hall, if any: the last line of the outbox, by number and hash, and how many the hall has taken."""
OUTBOX = Table(
    "outbox",
    _TABLES,
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", String(64), nullable=False),
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
    engine = create_engine(address)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
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
    tables = inspect(connection)
    silent = 1 if tables.has_table(GAMES.name) else None
    found = connection.execute(select(_VERSIONS.c.version)).scalar() if tables.has_table(_VERSIONS.name) else None
    return silent if found is None else int(found)


def migrate(connection: Connection) -> None:
    """Migrate the tables within the connection's transaction; another program may have done so meanwhile."""
    version = read_version(connection)
    for step in steps(version or SCHEMA, SCHEMA):
        step(connection)
    _TABLES.create_all(connection)
    connection.execute(delete(_VERSIONS))
    connection.execute(insert(_VERSIONS).values(version=SCHEMA))


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
    """Return the columns of an entry, by name."""
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
