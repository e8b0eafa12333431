"""How long the page takes while a crowd holds hundreds of connections open and eight tablets play.

    python bench/crowd.py [--minutes 10] [--sockets 300] [--beyond 200]

`vander play` with the virtual tray runs as a process of its own; somebody throws, and eight tablets listen and tap. In
a third process `sockets` connections drip a byte of a request a second, as many from each address as a guest may have;
`beyond` more go beyond the limits of one address and of all. Whatever is closed is opened again. A fourth process opens
the page four times a second on new connections, from the box itself and from a guest's address in turn; the figure is
the time until its last byte. On a machine that does other work the figures are that machine's: `--sockets 0` says what
the page takes there without a crowd.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.box.soak.guest import Guest
from bench.box.soak.served import HEADERS, Assistant, Listener, Tablet, Unanswered
from vander.box.web_server import ConnectionLimits
from vander.resources.models_and_stores import LoadedModels

EACH = ConnectionLimits().each
BOX, GUEST = "127.0.0.1", "127.0.0.200"
TABLETS, TAP_S = 8, 4.0
DRIP_S, PAGE_S = 1.0, 0.25
UNANSWERED_S = 10.0
"""How long a page is waited for; it counts as so long when it did not come."""
GREEDY = 60
"""How many of those beyond the limits come from one address that already has all its places."""
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


class Dripping:
    """Connections from one address that never end their requests, opened again when they are closed."""

    def __init__(self, port: int, address: str, count: int) -> None:
        self._port, self._address = port, address
        self._lines: list[socket.socket | None] = [None] * count

    def drip(self) -> int:
        """Send a byte on each, and open those that are closed; how many were open."""
        sent = [self._sent(line) for line in self._lines]
        self._lines = [line if ok else self._opened(line) for line, ok in zip(self._lines, sent, strict=True)]
        return sum(sent)

    def _sent(self, line: socket.socket | None) -> bool:
        if line is None:
            return False
        try:
            return line.send(b"x") == 1 and not self._is_over(line)
        except OSError:
            return False

    def _is_over(self, line: socket.socket) -> bool:
        try:
            return line.recv(1024) is not None
        except BlockingIOError:
            return False

    def _opened(self, closed: socket.socket | None) -> socket.socket | None:
        if closed is not None:
            closed.close()
        try:
            line = socket.create_connection(("127.0.0.1", self._port), 5.0, source_address=(self._address, 0))
        except OSError:
            return None
        with suppress(OSError):
            line.sendall(REQUEST)
        line.setblocking(False)
        return line


def crowd(port: int, sockets: int, beyond: int) -> list[Dripping]:
    """Return who drips: as many of each address as a guest may have, and those beyond."""
    if not sockets:
        return []
    counts = [min(EACH, sockets - begun) for begun in range(0, sockets, EACH)]
    counts[0] += min(GREEDY, beyond)
    counts += [min(EACH, beyond - begun) for begun in range(GREEDY, beyond, EACH)]
    return [Dripping(port, f"127.0.1.{number}", count) for number, count in enumerate(counts, 1)]


def drip(port: int, sockets: int, beyond: int, told: Connection) -> None:
    """Drip until the other end is closed, and tell how many were open each time."""
    everybody = crowd(port, sockets, beyond)
    with suppress(OSError):
        while True:
            told.send(sum(each.drip() for each in everybody))
            time.sleep(DRIP_S)


def time_pages(port: int, seconds: float, told: Connection) -> None:
    """Open the page again and again, and tell the seconds that each took, by address."""
    taken: dict[str, list[float]] = {BOX: [], GUEST: []}
    ends, turn = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        address = (BOX, GUEST)[turn % 2]
        taken[address].append(page_s(port, address))
        turn += 1
        time.sleep(PAGE_S)
    told.send(taken)


def page_s(port: int, address: str) -> float:
    """Return how long the page took, UNANSWERED_S where it did not come."""
    began = time.perf_counter()
    page = http.client.HTTPConnection("127.0.0.1", port, UNANSWERED_S, source_address=(address, 0))
    try:
        page.request("GET", "/")
        answer = page.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return UNANSWERED_S
    finally:
        page.close()
    return time.perf_counter() - began if answer.status == http.client.OK else UNANSWERED_S


class PlayingTablet:
    """A tablet that listens, and taps one of the offers it was shown every few seconds, be it wise or not."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._address = port, f"127.0.0.{10 + number}"
        self._rng = random.Random(number)  # noqa: S311  # play
        self._offers: list[str] = []
        self._over = Event()
        self.taps = 0
        self._listener = Listener(port, self._hear)
        Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Tap no more."""
        self._over.set()

    def _hear(self, snapshot: dict) -> None:  # type: ignore[type-arg]
        self._offers = [offer["action"] for offer in snapshot.get("offers") or []]

    def _run(self) -> None:
        while not self._over.wait(self._rng.uniform(0.5, 1.5) * TAP_S):
            with suppress(OSError, http.client.HTTPException, IndexError):
                self._tap(self._rng.choice(self._offers))

    def _tap(self, action: str) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self._port, UNANSWERED_S, source_address=(self._address, 0))
        try:
            line.request("POST", "/api/act", f'{{"action": "{action}"}}', HEADERS)
            line.getresponse().read()
            self.taps += 1
        finally:
            line.close()


def told_of(name: str, taken: list[float]) -> str:
    """Return a line of figures."""
    hundredths = statistics.quantiles(taken, n=100)
    return (
        f"page from {name}: median {1000 * statistics.median(taken):.0f} ms, 99th percentile "
        f"{1000 * hundredths[98]:.0f} ms, longest {1000 * max(taken):.0f} ms, of {len(taken)}"
    )


def measure(asked: argparse.Namespace, folder: Path) -> None:
    """Measure and print."""
    assistant = Assistant(folder / "data", asked.port, MALLOC_ARENA_MAX="2")
    assistant.start()
    tablets = [PlayingTablet(asked.port, number) for number in range(TABLETS)]
    drips, dripping = _away(drip, asked.port, asked.sockets, asked.beyond)
    try:
        while drips.recv() < asked.sockets:
            pass
        pages, _ = _away(time_pages, asked.port, 60 * asked.minutes)
        cpu = psutil.Process(assistant.pid)
        cpu.cpu_percent()
        guest = _play(asked, assistant, pages)
        share, taken = cpu.cpu_percent(), pages.recv()
    finally:
        dripping.kill()
        assistant.stop()
    opened = _all_told(drips)
    print(told_of("the box itself", taken[BOX]))
    print(told_of("a guest", taken[GUEST]))
    print(
        f"{statistics.mean(opened):.0f} sockets dripped, {min(opened)} at least; "
        f"{TABLETS} tablets tapped {sum(each.taps for each in tablets)} times; {guest.tally.throws} throws; "
        f"the server took {share:.0f} % of a core; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


def _away(what: Callable[..., None], *given: float) -> tuple[Connection, BaseProcess]:
    """Run something in a process of its own, which tells by a pipe."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=what, args=(*given, there), daemon=True)
    process.start()
    there.close()
    return here, process


def _all_told(told: Connection) -> list[int]:
    """Return what a process told that has ended."""
    found = []
    with suppress(EOFError, OSError):
        while True:
            found.append(told.recv())
    return found


def _play(asked: argparse.Namespace, assistant: Assistant, until: Connection) -> Guest:
    guest = Guest(
        Tablet(asked.port),
        assistant.folder,
        random.Random(1),  # noqa: S311  # play
        LoadedModels.load(),
        lambda what: time.sleep(asked.pace if what == "throw" else asked.pace / 6),
    )
    while not until.poll():
        with suppress(Unanswered):
            guest.step()
    return guest


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--sockets", type=int, default=300)
    parser.add_argument("--beyond", type=int, default=200)
    parser.add_argument("--port", type=int, default=8330)
    parser.add_argument("--pace", type=float, default=4.5, help="seconds from throw to throw, at least")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(asked, Path(folder))


if __name__ == "__main__":
    main()
