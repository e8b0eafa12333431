"""The tables that have joined the hall: the code by which one joins, and the key by which the hall knows it again."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from threading import Lock
from time import monotonic

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from referee.player_names import as_read
from referee.refused import Reason, Refused
from referee.sentences import Remembered, say
from vander.access.device_registry import key_digest
from vander.access.pairing_code import SHOWN_S, TRIES_OF_ALL, PairingCode
from vander.hall.hall_schema import TABLES
from vander.hall.known_keys import KnownKeys
from vander.hall.table_rows import natural_order
from web.schemas.hall_wire_schemas import WIRE, JoinHallRequest, JoinHallResponse
from web.services.hall_backend import HallTable, TableStanding

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
                    paired_at=row.paired_at,
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
