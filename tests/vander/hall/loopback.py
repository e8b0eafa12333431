"""Servers on the loopback that a table may take for a hall: an application, or one that answers oddly."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from flask import Flask
from werkzeug.serving import make_server

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def served_hall(app: Flask, context: ssl.SSLContext | None = None) -> Iterator[str]:
    """Serve an application; gives its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, ssl_context=context)
    with _running(server):
        yield f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}"


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """Serve a server that answers every request with what `answer` writes; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            answer(self)

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.block_on_close = False
    with _running(server):
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def _running(server: object) -> Iterator[None]:
    thread = Thread(target=lambda: server.serve_forever(poll_interval=0.02))  # type: ignore[attr-defined]
    thread.start()
    try:
        yield
    finally:
        server.shutdown()  # type: ignore[attr-defined]
        thread.join()
        server.server_close()  # type: ignore[attr-defined]
