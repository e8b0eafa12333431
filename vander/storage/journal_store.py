"""The journal: the games and their entries, in a database."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select, text, true, tuple_, update
from sqlalchemy.engine import URL, Connection, Row, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from referee.journal import Entry
from referee.sentences import Reason, Refused, cause_of, message_of, say
from vander.storage.data_folder import BrokenJournal, StorageError, Unwritten, copy_database
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import (
    ENTRIES,
    GAMES,
    SCHEMA,
    CountFile,
    Ending,
    JournalTally,
    KeptGame,
    Misreading,
    MissingGames,
    Pictured,
    count_held,
    entry_columns,
    highest_nameable,
    migrate,
    open_engine,
    read_entry,
    read_version,
)
from vander.storage.outbox_tables import follow_hall, leave_hall, tell_ending, tell_entries, tell_game
from vander.storage.player_tables import drop_count, find_or_add_players, seat_players

# The journal: the games and their entries, in a database


log = logging.getLogger(__name__)
NO_SUCH_NUMBER = say("There is nothing of that number.")

FULL = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"})
"""SQLite's error names on a full disk: for the database and its log, and for the files that it keeps next to them."""
CLOCK_SLACK = timedelta(minutes=1)
"""A clock that was set back by less changes no time that people are told."""
REWRITES = 2
"""How many copies of an SQLite file the disk holds besides it while it is written afresh: one alone, one in its log."""
SET_LATER = frozenset({"id", "table_turn", "misreadings", "told"})
"""The columns of a game that have their default when it is inserted, or a value that the database finds."""
HINDRANCES = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_BUSY")
"""How SQLite's error names begin when it cannot get at a database that may well be whole."""


