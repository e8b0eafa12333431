"""The timeouts of driver calls, and the thread that runs them: a driver that hangs must not hang its caller."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class CameraTimeouts:
    """How many seconds to wait for each thing that may never come.

    A frame and the grace are less than two seconds together. The grace is for a driver that hangs and does not keep to
    the timeout that it was given.
    """

    opening_s: float = 10.0
    closing_s: float = 3.0
    frame_s: float = 1.5
    grace_s: float = 0.3


DEFAULT_TIMEOUTS = CameraTimeouts()


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
