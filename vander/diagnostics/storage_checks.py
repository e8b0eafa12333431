"""Checks of the journal and of the disk that it is on."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from referee.phrases import decimal
from referee.sentences import as_whole, say, say_count
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_count import (
    WHAT_HELPS,
    CountFile,
    JournalCount,
    Pictured,
    count_held,
    find_missing,
    highest_nameable,
)
from vander.storage.journal_schema import SCHEMA
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding

JOURNAL = CheckSubject("journal", say("Journal"))
DISK = CheckSubject("disk", say("Card"))

MB = 1_000_000
LEAST_MB = 50
"""Megabytes: with less free the disk is BAD, since even a game may find no room; below `spare_mb` it is UNSURE."""
TABLES = ("games", "entries")
PUT_BACK = say("Put a backup in its place with `vander restore`, or move it away to begin a new one.")


def check_journal(settings: Settings) -> Finding:
    """Check that the journal can be read, is whole and has a known version; it is opened read-only."""
    file = settings.data_dir / "journal.sqlite"
    if not settings.database and not file.exists():
        return _missing_finding(_expected(settings)) or JOURNAL.good(say("No game has been played yet."))
    try:
        expected = _expected(settings)  # before the journal, which may grow meanwhile
        return _journal(_address(settings, file), expected)
    except (ArgumentError, ImportError):
        return JOURNAL.bad(
            say("The setting VANDER_DATABASE is no database that can be opened here."), say("Mend the setting.")
        )
    except SQLAlchemyError as error:
        return JOURNAL.bad(say("The journal cannot be read: {why}.", why=_reason(error)), PUT_BACK)


def player_names(settings: Settings) -> frozenset[str] | None:
    """Return the names of all players; None if the journal cannot be read."""
    file = settings.data_dir / "journal.sqlite"
    if not settings.database and _is_not_there(file):
        return frozenset()
    try:
        engine = create_engine(_address(settings, file), poolclass=NullPool)
        with engine.connect() as connection:
            rows = connection.execute(text("SELECT DISTINCT players FROM games")).scalars().all()
        return frozenset(str(name) for row in rows for name in (json.loads(row) if isinstance(row, str) else row))
    except (ArgumentError, ImportError, SQLAlchemyError, ValueError, TypeError):
        return None


def _is_not_there(file: Path) -> bool:
    """True if there is no such file; False if this user may not look."""
    try:
        file.stat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return False


def _address(settings: Settings, file: Path) -> URL:
    """Return the journal's address; a file is opened read-only, and none is created."""
    if settings.database and make_url(settings.database).get_backend_name() != "sqlite":
        return make_url(settings.database)
    path = make_url(settings.database).database if settings.database else str(file)
    return URL.create("sqlite", database=f"file:{quote(path or '')}", query={"mode": "ro", "uri": "true"})


@dataclass(frozen=True)
class _Expected:
    """What the count file and the pictures of the data folder say that the journal holds."""

    count: JournalCount | None
    highest: Mapping[int, int]


def _expected(settings: Settings) -> _Expected:
    url = make_url(settings.database) if settings.database else None
    database = Path(url.database or "") if url else settings.data_dir / "journal.sqlite"
    highest = EvidenceStore(settings.data_dir / "evidence").highest_numbers()
    return _Expected(CountFile(database).read() if database.name else None, highest)


def _missing_finding(expected: _Expected, held: JournalCount | None = None, nameable: int = 1) -> Finding | None:
    """Return the finding of a journal that lacks what was played here; None for one that lacks nothing."""
    missing = find_missing(expected.count, held or JournalCount(), Pictured(expected.highest, nameable))
    return JOURNAL.bad(missing.sentence, WHAT_HELPS, acceptable=True) if missing else None


def _journal(address: URL, expected: _Expected) -> Finding:
    engine = create_engine(address, poolclass=NullPool)
    with engine.connect() as connection:
        damage = _damage(connection)
        if damage:
            return JOURNAL.bad(say("The journal is damaged: {why}.", why=damage), PUT_BACK)
        version = connection.execute(text("SELECT version FROM vander_schema")).scalar()
        held = count_held(connection)
        nameable = highest_nameable(connection, held.last_game)
    if version is None or version > SCHEMA:
        return JOURNAL.bad(
            say("The journal is of version {version}, and this program knows {known}.", version=version, known=SCHEMA),
            say("Use the newer Vander that wrote it."),
        )
    if address.get_backend_name() == "sqlite" and (missing := _missing_finding(expected, held, nameable)):
        return missing
    told = _held_in_words(address, held)
    if version == SCHEMA:
        return JOURNAL.good(say("{told}, whole.", told=told))
    return JOURNAL.good(say("{told}, whole; it is of an earlier Vander.", told=told))


def _held_in_words(address: URL, held: JournalCount) -> str:
    games = say_count("{count} game", "{count} games", held.games)
    entries = say_count("{count} entry", "{count} entries", held.entries)
    if address.get_backend_name() != "sqlite":
        return say("{games} with {entries} in the database", games=games, entries=entries)
    return say(
        "{games} with {entries} in {size} MB", games=games, entries=entries, size=decimal(_megabytes(address), 1)
    )


def _damage(connection: Connection) -> str:
    """Return what is wrong with the tables, or ''."""
    if connection.dialect.name == "sqlite":
        found = connection.execute(text("PRAGMA quick_check(1)")).scalar()
        if found != "ok":
            return " ".join(str(found).split())
    missing = {*TABLES, "vander_schema"} - set(inspect(connection).get_table_names())
    return say("it has no {tables}", tables=", ".join(sorted(missing))) if missing else ""


def _megabytes(address: URL) -> float:
    """Return the size of the journal's file, with SQLite's log of it."""
    path = Path(unquote(str(address.database).removeprefix("file:")))
    return sum(part.stat().st_size for part in (path, path.with_name(f"{path.name}-wal")) if part.exists()) / MB


def _reason(error: SQLAlchemyError) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())


def check_disk(settings: Settings) -> Finding:
    """Check that the data folder can be written and has room."""
    folder = _nearest(settings.data_dir)
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return DISK.bad(
            say("The card can only be read: nothing can be kept."),
            say(
                "A card does that when it is worn out: make a backup and put in a new card. Or it was made so on "
                "purpose."
            ),
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return DISK.bad(
            say("The data folder {folder} may not be written by this user.", folder=str(settings.data_dir)),
            say("Give it to the user that Vander runs as, or name another with VANDER_DATA_DIR."),
        )
    usage = shutil.disk_usage(folder)
    return disk_finding(usage.free, usage.total, settings.spare_mb)


def disk_finding(free: int, total: int, spare_mb: int) -> Finding:
    """Return the finding for this many free bytes of this total."""
    told = say("{free} of {total} GB are free", free=decimal(free / 1e9, 1), total=decimal(total / 1e9, 1))
    if free < LEAST_MB * MB:
        return DISK.bad(
            say("Only {free} MB are free.", free=round(free / MB)), say("Make room: soon not even games can be kept.")
        )
    if free < spare_mb * MB:
        return DISK.unsure(
            say("{told}, less than the {spare} MB that are to stay free.", told=told, spare=spare_mb),
            say("Old pictures of throws go by themselves; make room, or put in a larger card."),
        )
    return DISK.good(as_whole(told))


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest existing one above it."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.is_dir())
