"""Browsers for the tests, and a real server for them to ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread
from typing import Any

from checked_client import CheckedClient
from flask import Flask
from stub_game import StubGame
from waitress import wasyncore
from waitress.server import create_server

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.events import Streams, end_streams


@cache
def _made() -> Flask:
    return create_app(Backends(StubGame()))


def lent_app(services: Backends) -> Flask:
    """Lend the application that tests share, one test at a time, over services and with no stream open.

    Making one compiles all its addresses, and all its templates anew. A stream that nobody hears ends soon.
    """
    app = _made()
    app.extensions.update(backends=services, streams=Streams(24, heartbeat_s=0.1, stream_s=300.0))
    return app


def tablet(app: Flask) -> Any:
    """A browser whose requests bear the mark of the tablet's own pages, and whose answers must be as described."""
    app.test_client_class = CheckedClient
    client = app.test_client()
    client.environ_base["HTTP_X_VANDER"] = "tablet"
    return client


class _Server:
    """A real server on a port of its own, which serves one application after another.

    All that a browser keeps of an address it keeps from one to the next: pages ask for their scripts once.
    """

    def __init__(self) -> None:
        self._sockets: dict[int, Any] = {}
        wishes = {"host": "127.0.0.1", "port": 0, "threads": 12, "clear_untrusted_proxy_headers": False}
        self._server = create_server(_nothing, map=self._sockets, **wishes)
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            wasyncore.loop(timeout=0.1, map=self._sockets, count=1)

    @contextmanager
    def serving(self, app: Flask) -> Iterator[str]:
        self._server.application = app
        yield self.address
        end_streams(app)
        self._server.application = _nothing


def _nothing(_: Any, start_response: Any) -> list[bytes]:
    """Answer what comes after its test."""
    start_response("503 Service Unavailable", [("Content-Length", "0")])
    return []


_idle: list[_Server] = []
"""Servers that serve nothing now; the one that did last is the next."""


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an application for real; gives its address."""
    server = _idle.pop() if _idle else _Server()
    try:
        with server.serving(app) as address:
            yield address
    finally:
        _idle.append(server)
