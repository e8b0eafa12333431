"""The caretaker: looks to the box every few seconds, makes room on its card, and tells the table what is not well."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from hardware import power
from hardware.power import WEAK_VOLTS, Power
from hardware.system_clock import SystemClock
from vander.session.health_alert import HealthAlert
from vander.storage.evidence_store import free_bytes

log = logging.getLogger(__name__)

EVERY_S = 5.0
LASTING_S = 60.0
"""A supply that was too weak is spoken of for so long: it mostly is so for moments, while the processor works."""
HOT, COOLER = 80.0, 76.0
"""Degrees Celsius: from the first on a Raspberry Pi slows down (its documentation, "Frequency management"), and from
the second down it is spoken of no more."""
LEAST_BYTES = 20_000_000
"""With less than this free a card is full, whatever is to be spared."""

WEAK = HealthAlert(
    "power",
    f"The power supply is too weak (under {WEAK_VOLTS} V just now): use the Raspberry Pi's own supply and cable, and "
    "unplug what draws much.",
)
TOO_HOT = HealthAlert("heat", f"The box is hotter than {HOT:.0f} °C and slows down: give it air or a cooler.")
SLOWED = HealthAlert("heat", "The box is slowed down by its heat or its supply: give it air, or a better supply.")
FULL = HealthAlert(
    "disk",
    "The card is nearly full, though old pictures made room: delete something from it, or use a larger one. "
    "Play goes on, without pictures if need be.",
)


class AlertListener(Protocol):
    """Who is told what is not well: the table."""

    def report_health(self, worries: Sequence[HealthAlert]) -> None:
        """Take in what is not well just now, in place of what was said before."""


class EvidencePruner(Protocol):
    """What makes room on the card: the evidence."""

    def thin(self, spare_bytes: int) -> int:
        """Let old pictures go until so many bytes are free. Never raises."""


class HealthMonitor:
    """Looks to the box every `every_s` seconds until it is stopped, and once before `start` returns.

    `spare_mb` megabytes of the card with the data folder are kept free by `evidence`. What is read of the machine, and
    the seconds that pass, may be read elsewhere.
    """

    def __init__(  # noqa: PLR0913  # whom it tells, what it looks to, and where each is read
        self,
        table: AlertListener,
        evidence: EvidencePruner,
        folder: Path,
        spare_mb: int,
        clock: SystemClock | None = None,
        *,
        supply: Callable[[], Power] = power.read_power,
        room: Callable[[Path], int] = free_bytes,
        seconds: Callable[[], float] = monotonic,
        every_s: float = EVERY_S,
    ) -> None:
        self._table, self._evidence, self._folder = table, evidence, folder
        self._spare_bytes = spare_mb * 1_000_000
        self._clock = clock or SystemClock()
        self._supply, self._room, self._seconds = supply, room, seconds
        self._every_s = every_s
        self._weak_at: float | None = None
        self._hot = False
        self._worries: tuple[HealthAlert, ...] = ()
        self._over = Event()
        self._thread = Thread(target=self._run, name="caretaker", daemon=True)

    @property
    def worries(self) -> Sequence[HealthAlert]:
        """What was not well at the last look."""
        return self._worries

    def start(self) -> None:
        """Look once, and then again and again."""
        self._look_safely()
        self._thread.start()

    def stop(self) -> None:
        """End the looking."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=self._every_s + 5)

    def look(self) -> None:
        """Look to the box once, and tell the table."""
        now = self._supply()
        self._worries = (*self._of_power(now), *self._of_heat(now), *self._of_disk(), *self._of_clock())
        self._table.report_health(self._worries)

    def _run(self) -> None:
        while not self._over.wait(self._every_s):
            self._look_safely()

    def _look_safely(self) -> None:
        try:
            self.look()
        except Exception:
            log.exception("the caretaker stumbled, and goes on")

    def _of_power(self, now: Power) -> Iterator[HealthAlert]:
        if now.low_now:
            self._weak_at = self._seconds()
        if self._weak_at is not None and self._seconds() - self._weak_at < LASTING_S:
            yield WEAK

    def _of_heat(self, now: Power) -> Iterator[HealthAlert]:
        self._hot = now.celsius is not None and now.celsius >= (COOLER if self._hot else HOT)
        if self._hot:
            yield TOO_HOT
        elif now.slowed_now and not now.low_now:
            yield SLOWED

    def _of_disk(self) -> Iterator[HealthAlert]:
        self._evidence.thin(self._spare_bytes)
        try:
            full = self._room(self._folder) < max(self._spare_bytes, LEAST_BYTES)
        except OSError:
            return  # what cannot be measured is the doctor's to speak of
        if full:
            yield FULL

    def _of_clock(self) -> Iterator[HealthAlert]:
        if doubt := self._clock.doubt():
            yield HealthAlert("clock", doubt)
