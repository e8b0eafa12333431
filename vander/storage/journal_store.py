"""What is kept: the journal in a database, and the pictures that go with its entries.

The same code runs on SQLite and on PostgreSQL; only the pragmas at connecting are SQLite's own.
"""

from __future__ import annotations

import errno
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
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
    func,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, Connection, Dialect, Engine, Row, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.types import TypeDecorator

from models import atomic_files
from referee.game import Action
from referee.journal import Deed, Entry, Source
from vander.storage.migrations import steps
from vander.storage.sqlite_copy import copy_database

SCHEMA = 2
"""The version of the tables below; a database says which it was made with, and an older one is brought up to it."""


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What a full disk, or a full share of one, says."""
FULL = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"})
"""What SQLite says on a full disk: of the database and its log, and of what it keeps beside them."""
HINDRANCES = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_BUSY")
"""How the names begin of what SQLite says when something keeps it from a database that may well be whole."""
AT_ONCE = 10
"""So many of the oldest pictures go together where there is no room: a write needs more than its own bytes."""
MOST_ROUNDS = 3
"""So often that many go for one new picture; a disk that is full even then is full of something else."""
OPENING_BYTES = 2_000_000
"""What a journal may take that is opened: the log's index, and what it writes until there is a picture to let go."""
NO_GAME = -1
_EVIDENCE = re.compile(r"game-(?P<game>[0-9]+)-entry-(?P<entry>[0-9]+)")


class StorageError(RuntimeError, OSError):
    """The root of what can go wrong with what is kept."""

    def __str__(self) -> str:
        return str(self.args[0])


class BrokenJournal(StorageError):
    """The journal's database cannot be read; it is left as it is."""


class Unwritten(StorageError):
    """Something could not be put on disk, so it did not happen; `no_room`: because the disk is full."""

    def __init__(self, sentence: str, no_room: bool = False) -> None:
        super().__init__(sentence)
        self.no_room = no_room


class NoLongerKept(StorageError, LookupError):
    """A picture that may have been kept is not there any more: it gave way to newer ones."""


class _UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone; this gives it back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value if value.tzinfo else value.replace(tzinfo=UTC))


