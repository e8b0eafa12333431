"""A page server in a thread of its own, for the tests of its limits and of https."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from vander.box.web_server import PageServer

PATIENCE_S = 60.0
"""How long a test waits before it fails; nothing is measured."""


@contextmanager
def running(server: PageServer) -> Iterator[None]:
    """Serve until the block ends."""
    over = Event()

    def serve() -> None:
        while not over.is_set():
            server.serve_once(0.02)

    thread = Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        server.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something to happen."""
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.01)
