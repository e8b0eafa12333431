"""The keys that a hall has given, kept in memory: a flood of unknown ones costs the database nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from vander.access.device_registry import key_digest
from vander.hall.request_rates import RequestRates

READ_AGAIN_S = 5.0
"""How far apart the keys are read again for a key that is not known."""
MOST_STRANGERS, STRANGERS_WITHIN_S = 60, 60.0
"""Requests without a known key that one network may send in so many seconds."""


class KnownKeys:
    """The keys of tables, or of a club's programs. Any thread may call any method.

    `read` returns all of them: what each belongs to, by its digest.
    """

    def __init__(self, read: Callable[[], Mapping[str, int]], clock: Callable[[], float]) -> None:
        self._read, self._clock, self._lock = read, clock, Lock()
        self._numbers: Mapping[str, int] = {}
        self._read_at = float("-inf")
        self._strangers = RequestRates(clock, MOST_STRANGERS, STRANGERS_WITHIN_S)

    def number_of(self, key: str, network: str) -> int | None:
        """Return what a key belongs to, None for one that is not known.

        Raises Refused (TOO_SOON) for a network that sends many of those.
        """
        digest = key_digest(key)
        if digest not in self._numbers:
            self._strangers.check(network)  # before the database: while that is away, each question waits
            self._read_again()
        return self._numbers.get(digest)

    def add(self, key: str, number: int) -> None:
        """Know a new key at once."""
        with self._lock:
            self._numbers = {**self._numbers, key_digest(key): number}

    def drop(self, number: int) -> None:
        """Know the key of that number no more."""
        with self._lock:
            self._numbers = {digest: known for digest, known in self._numbers.items() if known != number}

    def _read_again(self) -> None:
        with self._lock:
            if self._clock() - self._read_at < READ_AGAIN_S:
                return
            self._numbers = self._read()
            self._read_at = self._clock()
