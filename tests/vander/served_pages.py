"""A page server in a thread of its own, for the tests of its limits and of https."""

from __future__ import annotations

from collections.abc import Iterator
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
