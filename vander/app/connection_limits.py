"""How many connections the web server holds open, and which of them give way to a newcomer.

A newcomer is let in, and whoever has kept the server waiting longest is let go: a browser opens an idle connection
again without a word, while connections that only hold a place are gone. So a crowd of one address harms itself alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

THE_BOX = frozenset({"127.0.0.1", "::1"})
"""Where the box's own screen comes from, and a reverse proxy on the box."""


@dataclass(frozen=True)
class ConnectionLimits:
    """The most connections of one guest (`each`), of all guests, and of the box itself, whose places are its own.

    Connections that keep the server waiting for `patience_s` are closed; that is checked every `cleanup_s`. The box's
    own limit is larger than a guest's because behind a reverse proxy everybody comes from there.
    """

    each: int = 24
    guests: int = 400
    box: int = 96
    patience_s: float = 40.0
    cleanup_s: float = 5.0

    def of(self, network: str) -> int:
        """Return how many connections a network may hold."""
        return self.box if network in THE_BOX else self.each


class Connection(Protocol):
    """What the limits ask of a connection: `waiting_since` is when the server last heard from it, in seconds."""

    network: str
    waiting_since: float

    @property
    def busy(self) -> bool:
        """True while a request of the connection is answered."""

    @property
    def unread(self) -> bool:
        """True while a part of an answer waits for the client to read it."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


def surplus(connections: Sequence[AnyConnection], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return which connections to close so that the limits hold, none that is busy.

    Of a guest those that waited longest go first; beyond the limit of all guests, those of whoever holds most.
    """
    held = Counter(connection.network for connection in connections)
    idle = sorted((each for each in connections if not each.busy), key=lambda each: each.waiting_since)
    closed = _beyond_each(idle, held, limits)
    return closed + _beyond_all([each for each in idle if each not in closed], held, limits)


def is_overdue(connection: Connection, now: float, limits: ConnectionLimits) -> bool:
    """True if the client has kept the server waiting too long: for a request, for the rest of one, or to read."""
    return (not connection.busy or connection.unread) and now - connection.waiting_since > limits.patience_s


def _beyond_each(idle: Sequence[AnyConnection], held: Counter[str], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return what goes beyond a guest's own limit, and take it out of `held`."""
    closed = []
    for connection in idle:
        if held[connection.network] > limits.of(connection.network):
            held[connection.network] -= 1
            closed.append(connection)
    return closed


def _beyond_all(idle: Sequence[AnyConnection], held: Counter[str], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return what goes beyond the limit of all guests, and take it out of `held`."""
    left, closed = [each for each in idle if each.network not in THE_BOX], list[AnyConnection]()
    too_many = sum(count for network, count in held.items() if network not in THE_BOX) - limits.guests
    for _ in range(min(too_many, len(left))):
        goes = max(left, key=lambda each: held[each.network])  # of those that hold as many, who waited longest
        held[goes.network] -= 1
        left.remove(goes)
        closed.append(goes)
    return closed
