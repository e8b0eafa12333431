"""Which tables of the hall are free for a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, func, select
from sqlalchemy.engine import Connection

from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import ENTRIES, FIXTURE_TABLES, GAMES, TABLES
from web.services.hall_backend import TableStanding

QUIET = timedelta(minutes=10)
"""A game without a new line for this long counts as abandoned on the table."""
SWITCHED_OFF = timedelta(minutes=10)
"""A table that has sent nothing for this long counts as switched off."""


@dataclass(frozen=True)
class HallPlace:
    """A table to which nobody is called. `is_free` is True if it is switched on and no game is running."""

    number: int
    name: str
    is_free: bool


def hall_tables(connection: Connection, now: datetime) -> Sequence[HallPlace]:
    """Return the tables to which nobody is called, by name."""
    told = func.coalesce(ENTRIES.c.taken_at, GAMES.c.taken_at)
    line = and_(ENTRIES.c.table_id == GAMES.c.table_id, ENTRIES.c.sequence == GAMES.c.sequence)
    going = (
        select(GAMES.c.table_id)
        .outerjoin(ENTRIES, line)
        .where(GAMES.c.standing == GameStanding.GOING, told > now - QUIET)
    )
    called = select(FIXTURE_TABLES.c.table_id)
    wanted = (
        select(TABLES.c.id, TABLES.c.name, TABLES.c.seen_at, TABLES.c.id.in_(going).label("is_played_at"))
        .where(TABLES.c.removed_at.is_(None), TABLES.c.standing == TableStanding.LIVE, TABLES.c.id.not_in(called))
        .order_by(func.length(TABLES.c.name), TABLES.c.name_key)
    )
    return [
        HallPlace(
            row.id,
            row.name,
            not row.is_played_at and row.seen_at is not None and row.seen_at > now - SWITCHED_OFF,
        )
        for row in connection.execute(wanted)
    ]


def table_names(connection: Connection) -> dict[int, str]:
    """Return the name of each table that was ever in the hall."""
    return {row.id: row.name for row in connection.execute(select(TABLES.c.id, TABLES.c.name))}
