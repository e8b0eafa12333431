"""A lock on the data folder: `vander play` and `vander restore` use it one at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from models.atomic_files import PRIVATE_FOLDER, append_private
from vander.storage import file_ownership
from vander.storage.storage_errors import StorageError

try:
    import fcntl
except ImportError:  # Windows has none: a second program is not detected there
    fcntl = None  # type: ignore[assignment]

LOCK = "running.lock"
"""The file in a data folder that a running program holds locked; the lock counts, not the file's existence."""
TIMEOUT_S = 2.0
"""How long to wait for a program that is just ending, or for one that only reads the lock."""
PAUSE_S = 0.1


class AlreadyRunning(StorageError):
    """Another program uses the data folder."""


@dataclass(frozen=True)
class RunningInstance:
    """A program that uses a data folder: its process, and the address that it serves on, '' for none."""

    process: int
    address: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (f"process {self.process}" if self.process else "", self.address)))

    @classmethod
    def parse(cls, text: str) -> RunningInstance:
        """Parse what `line` wrote; process 0 for anything else."""
        process, _, address = text.strip().partition(" ")
        return cls(int(process), address) if process.isdecimal() else cls(0)

    def line(self) -> str:
        """Return the line for the lock's file."""
        return f"{self.process} {self.address}".rstrip() + "\n"


@contextmanager
def hold(folder: Path, address: str = "", timeout_s: float = TIMEOUT_S) -> Iterator[None]:
    """Hold the lock of this data folder, which is made if it is missing, and closed to others if it was open to them.

    Raises AlreadyRunning if another program holds it after `timeout_s`, and StorageError if the folder cannot be
    written. The system releases the lock of a program that is killed.
    """
    with _opened(folder) as file:
        _lock(file, folder, timeout_s)
        _write(file, RunningInstance(os.getpid(), address))
        file_ownership.make_private(folder)
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def running_instance(folder: Path) -> RunningInstance | None:
    """Return the program that uses this data folder, or None. Writes nothing."""
    if fcntl is None:
        return None
    with suppress(OSError), (folder / LOCK).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return RunningInstance.parse(file.read(1000).decode("utf-8", "replace"))
    return None


def _opened(folder: Path) -> IO[bytes]:
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        file = append_private(folder / LOCK)
        file_ownership.match_owner(folder, folder / LOCK)
    except OSError as error:
        raise StorageError(
            f"the data folder {folder} cannot be written: {error.strerror}; name another with --data-dir, or mend it"
        ) from error
    return file


def _lock(file: IO[bytes], folder: Path, timeout_s: float) -> None:
    if fcntl is None:
        return
    until = time.monotonic() + timeout_s
    while not _locked(file, folder):
        if time.monotonic() > until:
            other = running_instance(folder)
            raise AlreadyRunning(
                f"another Vander{f' ({other})' if other and str(other) else ''} already uses the folder {folder}; "
                "end that one, or give this one a folder of its own with --data-dir"
            )
        time.sleep(PAUSE_S)


def _locked(file: IO[bytes], folder: Path) -> bool:
    """Take the lock if it is free; return whether it was."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StorageError(
            f"the data folder {folder} cannot be locked: {error.strerror}; name one on a disk of this machine"
        ) from error
    return True


def _write(file: IO[bytes], who: RunningInstance) -> None:
    """Write who holds the lock; on a full disk the lock holds without it."""
    with suppress(OSError):
        file.truncate(0)
        file.write(who.line().encode())
