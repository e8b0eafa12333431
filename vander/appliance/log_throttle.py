"""Log a repeated error once in full, and then less and less often: an SD card bears only so many writes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from traceback import extract_tb

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
        kind, now = _kind(error), self._clock()
        last = self._logged.get(kind)
        if last is None:
            self._log.error("%s: %s", self._message, error, exc_info=error)
            self._logged[kind] = _Logged(now, FIRST_S)
        elif now - last.at < last.quiet_s:
            self._logged[kind] = _Logged(last.at, last.quiet_s, last.suppressed + 1)
        else:
            self._log.error("%s: %d times more, last: %s", self._message, last.suppressed + 1, error)
            self._logged[kind] = _Logged(now, min(2 * last.quiet_s, LONGEST_S))


def _kind(error: Exception) -> object:
    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    return type(error), *places[-1:]
