"""Pass live hints from the MQTT broker to the hall's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from secrets import token_hex
from threading import Lock
from time import monotonic

from sqlalchemy import select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from hardware.mqtt_broker import BrokerAddress
from referee.dice import Die, FaceName, KindName
from referee.sentences import Remembered
from vander.hall.hall_schema import TABLES
from vander.hall.live_hints import LiveHints, TableHint
from vander.hall.live_tables import LiveTables
from web.schemas.hall_table_values import LiveHint

NAMES_S = 5.0
"""How long it is known which table has which name on the broker."""
OK = "ok"


@contextmanager
def follow_hints(address: str, engine: Engine, live: LiveTables) -> Iterator[None]:
    """Show what tables tell the broker at this address until the end; nothing where it is ''."""
    if not address:
        yield
        return
    nodes = NodeNumbers(engine)

    def show(node: str) -> None:
        number = nodes.number(node)
        if number is not None:
            live.hint(number, as_shown(hints.hint(node)))

    hints = LiveHints(BrokerAddress.parse(address), f"vander-hall-{token_hex(4)}", show)
    hints.start()
    with closing(hints):
        yield


class NodeNumbers:
    """The numbers of the hall's tables by their names on the broker. Any thread may call it.

    A name that two tables give is that of the table which joined first: no other takes its hints away.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self._engine, self._clock, self._lock = engine, clock, Lock()
        self._numbers: dict[str, int] = {}
        self._read_at = float("-inf")

    def number(self, node: str) -> int | None:
        """Return the number of the table of that name, None where no table has it, or the database is away."""
        with self._lock:
            if self._clock() - self._read_at > NAMES_S:
                self._read_at = self._clock()
                self._numbers = self._read()
            return self._numbers.get(node)

    def _read(self) -> dict[str, int]:
        named = select(TABLES.c.node, TABLES.c.id).where(TABLES.c.removed_at.is_(None), TABLES.c.node != "")
        wanted = named.order_by(TABLES.c.id.desc())
        try:
            with self._engine.connect() as connection:
                return {row.node: row.id for row in connection.execute(wanted)}
        except SQLAlchemyError:
            return self._numbers


def as_shown(hint: TableHint | None) -> LiveHint:
    """Return a hint as the pages show it: what is well is not said."""
    if hint is None:
        return LiveHint()
    dice = tuple(Die(KindName(die.kind), FaceName(die.face)) for die in hint.dice)
    return LiveHint(dice, Remembered(hint.waits_for), _trouble(hint.camera), _trouble(hint.box))


def _trouble(said: str) -> str:
    return "" if said == OK else Remembered(said)
