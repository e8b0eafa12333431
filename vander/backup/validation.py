"""Check what a backup brings before anything is swapped: its journal's form, its files, and its games, played again."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from sqlalchemy import create_engine

from models.dataset import DatasetError, SaveFailed
from models.dataset.sample_store import make_folder
from models.die_sets import DieSetSource
from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet, Game, begin_again
from referee.journal import Entry, JournalReader
from vander.backup.creation import BadBackup
from vander.learning.accuracy import AccuracyLog
from vander.resources import game_catalog
from vander.session.taps import find_game
from vander.storage.data_folder import JOURNAL
from vander.storage.journal_schema import Ending, KeptGame, migrate
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import SettingError, Settings, load
from vander.storage.storage_errors import BrokenJournal, StorageError

# Check the journal of a backup before any program of ours opens it: its schema, its structure and its types
#
# A database can hold programs: triggers, views, virtual tables, expressions in defaults and checks. None of them may
# run here, so the schema is read first and compared with the one that this Vander makes.


LIMIT_S = 120.0
"""Seconds that reading an unknown database may take; a journal of ten thousand games takes few."""
STEPS = 20_000
"""SQLite's instructions between two looks at the clock: some milliseconds."""
LONGEST_VALUE = 10_000_000
"""Bytes of the longest value or statement that is read; a journal's are far shorter."""
LONGEST_STATEMENT = 5_000
STORED = {"INTEGER": "integer", "BOOLEAN": "integer", "FLOAT": "real"}
"""How SQLite stores what a column of a type holds; everything else is text."""

Definitions = frozenset[str]
"""The columns and constraints of a table, each as a line of its CREATE statement, in small letters."""


def check_untrusted(journal: Path, source: str, limit_s: float = LIMIT_S) -> None:
    """Check a journal of any version known here, without running anything that it holds. Raises BadBackup.

    An older one may lack tables and columns; what it has is as in the newest version.
    """
    known = known_schema()
    with _reading(journal, source, limit_s) as connection:
        tables = dict(_tables(connection, source))
        for name, found in tables.items():
            _check_table(name, found, known, source)
        _check_contents(connection, tables.keys(), source)


def check_migrated(journal: Path, source: str, limit_s: float = LIMIT_S) -> None:
    """Check that a journal, once migrated, has the schema of a new one. Raises BadBackup."""
    with _reading(journal, source, limit_s) as connection:
        if dict(_tables(connection, source)) != known_schema():
            raise BadBackup(f"the journal in {source} has other tables than a journal of its version has")


def known_schema() -> Mapping[str, Definitions]:
    """Return the definitions of the tables that this Vander makes, by the table's name."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        migrate(connection)
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
    engine.dispose()
    return {name: _definitions(name, sql) for name, sql in rows}


@contextmanager
def _reading(journal: Path, source: str, limit_s: float) -> Iterator[sqlite3.Connection]:
    """Open a database to be read within `limit_s`. Raises BadBackup, also for what SQLite raises meanwhile."""
    address = f"{journal.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            _restrain(connection, limit_s)
            yield connection
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        slow = getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT"
        why = f"it takes longer than {limit_s:.0f} s to read" if slow else " ".join(str(error).split())
        raise BadBackup(f"the journal in {source} cannot be used: {why}") from error


def _restrain(connection: sqlite3.Connection, limit_s: float) -> None:
    """Let nothing in the database call functions, write, take long or fill the memory."""
    until = monotonic() + limit_s
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.set_progress_handler(lambda: monotonic() > until, STEPS)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")


def _tables(connection: sqlite3.Connection, source: str) -> Iterator[tuple[str, Definitions]]:
    """Yield each table with its definitions. Raises BadBackup for anything else, such as a trigger or a view."""
    for kind, name, table, sql in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        if kind == "table" and name == table and isinstance(sql, str):
            yield name, _definitions(name, sql)
        elif (kind, name, sql) != ("index", f"sqlite_autoindex_{table}_1", None):
            raise BadBackup(
                f"the journal in {source} holds a {kind} {str(name)[:80]!r}, which no journal of Vander has"
            )


def _definitions(name: str, sql: str) -> Definitions:
    """Return what a CREATE TABLE statement defines; one that does more is a single definition that nothing equals."""
    plain = " ".join(re.sub(r'["`\[](\w+)["`\]]', r"\1", sql[:LONGEST_STATEMENT]).split())
    found = re.fullmatch(rf"CREATE TABLE {re.escape(name)} ?\((.*)\)", plain)
    if not found or len(sql) > LONGEST_STATEMENT:
        return frozenset({plain})
    lines = re.split(r",(?![^()]*\))", found[1].lower())
    return frozenset(line.strip().replace("default false", "default 0") for line in lines)


def _check_table(name: str, found: Definitions, known: Mapping[str, Definitions], source: str) -> None:
    if name not in known:
        raise BadBackup(f"the journal in {source} holds a table {name!r}, which no journal of Vander has")
    strange = sorted(found - known[name])
    if strange:
        what = f"holds a table {name!r} with {strange[0][:80]!r}"
        raise BadBackup(f"the journal in {source} {what}, which no journal of Vander has")


def _check_contents(connection: sqlite3.Connection, tables: Collection[str], source: str) -> None:
    """Check the structure of the file, the references and the types of all values. Raises BadBackup."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise BadBackup(f"the journal in {source} is damaged: {' '.join(str(found).split())[:200]}")
    if {"games", "entries"} <= {*tables} and connection.execute("PRAGMA foreign_key_check").fetchone():
        raise BadBackup(f"the journal in {source} is damaged: it holds entries of a game that is not there")
    for table in tables:
        _check_types(connection, table, source)
    if "games" in tables:
        _check_games(connection, source, has_seats="seats" in tables)


