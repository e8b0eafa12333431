"""The players who have joined in at a table with their phones, and wait for a game there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, insert, select
from sqlalchemy.engine import Connection, Engine

from referee.player_names import as_read
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.hall.hall_games import find_or_add
from vander.hall.hall_schema import PLAYERS, TABLES, WAITING_PLAYERS
from vander.hall.request_rates import RequestRates

MOST_WAITING = 12
"""Players who may wait at one table."""
WAIT_HOURS = 12
"""After so many hours nobody waits any more: they went home."""
KEPT_S = 60.0
"""How long what was read is told to the table, unless somebody comes or leaves."""
MOST_JOINS, JOINS_WITHIN_S = 30, 60.0
"""Names that are taken at one table in so many seconds; there and back again counts twice."""
MOST_OFFERED = 8
"""Names of the hall's players that are offered to who types."""


class WaitingPlayers:
    """Who waits at which table. A table is known by the name of its pairing, which its QR code holds."""

    def __init__(self, engine: Engine, clock: Callable[[], float]) -> None:
        self._engine, self._clock = engine, clock
        self._kept: dict[int, tuple[float, tuple[str, ...]]] = {}
        self._changes = 0
        self._rates = RequestRates(clock, MOST_JOINS, JOINS_WITHIN_S)

    def names(self, table: int) -> tuple[str, ...]:
        """Return who waits at a table, in the order of joining; tables ask so often that it is kept for a while."""
        kept = self._kept.get(table)
        if kept is not None and self._clock() - kept[0] < KEPT_S:
            return kept[1]
        changes = self._changes
        with self._engine.connect() as connection:
            found = _names(connection, table)
        if changes == self._changes:
            self._kept[table] = self._clock(), found
        return found

    def forget(self) -> None:
        """Read again who waits: somebody came or left."""
        self._changes += 1
        self._kept.clear()

    def at(self, link: str) -> tuple[str, tuple[str, ...]]:
        """Return what a table is called, and who waits there. Raises Refused (NOT_FOUND)."""
        with self._engine.connect() as connection:
            table, name = _table(connection, link)
            return name, _names(connection, table)

    def add(self, link: str, name: str) -> int:
        """Let a player wait at a table, and nowhere else. Return the table. Raises Refused."""
        key = as_read(name)
        if not key:
            raise Refused(say("Nobody can read that name. Type another one."))
        now = datetime.now(UTC)
        with self._engine.begin() as connection:
            table, _ = _table(connection, link, lock=True)
            self._rates.check(table)
            waiting = _names(connection, table)
            if key in map(as_read, waiting):
                raise Refused(
                    say("Somebody called {name} waits here already. Take another name.", name=name), Reason.CONFLICT
                )
            if len(waiting) >= MOST_WAITING:
                raise Refused(
                    say("{most} players wait here already. Join another table.", most=MOST_WAITING), Reason.CONFLICT
                )
            (player,) = find_or_add(connection, [name], now)
            connection.execute(delete(WAITING_PLAYERS).where(WAITING_PLAYERS.c.player_id == player))
            connection.execute(insert(WAITING_PLAYERS).values(table_id=table, player_id=player, joined_at=now))
        self.forget()
        return table

    def remove(self, link: str, name: str) -> int:
        """Let a player wait no more; return the table. Raises Refused (NOT_FOUND)."""
        with self._engine.begin() as connection:
            table, _ = _table(connection, link)
            player = select(PLAYERS.c.id).where(PLAYERS.c.name_key == as_read(name)).scalar_subquery()
            theirs = (WAITING_PLAYERS.c.table_id == table, WAITING_PLAYERS.c.player_id == player)
            connection.execute(delete(WAITING_PLAYERS).where(*theirs))
        self.forget()
        return table

    def known_names(self, beginning: str) -> Sequence[str]:
        """Return names of players of the hall that begin so, at most MOST_OFFERED; none for less than two letters."""
        key = as_read(beginning)
        if len(key) < 2:
            return ()
        like = func.starts_with(PLAYERS.c.name_key, key)
        with self._engine.connect() as connection:
            wanted = select(PLAYERS.c.name).where(like).order_by(PLAYERS.c.name_key).limit(MOST_OFFERED)
            return tuple(connection.execute(wanted).scalars())


def drop_seated(connection: Connection, table: int, names: Sequence[str]) -> None:
    """Let those wait no more at a table who play there now."""
    seated = select(PLAYERS.c.id).where(PLAYERS.c.name_key.in_([as_read(name) for name in names]))
    theirs = (WAITING_PLAYERS.c.table_id == table, WAITING_PLAYERS.c.player_id.in_(seated))
    connection.execute(delete(WAITING_PLAYERS).where(*theirs))


def _table(connection: Connection, link: str, *, lock: bool = False) -> tuple[int, str]:
    wanted = select(TABLES.c.id, TABLES.c.name).where(TABLES.c.link == link, TABLES.c.removed_at.is_(None))
    found = connection.execute(wanted.with_for_update() if lock else wanted).first()
    if found is None:
        raise Refused(say("The hall has no such table any more. Scan the code at the table again."), Reason.NOT_FOUND)
    return found.id, found.name


def _names(connection: Connection, table: int) -> tuple[str, ...]:
    since = datetime.now(UTC) - timedelta(hours=WAIT_HOURS)
    theirs = (WAITING_PLAYERS.c.table_id == table, WAITING_PLAYERS.c.joined_at > since)
    joined = select(PLAYERS.c.name).join(WAITING_PLAYERS, WAITING_PLAYERS.c.player_id == PLAYERS.c.id)
    return tuple(connection.execute(joined.where(*theirs).order_by(WAITING_PLAYERS.c.joined_at)).scalars())
