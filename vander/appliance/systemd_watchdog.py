"""The heartbeat by which systemd knows that the watching goes on, after sd_notify(3)."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock

PATIENCE_LOST_S = 600.0
"""So long a box without a camera waits for a tap before it is started again: people may be playing by hand."""
ANSWER_WITHIN_S = 1.0
"""So long a message may wait for room in the system's queue."""
NO_CAMERA = "There is no camera; it is looked for."


class SystemdWatchdog:
    """Tells systemd what `LoopWatchdog` of the camera loop tells: it is fed by fresh frames alone, never by a clock.

    A picture that hangs or freezes ends the feeding, so that the program is started again after the unit's
    WatchdogSec. While the camera is known to be lost a tap feeds too, and the patience is ten minutes. Without a
    socket nothing is said; without a watchdog only what the program is about. Any thread may call it, and nothing
    is raised.
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
        """As the service manager set it up for this process; silent where none did."""
        return cls(environment.get("NOTIFY_SOCKET", ""), _interval_s(environment))

    def ready(self, status: str) -> None:
        """The start is done: the port is had, and the journal open. `status` is shown by `systemctl status`."""
        with self._lock:
            self._status = status
            self._say("READY=1", f"STATUS={status}")

    def stopping(self) -> None:
        """The end has begun, and was asked for."""
        with self._lock:
            self._say("STOPPING=1")

    def beat(self) -> None:
        """A fresh frame was handled. It is passed on a few times in each interval."""
        if self._interval_s is None:
            return
        with self._lock:
            if self._is_lost:
                self._find_again(self._interval_s)
            elif self._clock() - self._fed_at >= self._interval_s / 3:
                self._feed()

    def lost(self) -> None:
        """There is no camera, and that was said on the page. However often it is said, the patience grows once."""
        if self._interval_s is None:
            return
        with self._lock:
            if not self._is_lost:
                patience_s = max(PATIENCE_LOST_S, self._interval_s)
                self._is_lost = self._say(_lasting(patience_s), f"STATUS={NO_CAMERA}")

    def stuck(self) -> None:
        """Only a new start brings the camera back: from now on nothing feeds, so that it comes after the interval."""
        if self._interval_s is None:
            return
        with self._lock:
            if self._is_lost:
                self._say(_lasting(self._interval_s))
                self._is_lost = False

    def tapped(self) -> None:
        """Somebody decided something. That counts as life only while there is no camera."""
        with self._lock:
            if self._is_lost:
                self._feed()

    def _find_again(self, interval_s: float) -> None:
        self._is_lost = not self._feed(_lasting(interval_s), f"STATUS={self._status}")

    def _feed(self, *more: str) -> bool:
        said = self._say("WATCHDOG=1", *more)
        if said:
            self._fed_at = self._clock()
        return said

    def _say(self, *lines: str) -> bool:
        """Send one message. Say whether it was taken; nobody may be there to take it."""
        if not self._address:
            return False
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(ANSWER_WITHIN_S)
            to.connect(self._address)
            to.sendall("\n".join(lines).encode())
            return True
        return False


def _lasting(seconds: float) -> str:
    return f"WATCHDOG_USEC={round(seconds * 1_000_000)}"


def _interval_s(environment: Mapping[str, str]) -> float | None:
    """The watchdog's interval, or None: there is none, or it is meant for another process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() and int(microseconds) else None