_tables = MetaData()
_schema = Table("vander_schema", _tables, Column("version", Integer, primary_key=True, autoincrement=False))
_games = Table(
    "games",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("players", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("die_set", String(40), nullable=False),
    Column("started_at", _UtcTime, nullable=False),
    Column("ended_at", _UtcTime),
    Column("clock_doubted", Boolean, nullable=False, server_default=false()),
)
_entries = Table(
    "entries",
    _tables,
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
)


@dataclass(frozen=True)
class KeptGame:
    """A game as it was set up. `ended_at` is None while it goes on.

    `clock_doubted`: nobody knows whether the clock was right when it began; of a game played elsewhere nobody does.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str
    started_at: datetime
    ended_at: datetime | None = None
    clock_doubted: bool = False


@dataclass(frozen=True)
class Ending:
    """When a game was over; None: it goes on after all."""

    at: datetime | None


class Journal:
    """The games and their entries. Any thread may call it; what a call wrote is on disk when it returns.

    A journal of an earlier version is brought up to date when it is opened, whole or not at all; an SQLite file is
    copied before, beside itself and named after the new version (`journal.sqlite.before-2`). A later one is refused.

    Raises BrokenJournal when the database cannot be read, Unwritten when it cannot be written.
    """

    def __init__(self, address: str | URL) -> None:
        self._name = str(address)
        try:
            url = make_url(address)
            self._name = url.database or url.render_as_string()
            self._engine = _engine(address)
        except (ArgumentError, ImportError) as error:
            raise BrokenJournal(f"{address!r} is no database that can be opened here: {error}") from error
        try:
            self._prepare()
        except StorageError:
            self.close()
            raise

    @classmethod
    def in_folder(cls, folder: Path) -> Journal:
        """The journal of a data folder, made when it is not there."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BrokenJournal(f"the data folder {folder} cannot be made: {error.strerror}") from error
        return cls(URL.create("sqlite", database=str(folder / "journal.sqlite")))

    def begin(
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str,
        clock_doubted: bool = False,
    ) -> KeptGame:
        """Begin a game; one that was still going on is ended, since a table plays one game at a time."""
        now = datetime.now(UTC)
        begun = KeptGame(0, game, tuple(players), dict(options), die_set, now, clock_doubted=clock_doubted)
        with self._writing() as connection:
            connection.execute(update(_games).where(_games.c.ended_at.is_(None)).values(ended_at=now))
            return _inserted(connection, begun)

    def keep(self, kept: KeptGame, entries: Sequence[Entry]) -> KeptGame:
        """Put a game that was played elsewhere on disk, whole or not at all, and give it a number of its own.

        Other games stay as they are, the one that is going on too.
        """
        with self._writing() as connection:
            placed = _inserted(connection, kept)
            if entries:
                connection.execute(insert(_entries), [_row(placed.number, entry) for entry in entries])
        return placed

    def write(self, game: int, *entries: Entry, ending: Ending | None = None) -> None:
        """Put entries on disk, and with them whether the game is over where `ending` says so: all of it, or none."""
        with self._writing() as connection:
            if entries:
                connection.execute(insert(_entries), [_row(game, entry) for entry in entries])
            if ending:
                connection.execute(update(_games).where(_games.c.id == game).values(ended_at=ending.at))

    def entries(self, game: int) -> tuple[Entry, ...]:
        """The entries of a game, in order."""
        wanted = select(_entries).where(_entries.c.game_id == game).order_by(_entries.c.number)
        with self._reading() as connection:
            return tuple(self._entry(row) for row in connection.execute(wanted))

    def games(self) -> tuple[KeptGame, ...]:
        """All games, in the order of their numbers: the one begun or imported last comes last."""
        with self._reading() as connection:
            return tuple(map(_kept, connection.execute(select(_games).order_by(_games.c.id))))

    def latest(self) -> KeptGame | None:
        """The game that was going on last and is not over, or None."""
        wanted = select(_games).where(_games.c.ended_at.is_(None)).order_by(_games.c.id.desc()).limit(1)
        with self._reading() as connection:
            row = connection.execute(wanted).first()
        return _kept(row) if row else None

    def newest(self) -> datetime | None:
        """When something was last written whose clock nobody doubted; None in an empty journal."""
        sure = _games.c.clock_doubted.is_(False)
        begun = select(func.max(_games.c.started_at)).where(sure)
        done = select(func.max(_entries.c.at)).join(_games, _games.c.id == _entries.c.game_id).where(sure)
        with self._reading() as connection:
            found = [connection.execute(wanted).scalar() for wanted in (begun, done)]
        return max((moment for moment in found if moment), default=None)

    def close(self) -> None:
        """Let the database go; harmless when done twice."""
        self._engine.dispose()

    def _prepare(self) -> None:
        with self._reading() as connection:
            if connection.dialect.name == "sqlite":
                self._check(connection)
            version = _version(connection)
        if version is not None and not 1 <= version <= SCHEMA:
            raise BrokenJournal(
                f"the journal {self._name} was written by another version of Vander (its tables are version {version}, "
                f"this program knows {SCHEMA}); use that version, or another data folder"
            )
        if version != SCHEMA:
            self._bring_up_to_date(version)

    def _bring_up_to_date(self, version: int | None) -> None:
        """Make the tables where there are none, and today's out of older ones: all of it, or nothing."""
        if version is not None:
            self._keep_copy()
        with self._writing() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # pysqlite begins none of itself before a CREATE or ALTER
            _migrate(connection)

    def _keep_copy(self) -> None:
        if self._engine.dialect.name != "sqlite":
            return  # a server has an owner, and backups of its own
        journal = Path(self._name)
        try:
            copy_database(journal, journal.with_name(f"{journal.name}.before-{SCHEMA}"))
        except (OSError, sqlite3.Error) as error:
            raise Unwritten(
                f"the journal {self._name} is an earlier Vander's, and no copy of it can be made before it is brought "
                f"up to date: {getattr(error, 'strerror', None) or error}; make room in its folder"
            ) from error

    def _check(self, connection: Connection) -> None:
        found = connection.execute(text("PRAGMA quick_check")).scalar()
        if found != "ok":
            raise self._broken(str(found).replace("\n", " "))

    def _broken(self, why: str) -> BrokenJournal:
        return BrokenJournal(
            f"the journal {self._name} is damaged ({why}); it is left as it is: "
            "put a good copy in its place, or move it away to begin a new one"
        )

    def _hindered(self, why: str) -> BrokenJournal:
        return BrokenJournal(
            f"the journal {self._name} cannot be opened ({why}), which does not mean that it is damaged: "
            "the disk is full, fails, or may not be written; mend that, and start again"
        )

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise (self._hindered if _is_hindered(error) else self._broken)(_reason(error)) from error
        except (ValueError, TypeError) as error:  # a value, or SQLite's own words about it, that nobody can read
            raise self._broken(" ".join(str(error).split())) from error

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            why = f"the journal {self._name} cannot be written: {_reason(error)}"
            raise Unwritten(why, _is_full(error)) from error

    def _entry(self, row: Row[Any]) -> Entry:
        try:
            return Entry(
                number=row.number,
                at=row.at,
                source=Source(row.source),
                deed=Deed(row.deed),
                action=Action.parse(row.action) if row.action else None,
                target=row.target,
                note=row.note,
                rule=row.rule,
                evidence=row.evidence,
            )
        except ValueError as error:
            raise self._broken(f"entry {row.number}: {error}") from error


def _engine(address: str | URL) -> Engine:
    engine = create_engine(address)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
    return engine


def _set_pragmas(connection: DBAPIConnection, _record: object) -> None:
    """A damaged file is noticed here first and not changed: the journal's mode is set only on a file that reads."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _is_full(error: SQLAlchemyError) -> bool:
    return _sqlite_says(error) in FULL


def _is_hindered(error: SQLAlchemyError) -> bool:
    return _sqlite_says(error).startswith(HINDRANCES)


def _sqlite_says(error: SQLAlchemyError) -> str:
    """SQLite's own name for what went wrong, '' where it said nothing."""
    return getattr(getattr(error, "orig", None), "sqlite_errorname", None) or ""


def _reason(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(cause).__name__


def _version(connection: Connection) -> int | None:
    """What the tables say of themselves, or None where there are none.

    Only the first version wrote that down after it had made its tables, so that a pulled plug left them silent.
    """
    tables = inspect(connection)
    silent = 1 if tables.has_table(_games.name) else None
    found = connection.execute(select(_schema.c.version)).scalar() if tables.has_table(_schema.name) else None
    return silent if found is None else int(found)


def _migrate(connection: Connection) -> None:
    """Bring the tables up to date within the connection's transaction, another program's work included."""
    version = _version(connection)
    for step in steps(version or SCHEMA, SCHEMA):
        step(connection)
    _tables.create_all(connection)
    connection.execute(delete(_schema))
    connection.execute(insert(_schema).values(version=SCHEMA))


def _inserted(connection: Connection, game: KeptGame) -> KeptGame:
    """Write a game down, and say its number."""
    row = {column.name: getattr(game, column.name) for column in _games.columns if column.name != "id"}
    row |= {"players": list(game.players), "options": dict(game.options)}
    number = connection.execute(insert(_games).values(row)).inserted_primary_key
    return replace(game, number=int(number[0]) if number else 0)


def _row(game: int, entry: Entry) -> dict[str, object]:
    return {
        "game_id": game,
        "number": entry.number,
        "at": entry.at,
        "source": str(entry.source),
        "deed": str(entry.deed),
        "action": str(entry.action) if entry.action else "",
        "target": entry.target,
        "note": entry.note,
        "rule": entry.rule,
        "evidence": entry.evidence,
    }


def _kept(row: Row[Any]) -> KeptGame:
    when = (row.started_at, row.ended_at, row.clock_doubted)
    return KeptGame(row.id, row.game, tuple(row.players), row.options, row.die_set, *when)


class Evidence:
    """The pictures kept with entries: JPEG files in one folder, each whole or not there at all.

    They are what gives way on a full disk: the oldest go first, and no picture hinders play. How old a picture is says
    its name, since a clock may be wrong. `spare_mb` megabytes of the disk are to stay free; `write` puts a file on
    disk, or raises OSError, and `room` gives the bytes that are free.
    """

    def __init__(
        self,
        folder: Path,
        spare_mb: int = 0,
        *,
        write: Callable[[Path, bytes], None] = atomic_files.write_whole,
        room: Callable[[Path], int] | None = None,
    ) -> None:
        self._folder = folder
        self._spare_bytes = spare_mb * 1_000_000
        self._write, self._room = write, room or free_bytes
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Why the last picture could not be kept, and what helps: '' when it was."""
        return self._trouble

    def keep(self, name: str, jpeg: bytes) -> bool:
        """Put a picture on disk, in the place of older ones where there is no room. Say whether it is there.

        When it is, a pulled plug cannot lose it.
        """
        self.thin(self._spare_bytes + len(jpeg), under_way=game_of(name))
        try:
            self._keep_in_place_of_older(name, jpeg)
        except OSError as error:
            self._trouble = (
                f"The picture of the last entry could not be kept ({error.strerror or error}); play goes on without: "
                "make room on the card, or use a larger one."
            )
            return False
        self._trouble = ""
        return True

    def thin(self, spare_bytes: int, under_way: int | None = None) -> int:
        """Let the oldest pictures go until so many bytes are free; those of the game under way stay. Say how many went.

        The game under way is the latest that has pictures, unless told. Never raises.
        """
        gone, free = 0, self._free()
        if free >= spare_bytes:
            return gone
        for path in self._older_than(under_way):
            size, went = atomic_files.size(path), _let_go(path)
            gone, free = gone + went, free + size * went
            if free >= spare_bytes and (free := self._free()) >= spare_bytes:
                break
        return gone

    def make_way(self) -> None:
        """Before a journal is opened, which takes some room: let the oldest pictures go on a full disk. Never raises.

        Those of the game under way go only where nothing else makes room. What a pulled plug left of a picture goes
        at once.
        """
        for path in [path for path in self._pictures() if path.suffix == atomic_files.PART]:
            _let_go(path)
        self.thin(self._spare_bytes)
        self.thin(OPENING_BYTES, under_way=NO_GAME)

    def make_room(self) -> bool:
        """Let some of the oldest pictures go, so those of the game under way last. Say whether any went."""
        went = [_let_go(path) for path in sorted(self._pictures(), key=_age)[:AT_ONCE]]
        return any(went)

    def read(self, name: str) -> bytes:
        """A picture by its name. Raises LookupError, which says of one that may have been there that it is gone."""
        try:
            return self._path(name).read_bytes()
        except (OSError, ValueError):
            raise (NoLongerKept if game_of(name) else LookupError)(f"there is no picture {name!r}") from None

    def __contains__(self, name: str) -> bool:
        return name == Path(name).name and self._path(name).is_file()

    def _keep_in_place_of_older(self, name: str, jpeg: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for _ in range(MOST_ROUNDS):
            try:
                return self._write(self._path(name), jpeg)
            except OSError as error:
                if error.errno not in NO_ROOM or not self.make_room():
                    raise
        return self._write(self._path(name), jpeg)

    def _path(self, name: str) -> Path:
        if name != Path(name).name:
            raise ValueError(f"{name!r} is no picture's name")
        return self._folder / f"{name}.jpg"

    def _older_than(self, under_way: int | None) -> list[Path]:
        """The pictures of earlier games, the oldest first."""
        pictures = sorted(self._pictures(), key=_age)
        latest = under_way or max((game_of(path.stem) for path in pictures), default=0)
        return [path for path in pictures if game_of(path.stem) != latest]

    def _pictures(self) -> Iterator[Path]:
        """All pictures, and what a pulled plug left of one."""
        return (path for path in self._folder.glob("game-*") if path.suffix in (".jpg", atomic_files.PART))

    def _free(self) -> int:
        try:
            return self._room(self._folder if self._folder.is_dir() else self._folder.parent)
        except OSError:
            return sys.maxsize  # what cannot be measured is no reason to let pictures go


def free_bytes(folder: Path) -> int:
    """The bytes that are free where a folder is. Raises OSError."""
    return shutil.disk_usage(folder).free


def evidence_name(game: int, entry: int) -> str:
    """What the picture of an entry is called."""
    return f"game-{game}-entry-{entry}"


def game_of(name: str) -> int:
    """The number of the game that a picture is of, 0 for what is not called as evidence is."""
    found = _EVIDENCE.match(name)
    return int(found["game"]) if found else 0


def _age(path: Path) -> tuple[int, int]:
    """What pictures are sorted by, the oldest first."""
    found = _EVIDENCE.match(path.name)
    return (int(found["game"]), int(found["entry"])) if found else (0, 0)


def _let_go(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
