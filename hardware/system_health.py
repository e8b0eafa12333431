"""The Raspberry Pi's power supply and temperature by the kernel's files, and whether its clock can be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# The Raspberry Pi's power supply and temperature, read from the kernel's files; this needs no special rights


WEAK_VOLTS = 4.63
"""The voltage below which a Raspberry Pi warns of its supply (its documentation, "Power supply warnings")."""
LOW, SLOWED, WAS_LOW = 1 << 0, 0b111 << 1, 1 << 16
"""Bits of `get_throttled`: 0 too low now; 1 to 3 slowed down now (capped, throttled, warm); 16 was too low before."""
POSSIBLE_CELSIUS = (-40.0, 150.0)
"""Temperatures outside this range are no temperatures of a processor."""
PROCESSOR = ("cpu", "soc", "x86_pkg")
"""How the names of a processor's thermal zone begin; on a Raspberry Pi it is `cpu-thermal`."""


@dataclass(frozen=True)
class Power:
    """The power supply and the temperature now; None for what this machine does not report.

    low_now: the voltage is too low. low_since_start: it was too low since the start of the machine.
    slowed_now: the processor is slowed down because of the voltage or the heat. celsius: of the processor.
    """

    low_now: bool | None = None
    low_since_start: bool | None = None
    slowed_now: bool | None = None
    celsius: float | None = None


def read_power(root: Path = Path("/")) -> Power:
    """Return what the kernel reports below `root`. Never raises; takes less than a millisecond."""
    # The path of the file differs from one Pi to the next.
    paths = root.glob("sys/devices/platform/*/*/get_throttled")
    words = (_word(path) for path in (*paths, *root.glob("sys/devices/platform/*/get_throttled")))
    bits = next((found for word in words if (found := _number(word, 16)) is not None), None)
    alarm = _alarm(root)
    if bits is None:
        return Power(alarm, alarm or None, None, _celsius(root))
    return Power(bool(bits & LOW) or bool(alarm), bool(bits & (LOW | WAS_LOW)), bool(bits & SLOWED), _celsius(root))


def _alarm(root: Path) -> bool | None:
    """Return the alarm of the kernel's own driver for the supply; None where there is none."""
    for folder in sorted(root.glob("sys/class/hwmon/hwmon*")):
        if _word(folder / "name") == "rpi_volt":
            raised = _number(_word(folder / "in0_lcrit_alarm"), 10)
            return None if raised is None else raised > 0
    return None


def _celsius(root: Path) -> float | None:
    """Return the temperature of the processor's zone, or else of the warmest; None without any."""
    zones = dict(_zones(root))
    named = [value for name, value in zones.items() if name.startswith(PROCESSOR)]
    return max(named or zones.values(), default=None)


def _zones(root: Path) -> Iterator[tuple[str, float]]:
    for folder in sorted(root.glob("sys/class/thermal/thermal_zone*")):
        thousandths = _number(_word(folder / "temp"), 10)
        if thousandths is not None and _possible(thousandths / 1000):
            yield f"{_word(folder / 'type')} {folder.name}", thousandths / 1000


def _possible(celsius: float) -> bool:
    least, most = POSSIBLE_CELSIUS
    return least < celsius < most


def _word(path: Path) -> str:
    """Return the one word of a file; '' where it cannot be read."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _number(word: str, base: int) -> int | None:
    try:
        return int(word, base)
    except ValueError:
        return None


# The system's clock, and whether its time can be right
#
# A Raspberry Pi keeps no time while it is unplugged. It starts with the time at which it was last on, and is set by
# the network, where there is one. Nothing in the program is timed by this clock; it only dates games.


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
