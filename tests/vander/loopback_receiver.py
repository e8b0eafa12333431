"""A real receiver of webhooks on this machine: it notes each request, and answers as it is told to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any

from vander.extras.webhooks.receivers import EventType, WebhookReceiver

KEY = b"a key of at least 24 bytes"
PATIENCE_S = 100.0
"""A program that is started beside a full run of the tests imports for many seconds."""
HANG, DRIP = -1, -2
"""What a receiver may do instead of answering: nothing, or one byte of a head after the other."""


@dataclass(frozen=True)
class Taken:
    """A request as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def message_id(self) -> str:
        return self.headers["webhook-id"]


class LoopbackReceiver:
    """Answers 204, unless `answers` holds statuses for the next requests; `requests` are those that came."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.headers: dict[str, str] = {}
        self.requests: list[Taken] = []
        self.over = Event()
        self._changed = Condition()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks/secret-path?token=1"

    def receiver(self, name: str = "board", events: frozenset[EventType] | None = None) -> WebhookReceiver:
        return WebhookReceiver(name, self.url, KEY, events or frozenset(EventType.chosen()))

    def take(self, headers: dict[str, str], body: bytes) -> int:
        with self._changed:
            self.requests.append(Taken(headers, body))
            self._changed.notify_all()
            return self.answers.pop(0) if self.answers else 204

    def wait_for(self, count: int) -> list[Taken]:
        """The requests, once so many came."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.requests) >= count, PATIENCE_S), self.requests
            return list(self.requests)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scene = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = scene.take({name.lower(): value for name, value in self.headers.items()}, body)
                if status == HANG:
                    scene.over.wait(PATIENCE_S)
                elif status == DRIP:
                    self._drip()
                else:
                    self.send_response(status)
                    for name, value in scene.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def _drip(self) -> None:
                with suppress(OSError):
                    while not scene.over.is_set():
                        self.wfile.write(b"H")
                        time.sleep(0.05)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        return Handler


@contextmanager
def listening() -> Iterator[LoopbackReceiver]:
    scene = LoopbackReceiver()
    thread = Thread(target=scene.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield scene
    finally:
        scene.over.set()
        scene.server.shutdown()
        thread.join()
        scene.server.server_close()
