"""Checks of the machine: supply, heat, clock, wiring and loudspeaker."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardware.gpio.wiring import RECOMMENDED, Wire, wiring
from hardware.loudspeaker import find_player
from hardware.power import WEAK_VOLTS, Power
from hardware.system_clock import ADVICE, UNSET, SystemClock
from referee.phrases import as_sentence, decimal, in_a_row, join_each, spell_list
from referee.sentences import say
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Settings
from vander.storage.storage_errors import StorageError
from web.schemas.diagnostics_schemas import Finding

POWER = CheckSubject("power", say("Power supply"))
HEAT = CheckSubject("heat", say("Heat"))
CLOCK = CheckSubject("clock", say("Clock"))
SPEAKER = CheckSubject("speaker", say("Loudspeaker"))
WIRING = CheckSubject("wiring", say("Button, lamp and buzzer"))

WARM, HOT = 70.0, 80.0
"""Degrees Celsius: a Raspberry Pi slows down from 80 on (its documentation, "Frequency management")."""
SLACK = timedelta(days=1)
"""How far the clock may be behind a file: it may have been set back a little since."""


def check_power(now: Power) -> Finding:
    """Check the supply, by what the kernel reports."""
    if now.low_now:
        return POWER.bad(
            say("The voltage is too low just now (under {volts} V).", volts=decimal(WEAK_VOLTS, 2)),
            say(
                "Use the Raspberry Pi's own supply with its own cable, and unplug power-hungry devices from its USB "
                "ports."
            ),
        )
    if now.low_since_start:
        return POWER.unsure(
            say(
                "The voltage was too low since the box was started (under {volts} V), though it is not just now.",
                volts=decimal(WEAK_VOLTS, 2),
            ),
            say("Use the Raspberry Pi's own supply: a weak one damages the card in time."),
        )
    if now.low_now is None:
        return POWER.good(say("This machine does not tell of its supply."))
    return POWER.good(say("The voltage is high enough, and was since the box was started."))


def check_heat(now: Power) -> Finding:
    """Check the processor's temperature, and whether it is slowed down."""
    if now.celsius is None and not now.slowed_now:
        return HEAT.good(say("This machine does not tell how warm it is."))
    if now.slowed_now:
        return HEAT.bad(
            _slowed_in_words(now.celsius),
            say("Give the box air or a cooler, and check its supply: both can slow it down."),
        )
    warmth = now.celsius if now.celsius is not None else 0.0
    told, limit = say("The processor is {degrees} °C warm.", degrees=round(warmth)), round(HOT)
    if warmth >= HOT:
        return HEAT.bad(
            told, say("Give the box air or a cooler: from {limit} °C on it slows itself down.", limit=limit)
        )
    if warmth >= WARM:
        return HEAT.unsure(told, say("Give the box air: from {limit} °C on it slows itself down.", limit=limit))
    return HEAT.good(told)


def _slowed_in_words(celsius: float | None) -> str:
    if celsius is None:
        return say("The processor is held back just now.")
    return say("The processor is {degrees} °C warm, and so slowed down just now.", degrees=round(celsius))


def check_clock(root: Path, now: datetime, newest: datetime | None) -> Finding:
    """Check that the clock is not before `newest`, when something here was written."""
    told = say("The clock says {time} UTC", time=f"{now:%Y-%m-%d %H:%M}")
    past = newest - SLACK if newest else None
    doubt = SystemClock(past, root=root, now=lambda: now).doubt()
    if doubt is UNSET:
        return CLOCK.unsure(
            say("{told}, but it has not been set since the box was switched on.", told=told), as_sentence(ADVICE)
        )
    if doubt:
        return CLOCK.bad(as_sentence(doubt.problem), as_sentence(ADVICE))
    if (root / "run/systemd/timesync/synchronized").exists():
        return CLOCK.good(say("{told}, set by the network's time.", told=told))
    return CLOCK.good(say("{told}; nothing speaks against it.", told=told))


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
        pins = _in_a_list([_place(wire) for wire in wiring(RECOMMENDED)])
        return WIRING.good(say("None is set up."), say("These pins work well: {pins}.", pins=pins))
    told = say("Wired by the settings: {pins}.", pins=_in_a_list(list(map(_place_and_remark, wired))))
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        return WIRING.bad(
            in_a_row(told, say("But this machine has no pins.")),
            say("Take the pins out of the settings, or use a Pi."),
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return WIRING.bad(
            in_a_row(told, say("But this user may not use the pins.")),
            say("Add the user to the group gpio: `sudo adduser USER gpio`."),
        )
    return WIRING.good(told)


def _in_a_list(places: Sequence[str]) -> str:
    return join_each(places, lambda before, place: say("{before}; {place}", before=before, place=place))


def _place_and_remark(wire: Wire) -> str:
    return say("{place} ({remark})", place=_place(wire), remark=wire.remark)


def _place(wire: Wire) -> str:
    return say("{what} at BCM {bcm}, pin {header} of the header", what=wire.what, bcm=wire.bcm, header=wire.header)


def check_speaker(settings: Settings, root: Path = Path("/"), player: tuple[str, ...] | None = None) -> Finding:
    """Check what the caller needs to speak on the box itself: a program that plays, and a sound device."""
    if _caller_level(settings) == "off":
        return SPEAKER.good(say("The caller is silent on the box itself."))
    found = find_player() if player is None else player
    if not found:
        return SPEAKER.bad(
            say("No program is installed that plays the caller's voice."),
            say("Install one with `sudo apt install alsa-utils`."),
        )
    name, devices = Path(found[0]).name, _sound_cards(root)
    if not devices:
        return SPEAKER.unsure(
            say("{player} plays the caller's voice, but no sound device is found.", player=name),
            say("Plug a loudspeaker in, or a screen with one, and start Vander again."),
        )
    return SPEAKER.good(
        say("{player} plays the caller's voice on {device}.", player=name, device=spell_list(devices, "and"))
    )


def _caller_level(settings: Settings) -> str:
    """Return what the caller says on the box: what was chosen on the page, else the setting."""
    try:
        return PreferenceStore(settings.data_dir).speech(settings).level
    except StorageError:  # a damaged file is reported when the program starts
        return settings.caller


def _sound_cards(root: Path) -> list[str]:
    """Return the names of the sound devices, as ALSA lists them in /proc/asound/cards."""
    try:
        listed = (root / "proc/asound/cards").read_text("utf-8", errors="replace")
    except OSError:
        return []
    return re.findall(r"^ *\d+ \[[^]]*\]: .*? - (.+)$", listed, re.MULTILINE)
