"""`vander support`: one file for whoever helps."""

from __future__ import annotations

import sys
from pathlib import Path

from models import atomic_files
from vander.backup.create import STDIO
from vander.cli import doctor
from vander.diagnostics import support_bundle
from vander.storage.journal_store import StorageError
from vander.storage.settings import Settings


class BundleNotWritten(StorageError):
    """The file cannot be written; the message says why."""


def support(settings: Settings, path: Path, pictures: bool = False) -> None:
    """Write the pack, to standard output for `-`, and say what to do with it. Raises BundleNotWritten."""
    if path != STDIO:
        _check_free(path)
    seen, findings = doctor.examination(settings)
    contents = support_bundle.packed(settings, findings, pictures=pictures, view=seen.pixels if pictures else None)
    try:
        _write(path, contents)
    except OSError as error:
        raise _unwritten(path, error) from error
    said = f"{path} is packed ({len(contents) / 1000:.0f} kB). Look through it before you send it: it is plain text."
    print(said, file=sys.stderr if path == STDIO else sys.stdout)


def _write(path: Path, contents: bytes) -> None:
    if path == STDIO:
        sys.stdout.buffer.write(contents)
    else:
        atomic_files.write_whole(path, contents)


def _check_free(path: Path) -> None:
    try:
        is_there = path.exists()
    except OSError as error:
        raise _unwritten(path, error) from error
    if is_there:
        raise BundleNotWritten(f"{path} is there already; name a new file, or move that one away")


def _unwritten(path: Path, error: OSError) -> BundleNotWritten:
    why = error.strerror or error
    return BundleNotWritten(f"{path} cannot be written: {why}; name another place, or - for standard output")
