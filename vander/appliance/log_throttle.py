"""What stumbles again and again is told once in full, and then more and more seldom: a card has only so many writes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from traceback import extract_tb

FIRST_S = 1.0
MOST_S = 3600.0
"""So long nothing is told of a kind that was told; it doubles each time, up to the most."""


@dataclass(frozen=True)
class _Told:
    at: float
    quiet_s: float
    since: int = 0


class LogThrottle:
    """Logs what stumbles: the first of a kind with its traceback, later ones as a line that says how many there were.

    Of one kind are errors of one type from one place in the program. For one thread.
    """

    def __init__(self, log: logging.Logger, told: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._words, self._clock = log, told, clock
        self._told: dict[object, _Told] = {}

    def tell(self, error: Exception) -> None:
        """It stumbled once more."""
        kind, now = _kind(error), self._clock()
        last = self._told.get(kind)
        if last is None:
            self._log.error("%s", self._words, exc_info=error)
            self._told[kind] = _Told(now, FIRST_S)
        elif now - last.at < last.quiet_s:
            self._told[kind] = _Told(last.at, last.quiet_s, last.since + 1)
        else:
            self._log.error("%s %d times more, the last time: %s", self._words, last.since + 1, error)
            self._told[kind] = _Told(now, min(2 * last.quiet_s, MOST_S))


def _kind(error: Exception) -> object:
    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    return type(error), *places[-1:]
