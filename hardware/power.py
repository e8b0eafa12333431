"""The box's power and heat, as the kernel tells them: no program is asked, and no right is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WEAK_VOLTS = 4.63
"""Below so many volts a Raspberry Pi calls its supply too low (its documentation, "Power supply warnings")."""
LOW, SLOWED, WAS_LOW = 1 << 0, 0b111 << 1, 1 << 16
"""The bits of `get_throttled`: 0 too low now; 1 to 3 slowed down now (capped, throttled, warm); 16 was too low."""
POSSIBLE_CELSIUS = (-40.0, 150.0)
PROCESSOR = ("cpu", "soc", "x86_pkg")
"""How the kernel calls the thermal zone of a processor; on a Raspberry Pi it is `cpu-thermal`."""


@dataclass(frozen=True)
class Power:
    """The supply and the heat now; None for what this machine does not tell.

    `low_now`: the voltage is too low; `low_since_start`: it was since the start; `slowed_now`: the processor is held
    back, for the supply's or the heat's sake; `celsius`: how warm the processor is.
    """

    low_now: bool | None = None
    low_since_start: bool | None = None
    slowed_now: bool | None = None
    celsius: float | None = None


def read(root: Path = Path("/")) -> Power:
    """What the kernel tells below `root`. Never raises; takes less than a millisecond."""
    bits, alarm = _throttled(root), _alarm(root)
    if bits is None:
        return Power(alarm, alarm or None, None, _celsius(root))
    return Power(bool(bits & LOW) or bool(alarm), bool(bits & (LOW | WAS_LOW)), bool(bits & SLOWED), _celsius(root))


def _throttled(root: Path) -> int | None:
    """The firmware's word, in which each bit is one trouble. Where it lies differs from one Pi to the next."""
    places = root.glob("sys/devices/platform/*/*/get_throttled")
    words = (_word(path) for path in (*places, *root.glob("sys/devices/platform/*/get_throttled")))
    return next((found for word in words if (found := _number(word, 16)) is not None), None)


def _alarm(root: Path) -> bool | None:
    """The alarm of the kernel's own watch over the supply."""
    for folder in sorted(root.glob("sys/class/hwmon/hwmon*")):
        if _word(folder / "name") == "rpi_volt":
            raised = _number(_word(folder / "in0_lcrit_alarm"), 10)
            return None if raised is None else raised > 0
    return None


def _celsius(root: Path) -> float | None:
    """The processor's zone, or else the warmest there is."""
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
    """A file's one word; '' where there is none, or none that can be read."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _number(word: str, base: int) -> int | None:
    try:
        return int(word, base)
    except ValueError:
        return None
