"""Browsers for the tests, and a real server for them to ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from checked_client import CheckedClient
from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from web import end_streams


def tablet(app: Flask) -> Any:
    """A browser whose requests bear the mark of the tablet's own pages, and whose answers must be as described."""
    app.test_client_class = CheckedClient
    client = app.test_client()
    client.environ_base["HTTP_X_VANDER"] = "tablet"
    return client


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an application for real; gives its address."""
    sockets: dict[int, Any] = {}
    server = create_server(app, map=sockets, host="127.0.0.1", port=0, threads=12, clear_untrusted_proxy_headers=False)
    over = Event()

    def serve() -> None:
        while not over.is_set():
            wasyncore.loop(timeout=0.1, map=sockets, count=1)

    thread = Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        end_streams(app)
        server.task_dispatcher.shutdown()
        over.set()
        server.pull_trigger()
        thread.join()
        wasyncore.close_all(sockets)
