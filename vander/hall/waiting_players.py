"""The players who have joined in at a table with their phones, and wait for a game there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, or_, select
from sqlalchemy.engine import Connection, Engine

from referee.player_names import as_read
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.access.device_registry import key_digest
from vander.hall.hall_games import find_or_add
from vander.hall.hall_schema import PLAYERS, TABLES, WAITING_PLAYERS, WAITING_SECRETS
from vander.hall.renamed_players import forget_strangers
from vander.hall.request_rates import RequestRates
from web.services.hall_backend import WaitingList

MOST_WAITING = 12
"""Players who may wait at one table."""
WAIT_HOURS = 12
"""After so many hours nobody waits any more: they went home."""
KEPT_S = 60.0
"""Seconds for which the list read from the database is reused, unless somebody joins or leaves."""
MOST_JOINS, JOINS_WITHIN_S = 30, 60.0
"""Names that are taken, and that leave, at one table in so many seconds."""
MOST_OFFERED = 8
"""Names of the hall's players that are offered to who types."""


class WaitingPlayers:
    """Who waits at which table. A table is known by the name of its pairing, which its QR code holds.

    A phone joins with a secret, of which the hash is kept. A name may be typed by anybody; only who has the secret of
    its joining takes the name off the list or to another table, and the people at the table themselves. Who waits no
    more and never played is forgotten.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float]) -> None:
        self._engine, self._clock = engine, clock
        self._kept: dict[int, tuple[float, tuple[str, ...]]] = {}
        self._changes = 0
        self._rates = RequestRates(clock, MOST_JOINS, JOINS_WITHIN_S)
        self._leaving = RequestRates(clock, MOST_JOINS, JOINS_WITHIN_S)

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

    def at(self, link: str, secret: str = "") -> WaitingList:
        """Return what a table is called, who waits there, and who of them joined with a secret.

        Raises Refused (NOT_FOUND).
        """
        by_phone = select(PLAYERS.c.name).join(WAITING_PLAYERS, WAITING_PLAYERS.c.player_id == PLAYERS.c.id)
        by_phone = by_phone.where(PLAYERS.c.id.in_(_joined_with(key_digest(secret))))
        with self._engine.connect() as connection:
            table, name = _table(connection, link)
            own = connection.execute(by_phone.where(WAITING_PLAYERS.c.table_id == table)).scalar()
            names = _names(connection, table)
        return WaitingList(name, names, own if own in names else "")

    def add(self, link: str, name: str, secret: str) -> int:
        """Let a player wait at a table, and nowhere else. Return the table. Raises Refused.

        Who joined with the same secret before waits no more: a phone waits under one name. The same name and secret
        once more change nothing, since an answer may be lost.
        """
        if not as_read(name):
            raise Refused(say("Nobody can read that name. Type another one."))
        now, digest = datetime.now(UTC), key_digest(secret)
        with self._engine.begin() as connection:
            table, _ = _table(connection, link, lock=True)
            self._rates.check(table)
            (player,) = find_or_add(connection, [name], now)
            since = _check_free(connection, player, name, table, digest)
            gone_home = and_(WAITING_PLAYERS.c.table_id == table, ~_is_recent())
            theirs = WAITING_PLAYERS.c.player_id.in_(_joined_with(digest))
            gone = _no_more(connection, or_(WAITING_PLAYERS.c.player_id == player, theirs, gone_home))
            if len(_names(connection, table)) >= MOST_WAITING:
                raise Refused(
                    say("{most} players wait here already. Join another table.", most=MOST_WAITING), Reason.CONFLICT
                )
            row = {"table_id": table, "player_id": player}
            connection.execute(insert(WAITING_PLAYERS).values(row | {"joined_at": since or now}))
            connection.execute(insert(WAITING_SECRETS).values(row | {"digest": digest}))
            forget_strangers(connection, gone)
        self.forget()
        return table

    def leave(self, link: str, secret: str) -> bool:
        """Let who joined with a secret wait no more; return whether anybody did.

        Raises Refused (NOT_FOUND, TOO_SOON).
        """
        with self._engine.begin() as connection:
            table, _ = _table(connection, link)
            self._leaving.check(table)
            theirs = WAITING_PLAYERS.c.player_id.in_(_joined_with(key_digest(secret)))
            gone = _no_more(connection, and_(WAITING_PLAYERS.c.table_id == table, theirs))
            forget_strangers(connection, gone)
        if gone:
            self.forget()
        return bool(gone)

    def remove(self, table: int, name: str) -> bool:
        """Take a name off a table's list, whoever joined with it; return whether it stood there."""
        with self._engine.begin() as connection:
            gone = drop_waiting(connection, table, [name])
            forget_strangers(connection, gone)
        if gone:
            self.forget()
        return bool(gone)

    def known_names(self, beginning: str) -> Sequence[str]:
        """Return names of players of the hall that begin so, at most MOST_OFFERED; none for less than two letters."""
        key = as_read(beginning)
        if len(key) < 2:
            return ()
        like = func.starts_with(PLAYERS.c.name_key, key)
        with self._engine.connect() as connection:
            wanted = select(PLAYERS.c.name).where(like).order_by(PLAYERS.c.name_key).limit(MOST_OFFERED)
            return tuple(connection.execute(wanted).scalars())


