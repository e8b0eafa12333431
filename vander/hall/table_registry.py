"""The tables that have joined the hall, by code and key, how often each may send, and the players who wait there."""

from __future__ import annotations

import secrets
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from referee.known_players import as_read
from referee.sentences import Reason, Refused, Remembered, say
from vander.access.devices import key_digest
from vander.access.pairing import SHOWN_S, TRIES_OF_ALL, PairingCode
from vander.hall.hall_games import find_or_add, forget_strangers, natural_order
from vander.hall.hall_schema import PLAYERS, TABLES, WAITING_PLAYERS, WAITING_SECRETS
from web.schemas.hall_schemas import WIRE, HallTable, JoinHallRequest, JoinHallResponse, TableStanding, WaitingList

# How often a table or a program may send


MOST_SENDERS = 10_000
"""Senders that are remembered; beyond them all counts begin again, so that strangers cannot fill the memory."""


class RequestRates:
    """Counts what each sender sent within the last seconds, `most` at most. Any thread may call it."""

    def __init__(self, clock: Callable[[], float], most: int, within_s: float) -> None:
        self._clock, self._most, self._within_s = clock, most, within_s
        self._sent: defaultdict[Hashable, deque[float]] = defaultdict(deque)
        self._lock = Lock()

    def check(self, sender: Hashable) -> None:
        """Count a request. Raises Refused (TOO_SOON) beyond the limit."""
        with self._lock:
            if len(self._sent) >= MOST_SENDERS:
                self._sent.clear()
            now, sent = self._clock(), self._sent[sender]
            while sent and now - sent[0] > self._within_s:
                sent.popleft()
            if len(sent) >= self._most:
                raise Refused(
                    say("Requests come too often. They are taken again in a moment."),
                    Reason.TOO_SOON,
                    wait_s=self._within_s,
                )
            sent.append(now)


# The keys that a hall has given, kept in memory: a flood of unknown ones costs the database nothing


READ_AGAIN_S = 5.0
"""How far apart the keys are read again for a key that is not known."""
MOST_STRANGERS, STRANGERS_WITHIN_S = 60, 60.0
"""Requests without a known key that one network may send in so many seconds."""


class KnownKeys:
    """The keys of tables, or of a club's programs. Any thread may call any method.

    `read` returns all of them: what each belongs to, by its digest.
    """

    def __init__(self, read: Callable[[], Mapping[str, int]], clock: Callable[[], float]) -> None:
        self._read, self._clock, self._lock = read, clock, Lock()
        self._numbers: Mapping[str, int] = {}
        self._read_at = float("-inf")
        self._strangers = RequestRates(clock, MOST_STRANGERS, STRANGERS_WITHIN_S)

    def number_of(self, key: str, network: str) -> int | None:
        """Return what a key belongs to, None for one that is not known.

        Raises Refused (TOO_SOON) for a network that sends many of those.
        """
        digest = key_digest(key)
        if digest not in self._numbers:
            self._strangers.check(network)  # before the database: while that is away, each question waits
            self._read_again()
        return self._numbers.get(digest)

    def add(self, key: str, number: int) -> None:
        """Know a new key at once."""
        with self._lock:
            self._numbers = {**self._numbers, key_digest(key): number}

    def drop(self, number: int) -> None:
        """Know the key of that number no more."""
        with self._lock:
            self._numbers = {digest: known for digest, known in self._numbers.items() if known != number}

    def _read_again(self) -> None:
        with self._lock:
            if self._clock() - self._read_at < READ_AGAIN_S:
                return
            self._numbers = self._read()
            self._read_at = self._clock()


# The tables that have joined the hall: the code by which one joins, and the key by which the hall knows it again


NO_CODE = say("The hall shows no code for tables now. Ask its keeper to show one.")
WRONG_CODE = say("That is not the code that the hall shows.")
NEWER = say("This table speaks to halls in a newer way than this hall knows. Update the hall.")
OLDER_VERSION = say("This table's Vander is too old for this hall. Update the table.")

UNKNOWN = say("The hall does not know this table. Pair it with the hall.")


