"""Where throws stand in the journal: their games, and the pictures that were kept of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import select, tuple_
from sqlalchemy.engine import Connection

from vander.storage.journal_schema import ENTRIES, GAMES


@dataclass(frozen=True)
class ThrowPlace:
    """A throw in the journal: its game and dice, whether that game has ended, and its picture's name, '' without."""

    game: str
    die_set: str
    is_over: bool
    picture: str


def find_throws(connection: Connection, places: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], ThrowPlace]:
    """Return the throws of these games and entries that the journal holds."""
    joined = select(ENTRIES.c.game_id, ENTRIES.c.number, GAMES.c.game, GAMES.c.die_set, GAMES.c.ended_at)
    wanted = joined.add_columns(ENTRIES.c.evidence).join(GAMES, GAMES.c.id == ENTRIES.c.game_id)
    rows = connection.execute(wanted.where(tuple_(ENTRIES.c.game_id, ENTRIES.c.number).in_(list(places))))
    return {
        (row.game_id, row.number): ThrowPlace(row.game, row.die_set, row.ended_at is not None, row.evidence)
        for row in rows
    }
