"""How often a table or a program may send."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from threading import Lock

from referee.refused import Reason, Refused
from referee.sentences import say

MOST_SENDERS = 10_000
"""Senders that are remembered; beyond them all counts begin again, so that strangers cannot fill the memory."""


class RequestRates:
    """Counts what each sender sent within the last seconds, `most` at most. Any thread may call it."""

    def __init__(self, clock: Callable[[], float], most: int, within_s: float) -> None:
        self._clock, self._most, self._within_s = clock, most, within_s
        self._sent: defaultdict[Hashable, deque[float]] = defaultdict(deque)
        self._lock = Lock()

    def check(self, sender: Hashable) -> None:
        """Count a request. Raises Refused (TOO_SOON) beyond the limit."""
        with self._lock:
            if len(self._sent) >= MOST_SENDERS:
                self._sent.clear()
            now, sent = self._clock(), self._sent[sender]
            while sent and now - sent[0] > self._within_s:
                sent.popleft()
            if len(sent) >= self._most:
                raise Refused(
                    say("Requests come too often. They are taken again in a moment."),
                    Reason.TOO_SOON,
                    wait_s=self._within_s,
                )
            sent.append(now)
