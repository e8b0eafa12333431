"""A thread that does errands, so that what hangs in a driver hangs nobody who waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Brought = TypeVar("Brought")


class Courier:
    """Does one errand after another, in a daemon thread of its own, until it is sent on the last one."""

    def __init__(self, name: str) -> None:
        self._errands: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._dismissed = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def fetch(self, errand: Callable[[], Brought], seconds: float) -> Brought:
        """What the errand gives, or raises. Raises TimeoutError when that takes longer than `seconds`.

        An errand that was waited for in vain is left out where it has not begun, and brings nothing where it has.
        """
        brought = self._send(errand)
        try:
            return brought.result(seconds)
        finally:
            brought.cancel()

    def dismiss(self, errand: Callable[[], None], seconds: float) -> bool:
        """Send it on a last errand. True once that is done and the thread has ended, False where it still hangs.

        Waits for `seconds` at most. Asked again, it waits again, and sends nobody.
        """
        if not self._dismissed:
            self._dismissed = True
            self._send(errand)
            self._errands.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _send(self, errand: Callable[[], Brought]) -> Future[Brought]:
        brought: Future[Brought] = Future()
        self._errands.put((brought, errand))
        return brought

    def _run(self) -> None:
        while (sent := self._errands.get()) is not None:
            brought, errand = sent
            if brought.set_running_or_notify_cancel():
                _do(errand, brought)


def _do(errand: Callable[[], Any], brought: Future[Any]) -> None:
    try:
        brought.set_result(errand())
    except BaseException as error:  # what a driver raises belongs to whoever asked, of whatever kind it is
        brought.set_exception(error)
