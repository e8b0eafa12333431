"""The switch of the disk that fails (failing_disk.c): which calls below one folder fail, from when on, and how."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path

OPEN, WRITE, SYNC, RENAME, TRUNCATE, READ = 1, 2, 4, 8, 16, 32
NAMES = {OPEN: "open", WRITE: "write", SYNC: "fsync", RENAME: "rename", TRUNCATE: "truncate", READ: "read"}
ALL_WRITING = OPEN | WRITE | SYNC | RENAME | TRUNCATE
PLAN = struct.Struct("=8i")
LIBRARY = "failing_disk.so"


@dataclass(frozen=True)
class Failure:
    """How the disk fails: after so many calls of these kinds the next `most` (0: all) fail with this error number."""

    kinds: int
    after: int
    error: int
    most: int

    def __str__(self) -> str:
        kinds = "/".join(name for kind, name in NAMES.items() if self.kinds & kind)
        often = f"{self.most} times" if self.most else "until it is well"
        return f"{os.strerror(self.error)} at {kinds} after {self.after} calls, {often}"


class DiskSwitch:
    """Makes the disk below a folder fail, for the programs that are started with `environment`."""

    def __init__(self, built: Path, folder: Path, switch: Path) -> None:
        switch.write_bytes(bytes(PLAN.size))
        with switch.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), PLAN.size)
        self.environment = {
            "LD_PRELOAD": str(built / LIBRARY),
            "FAILING_DISK_BELOW": str(folder),
            "FAILING_DISK_SWITCH": str(switch),
        }

    def sicken(self, failure: Failure) -> None:
        """From now on it fails so."""
        self._shared[:] = PLAN.pack(0, failure.after, failure.error, failure.most, 0, 0, 0, 0)
        self._shared[:4] = struct.pack("=i", failure.kinds)

    def heal(self) -> None:
        """All is well again."""
        self._shared[:4] = bytes(4)

    @property
    def failed(self) -> int:
        """How many calls failed since it was last made to fail."""
        most: int
        acted: int
        *_, most, _calls, acted, _, _ = PLAN.unpack(self._shared[:])
        return min(acted, most) if most else acted
