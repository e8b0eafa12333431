"""Files that are written whole or not at all and are their owner's alone, and names that a file may have anywhere."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from referee.sentences import cause_of, say

try:
    import fcntl
except ImportError:  # Windows has none; there one program at a time opens a sample store
    fcntl = None  # type: ignore[assignment]


class SaveFailed(OSError):
    """Something could not be written to disk: it did not happen, and what was there before is unchanged."""

    def __str__(self) -> str:
        return str(self.args[0])


PART = ".part"
"""The suffix of an unfinished file."""
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""The modes of what only the program's own user may read: players' names, pictures of the tray, tablets' digests."""
_BINARY = getattr(os, "O_BINARY", 0)  # on Windows alone


@contextmanager
def saving(what: str) -> Iterator[None]:
    """Raise SaveFailed with one sentence for whatever the disk refuses, such as a full disk or a read-only folder."""
    try:
        yield
    except SaveFailed:
        raise
    except OSError as error:
        raise SaveFailed(say("{what} cannot be kept: {cause}", what=what, cause=cause_of(error))) from error


def create_private(path: Path) -> BinaryIO:
    """Open a new file for its owner alone; what had its name is deleted, be it a link. Raises OSError."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, PRIVATE_FILE), "wb")


def append_private(path: Path) -> BinaryIO:
    """Open a file at its end, unbuffered; it is made for its owner alone if it is missing. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, PRIVATE_FILE)
    return os.fdopen(handle, "ab", buffering=0)


def write_atomically(path: Path, contents: bytes) -> None:
    """Write a file that survives a power failure once this returns. Raises OSError, and leaves the file as it was."""
    unfinished = path.with_name(path.name + PART)
    try:
        with create_private(unfinished) as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        sync_folder(path.parent)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def replacing(new: Mapping[Path, bytes]) -> Iterator[None]:
    """Write files next to those that they replace, durably, and move them in after the block.

    A write or a block that raises leaves all files as they were: what needs room on the disk is there before the block.
    """
    unfinished = {path: path.with_name(path.name + PART) for path in new}
    try:
        for path, contents in new.items():
            with create_private(unfinished[path]) as file:
                file.write(contents)
                file.flush()
                os.fsync(file.fileno())
        yield
        for path, part in unfinished.items():
            part.replace(path)
        for folder in {path.parent for path in new}:
            sync_folder(folder)
    finally:
        for part in unfinished.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


def append_durably(path: Path, lines: str) -> None:
    """Append lines to a file, durably. Raises OSError, and leaves the file as it was."""
    truncate_torn_line(path)
    contents = lines.encode()
    with append_private(path) as file:
        before = file.seek(0, os.SEEK_END)
        try:
            _write_all(file.fileno(), contents)
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                file.truncate(before)
            raise


def append_to_all(lines: Mapping[Path, str]) -> None:
    """Append lines to files, durably: to all of them, or to none. Raises OSError."""
    done: list[tuple[Path, int]] = []
    try:
        for path, text in lines.items():
            before = path.stat().st_size
            append_durably(path, text)
            done.append((path, before))
    except OSError:
        for path, before in done:
            truncate(path, before)
        raise


def truncate_torn_line(path: Path) -> None:
    """Cut off a last line that lacks its line end, as a power failure leaves it. Raises OSError."""
    with suppress(FileNotFoundError), path.open("r+b") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - 1))
        if file.read() not in (b"", b"\n"):
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)


def _write_all(handle: int, contents: bytes) -> None:
    while contents:
        contents = contents[os.write(handle, contents) :]


def sync_folder(folder: Path) -> None:
    """Make the names of a folder's files durable, on systems that need it. Raises OSError."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Delete a file or a folder as far as possible, without raising OSError."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


@contextmanager
def folder_lock(folder: Path, alone: bool = False) -> Iterator[bool]:
    """Hold a folder's lock, `.latch`, shared with other writers, so that nobody cleans up in the meantime.

    With `alone` the lock is exclusive, to clean up: yield False at once where another program holds it.
    """
    if fcntl is None:
        yield True
        return
    with append_private(folder / ".latch") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
        except BlockingIOError:
            yield False
            return
        yield True


def truncate(path: Path, length: int) -> None:
    """Cut a file to that length as far as possible, without raising OSError."""
    with suppress(OSError):
        os.truncate(path, length)


def sync_tree(folder: Path) -> None:
    """Make every file in a folder and below durable. Raises OSError."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)


def file_size(path: Path) -> int:
    """Return the bytes of a file, 0 for one that is not there."""
    with suppress(OSError):
        return path.stat().st_size
    return 0


_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names of devices, which Windows gives to no file."""


def is_plain(name: str) -> bool:
    """True if `name` has 1 to 60 small letters, digits and hyphens and is not reserved by an operating system."""
    return bool(_PLAIN.fullmatch(name)) and not is_reserved(name)


def is_reserved(name: str) -> bool:
    """True if Windows reserves `name` for a device."""
    return bool(_RESERVED.fullmatch(name))
