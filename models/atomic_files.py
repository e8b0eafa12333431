"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none; there one program at a time opens a collection
    fcntl = None  # type: ignore[assignment]


class SaveFailed(OSError):
    """Something could not be written to disk: it did not happen, and what was there before is unchanged."""

    def __str__(self) -> str:
        return str(self.args[0])


PART = ".part"
"""What an unfinished file's name ends with."""


@contextmanager
def keeping(what: str) -> Iterator[None]:
    """Raise SaveFailed with one sentence for whatever the disk refuses, such as a full disk or a read-only folder."""
    try:
        yield
    except SaveFailed:
        raise
    except OSError as error:
        raise SaveFailed(f"{what} cannot be kept: {error.strerror or error}") from error


def write_whole(path: Path, contents: bytes) -> None:
    """Put a file on disk; when this returns, a pulled plug cannot lose it. Raises OSError and leaves nothing then."""
    unfinished = path.with_name(path.name + PART)
    try:
        with unfinished.open("wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        sync(path.parent)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def append(path: Path, lines: str) -> None:
    """Add whole lines to a file, durably. Raises OSError and leaves the file as it was then."""
    cut_torn(path)
    contents = lines.encode()
    with path.open("ab", buffering=0) as file:
        before = file.seek(0, os.SEEK_END)
        try:
            _write_all(file.fileno(), contents)
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                file.truncate(before)
            raise


def append_each(lines: Mapping[Path, str]) -> None:
    """Add whole lines to files, durably: to all of them, or to none. Raises OSError."""
    done: list[tuple[Path, int]] = []
    try:
        for path, text in lines.items():
            before = path.stat().st_size
            append(path, text)
            done.append((path, before))
    except OSError:
        for path, before in done:
            shorten(path, before)
        raise


def cut_torn(path: Path) -> None:
    """Cut off what a pulled plug left of a last line. Raises OSError."""
    with suppress(FileNotFoundError), path.open("r+b") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - 1))
        if file.read() not in (b"", b"\n"):
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)


def _write_all(handle: int, contents: bytes) -> None:
    while contents:
        contents = contents[os.write(handle, contents) :]


def sync(folder: Path) -> None:
    """Make the folder's own list of names durable, where the system has that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Do away with a file or a folder, as far as it can be."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


@contextmanager
def latched(folder: Path, alone: bool = False) -> Iterator[bool]:
    """Hold the folder's latch while writing, beside other writers, so that nobody tidies up then.

    `alone` asks for it without waiting, to tidy up; what is given says whether it was had.
    """
    if fcntl is None:
        yield True
        return
    with (folder / ".latch").open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
        except BlockingIOError:
            yield False
            return
        yield True


def shorten(path: Path, length: int) -> None:
    """Take back what was added to a file, as far as it can be."""
    with suppress(OSError):
        os.truncate(path, length)


def sync_all(folder: Path) -> None:
    """Make every file in a folder durable. Raises OSError."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            sync(path)
    sync(folder)


def size(path: Path) -> int:
    """The bytes of a file; 0 when it is not there."""
    with suppress(OSError):
        return path.stat().st_size
    return 0