def _check_games(connection: sqlite3.Connection, source: str, *, has_seats: bool) -> None:
    """Check that each game has names of players, and options by name, and seats for these alone. Raises BadBackup."""
    highest = dict(connection.execute("SELECT game_id, MAX(seat) FROM seats GROUP BY game_id")) if has_seats else {}
    for number, players, options in connection.execute("SELECT id, players, options FROM games"):
        names, chosen = _json(players), _json(options)
        are_names = isinstance(names, list) and names and all(isinstance(name, str) for name in names)
        are_options = isinstance(chosen, dict) and all(isinstance(value, str) for value in chosen.values())
        if not (are_names and are_options and highest.get(number, 0) <= len(names)):
            raise BadBackup(f"the journal in {source} is damaged: game {number} has players or options that are none")


def _json(text: str) -> Any:  # noqa: ANN401 - whatever somebody wrote there
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _check_types(connection: sqlite3.Connection, table: str, source: str) -> None:
    """Check that a table's values have their columns' types, which SQLite does not enforce. Raises BadBackup."""
    for _, name, kind, required, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
        stored = STORED.get(kind.upper(), "text")
        wrong = f"typeof({name}) != '{stored}'" + ("" if required else f" AND {name} IS NOT NULL")
        if connection.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():  # noqa: S608  known names
            raise BadBackup(f"the journal in {source} is damaged: {table}.{name} holds what is no {kind.lower()}")


# Load what a backup brings with the program's own loaders, and play its games again, before anything is swapped


TOO_LONG = "playing it again takes too long"
REPLAY_S = 300.0
"""Seconds for playing all games again; those that are left then are named, and need a yes like one that is refused."""


def load_all(folder: Path, source: str) -> Settings:
    """Load everything without which Vander would not start, and return the settings. Raises BadBackup."""
    try:
        settings = load(data_dir=folder)
        game_catalog.load_games(settings)
        game_catalog.open_die_sets(settings)
        PreferenceStore(folder)
        AccuracyLog(folder)
        if (folder / "captured").is_dir():
            make_folder(folder / "captured")
    except (SettingError, BadSheet, BadDieSet, StorageError, DatasetError, SaveFailed, RecursionError) as error:
        why = str(error).replace(f"{folder}/", "")
        raise BadBackup(f"{source} holds what Vander would not start with: {why}") from error
    return settings


def open_journal(folder: Path, source: str) -> None:
    """Migrate the journal, compare its tables with those of a new one, and count what it holds. Raises BadBackup."""
    journal = folder / JOURNAL
    if not journal.is_file():
        return
    check_untrusted(journal, source)
    try:
        with closing(Journal.in_folder(folder)) as restored:
            restored.accept_missing()
    except BrokenJournal as error:
        raise BadBackup(f"the journal in {source} cannot be used: {error}") from error
    check_migrated(journal, source)


def replay_games(folder: Path, settings: Settings, source: str, limit_s: float = REPLAY_S) -> tuple[str, ...]:
    """Play every game again; return for each that the rules refuse its number and why. Raises BadBackup.

    Such a game stays as it is, since an honest one may have been played before a rule was corrected. If it was going
    on, it is ended: Vander goes on with no game that its rules refuse.
    """
    if not (folder / JOURNAL).is_file():
        return ()
    until = monotonic() + limit_s
    try:
        with closing(Journal.in_folder(folder)) as journal:
            return tuple(_replayed(journal, settings, until))
    except (BrokenJournal, RecursionError) as error:
        raise BadBackup(f"the journal in {source} cannot be used: {error}") from error


def _replayed(journal: Journal, settings: Settings, until: float) -> Iterator[str]:
    """Yield a line for each game that the rules refuse, those that go on first, and end those."""
    games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
    for kept in sorted(journal.games(), key=lambda kept: kept.ended_at is not None):
        entries = journal.entries(kept.number)
        why = _refusal(kept, entries, games, known, until)
        if why and why != TOO_LONG and kept.ended_at is None:
            journal.write(kept.number, ending=Ending(max((entry.at for entry in entries), default=kept.started_at)))
        if why:
            yield f"game {kept.number} ({why.rstrip('.')})"


def _refusal(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource, until: float) -> str:
    """Return why the rules refuse a game, TOO_LONG after `until`, or ''."""
    try:
        game = find_game(games, kept.game)
        reader = JournalReader(game, begin_again(game, kept.players, known.load(kept.die_set), kept.options))
        for entry in entries:
            if monotonic() > until:
                return TOO_LONG
            if refusal := reader.add(entry):
                return f"entry {entry.number}: {refusal.sentence}"
    except (LookupError, ValueError, TypeError, AttributeError) as error:  # names that are no names, for one
        return str(error)
    return ""