class Journal:
    """The games and their entries. Any thread may call it; what a call wrote is on disk when it returns.

    A journal of an earlier version is migrated when it is opened, completely or not at all; an SQLite file is copied
    first, to a file next to it with the new version in its name (`journal.sqlite.before-4`). A later one is refused.

    An SQLite file has a count file next to it, against which it is held when it is opened, and so are the pictures of
    the `evidence`: see `missing`. Its write-ahead log is copied into it then, at each game's end, and by its size.

    Raises BrokenJournal when the database cannot be read, Unwritten when it cannot be written.
    """

    def __init__(self, address: str | URL, evidence: EvidenceStore | None = None) -> None:
        self._name = str(address)
        self._tally: JournalTally | None = None
        try:
            url = make_url(address)
            self._name = url.database or url.render_as_string()
            self._engine = open_engine(address)
        except (ArgumentError, ImportError) as error:
            raise BrokenJournal(
                say(
                    "{address} is no database that can be opened here: {cause}",
                    address=repr(address),
                    cause=message_of(error),
                )
            ) from error
        try:
            self._prepare()
            self._count(evidence)
        except StorageError:
            self.close()
            raise
        self._name = Path(self._name).name  # whoever opens it needs its place, which is no business of the page's

    @classmethod
    def in_folder(cls, folder: Path) -> Journal:
        """Return the journal of a data folder, created if it is not there. Raises BrokenJournal and Unwritten."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BrokenJournal(
                say("the data folder {folder} cannot be made: {cause}", folder=folder, cause=cause_of(error))
            ) from error
        return cls(URL.create("sqlite", database=str(folder / "journal.sqlite")), EvidenceStore(folder / "evidence"))

    @property
    def missing(self) -> MissingGames:
        """Return what was played here and is not in the journal, until that is accepted or the journal put back."""
        return self._tally.missing if self._tally else MissingGames()

    def accept_missing(self) -> None:
        """Go on without what is missing; its games' numbers are never given again. Raises Unwritten."""
        if self._tally is None:
            return
        with self.reading() as connection:
            held = count_held(connection)
        try:
            self._tally.accept(held)
        except OSError as error:
            raise Unwritten(
                say("the journal's count file cannot be written: {cause}", cause=cause_of(error))
            ) from error

    def begin(  # noqa: PLR0913  # what is chosen on the set-up sheet
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str,
        clock_doubted: bool = False,
        *,
        leave_open: bool = False,
    ) -> KeptGame:
        """Begin a game on the table and return it with its number. Raises Unwritten.

        The game that was on the table is ended, unless it is to be left open. A player who is known already gets the
        name as it is remembered, however it was typed.
        """
        now = datetime.now(UTC)
        begun = KeptGame(0, game, tuple(players), dict(options), die_set, now, clock_doubted=clock_doubted)
        with self.writing(at_once=True) as connection:
            on_table = self._on_table(connection)
            if on_table and not leave_open:
                connection.execute(update(GAMES).where(GAMES.c.id == on_table.number).values(ended_at=now))
                tell_ending(connection, on_table.number, now)
            placed = self._seated(connection, begun, as_remembered=True)
            tell_game(connection, placed)
            _put_on_table(connection, placed.number)
            return placed

    def put_on_table(self, game: int) -> None:
        """Let an open game be the one on the table; the others stay open. Raises Unwritten."""
        with self.writing(at_once=True) as connection:
            _put_on_table(connection, game)

    def keep(self, kept: KeptGame, entries: Sequence[Entry]) -> KeptGame:
        """Put a game that was played elsewhere on disk, completely or not at all, and return it with its new number.

        Other games stay as they are, the one that is going on too, and names stay as they are written, since a record
        comes back exactly; who is known by one is its player all the same. Raises Unwritten.
        """
        with self.writing(at_once=True) as connection:
            placed = self._seated(connection, kept, as_remembered=False)
            if entries:
                connection.execute(insert(ENTRIES), [_row(placed.number, entry) for entry in entries])
            if kept.ended_at is None:
                _put_on_table(connection, placed.number)
        return placed

    def write(
        self, game: int, *entries: Entry, ending: Ending | None = None, misreadings: Sequence[Misreading] | None = None
    ) -> None:
        """Put entries on disk, and with them the `ending` and the `misreadings`, if any: all of it, or nothing.

        What was counted of the game before no longer holds with new entries, and goes. Raises Unwritten.
        """
        with self.writing(at_once=ending is not None) as connection:
            if entries:
                connection.execute(insert(ENTRIES), [_row(game, entry) for entry in entries])
                drop_count(connection, game)
                tell_entries(connection, game, entries)
            if ending:
                connection.execute(update(GAMES).where(GAMES.c.id == game).values(ended_at=ending.at))
                tell_ending(connection, game, ending.at)
            ended = [ending.at] if ending and ending.at else []
            _doubt_clock(connection, game, [*(entry.at for entry in entries), *ended])
            if misreadings is not None:
                texts = " ".join(map(str, misreadings))
                connection.execute(update(GAMES).where(GAMES.c.id == game).values(misreadings=texts))

    def follow_hall(self, link: str) -> None:
        """Begin to write the outbox for a hall, with the game on the table first. Raises Unwritten."""
        with self.writing(at_once=True) as connection:
            follow_hall(connection, link)
            on_table = self._on_table(connection)
            if on_table:
                tell_game(connection, on_table)
                tell_entries(connection, on_table.number, self._entries(connection, on_table.number))

    def leave_hall(self) -> None:
        """Write no outbox any more, and empty it. Raises Unwritten."""
        with self.writing(at_once=True) as connection:
            leave_hall(connection)

    def entries(self, game: int) -> tuple[Entry, ...]:
        with self.reading() as connection:
            return self._entries(connection, game)

    def _entries(self, connection: Connection, game: int) -> tuple[Entry, ...]:
        wanted = select(ENTRIES, GAMES.c.players).join(GAMES, GAMES.c.id == ENTRIES.c.game_id)
        in_order = wanted.where(ENTRIES.c.game_id == game).order_by(ENTRIES.c.number)
        return tuple(self._entry(row) for row in connection.execute(in_order))

    def games(self) -> tuple[KeptGame, ...]:
        """Return all games, in the order of their numbers: the one begun or imported last comes last."""
        with self.reading() as connection:
            return tuple(map(_kept, connection.execute(select(GAMES).order_by(GAMES.c.id))))

    def game(self, number: int) -> KeptGame | None:
        with self.reading() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == number)).first()
            return _kept(row) if row else None

    def latest(self) -> KeptGame | None:
        """Return the game on the table if it is not over, or None: others may stand open."""
        with self.reading() as connection:
            return self._on_table(connection)

    def open_games(self) -> tuple[KeptGame, ...]:
        """Return the games that are not over, the one that was on the table last first."""
        wanted = select(GAMES).where(GAMES.c.ended_at.is_(None)).order_by(GAMES.c.table_turn.desc(), GAMES.c.id.desc())
        with self.reading() as connection:
            return tuple(map(_kept, connection.execute(wanted)))

    def games_after(self, number: int) -> tuple[KeptGame, ...]:
        """Return the games with a higher number, in the order of their numbers."""
        with self.reading() as connection:
            return tuple(map(_kept, connection.execute(select(GAMES).where(GAMES.c.id > number).order_by(GAMES.c.id))))

    def entry_counts(self, games: Sequence[int]) -> Mapping[int, int]:
        """Return how many entries each of these games has; one without any is left out."""
        counted = (
            select(ENTRIES.c.game_id, func.count()).where(ENTRIES.c.game_id.in_(games)).group_by(ENTRIES.c.game_id)
        )
        with self.reading() as connection:
            return {int(game): int(entries) for game, entries in connection.execute(counted)}

    def newest(self) -> datetime | None:
        """Return the latest time in the journal that a sure clock has written; None where there is none."""
        sure = GAMES.c.clock_doubted.is_(False)
        begun = select(func.max(GAMES.c.started_at)).where(sure)
        done = select(func.max(ENTRIES.c.at)).join(GAMES, GAMES.c.id == ENTRIES.c.game_id).where(sure)
        with self.reading() as connection:
            found = [connection.execute(wanted).scalar() for wanted in (begun, done)]
        return max((moment for moment in found if moment), default=None)

    @property
    def bytes_to_rewrite(self) -> int:
        """How much room on the disk `rewrite_file` takes, in bytes; 0 for a database on a server."""
        file = Path(self._engine.url.database or "")
        is_file = self._engine.dialect.name == "sqlite" and file.is_file()
        return REWRITES * file.stat().st_size if is_file else 0

    def rewrite_file(self) -> None:
        """Write an SQLite file afresh without what was deleted or replaced in it, and empty its log. Raises Unwritten.

        A database on a server is left to its owner.
        """
        if self._engine.dialect.name != "sqlite":
            return
        try:
            with self._engine.connect() as connection:
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.exec_driver_sql("VACUUM")
                busy, *_ = alone.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        except SQLAlchemyError as error:
            raise Unwritten(
                say("the journal {name} cannot be rewritten: {reason}", name=self._name, reason=_reason(error)),
                _is_full(error),
            ) from error
        if busy:
            raise Unwritten(say("the journal {name} cannot be rewritten: another program reads it", name=self._name))

    def close(self) -> None:
        """Close the database; harmless when closed already."""
        self._engine.dispose()

    def _prepare(self) -> None:
        with self.reading() as connection:
            if connection.dialect.name == "sqlite":
                self._check(connection)
            version = read_version(connection)
        if version is not None and not 1 <= version <= SCHEMA:
            raise BrokenJournal(
                say(
                    "the journal {name} was written by another version of Vander (its tables are version {version}, "
                    "this program knows {schema}); use that version, or another data folder",
                    name=self._name,
                    version=version,
                    schema=SCHEMA,
                )
            )
        if version != SCHEMA:
            self._bring_up_to_date(version)

    def _bring_up_to_date(self, version: int | None) -> None:
        """Create the tables, or migrate older ones: all of it, or nothing."""
        if version is not None:
            self._keep_copy()
        with self.writing() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # pysqlite begins none of itself before a CREATE or ALTER
            migrate(connection)

    def _keep_copy(self) -> None:
        if self._engine.dialect.name != "sqlite":
            return  # a server has an owner, and backups of its own
        journal = Path(self._name)
        try:
            copy_database(journal, journal.with_name(f"{journal.name}.before-{SCHEMA}"))
        except (OSError, sqlite3.Error) as error:
            raise Unwritten(
                say(
                    "the journal {name} is an earlier Vander's, and no copy of it can be made before it is brought "
                    "up to date: {cause}; make room in its folder",
                    name=self._name,
                    cause=cause_of(error),
                )
            ) from error

    def _count(self, evidence: EvidenceStore | None) -> None:
        """Hold an SQLite file against its count file and the evidence, before anything is written to it."""
        file = self._engine.url.database or ":memory:"
        if self._engine.dialect.name != "sqlite" or file.startswith((":memory:", "file:")):
            return
        highest = evidence.highest_numbers() if evidence else {}
        with self.reading() as connection:
            held = count_held(connection)
            pictured = Pictured(highest, highest_nameable(connection, held.last_game))
        self._tally = JournalTally(CountFile(Path(file)), held, pictured)
        if self._tally.missing:
            self._keep_unread_log()
        self._checkpoint()

    def _keep_unread_log(self) -> None:
        """Copy a log that SQLite could not read to its end, before it is emptied. Raises nothing."""
        unread, kept = Path(f"{self._name}-wal"), Path(f"{self._name}.unread-log")
        with suppress(OSError):
            if unread.stat().st_size and not kept.exists():
                shutil.copyfile(unread, kept)

    def _checkpoint(self) -> None:
        """Copy the write-ahead log into the database and empty it, unless somebody reads. Raises nothing."""
        try:
            with self._engine.connect() as connection:
                patience_ms = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
                connection.exec_driver_sql("PRAGMA busy_timeout = 0")  # who waits for a ruling waits for no reader
                try:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()
                finally:
                    connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience_ms}")
        except SQLAlchemyError as error:  # what was written is in the log, and safe there
            log.warning("journal: the write-ahead log is not emptied: %s", _reason(error))

    def _check(self, connection: Connection) -> None:
        found = connection.execute(text("PRAGMA quick_check")).scalar()
        if found != "ok":
            raise self._broken(str(found).replace("\n", " "))

    def _broken(self, why: str) -> BrokenJournal:
        return BrokenJournal(
            say(
                "the journal {name} is damaged ({why}); it is left as it is: "
                "put a good copy in its place, or move it away to begin a new one",
                name=self._name,
                why=why,
            )
        )

    def _hindered(self, why: str) -> BrokenJournal:
        return BrokenJournal(
            say(
                "the journal {name} cannot be opened ({why}), which does not mean that it is damaged: "
                "the disk is full, fails, or may not be written; mend that, and start again",
                name=self._name,
                why=why,
            )
        )

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read from the tables.

        Raises BrokenJournal, and Refused (NOT_FOUND) for a number that SQLite has no room for.
        """
        try:
            with self._engine.connect() as connection:
                yield connection
        except Refused:  # what is read says so, and is whole
            raise
        except OverflowError as error:
            raise Refused(NO_SUCH_NUMBER, Reason.NOT_FOUND) from error
        except SQLAlchemyError as error:
            raise (self._hindered if _is_hindered(error) else self._broken)(_reason(error)) from error
        except (ValueError, TypeError) as error:  # a value, or SQLite's own words about it, that nobody can read
            raise self._broken(" ".join(str(error).split())) from error

    @contextmanager
    def writing(self, at_once: bool = False) -> Iterator[Connection]:
        """Write in one transaction, and count; `at_once` is for a game's begin or end, which leave no log behind.

        Raises Unwritten, and Refused (NOT_FOUND) for a number that SQLite has no room for.
        """
        held = None
        try:
            with self._engine.begin() as connection:
                yield connection
                held = count_held(connection) if self._tally else None
        except SQLAlchemyError as error:
            why = say("the journal {name} cannot be written: {reason}", name=self._name, reason=_reason(error))
            raise Unwritten(why, _is_full(error)) from error
        except OverflowError as error:
            raise Refused(NO_SUCH_NUMBER, Reason.NOT_FOUND) from error
        if self._tally and held:
            self._tally.note(held, durably=at_once)
            if at_once:
                self._checkpoint()

    @staticmethod
    def _on_table(connection: Connection) -> KeptGame | None:
        """Return the game on the table; None where it is over, or there was none."""
        wanted = select(GAMES).where(GAMES.c.table_turn > 0).order_by(GAMES.c.table_turn.desc()).limit(1)
        row = connection.execute(wanted).first()
        return _kept(row) if row and row.ended_at is None else None

    def _seated(self, connection: Connection, game: KeptGame, *, as_remembered: bool) -> KeptGame:
        """Insert a game with its players, and return it with its number; the names are those remembered, or stay."""
        players = find_or_add_players(connection, game.players, game.started_at)
        names = tuple(name for _, name in players) if as_remembered else game.players
        placed = self._inserted(connection, replace(game, players=names))
        seat_players(connection, placed.number, [number for number, _ in players])
        return placed

    def _inserted(self, connection: Connection, game: KeptGame) -> KeptGame:
        """Insert a game, and return it with its number, which no game had before."""
        own = [column.name for column in GAMES.columns if column.name not in SET_LATER]
        row = {name: getattr(game, name) for name in own}
        row |= {"players": list(game.players), "options": dict(game.options)}
        if self._tally:
            highest = func.coalesce(func.max(GAMES.c.id), 0)
            row["id"] = select(func.max(highest, self._tally.last_game) + 1).scalar_subquery()
        number = connection.execute(insert(GAMES).values(row).returning(GAMES.c.id)).scalar_one()
        return replace(game, number=int(number))

    def _entry(self, row: Row[Any]) -> Entry:
        try:
            return read_entry(row, map(str, row.players))
        except ValueError as error:
            raise self._broken(say("entry {number}: {cause}", number=row.number, cause=message_of(error))) from error


def _put_on_table(connection: Connection, game: int) -> None:
    next_turn = select(func.max(GAMES.c.table_turn) + 1).scalar_subquery()
    connection.execute(update(GAMES).where(GAMES.c.id == game).values(table_turn=next_turn))


def _is_full(error: SQLAlchemyError) -> bool:
    return _sqlite_says(error) in FULL


def _is_hindered(error: SQLAlchemyError) -> bool:
    return _sqlite_says(error).startswith(HINDRANCES)


def _sqlite_says(error: SQLAlchemyError) -> str:
    """Return SQLite's name for an error; '' where it gave none."""
    return getattr(getattr(error, "orig", None), "sqlite_errorname", None) or ""