def drop_waiting(connection: Connection, table: int, names: Sequence[str]) -> Sequence[int]:
    """Let players of these names wait no more at a table; return those who did."""
    players = select(PLAYERS.c.id).where(PLAYERS.c.name_key.in_([as_read(name) for name in names]))
    theirs = and_(WAITING_PLAYERS.c.table_id == table, WAITING_PLAYERS.c.player_id.in_(players))
    return _no_more(connection, theirs)


def _no_more(connection: Connection, waiting: ColumnElement[bool]) -> Sequence[int]:
    """End these waits; return the players."""
    ended = delete(WAITING_PLAYERS).where(waiting).returning(WAITING_PLAYERS.c.player_id)
    return connection.execute(ended).scalars().all()


def _check_free(connection: Connection, player: int, name: str, table: int, digest: str) -> datetime | None:
    """Refuse a name that waits by another secret; return since when it waits at this table, None where it does not.

    A name without a secret is of a time before there were any: whoever gives it takes its place over.
    Raises Refused (CONFLICT).
    """
    connection.execute(select(PLAYERS.c.id).where(PLAYERS.c.id == player).with_for_update(key_share=True))
    theirs = (WAITING_PLAYERS.c.player_id == player, TABLES.c.removed_at.is_(None), _is_recent())
    waits = select(WAITING_PLAYERS, TABLES.c.name, WAITING_SECRETS.c.digest).outerjoin(WAITING_SECRETS)
    waits = waits.join(TABLES, TABLES.c.id == WAITING_PLAYERS.c.table_id)
    found = connection.execute(waits.where(*theirs)).first()
    if found is None:
        return None
    if found.digest in {None, digest}:
        return found.joined_at if found.table_id == table else None
    raise Refused(
        say(
            "Somebody called {name} waits at {table} already. Take another name, or have it taken off the list there.",
            name=name,
            table=found.name,
        ),
        Reason.CONFLICT,
    )


def _table(connection: Connection, link: str, *, lock: bool = False) -> tuple[int, str]:
    wanted = select(TABLES.c.id, TABLES.c.name).where(TABLES.c.link == link, TABLES.c.removed_at.is_(None))
    found = connection.execute(wanted.with_for_update() if lock else wanted).first()
    if found is None:
        raise Refused(say("The hall has no such table any more. Scan the code at the table again."), Reason.NOT_FOUND)
    return found.id, found.name


def _names(connection: Connection, table: int) -> tuple[str, ...]:
    joined = select(PLAYERS.c.name).join(WAITING_PLAYERS, WAITING_PLAYERS.c.player_id == PLAYERS.c.id)
    theirs = joined.where(WAITING_PLAYERS.c.table_id == table, _is_recent())
    return tuple(connection.execute(theirs.order_by(WAITING_PLAYERS.c.joined_at)).scalars())


def _joined_with(digest: str) -> Select[tuple[int]]:
    return select(WAITING_SECRETS.c.player_id).where(WAITING_SECRETS.c.digest == digest)


def _is_recent() -> ColumnElement[bool]:
    return WAITING_PLAYERS.c.joined_at > datetime.now(UTC) - timedelta(hours=WAIT_HOURS)
