"""The Raspberry Pi's power supply and temperature, read from the kernel's files; this needs no special rights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
    bits, alarm = _throttled(root), _alarm(root)
    if bits is None:
        return Power(alarm, alarm or None, None, _celsius(root))
    return Power(bool(bits & LOW) or bool(alarm), bool(bits & (LOW | WAS_LOW)), bool(bits & SLOWED), _celsius(root))


def _throttled(root: Path) -> int | None:
    """Return the firmware's bits, one for each problem. The path of the file differs from one Pi to the next."""
    paths = root.glob("sys/devices/platform/*/*/get_throttled")
    words = (_word(path) for path in (*paths, *root.glob("sys/devices/platform/*/get_throttled")))
    return next((found for word in words if (found := _number(word, 16)) is not None), None)


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
