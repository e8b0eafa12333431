"""Check supply, heat, disk, clock and journal every few seconds, prune evidence, and report alerts to the session."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from hardware import power
from hardware.power import WEAK_VOLTS, Power
from hardware.system_clock import SystemClock
from referee.phrases import decimal
from referee.sentences import say
from vander.session.session_state import HealthAlert
from vander.storage.evidence_store import free_bytes

log = logging.getLogger(__name__)

EVERY_S = 5.0
LASTING_S = 60.0
"""How long a weak supply is reported: it mostly lasts for moments, while the processor works."""
HOT, COOLER = 80.0, 76.0
"""Degrees Celsius: a Raspberry Pi slows down from the first on (its documentation, "Frequency management"); below the
second heat is reported no more."""
LEAST_BYTES = 20_000_000
"""With less than this free a card counts as full, whatever the setting."""

WEAK = HealthAlert(
    "power",
    say(
        "The power supply is too weak (now under {volts} V): use the Raspberry Pi's own, and unplug "
        "power-hungry devices.",
        volts=decimal(WEAK_VOLTS, 2),
    ),
)
TOO_HOT = HealthAlert(
    "heat", say("The box is hotter than {limit} °C and slows down: give it air or a cooler.", limit=round(HOT))
)
SLOWED = HealthAlert("heat", say("The box is slowed down by its heat or its supply: give it air, or a better supply."))
FULL = HealthAlert(
    "disk",
    say(
        "The card is nearly full, though old pictures made room: delete something from it, or use a larger one. "
        "Play goes on, without pictures if need be."
    ),
)


class AlertListener(Protocol):
    """Who shows the alerts: the session."""

    def report_health(self, alerts: Sequence[HealthAlert]) -> None:
        """Show these alerts in place of the ones before."""


class EvidencePruner(Protocol):
    """What makes room on the disk: the evidence."""

    def thin(self, spare_bytes: int) -> int:
        """Delete old pictures until `spare_bytes` are free. Raises nothing."""


@dataclass(frozen=True)
class HealthReadings:
    """How the machine is read: the supply, the free bytes on the disk of a folder, and a monotonic clock in seconds."""

    supply: Callable[[], Power] = power.read_power
    free_bytes: Callable[[Path], int] = free_bytes
    seconds: Callable[[], float] = monotonic


class PowerHistory:
    """The recent past of supply and heat, for alerts that outlast a moment."""

    def __init__(self) -> None:
        self._weak_at: float | None = None
        self._is_hot = False

    def alerts(self, now: Power, seconds: float) -> Iterator[HealthAlert]:
        """Yield the alerts of a reading taken at `seconds`."""
        if now.low_now:
            self._weak_at = seconds
        if self._weak_at is not None and seconds - self._weak_at < LASTING_S:
            yield WEAK
        self._is_hot = now.celsius is not None and now.celsius >= (COOLER if self._is_hot else HOT)
        if self._is_hot:
            yield TOO_HOT
        elif now.slowed_now and not now.low_now:
            yield SLOWED


class HealthMonitor:
    """Check the box every `every_s` seconds until `stop`, and once before `start` returns.

    `evidence` is pruned so that `spare_mb` megabytes of the disk with `folder` stay free. `journal` returns what is
    wrong with the journal, or ''.
    """

    def __init__(  # noqa: PLR0913  # whom it tells, what it checks, and how each is read
        self,
        listener: AlertListener,
        evidence: EvidencePruner,
        folder: Path,
        spare_mb: int,
        clock: SystemClock | None = None,
        *,
        journal: Callable[[], str] = str,
        readings: HealthReadings | None = None,
        every_s: float = EVERY_S,
    ) -> None:
        self._listener, self._evidence, self._folder = listener, evidence, folder
        self._spare_bytes = spare_mb * 1_000_000
        self._clock = clock or SystemClock()
        self._journal = journal
        self._readings = readings or HealthReadings()
        self._every_s = every_s
        self._power = PowerHistory()
        self._alerts: tuple[HealthAlert, ...] = ()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="health-monitor", daemon=True)

    @property
    def alerts(self) -> Sequence[HealthAlert]:
        """The alerts of the last check."""
        return self._alerts

    def start(self) -> None:
        """Check once, and start the thread."""
        self._check_safely()
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=self._every_s + 5)

    def check(self) -> None:
        """Check the box once, and report the alerts."""
        power_alerts = self._power.alerts(self._readings.supply(), self._readings.seconds())
        self._alerts = (*power_alerts, *self._disk_alerts(), *self._clock_alerts(), *self._journal_alerts())
        self._listener.report_health(self._alerts)

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            self._check_safely()

    def _check_safely(self) -> None:
        try:
            self.check()
        except Exception:
            log.exception("health monitor: check failed")

    def _disk_alerts(self) -> Iterator[HealthAlert]:
        self._evidence.thin(self._spare_bytes)
        try:
            is_full = self._readings.free_bytes(self._folder) < max(self._spare_bytes, LEAST_BYTES)
        except OSError:
            return  # the doctor reports a disk that cannot be measured
        if is_full:
            yield FULL

    def _clock_alerts(self) -> Iterator[HealthAlert]:
        if doubt := self._clock.doubt():
            yield HealthAlert("clock", doubt.sentence)

    def _journal_alerts(self) -> Iterator[HealthAlert]:
        if sentence := self._journal():
            yield HealthAlert("journal", sentence)
