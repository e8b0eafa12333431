"""Copy an SQLite database while others read and write it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from models import atomic_files


def copy_database(database: Path, to: Path) -> None:
    """Copy a database as of one moment; an existing copy is replaced when the new one is complete.

    Raises OSError and sqlite3.Error, and leaves no partial copy then.
    """
    unfinished = to.with_name(to.name + atomic_files.PART)
    try:
        atomic_files.create_private(unfinished).close()
        _copy(database, unfinished)
        unfinished.replace(to)
        atomic_files.sync_folder(to.parent)
    except (OSError, sqlite3.Error):
        atomic_files.remove(unfinished)
        raise


def _copy(database: Path, to: Path) -> None:
    address = f"{database.absolute().as_uri()}?mode=rw"  # creates no database, and reads the write-ahead log
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # a single file without a write-ahead log
    with to.open("rb") as file:
        os.fsync(file.fileno())
