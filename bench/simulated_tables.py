"""Tables of the bench of the hall: journals on disk with real senders, all in a process of their own.

Games are played beforehand, so that a table costs what a real one costs its hall and little more: writing an entry to
its journal, and sending it.
"""

from __future__ import annotations

import logging
import multiprocessing
import random
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/vander"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from random_matches import random_match

from referee.games import named
from referee.journal import Entry
from vander.extras.hall_link import membership as outbox_sender
from vander.extras.hall_link.membership import HallMembership, OutboxSender, read_membership
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal

GAMES = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")
GAME_ENTRIES = 60
PATIENCE_S = 120.0


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played beforehand."""

    game: str
    players: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class WrittenEntry:
    """When an entry was on its table's disk, in seconds of the wall clock."""

    table: str
    game: int
    number: int
    at: float


def played_games(count: int, entries: int = GAME_ENTRIES) -> list[PlayedGame]:
    """Play games at random by the rules, each kind in turn."""
    found = []
    for seed in range(count):
        game, players = named(GAMES[seed % len(GAMES)]), (f"Player {seed}", f"Player {seed + 1}")
        match = random_match(game, entries, seed, players)
        found.append(PlayedGame(game.name, players, tuple(replace(entry, evidence="") for entry in match.entries)))
    return found


def fill(journal: Journal, games: Sequence[PlayedGame], entries: int, first: int = 0) -> int:
    """Write games until there are so many entries; return how many there are."""
    written, turn = 0, first
    while written < entries:
        played = games[turn % len(games)]
        number = _begin(journal, played)
        journal.write(number, *played.entries)
        journal.write(number, ending=Ending(played.entries[-1].at))
        written += len(played.entries)
        turn += 1
    return written


def _begin(journal: Journal, played: PlayedGame) -> int:
    game = named(played.game)
    return journal.begin(played.game, played.players[: game.seats[1]], {}, game.die_set or "d6").number


@dataclass
class SimulatedTable:
    """A table over its folder, whose sender and player run on threads of their own."""

    name: str
    journal: Journal
    sender: OutboxSender
    written: Event
    games: Sequence[PlayedGame]
    moments: list[WrittenEntry] = field(default_factory=list)
    player: Thread | None = None
    over: Event = field(default_factory=Event)

    @classmethod
    def open(cls, folder: Path, games: Sequence[PlayedGame]) -> SimulatedTable:
        """Open a table that has joined a hall."""
        journal, membership, written = Journal.in_folder(folder), read_membership(folder), Event()
        assert isinstance(membership, HallMembership)

        def wait(seconds: float) -> None:
            written.wait(seconds)
            written.clear()

        return cls(membership.name, journal, OutboxSender(journal, membership, wait), written, games)

    def play(self, pace_s: float, seed: int) -> None:
        """Begin to write an entry every `pace_s` seconds, on a thread."""
        self.player = Thread(target=self._play, args=(pace_s, random.Random(seed)), daemon=True)  # noqa: S311
        self.player.start()

    def close(self) -> None:
        """Play and send no more."""
        self.over.set()
        if self.player:
            self.player.join(PATIENCE_S)
        self.sender.close()
        self.journal.close()

    def _play(self, pace_s: float, rng: random.Random) -> None:
        turn = rng.randrange(1000)
        self.over.wait(rng.uniform(0, pace_s))
        while not self.over.is_set():
            played = self.games[turn % len(self.games)]
            number = _begin(self.journal, played)
            for entry in played.entries:
                self.journal.write(number, entry)
                self.moments.append(WrittenEntry(self.name, number, entry.number, time.time()))
                self.written.set()
                if self.over.wait(rng.uniform(0.5, 1.5) * pace_s):
                    return
            self.journal.write(number, ending=Ending(played.entries[-1].at))
            turn += 1


class TablesProcess:
    """All simulated tables in a process of their own."""

    def __init__(self, folders: Sequence[Path], most_lines: int = outbox_sender.MOST_LINES) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, list(folders), most_lines), daemon=True)
        self._process.start()
        there.close()
        self._ask()  # until all are open

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    def send(self, without: Sequence[str] = ()) -> None:
        """Start the senders of all tables but these."""
        self._ask("send", tuple(without))

    def send_one(self, name: str) -> None:
        """Start the sender of a table that was cut off."""
        self._ask("send one", name)

    def play(self, pace_s: float) -> None:
        """Let every table write an entry every so many seconds."""
        self._ask("play", pace_s)

    def rest(self) -> None:
        """Let no table write any more; what waits is sent on."""
        self._ask("rest")

    def close(self) -> list[WrittenEntry]:
        """End the tables; return when each entry was on its table's disk."""
        found: list[WrittenEntry] = self._ask("close")
        self._process.join(PATIENCE_S)
        return found

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()

    def _ask(self, *words: object) -> list[WrittenEntry]:
        if words:
            self._pipe.send(words)
        if not self._pipe.poll(PATIENCE_S):
            raise TimeoutError(f"the tables do not answer: {words}")
        answer: list[WrittenEntry] = self._pipe.recv()
        return answer


def _serve(pipe: Connection, folders: Sequence[Path], most_lines: int) -> None:
    vars(outbox_sender)["MOST_LINES"] = most_lines
    logging.getLogger("vander.extras.hall_link").setLevel(logging.ERROR)  # a hall that is killed does not answer
    games = played_games(len(GAMES))
    tables = {table.name: table for table in (SimulatedTable.open(folder, games) for folder in folders)}
    pipe.send([])
    while True:
        match pipe.recv():
            case ("send", without):
                for name, table in tables.items():
                    if name not in without:
                        table.sender.start()
            case ("send one", name):
                tables[name].sender.start()
            case ("play", pace_s):
                for seed, table in enumerate(tables.values()):
                    table.play(pace_s, seed)
            case ("rest",):
                for table in tables.values():
                    table.over.set()
            case ("close",):
                break
        pipe.send([])
    moments = []
    for table in tables.values():
        table.over.set()
    for table in tables.values():
        table.close()
        moments += table.moments
    pipe.send(moments)


def journal_games(folder: Path) -> dict[int, tuple[Entry, ...]]:
    """Return the games of a table's journal with their entries, by number."""
    with closing(Journal.in_folder(folder)) as journal:
        return {kept.number: journal.entries(kept.number) for kept in journal.games()}
