"""The last lines of the program's log, kept in memory for the support bundle."""

from __future__ import annotations

import logging
from collections import deque

MOST = 400
LONGEST = 4000
"""Characters of one entry, a traceback with it."""


class LogTail(logging.Handler):
    """A log handler that keeps the last entries in memory alone. Any thread may call any method."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._kept: deque[str] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one entry."""
        try:
            self._kept.append(shortened(self.format(record)))
        except Exception:  # a record that cannot be formatted must not stop who logged it
            self.handleError(record)

    def lines(self) -> tuple[str, ...]:
        """Return the entries, oldest first."""
        return tuple(self._kept)


def shortened(entry: str) -> str:
    """Return an entry cut to LONGEST characters between words: half a secret would not be recognized and redacted."""
    return entry if len(entry) <= LONGEST else f"{entry[:LONGEST].rpartition(' ')[0]} ..."
