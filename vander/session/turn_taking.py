"""Who may change the session: one thread at a time, while everybody else may still look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock


class Turns:
    """Threads take turns. The lock is held only for a moment at the beginning and end of each, never during one."""

    def __init__(self, lock: Lock) -> None:
        self._free = Condition(lock)
        self._is_taken = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have the turn, after whoever has it now. A thread that has it already must not ask for it."""
        with self._free:
            self._take()
        try:
            yield
        finally:
            with self._free:
                self._end()

    def give(self, until: Callable[[], bool], timeout: float) -> None:
        """Let others have their turns until something is so, or `timeout` seconds are over; then have the turn again.

        Nothing is waited for where it is so already. `until` is asked under the lock, whenever a turn has ended.
        """
        with self._free:
            if not until():
                self._end()
                self._free.wait_for(lambda: not self._is_taken and until(), timeout)
                self._take()

    def _take(self) -> None:
        self._free.wait_for(lambda: not self._is_taken)
        self._is_taken = True

    def _end(self) -> None:
        self._is_taken = False
        self._free.notify_all()
