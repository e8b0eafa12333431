"""Checks of the machine: supply, heat, clock and wiring."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardware.gpio.wiring import RECOMMENDED, Wire, wiring
from hardware.power import WEAK_VOLTS, Power
from hardware.system_clock import ADVICE, UNSET, SystemClock
from referee.phrases import as_sentence
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding

POWER = CheckSubject("power", "Power supply")
HEAT = CheckSubject("heat", "Heat")
CLOCK = CheckSubject("clock", "Clock")
WIRING = CheckSubject("wiring", "Button, lamp and buzzer")

WARM, HOT = 70.0, 80.0
"""Degrees Celsius: a Raspberry Pi slows down from 80 on (its documentation, "Frequency management")."""
SLACK = timedelta(days=1)
"""How far the clock may be behind a file: it may have been set back a little since."""


def check_power(now: Power) -> Finding:
    """Check the supply, by what the kernel reports."""
    if now.low_now:
        return POWER.bad(
            f"The voltage is too low just now (under {WEAK_VOLTS} V).",
            "Use the Raspberry Pi's own supply with its own cable, and unplug what draws much from its USB ports.",
        )
    if now.low_since_start:
        return POWER.unsure(
            f"The voltage was too low since the box was started (under {WEAK_VOLTS} V), though it is not just now.",
            "Use the Raspberry Pi's own supply: a weak one spoils the card in time.",
        )
    if now.low_now is None:
        return POWER.good("This machine does not tell of its supply.")
    return POWER.good("The voltage is high enough, and was since the box was started.")


def check_heat(now: Power) -> Finding:
    """Check the processor's temperature, and whether it is slowed down."""
    if now.celsius is None and not now.slowed_now:
        return HEAT.good("This machine does not tell how warm it is.")
    told = "The processor is held back" if now.celsius is None else f"The processor is {now.celsius:.0f} °C warm"
    if now.slowed_now:
        return HEAT.bad(
            f"{told}, and so slowed down just now." if now.celsius is not None else f"{told} just now.",
            "Give the box air or a cooler, and look to its supply: both can slow it down.",
        )
    if now.celsius is not None and now.celsius >= HOT:
        return HEAT.bad(f"{told}.", f"Give the box air or a cooler: from {HOT:.0f} °C on it slows itself down.")
    if now.celsius is not None and now.celsius >= WARM:
        return HEAT.unsure(f"{told}.", f"Give the box air: from {HOT:.0f} °C on it slows itself down.")
    return HEAT.good(f"{told}.")


def check_clock(root: Path, now: datetime, newest: datetime | None) -> Finding:
    """Check that the clock is not before `newest`, when something here was written."""
    told = f"The clock says {now:%Y-%m-%d %H:%M} UTC"
    past = newest - SLACK if newest else None
    doubt = SystemClock(past, root=root, now=lambda: now).doubt()
    if doubt is UNSET:
        return CLOCK.unsure(f"{told}, but it has not been set since the box was switched on.", as_sentence(ADVICE))
    if doubt:
        return CLOCK.bad(as_sentence(doubt.problem), as_sentence(ADVICE))
    if (root / "run/systemd/timesync/synchronized").exists():
        return CLOCK.good(f"{told}, set by the network's time.")
    return CLOCK.good(f"{told}; nothing speaks against it.")


def newest_modification(paths: Iterable[Path]) -> datetime | None:
    """Return when the newest of these files was written; None if there is none."""
    times = [found for path in paths if (found := _written_at(path)) is not None]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _written_at(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def check_wiring(settings: Settings, root: Path) -> Finding:
    """Check the pins of the settings: which parts they wire, and whether this user may open them."""
    wired = wiring(settings)
    if not wired:
        pins = "; ".join(f"{wire.what} {_place(wire)}" for wire in wiring(RECOMMENDED))
        return WIRING.good("None is set up.", f"These pins serve well: {pins}.")
    told = f"Wired by the settings: {_listed(wired)}."
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        return WIRING.bad(f"{told} But this machine has no pins.", "Take the pins out of the settings, or use a Pi.")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return WIRING.bad(
            f"{told} But this user may not use the pins.", "Add the user to the group gpio: `sudo adduser USER gpio`."
        )
    return WIRING.good(told)


def _listed(found: Iterable[Wire]) -> str:
    return "; ".join(f"{wire.what} {_place(wire)} ({wire.remark})" for wire in found)


def _place(wire: Wire) -> str:
    return f"at BCM {wire.bcm}, pin {wire.header} of the header"