class TableRegistry:
    """The tables by key and by name. Any thread may call any method."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self._engine, self._clock, self._lock = engine, clock, Lock()
        self._shown: PairingCode | None = None
        self._keys = KnownKeys(self._read_keys, clock)

    def code(self) -> tuple[int, ...] | None:
        """Return the six dice of the code that is shown, or None."""
        with self._lock:
            found = self._current()
            return found.faces if found else None

    def show_code(self) -> tuple[int, ...]:
        """Show a code for five minutes; one that is shown stays."""
        with self._lock:
            found = self._current() or PairingCode.random(self._clock() + SHOWN_S, keeper=True)
            self._shown = found
            return found.faces

    def join(self, request: JoinHallRequest, address: str) -> JoinHallResponse:
        """Pair a table. Raises Refused: NOT_ALLOWED for a wrong code, CONFLICT, TOO_SOON without one."""
        check_wire(request.wire)
        with self._lock:
            self._check_code(request.code, address)
            return self._add(request)

    def table_of(self, key: str, network: str = "") -> int:
        """Return the number of the table that has this key, without asking the database each time.

        Raises Refused: NOT_ALLOWED for a key that is not known, TOO_SOON for a network that sends many of those.
        """
        found = self._keys.number_of(key, network)
        if found is None:
            raise Refused(UNKNOWN, Reason.NOT_ALLOWED)
        return found

    def tables(self) -> Sequence[HallTable]:
        """Return the tables that were not removed, by name."""
        wanted = select(TABLES).where(TABLES.c.removed_at.is_(None))
        with self._engine.connect() as connection:
            return [
                HallTable(
                    number=row.id,
                    name=row.name,
                    standing=TableStanding(row.standing),
                    reason=Remembered(row.reason),
                    taken=row.taken,
                    clock_off_s=row.clock_off_s,
                    version=row.version,
                    seen_at=row.seen_at,
                )
                for row in sorted(connection.execute(wanted), key=lambda row: natural_order(row.name_key))
            ]

    def remove(self, number: int) -> None:
        """Take nothing of a table any more. Raises Refused (NOT_FOUND)."""
        still = (TABLES.c.id == number, TABLES.c.removed_at.is_(None))
        with self._engine.begin() as connection:
            done = connection.execute(update(TABLES).where(*still).values(removed_at=datetime.now(UTC)))
            if not done.rowcount:
                raise Refused(say("The hall has no such table."), Reason.NOT_FOUND)

    def _read_keys(self) -> Mapping[str, int]:
        with self._engine.connect() as connection:
            rows = connection.execute(select(TABLES.c.key_digest, TABLES.c.id)).all()
        return {row.key_digest: row.id for row in rows}

    def _current(self) -> PairingCode | None:
        if self._shown is not None and self._clock() >= self._shown.until:
            self._shown = None
        return self._shown

    def _check_code(self, faces: Sequence[int], address: str) -> None:
        """Refuse a wrong code; too many of them, from one address or all, are the end of the code there."""
        code = self._current()
        if code is None:
            raise Refused(NO_CODE, Reason.CONFLICT)
        if code.is_closed_to(address):
            raise Refused(say("Too many wrong codes came from here. Ask for a new code."), Reason.TOO_SOON)
        if code.matches(faces):
            return
        if code.wrong is not None:
            code.wrong[address] += 1
            if code.wrong.total() >= TRIES_OF_ALL:
                self._shown = None
        raise Refused(WRONG_CODE, Reason.NOT_ALLOWED)

    def _add(self, request: JoinHallRequest) -> JoinHallResponse:
        key, link = secrets.token_urlsafe(32), secrets.token_hex(16)
        row = {
            "name": request.name,
            "name_key": as_read(request.name) or request.name,
            "key_digest": key_digest(key),
            "link": link,
            "paired_at": datetime.now(UTC),
            "standing": TableStanding.LIVE,
            "version": request.version,
        }
        try:
            with self._engine.begin() as connection:
                number = connection.execute(insert(TABLES).values(row).returning(TABLES.c.id)).scalar_one()
        except IntegrityError as error:
            raise Refused(
                say("The hall has a table {name} already. Give this one another name.", name=request.name),
                Reason.CONFLICT,
            ) from error
        self._keys.add(key, number)
        return JoinHallResponse(key, link, request.name)


def check_wire(wire: int) -> None:
    """Refuse a table that sends in another way than this hall reads. Raises Refused (CONFLICT)."""
    if wire != WIRE:
        raise Refused(NEWER if wire > WIRE else OLDER_VERSION, Reason.CONFLICT)


# The players who have joined in at a table with their phones, and wait for a game there


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
