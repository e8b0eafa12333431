"""The hall as its pages and its API see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition
from time import monotonic

from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from referee.sentences import Reason, Refused, say
from vander.hall.entry_intake import EntryIntake
from vander.hall.game_replays import GameKey, GameReplays
from vander.hall.table_registry import RequestRates, TableRegistry, WaitingPlayers, check_wire
from web.schemas import hall_schemas as shapes

MOST_REQUESTS, WITHIN_S = 60, 2.0
"""Requests with entries that one table may send in so many seconds: honest ones put what waits into one request."""
NO_DATABASE = say("The hall's database does not answer. Nothing is lost: the tables send again by themselves.")
NO_ANSWER = (DBAPIError, NoFreeConnection)
"""What is raised while the database is away, or has more to do than it can."""
Listener = Callable[[Sequence[GameKey]], None]
"""Told of the games that changed, after they are on disk; it must not raise and not wait."""


class HallService:
    """The hall over its database. Any thread may call any method.

    `invitation_for` returns the game that the hall would have played at a table, None for none. Whoever runs
    tournaments sets it; it must be quick, and is called whenever a table asks.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self.engine, self.replays = engine, GameReplays()
        self.registry = TableRegistry(engine, clock)
        self.waiting_players = WaitingPlayers(engine, clock)
        self.invitation_for: Callable[[int], shapes.HallInvitation | None] = _no_invitation
        self._intake = EntryIntake(engine, self.replays)
        self.lock_of = self._intake.lock
        self._requests = RequestRates(clock, MOST_REQUESTS, WITHIN_S)
        self._changes, self._changed = 0, Condition()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call `listener` with the games that changed."""
        self._listeners.append(listener)

    def take_entries(self, key: str, request: shapes.EntriesRequest, network: str = "") -> shapes.EntriesResponse:
        """Take a table's lines, each once; `network` is where they come from. Raises Refused."""
        check_wire(request.wire)
        try:
            table = self.registry.table_of(key, network)
            self._requests.check(table)
            taken, games = self._intake.take(table, request)
            if any(line.kind == "game" for line in request.lines):
                self.waiting_players.forget()  # who plays now waits no more
            waiting = self.waiting_players.names(table)
        except NO_ANSWER as error:
            raise Refused(NO_DATABASE, Reason.UNAVAILABLE) from error
        if games:
            self.tell_change(games)
        return shapes.EntriesResponse(taken, waiting, self.invitation_for(table))

    def join(self, request: shapes.JoinHallRequest, address: str) -> shapes.JoinHallResponse:
        """Pair a table by the code that the hall shows. Raises Refused."""
        joined = self.registry.join(request, address)
        self.tell_change()
        return joined

    def leave(self, key: str) -> None:
        """Take nothing of the table any more that has this key. Raises Refused (NOT_ALLOWED, NOT_FOUND)."""
        self.remove_table(self.registry.table_of(key))

    def add_waiting(self, link: str, name: str, secret: str) -> None:
        """Let a player wait for a game at a table. Raises Refused."""
        self.waiting_players.add(link, name, secret)
        self.tell_change()

    def leave_waiting(self, link: str, secret: str) -> None:
        """Let who joined with a secret wait no more at a table. Raises Refused (NOT_FOUND, TOO_SOON)."""
        if self.waiting_players.leave(link, secret):
            self.tell_change()

    def remove_waiting(self, key: str, name: str, network: str = "") -> tuple[str, ...]:
        """Take a name off the list of the table that has this key, and return who still waits. Raises Refused."""
        try:
            table = self.registry.table_of(key, network)
            self._requests.check(table)
            if self.waiting_players.remove(table, name):
                self.tell_change()
            return self.waiting_players.names(table)
        except NO_ANSWER as error:
            raise Refused(NO_DATABASE, Reason.UNAVAILABLE) from error

    def remove_table(self, number: int) -> None:
        """Take nothing of a table any more; its games stay. Raises Refused (NOT_FOUND)."""
        self.registry.remove(number)
        self.tell_change()

    def changes(self) -> int:
        """Return a number that grows with each change."""
        with self._changed:
            return self._changes

    def wait(self, seen: int, timeout_s: float) -> int:
        """Return the number of changes as soon as it differs from `seen`, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, timeout_s)
            return self._changes

    def tell_change(self, games: Sequence[GameKey] = ()) -> None:
        """Tell all who listen that something changed: these games, or what is no game."""
        for listener in self._listeners:
            listener(games)
        with self._changed:
            self._changes += 1
            self._changed.notify_all()


def _no_invitation(_table: int) -> shapes.HallInvitation | None:
    return None
