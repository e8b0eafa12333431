"""Run blocking driver calls on a worker thread, with a timeout: a driver that hangs must not hang its caller."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


class TimeoutWorker:
    """Run one call after another on a daemon thread of its own, until it is shut down."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._is_shut_down = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], Result], timeout_s: float) -> Result:
        """Return what the function returns, or raise what it raises. Raises TimeoutError after `timeout_s` seconds.

        A call that timed out is skipped if it has not begun; if it has, its result is dropped.
        """
        future = self._send(function)
        try:
            return future.result(timeout_s)
        finally:
            future.cancel()

    def shut_down(self, last: Callable[[], None], timeout_s: float) -> bool:
        """Make a last call, wait at most `timeout_s` seconds, and return True if the thread has ended.

        False means that the thread still hangs. Called again, it waits again, and makes no further call.
        """
        if not self._is_shut_down:
            self._is_shut_down = True
            self._send(last)
            self._calls.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _send(self, function: Callable[[], Result]) -> Future[Result]:
        future: Future[Result] = Future()
        self._calls.put((future, function))
        return future

    def _run(self) -> None:
        while (sent := self._calls.get()) is not None:
            future, function = sent
            if future.set_running_or_notify_cancel():
                _resolve(future, function)


def _resolve(future: Future[Any], function: Callable[[], Any]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:  # whatever a driver raises is the caller's to handle
        future.set_exception(error)
