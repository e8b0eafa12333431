"""The switch of the disk that fails (failing_disk.c): which calls below one folder fail, from when on, and how."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path

OPEN, WRITE, SYNC, RENAME, TRUNCATE, READ, REMOVE = 1, 2, 4, 8, 16, 32, 64
NAMES = {OPEN: "open", WRITE: "write", SYNC: "fsync", RENAME: "rename", TRUNCATE: "truncate", READ: "read"}
ALL_WRITING = OPEN | WRITE | SYNC | RENAME | TRUNCATE
ALL_CHANGING = ALL_WRITING | REMOVE
DIE, NEVER = -1, 2**31 - 1
"""In place of an error: the program is killed. After so many calls nothing ever fails."""
PLAN = struct.Struct("=8i")
LIBRARY = "failing_disk.so"
BELOW, SWITCH = "FAILING_DISK_BELOW", "FAILING_DISK_SWITCH"


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
        self._shared = _shared(switch)
        self.environment = {
            "LD_PRELOAD": str(built / LIBRARY),
            BELOW: str(folder),
            SWITCH: str(switch),
        }

    @classmethod
    def preloaded(cls) -> DiskSwitch:
        """Return the switch of this program's own disk, which was started with some switch's `environment`."""
        switch = cls.__new__(cls)
        switch.environment = {name: os.environ[name] for name in ("LD_PRELOAD", BELOW, SWITCH)}
        switch._shared = _shared(Path(os.environ[SWITCH]))
        return switch

    def sicken(self, failure: Failure) -> None:
        """From now on it fails so."""
        self._set(failure.kinds, failure.after, failure.error, failure.most)

    def kill_after(self, calls: int, half: bool = False) -> None:
        """Kill the program at the call after so many that change something; with `half`, after half of a write."""
        self._set(ALL_CHANGING, calls, DIE, 0, int(half))

    def count_calls(self) -> None:
        """From now on count the calls that change something, and let all succeed."""
        self._set(ALL_CHANGING, NEVER, 0, 0)

    def _set(self, kinds: int, after: int, error: int, most: int, half: int = 0) -> None:
        self._shared[:] = PLAN.pack(0, after, error, most, 0, 0, half, 0)
        self._shared[:4] = struct.pack("=i", kinds)

    def heal(self) -> None:
        """All is well again."""
        self._shared[:4] = bytes(4)

    @property
    def calls(self) -> int:
        """How many calls were counted since it was last set."""
        counted: int = PLAN.unpack(self._shared[:])[4]
        return counted

    @property
    def failed(self) -> int:
        """How many calls failed since it was last made to fail."""
        most: int
        acted: int
        *_, most, _calls, acted, _, _ = PLAN.unpack(self._shared[:])
        return min(acted, most) if most else acted


def _shared(switch: Path) -> mmap.mmap:
    with switch.open("r+b") as file:
        return mmap.mmap(file.fileno(), PLAN.size)
