"""Feed systemd's watchdog from the camera loop, by sd_notify(3)."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock

SEND_TIMEOUT_S = 1.0
"""How long a message may wait for room in the socket's queue."""


class SystemdWatchdog:
    """The `LoopWatchdog` of the camera loop, for systemd: fed by the loop's own turns alone, never by a timer.

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
