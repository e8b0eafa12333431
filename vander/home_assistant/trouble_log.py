"""Troubles with the broker in the log: each is one line, however often it comes back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

SAME_S = 600.0
"""Seconds before an identical line may be logged again."""
MOST_LINES = 100
"""How many different lines are remembered."""


class TroubleLog:
    """Logs what is wrong with the broker at an address. One thread at a time calls it."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._clock = address, clock
        self._logged: dict[str, float] = {}
        self.is_open = False
        """True from a trouble until the broker is there again."""

    def report(self, trouble: str) -> None:
        """Log a trouble, unless it was logged lately."""
        self.is_open = True
        self.note(trouble)

    def recovered(self) -> None:
        """Log that the broker is there again, where a trouble was logged."""
        if self.is_open:
            self.note("connected again")
        self.is_open = False

    def note(self, line: str) -> None:
        """Log a line that is about no trouble with the broker itself, unless it was logged lately."""
        now, last = self._clock(), self._logged.get(line)
        if last is None or now - last > SAME_S:
            log.warning("home assistant: broker %s: %s", self._address, line)
            self._logged = {**self._logged, line: now} if len(self._logged) < MOST_LINES else {line: now}
