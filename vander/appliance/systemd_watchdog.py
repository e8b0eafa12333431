"""Feed systemd's watchdog from the camera loop, by sd_notify(3)."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock

LOST_TIMEOUT_S = 600.0
"""The watchdog's interval while the camera is lost, fed by taps: people may be playing by hand."""
SEND_TIMEOUT_S = 1.0
"""How long a message may wait for room in the socket's queue."""
NO_CAMERA = "There is no camera; reconnecting."


class SystemdWatchdog:
    """The `LoopWatchdog` of the camera loop, for systemd: fed by fresh frames alone, never by a timer.

    A camera that hangs or repeats one picture feeds nothing, so systemd restarts the program after the unit's
    WatchdogSec. While the camera is known to be lost, taps feed it too, and the interval is LOST_TIMEOUT_S. Without
    NOTIFY_SOCKET nothing is sent; without WATCHDOG_USEC only the status. Any thread may call any method; none raises.
    """

    def __init__(
        self, address: str = "", interval_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._interval_s = interval_s
        self._clock = clock
        self._lock = Lock()
        self._fed_at = float("-inf")
        self._is_lost = False
        self._status = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> SystemdWatchdog:
        """Return the watchdog that systemd set up for this process by NOTIFY_SOCKET and WATCHDOG_USEC."""
        return cls(environment.get("NOTIFY_SOCKET", ""), _interval_s(environment))

    def ready(self, status: str) -> None:
        """Report that the program has started; `systemctl status` shows `status`."""
        with self._lock:
            self._status = status
            self._send("READY=1", f"STATUS={status}")

    def stopping(self) -> None:
        """Report that the program is stopping as requested."""
        with self._lock:
            self._send("STOPPING=1")

    def beat(self) -> None:
        """Report a fresh frame; it is sent on three times in an interval."""
        if self._interval_s is None:
            return
        with self._lock:
            if self._is_lost:
                self._on_found(self._interval_s)
            elif self._clock() - self._fed_at >= self._interval_s / 3:
                self._feed()

    def lost(self) -> None:
        """Report that the camera is lost, and the page says so: extend the interval, once."""
        if self._interval_s is None:
            return
        with self._lock:
            if not self._is_lost:
                lost_s = max(LOST_TIMEOUT_S, self._interval_s)
                self._is_lost = self._send(_interval_line(lost_s), f"STATUS={NO_CAMERA}")

    def stuck(self) -> None:
        """Report that only a restart brings the camera back: nothing feeds from now on, so that systemd restarts."""
        if self._interval_s is None:
            return
        with self._lock:
            if self._is_lost:
                self._send(_interval_line(self._interval_s))
                self._is_lost = False

    def tapped(self) -> None:
        """Report a decision on a tablet; it feeds the watchdog only while the camera is lost."""
        with self._lock:
            if self._is_lost:
                self._feed()

    def _on_found(self, interval_s: float) -> None:
        self._is_lost = not self._feed(_interval_line(interval_s), f"STATUS={self._status}")

    def _feed(self, *more: str) -> bool:
        sent = self._send("WATCHDOG=1", *more)
        if sent:
            self._fed_at = self._clock()
        return sent

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


def _interval_line(seconds: float) -> str:
    return f"WATCHDOG_USEC={round(seconds * 1_000_000)}"


def _interval_s(environment: Mapping[str, str]) -> float | None:
    """Return the watchdog's interval in seconds, or None if there is none for this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() and int(microseconds) else None
