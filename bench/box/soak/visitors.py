"""Tablets that come and go: each opens the page, listens for a while, and leaves, more or less politely."""

from __future__ import annotations

import http.client
import random
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from threading import Event, Thread
from time import monotonic

FIRST_ADDRESS = 11
"""Each tablet comes from an address of its own, 127.0.0.11 and up."""
PAGE = ("/", "/static/base.css", "/static/table.css", "/static/table.js", "/api/snapshot", "/view.jpg")
STAYS_S, AWAY_S = (5.0, 120.0), (5.0, 60.0)
ASLEEP_S = 20.0
PATIENCE_S = 30.0
HALF = b"POST /api/act HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{"


class Visitor:
    """A tablet with an address of its own, in a thread of its own, until it is closed."""

    def __init__(self, port: int, number: int, seed: int) -> None:
        self._port, self._address = port, f"127.0.0.{FIRST_ADDRESS + number}"
        self._rng = random.Random(seed * 100 + number)  # noqa: S311  # play
        self._over = Event()
        self.visits, self.unanswered = Counter[str](), Counter[str]()
        self._thread = Thread(target=self._run, name=f"visitor {number}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Come no more."""
        self._over.set()
        self._thread.join(timeout=PATIENCE_S)

    def _run(self) -> None:
        leaves: dict[str, Callable[[http.client.HTTPConnection], None]] = {
            "closed": lambda _: None,
            "asleep": lambda _: self._wait(ASLEEP_S),
            "half a request": self._leave_half,
        }
        while not self._wait(self._rng.uniform(*AWAY_S)):
            how = self._rng.choice(list(leaves))
            with suppress(OSError, http.client.HTTPException):
                self._visit(leaves[how])
                self.visits[how] += 1

    def _wait(self, seconds: float) -> bool:
        return self._over.wait(seconds)

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, PATIENCE_S, source_address=(self._address, 0))

    def _visit(self, leave: Callable[[http.client.HTTPConnection], None]) -> None:
        with closing(self._connection()) as page, closing(self._connection()) as stream:
            for path in PAGE:
                self._get(page, path).read()
            answer = self._get(stream, "/api/live")
            until = monotonic() + self._rng.uniform(*STAYS_S)
            while monotonic() < until and not self._over.is_set() and answer.readline():
                pass
            leave(page)

    def _get(self, connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self.unanswered[f"{path}: {error!r}"] += 1
            raise
        if answer.status != http.client.OK:
            self.unanswered[f"{path}: {answer.status}"] += 1
        return answer

    def _leave_half(self, page: http.client.HTTPConnection) -> None:
        """Leave in the midst of a request, as a tablet does that loses the network."""
        page.send(HALF)
        self._wait(ASLEEP_S)