def _reason(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(cause).__name__


def _doubt_clock(connection: Connection, game: int, moments: Sequence[datetime]) -> None:
    """Doubt a game's clock if it was set back meanwhile: no one knows when either end of the game was.

    No entry is earlier than the one before it: then the clock is behind what is written.
    """
    if moments:
        is_behind = max(moments) > datetime.now(UTC) + CLOCK_SLACK
        doubted = true() if is_behind else GAMES.c.started_at > min(moments)
        connection.execute(update(GAMES).where(GAMES.c.id == game, doubted).values(clock_doubted=True))


def _row(game: int, entry: Entry) -> dict[str, object]:
    return {"game_id": game, **entry_columns(entry)}


def _kept(row: Row[Any]) -> KeptGame:
    when = (row.started_at, row.ended_at, row.clock_doubted)
    misreadings = tuple(map(Misreading.parse, row.misreadings.split()))
    return KeptGame(row.id, row.game, tuple(row.players), row.options, row.die_set, *when, misreadings)


# Where throws stand in the journal: their games, and the pictures that were kept of them


@dataclass(frozen=True)
class ThrowPlace:
    """A throw in the journal: its game and dice, whether that game has ended, and its picture's name, '' without.

    `clock_doubted` is that of the game.
    """

    game: str
    die_set: str
    is_over: bool
    picture: str
    clock_doubted: bool


def find_throws(connection: Connection, places: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], ThrowPlace]:
    """Return the throws of these games and entries that the journal holds."""
    joined = select(ENTRIES.c.game_id, ENTRIES.c.number, GAMES.c.game, GAMES.c.die_set, GAMES.c.ended_at)
    wanted = joined.add_columns(ENTRIES.c.evidence, GAMES.c.clock_doubted).join(GAMES, GAMES.c.id == ENTRIES.c.game_id)
    rows = connection.execute(wanted.where(tuple_(ENTRIES.c.game_id, ENTRIES.c.number).in_(list(places))))
    return {
        (row.game_id, row.number): ThrowPlace(
            row.game, row.die_set, row.ended_at is not None, row.evidence, row.clock_doubted
        )
        for row in rows
    }
