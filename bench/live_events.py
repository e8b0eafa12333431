"""How much processor time a change costs the web server while many tablets listen.

    python bench/live_events.py [--listeners 24] [--players 8] [--changes 40]

A real server sends the snapshots of Dice County Fair to listeners in a process of their own; the figure is the
server process's own time, user and system, for each change.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from dataclasses import replace
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from threading import Condition, Thread

from waitress.server import create_server

from models import die_sets
from referee.game import begin
from referee.games import named
from referee.snapshot import Snapshot, offers_of
from vander.app.backends import Backends
from vander.app.web_app import create_app

PATIENCE_S = 30.0


class OneTable:
    """A game service that shows one snapshot, which only its number changes."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._changed = Condition()

    def change(self) -> int:
        """Publish the same table under the next number, which is returned."""
        with self._changed:
            self._snapshot = replace(self._snapshot, number=self._snapshot.number + 1)
            self._changed.notify_all()
            return self._snapshot.number

    def snapshot(self) -> Snapshot:
        with self._changed:
            return self._snapshot

    def wait(self, number: int, timeout: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.number != number, timeout)
            return self._snapshot


def fair(players: int) -> Snapshot:
    """Dice County Fair at its start, with everything that may be done."""
    game = named("dice-county-fair")
    state = begin(game, [f"Player {seat}" for seat in range(1, players + 1)], die_sets.load(game.die_set))
    offers = offers_of(game, state)
    return Snapshot(1, game=game, state=state, offers=offers, boards=game.boards(state), camera="virtual")


def listen(port: int, listeners: int, heard: Connection) -> None:
    """Open the streams, and send each event's number and length through `heard`."""
    for _ in range(listeners):
        Thread(target=_listen, args=(port, heard), daemon=True).start()
    Thread(target=time.sleep, args=(3600,)).start()


def _listen(port: int, heard: Connection) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/api/live")
    answer, number = connection.getresponse(), 0
    while line := answer.readline():
        if line.startswith(b"id: "):
            number = int(line[4:])
        if line.startswith(b"data: "):
            heard.send((number, len(line)))


def measure(listeners: int, players: int, changes: int) -> tuple[list[float], int]:
    """Seconds of the server process for each change, and the bytes of one event."""
    table = OneTable(fair(players))
    app = create_app(Backends(table), streams=listeners)  # type: ignore[arg-type]  # what the stream needs of it
    server = create_server(app, host="127.0.0.1", port=0, threads=listeners + 4, send_bytes=1)
    context = multiprocessing.get_context("spawn")
    there, here = context.Pipe()
    away = context.Process(target=listen, args=(server.effective_port, listeners, here), daemon=True)
    away.start()
    Thread(target=server.run, daemon=True).start()
    size = _all_heard(there, listeners, 1)
    taken = []
    for _ in range(changes):
        time.sleep(0.05)
        before = time.process_time()
        size = _all_heard(there, listeners, table.change())
        taken.append(time.process_time() - before)
    away.kill()
    return taken, size


def _all_heard(heard: Connection, listeners: int, number: int) -> int:
    size, left = 0, listeners
    while left:
        if not heard.poll(PATIENCE_S):
            raise SystemExit(f"{left} of {listeners} listeners did not hear of change {number}")
        told, size = heard.recv()
        left -= told == number
    return size


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, default=24)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--changes", type=int, default=40)
    asked = parser.parse_args()
    taken, size = measure(asked.listeners, asked.players, asked.changes)
    print(
        f"{asked.listeners} listeners, Dice County Fair with {asked.players} players, {size / 1000:.0f} kB an event: "
        f"{statistics.median(taken):.3f} s of processor time a change (median of {len(taken)}; "
        f"least {min(taken):.3f}, most {max(taken):.3f})"
    )


if __name__ == "__main__":
    main()
