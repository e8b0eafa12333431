"""The box's clock: whether the time that it tells can be right.

A Raspberry Pi keeps no time while it is unplugged. It begins with the time at which it was last seen and is set by the
network, where there is one. Nothing in the program waits by this clock; only the days of games are told by it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

SURELY_PAST = datetime(2026, 11, 1, tzinfo=UTC)
"""A moment that was past when this was written: no clock that is right tells an earlier one."""
CHARGED_MICROVOLTS = 1_000_000
"""A Raspberry Pi 5 keeps time while it is unplugged when its battery has more; without a battery it reads about 0."""

HELPS = "let the box into the internet for a moment. Play goes on; only the days of the games may be told wrong."
UNSET = f"Nobody has told the box the time since it was switched on: {HELPS}"


def now() -> datetime:
    """The moment that the clock tells."""
    return datetime.now(UTC)


class Clock:
    """The clock of a box on which something was written at `newest` (None: nothing was).

    `root` is where the system's files lie.
    """

    def __init__(
        self, newest: datetime | None = None, *, root: Path = Path("/"), now: Callable[[], datetime] = now
    ) -> None:
        self._past = max((SURELY_PAST, *([newest] if newest else [])))
        self._root = root
        self._now = now

    def doubt(self) -> str:
        """Why the time may be wrong, and what helps; '' where nothing speaks against it."""
        told = self._now()
        if told < self._past:
            past = f"it says {told:%Y-%m-%d}, and it is {self._past:%Y-%m-%d} or later"
            return f"The box's clock is wrong: {past}; {HELPS}"
        return UNSET if self._is_unset() else ""

    def _is_unset(self) -> bool:
        """Whether the network should set the clock, has not done so yet, and no clock of the machine's own went on."""
        network = self._root / "run/systemd/timesync"
        return network.is_dir() and not (network / "synchronized").exists() and not self._goes_on_unplugged()

    def _goes_on_unplugged(self) -> bool:
        """Whether the machine has a clock with a battery; where a battery is not told of, the clock has one."""
        clock = self._root / "sys/class/rtc/rtc0"
        if not clock.exists():
            return False
        try:
            return int((clock / "battery_voltage").read_text("ascii")) > CHARGED_MICROVOLTS
        except (OSError, ValueError):
            return True
