"""The lock of those who change the session. Whoever only reads the session never waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock


class WriteLock:
    """Let one writer in at a time. The underlying `lock` is taken for a moment only, when a writer comes or goes."""

    def __init__(self, lock: Lock) -> None:
        self._free = Condition(lock)
        self._is_held = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the write lock, after the writer that holds it now. A thread that holds it must not ask for it again."""
        with self._free:
            self._acquire()
        try:
            yield
        finally:
            with self._free:
                self._release()

    def release_until(self, is_so: Callable[[], bool], timeout: float) -> None:
        """Let other writers in until something is so, or `timeout` seconds are over; then hold the write lock again.

        Return at once where it is so already. `is_so` is called under the underlying lock, whenever a writer goes.
        """
        with self._free:
            if not is_so():
                self._release()
                try:
                    self._free.wait_for(lambda: not self._is_held and is_so(), timeout)
                finally:
                    self._acquire()

    def _acquire(self) -> None:
        self._free.wait_for(lambda: not self._is_held)
        self._is_held = True

    def _release(self) -> None:
        self._is_held = False
        self._free.notify_all()
