"""Pack the data folder into a zip with a manifest, also while people play, and check what such a zip brings."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import IO, Any

from sqlalchemy import create_engine

from models import atomic_files
from models.dataset import DatasetError, SaveFailed
from models.dataset.sample_store import make_folder
from models.die_sets import BadDieSet, DieSetSource
from referee.game import BadSheet, Game, begin_again
from referee.journal import Entry, JournalReader
from referee.phrases import counted, spell_list
from referee.record_parser import visible
from vander.learning.accuracy import AccuracyLog
from vander.resources import game_catalog
from vander.storage.data_folder import (
    JOURNAL,
    PREVIOUS_DIR,
    RESTORE_DIR,
    BrokenJournal,
    StorageError,
    Unwritten,
    copy_database,
    is_backed_up,
    is_ours,
)
from vander.storage.journal_schema import Ending, KeptGame, migrate
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import SettingError, Settings, load
from vander.table.taps import find_game

# The manifest that identifies a backup. What a backup holds is in `vander.storage.data_folder`


MANIFEST = "vander-backup.json"
"""The first file in every backup."""
VERSION = 1
"""The version of the zip's layout; a later one is refused."""
MOST_NAMED, LONGEST_SHOWN = 5, 120
"""How many names a sentence lists, and how many letters of each."""


class BadBackup(StorageError):
    """A file is no backup, is damaged, or holds what no backup may; nothing was changed."""


@dataclass(frozen=True)
class BackupManifest:
    """The version of Vander that made the backup, and when."""

    vander: str
    made_at: datetime

    @classmethod
    def of_now(cls) -> BackupManifest:
        """Return the manifest of a backup that this program makes now."""
        return cls(version("vander"), datetime.now().astimezone())

    def __str__(self) -> str:
        manifest = {
            "what": "vander backup",
            "version": VERSION,
            "vander": self.vander,
            "made_at": self.made_at.isoformat(),
        }
        return json.dumps(manifest, indent=1)

    @classmethod
    def parse(cls, text: str | bytes) -> BackupManifest:
        """Parse what `str` wrote. Raises ValueError, whose message continues "it is no backup that ...:"."""
        manifest = json.loads(text)
        if not isinstance(manifest, dict) or manifest.get("what") != "vander backup":
            raise ValueError("its manifest is not Vander's")
        if manifest.get("version") != VERSION:
            raise ValueError(f"it is laid out in the way {manifest.get('version')!r}, and this Vander knows {VERSION}")
        return cls(str(manifest.get("vander")), datetime.fromisoformat(str(manifest.get("made_at"))))


def name_some(names: Sequence[str]) -> str:
    """Return the first few names in words, safe to print in a terminal, and how many more there are."""
    shown = [visible(name[:LONGEST_SHOWN]) for name in names[:MOST_NAMED]]
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return spell_list([*shown, *more], "and")


# Pack the data folder into a zip, also while people play


PACKED_ALREADY = frozenset({".jpg", ".jpeg", ".png", ".webp", ".npz", ".zip"})
STDIO = Path("-")
"""Standard output for a backup, standard input for restoring."""


@dataclass(frozen=True)
class DataFolderFiles:
    """The files of a data folder: those to pack by their names, how many links, and the names that are not Vander's."""

    wanted: tuple[tuple[str, Path], ...]
    links: int
    foreign: tuple[str, ...]


@dataclass(frozen=True)
class PackedFiles:
    """What is in a backup, in numbers, and what was found and left out."""

    files: int
    links: int
    foreign: tuple[str, ...]


def create_backup(data_dir: Path, to: Path, database: str = "") -> str:
    """Pack a data folder into a new file, or into a folder under a name with the date; `-` is standard output.

    Vander may run meanwhile: the journal is copied as of one moment, with every picture that it names. A journal in
    a `database` of its own is not packed, nor is a file that Vander does not write. Return a summary for the user.
    Raises Unwritten.
    """
    if not data_dir.is_dir():
        raise Unwritten(f"there is no data folder {data_dir} to back up; name it with --data-dir")
    place = _target(to)
    try:
        with _open_stream(place) as stream:
            packed = _pack(data_dir, stream, place, with_journal=not database)
    except (OSError, sqlite3.Error, zipfile.LargeZipFile) as error:
        raise Unwritten(f"{data_dir} cannot be backed up to {to}: {getattr(error, 'strerror', 0) or error}") from error
    return " ".join(_summary(place, packed, database))


