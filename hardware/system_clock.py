"""The system's clock, and whether its time can be right.

A Raspberry Pi keeps no time while it is unplugged. It starts with the time at which it was last on, and is set by the
network, where there is one. Nothing in the program is timed by this clock; it only dates games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

SURELY_PAST = datetime(2026, 11, 1, tzinfo=UTC)
"""A moment before this program was written: a clock that shows an earlier one is wrong."""
CHARGED_MICROVOLTS = 1_000_000
"""The battery voltage from which a Raspberry Pi 5 keeps time while it is unplugged; without a battery it is about 0."""

ADVICE = "connect the box to the internet for a moment. Play goes on; only the dates of games may be wrong."


@dataclass(frozen=True)
class ClockDoubt:
    """Why the time may be wrong, without what would help."""

    problem: str

    @property
    def sentence(self) -> str:
        """Return the problem and what would help."""
        return f"{self.problem}; {ADVICE}"


UNSET = ClockDoubt("The clock has not been set since the box was switched on")


def now() -> datetime:
    """Return the time of the system's clock."""
    return datetime.now(UTC)


class SystemClock:
    """The clock of a machine whose journal has an entry of the moment `newest` (None for an empty journal).

    `root` is the folder of the system's files.
    """

    def __init__(
        self, newest: datetime | None = None, *, root: Path = Path("/"), now: Callable[[], datetime] = now
    ) -> None:
        self._earliest = max((SURELY_PAST, *([newest] if newest else [])))
        self._root = root
        self._now = now

    def doubt(self) -> ClockDoubt | None:
        """Return why the time may be wrong; None where it may be right."""
        shown = self._now()
        if shown < self._earliest:
            past = f"it says {shown:%Y-%m-%d}, and it is {self._earliest:%Y-%m-%d} or later"
            return ClockDoubt(f"The box's clock is wrong: {past}")
        return UNSET if self._is_unset() else None

    def _is_unset(self) -> bool:
        """True if the network should set the clock, has not done so yet, and no clock with a battery kept the time."""
        network = self._root / "run/systemd/timesync"
        return network.is_dir() and not (network / "synchronized").exists() and not self._has_battery_clock()

    def _has_battery_clock(self) -> bool:
        """True if the machine has a clock with a battery; a clock that reports no voltage has one."""
        clock = self._root / "sys/class/rtc/rtc0"
        if not clock.exists():
            return False
        try:
            return int((clock / "battery_voltage").read_text("ascii")) > CHARGED_MICROVOLTS
        except (OSError, ValueError):
            return True
