"""Scripts that act on the virtual tray by its own clock: they wait while it stands, and run as fast as it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.simulator.tray_dice import NoSuchDie

Script = Iterator[float]
"""What acts on the tray, and yields the seconds of the tray's time after which it goes on."""


@dataclass
class _Waiting:
    script: Script
    at: float


class TrayScripts:
    """The scripts that wait for their moment."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def next_at(self) -> float:
        """Return the tray time (seconds) at which the next script resumes; infinity if none waits."""
        return min((waiting.at for waiting in self._waiting), default=float("inf"))

    def start(self, script: Script, now: float) -> None:
        """Let a script act at once, and wait for its next moment."""
        self._go_on(_Waiting(script, now))

    def go_on(self) -> None:
        """Let the script that is due next act."""
        waiting = min(self._waiting, key=lambda each: each.at)
        self._waiting.remove(waiting)
        self._go_on(waiting)

    def _go_on(self, waiting: _Waiting) -> None:
        try:
            pause = next(waiting.script)
        except (StopIteration, NoSuchDie):
            return
        self._waiting.append(_Waiting(waiting.script, waiting.at + max(pause, 0.0)))
