"""The health of the box: supply, heat, disk and clock are checked, systemd's watchdog is fed, and it is shut down."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from traceback import extract_tb

from hardware import system_health
from hardware.system_health import WEAK_VOLTS, Power, SystemClock
from referee.phrases import decimal
from referee.sentences import cause_of, say
from vander.storage.evidence_store import EvidenceStore, free_bytes
from vander.table.session import Session
from vander.table.session_state import HealthAlert

# Check supply, heat, disk, clock and journal every few seconds, prune evidence, and report alerts to the session


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


@dataclass(frozen=True)
class HealthReadings:
    """How the machine is read: the supply, the free bytes on the disk of a folder, and a monotonic clock in seconds."""

    supply: Callable[[], Power] = system_health.read_power
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
        session: Session,
        evidence: EvidenceStore,
        folder: Path,
        spare_mb: int,
        clock: SystemClock | None = None,
        *,
        journal: Callable[[], str] = str,
        readings: HealthReadings | None = None,
        every_s: float = EVERY_S,
    ) -> None:
        self._session, self._evidence, self._folder = session, evidence, folder
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
        return self._alerts

    def start(self) -> None:
        """Check once, and start the thread."""
        self._check_safely()
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=self._every_s + 5)

    def check(self) -> None:
        """Check the box once, and report the alerts."""
        power_alerts = self._power.alerts(self._readings.supply(), self._readings.seconds())
        self._alerts = (*power_alerts, *self._disk_alerts(), *self._clock_alerts(), *self._journal_alerts())
        self._session.report_health(self._alerts)

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


# Log a repeated error once in full, and then less and less often: an SD card bears only so many writes


FIRST_S = 1.0
LONGEST_S = 3600.0
"""How long a logged kind of error is not logged again: doubled each time, up to the longest."""


@dataclass(frozen=True)
class _Logged:
    at: float
    quiet_s: float
    suppressed: int = 0


class LogThrottle:
    """Log the first error of a kind with its traceback, and later ones as a line with their number.

    Errors are of one kind if they have the same type and were raised at the same line. Not safe for threads.
    """

    def __init__(self, log: logging.Logger, message: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._message, self._clock = log, message, clock
        self._logged: dict[object, _Logged] = {}

    def error(self, error: Exception) -> None:
        """Log an error, or count it while its kind is quiet."""
        places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
        kind, now = (type(error), *places[-1:]), self._clock()
        last = self._logged.get(kind)
        if last is None:
            self._log.error("%s: %s", self._message, error, exc_info=error)
            self._logged[kind] = _Logged(now, FIRST_S)
        elif now - last.at < last.quiet_s:
            self._logged[kind] = _Logged(last.at, last.quiet_s, last.suppressed + 1)
        else:
            self._log.error("%s: %d times more, last: %s", self._message, last.suppressed + 1, error)
            self._logged[kind] = _Logged(now, min(2 * last.quiet_s, LONGEST_S))


# Shut the box down: for the button, and for the keeper's page


COMMAND = ("systemctl", "poweroff", "--no-ask-password")
"""systemd/vander-polkit.rules allows it to the user vander without a password."""
TIMEOUT_S = 10.0


class PowerOffFailed(OSError):
    """The box cannot be shut down by this program; the message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


def power_off(command: Sequence[str] = COMMAND, timeout_s: float = TIMEOUT_S) -> None:
    """Ask systemd to shut the machine down; it then stops this program by SIGTERM. Raises PowerOffFailed."""
    try:
        asked = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s)  # noqa: S603
    except FileNotFoundError:
        raise _failed(say("there is no systemctl here")) from None
    except subprocess.TimeoutExpired:
        raise _failed(say("the system did not answer within {seconds} s", seconds=f"{timeout_s:g}")) from None
    except OSError as error:
        raise _failed(cause_of(error)) from error
    if asked.returncode:
        told = asked.stderr.strip().splitlines()
        ended = say("{command} ended with {status}", command=command[0], status=asked.returncode)
        raise _failed(told[0].rstrip(".") if told else ended)


def _failed(why: str) -> PowerOffFailed:
    return PowerOffFailed(
        say(
            "The box cannot be shut down from here: {cause}. Nothing is lost if you unplug it when nobody plays.",
            cause=why,
        )
    )


# Feed systemd's watchdog from the camera loop, by sd_notify(3)


SEND_TIMEOUT_S = 1.0
"""How long a message may wait for room in the socket's queue."""


class SystemdWatchdog:
    """The watchdog of the camera loop, for systemd: fed by the loop's own turns alone, never by a timer.

    A loop that hangs, in the pipeline, in a lock or on the disk, feeds nothing, so systemd restarts the program after
    the unit's WatchdogSec. A camera that hangs, freezes or is gone is no reason for that: it has a process of its own,
    which the loop restarts, and the page stays for those who play by hand.

    Without NOTIFY_SOCKET nothing is sent; without WATCHDOG_USEC only the status. Any thread may call any method; none
    raises.
    """

    def __init__(
        self, address: str = "", interval_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._interval_s = interval_s
        self._clock = clock
        self._lock = Lock()
        self._fed_at = float("-inf")
        self._ready_status = ""
        self._status = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> SystemdWatchdog:
        """Return the watchdog that systemd set up for this process by NOTIFY_SOCKET and WATCHDOG_USEC."""
        return cls(environment.get("NOTIFY_SOCKET", ""), _interval_s(environment))

    def ready(self, status: str) -> None:
        """Report that the program has started; `systemctl status` shows `status` while the camera works."""
        with self._lock:
            self._ready_status = self._status = status
            self._send("READY=1", f"STATUS={status}")

    def stopping(self) -> None:
        """Report that the program is stopping as requested."""
        with self._lock:
            self._send("STOPPING=1")

    def beat(self, trouble: str = "") -> None:
        """Report a turn of the loop, which is sent on three times in an interval, and a change of the camera's trouble.

        `systemctl status` shows the trouble; '' for a camera that works.
        """
        with self._lock:
            status, now = " ".join(trouble.split()) or self._ready_status, self._clock()
            is_due = self._interval_s is not None and now - self._fed_at >= self._interval_s / 3
            lines = [*(["WATCHDOG=1"] if is_due else []), *([f"STATUS={status}"] if status != self._status else [])]
            if lines and self._send(*lines):
                self._status = status
                self._fed_at = now if is_due else self._fed_at

    def _send(self, *lines: str) -> bool:
        """Send one message; return False if nobody receives it."""
        if not self._address:
            return False
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(SEND_TIMEOUT_S)
            to.connect(self._address)
            to.sendall("\n".join(lines).encode())
            return True
        return False


def _interval_s(environment: Mapping[str, str]) -> float | None:
    """Return the watchdog's interval in seconds, or None if there is none for this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() and int(microseconds) else None
