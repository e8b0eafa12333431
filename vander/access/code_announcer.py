"""Tell the lamp and the terminal which code to show, and when to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock, Timer

Listener = Callable[[tuple[int, ...] | None], None]
"""Called with the six faces that the box is to show, and with None when it is to stop."""

_log = logging.getLogger(__name__)


class CodeAnnouncer:
    """Call the listeners whenever the code that `current` returns has changed. Any thread may call any method."""

    def __init__(self, current: Callable[[], tuple[int, ...] | None]) -> None:
        self._current = current
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._announced: tuple[int, ...] | None = None
        self._timer: Timer | None = None

    def add_listener(self, listener: Listener) -> None:
        """Call this listener too. One that raises is logged and called again for the next change."""
        self._listeners.append(listener)

    def announce(self) -> None:
        """Call the listeners if the code has changed since the last call."""
        with self._lock:
            faces = self._current()
            if faces == self._announced:
                return
            self._announced = faces
            for listener in self._listeners:
                try:
                    listener(faces)
                except Exception:  # a broken lamp must not keep tablets out
                    _log.exception("pairing: the code cannot be shown")

    def announce_after(self, seconds: float) -> None:
        """Announce once more after this time, when the code has expired; an earlier request is cancelled."""
        self.cancel()
        self._timer = Timer(seconds, self.announce)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Drop the request of `announce_after`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