def _target(to: Path) -> Path:
    if to == STDIO:
        return to
    try:
        return _new_target(to)
    except OSError as error:
        raise Unwritten(
            f"{to} cannot be written: {error.strerror or error}; name another place, or - for standard output"
        ) from error


def _new_target(to: Path) -> Path:
    place = to / f"vander-backup-{datetime.now().astimezone():%Y%m%d-%H%M%S}.zip" if to.is_dir() else to
    if place.exists():
        raise Unwritten(f"{place} exists already and is left as it is; name another file")
    return place


@contextmanager
def _open_stream(place: Path) -> Iterator[IO[bytes]]:
    """Open the stream that the zip is written to; the file appears when it is complete and on disk."""
    if place == STDIO:
        yield sys.stdout.buffer
        return
    unfinished = place.with_name(place.name + atomic_files.PART)
    try:
        with atomic_files.create_private(unfinished) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(place)
        atomic_files.sync_folder(place.parent)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _pack(data_dir: Path, stream: IO[bytes], place: Path, with_journal: bool) -> PackedFiles:
    """Write the zip, the journal first: a picture is on disk before its entry."""
    with ExitStack() as until_packed:
        if (data_dir / "captured").is_dir():
            until_packed.enter_context(
                atomic_files.folder_lock(data_dir / "captured")
            )  # so that nothing is pruned meanwhile
        packed = until_packed.enter_context(zipfile.ZipFile(stream, "w", strict_timestamps=False))
        packed.writestr(MANIFEST, str(BackupManifest.of_now()))
        files = _pack_journal(data_dir / JOURNAL, packed) if with_journal else 0
        found = _list_files(data_dir, place)
        files += sum(_pack_file(packed, path, name) for name, path in found.wanted)
    return PackedFiles(files, found.links, found.foreign)


def _pack_journal(journal: Path, packed: zipfile.ZipFile) -> int:
    if not journal.is_file():
        return 0
    with tempfile.TemporaryDirectory(prefix="vander-") as folder:
        copy = Path(folder) / JOURNAL
        copy_database(journal, copy)
        return _pack_file(packed, copy, JOURNAL)


def _list_files(data_dir: Path, place: Path) -> DataFolderFiles:
    """Return the files of a data folder, lists of captured dice before their pictures.

    A sample is listed after its picture is written, so a listed one that is captured meanwhile has its picture.
    """
    paths = {path.relative_to(data_dir).as_posix(): path for path in data_dir.rglob("*")}
    links = {name for name, path in paths.items() if path.is_symlink()}
    files = {name: path for name, path in paths.items() if name not in links and path.is_file()}
    foreign = [name for name, path in files.items() if not is_ours(name) and not _is_target(path, place)]
    wanted = [(name, path) for name, path in files.items() if is_backed_up(name) and name != JOURNAL]
    wanted.sort(key=lambda item: (item[1].suffix.lower() in PACKED_ALREADY, item[0]))
    lost = [name for name in links if name != JOURNAL and name.split("/")[0] not in (RESTORE_DIR, PREVIOUS_DIR)]
    return DataFolderFiles(tuple(wanted), len(lost), tuple(sorted(foreign)))


def _is_target(path: Path, place: Path) -> bool:
    """True if the file is the backup that is being made, in the data folder itself."""
    return path.absolute() in (place.absolute(), place.absolute().with_name(place.name + atomic_files.PART))


def _pack_file(packed: zipfile.ZipFile, path: Path, name: str) -> int:
    """Pack one file, and return 1; 0 if it is gone, since old pictures may be pruned at any moment."""
    compression = zipfile.ZIP_STORED if path.suffix.lower() in PACKED_ALREADY else zipfile.ZIP_DEFLATED
    try:
        packed.write(path, name, compress_type=compression)
    except FileNotFoundError:
        return 0
    return 1


def _summary(place: Path, packed: PackedFiles, database: str) -> Iterator[str]:
    size = f" in {place.stat().st_size / 1e6:.1f} megabytes" if place != STDIO else ""
    holder, files = place if size else "Standard output", counted(packed.files, "file")
    yield f"{holder} holds {files}{size}; `vander restore` takes it."
    if packed.links:
        yield f"Not in it: {counted(packed.links, 'link')}; back up what they lead to by itself."
    if packed.foreign:
        foreign = counted(len(packed.foreign), "file")
        yield f"Not in it: {foreign} that Vander does not write: {name_some(packed.foreign)}."
    if database:
        yield "The journal is not in it: it lies in a database of its own, which has backups of its own."


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


@cache
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
