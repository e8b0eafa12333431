"""Which game is on each table of the hall, from the database: one query for all tables, or for one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, nulls_first, select, true
from sqlalchemy.engine import Connection, Row

from referee.sentences import say
from vander.hall.game_replays import GameKey, GameReplay, GameReplays
from vander.hall.hall_games import GameStanding, game_row, replay_game_or_none, why_not_counted
from vander.hall.hall_schema import ENTRIES, GAMES, TABLES
from vander.hall.shown_games import shown_game
from web.schemas.hall_table_values import ShownGame, ShownSeat


@dataclass(frozen=True)
class GameOnTable:
    """The game that is on a table, and when the hall last took something of it. `played` is None where none was."""

    played: ShownGame | None
    taken_at: datetime | None

    @property
    def number(self) -> int:
        """Return the game's number at its table, 0 for none."""
        return self.played.number if self.played else 0


NO_GAME = GameOnTable(None, None)


def table_rows(connection: Connection) -> Sequence[Row[Any]]:
    """Return the rows of the tables that were not removed, by name: Table 2 before Table 10."""
    found = connection.execute(select(TABLES).where(TABLES.c.removed_at.is_(None)))
    return sorted(found, key=lambda row: natural_order(row.name_key))


def natural_order(name: str) -> list[tuple[int, str]]:
    """Return by what a name is sorted among others: its numbers count as numbers."""
    words = re.findall(r"\d{1,15}|\D+|\d+", name)
    return [(int(word), "") if word.isdecimal() and len(word) <= 15 else (-1, word) for word in words]


def numbers_on_tables(connection: Connection, tables: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    """Return the number of the game that is on each of these tables, and when the hall last took an entry of it."""
    rows = connection.execute(_on_tables().where(TABLES.c.id.in_(tables)))
    return {row.id: (row.game_id, row.last_at or row.taken_at) for row in rows}


def _on_tables() -> Select[Any]:
    """Return the query of the games on tables: one that goes on before one that is over, then what was told last."""
    played = (
        select(GAMES.c.game_id, GAMES.c.taken_at)
        .where(GAMES.c.table_id == TABLES.c.id)
        .order_by(nulls_first(GAMES.c.ended_at.desc()), GAMES.c.sequence.desc())
        .limit(1)
        .lateral()
    )
    last = (
        select(ENTRIES.c.taken_at.label("last_at"))
        .where(and_(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.game_id == played.c.game_id))
        .order_by(ENTRIES.c.number.desc())
        .limit(1)
        .lateral()
    )
    tables = TABLES.join(played, true()).outerjoin(last, true())
    return select(TABLES.c.id, played.c.game_id, played.c.taken_at, last.c.last_at).select_from(tables)


def read_game(connection: Connection, replays: GameReplays, key: GameKey) -> ShownGame | None:
    """Return a game in short; None where there is none. The caller holds the lock of the table."""
    row = game_row(connection, key)
    if row is None:
        return None
    replayed = kept_replay(connection, replays, key)
    if replayed is None:
        return unplayed_game(row)
    return shown_game(key[1], replayed, ended=row.ended_at is not None, refused=why_not_counted(row))


def unplayed_game(row: Row[Any]) -> ShownGame:
    """Return a game that the rules of today refuse: who sits there, and nothing of what they did."""
    seats = tuple(ShownSeat(seat, name, None, False, False) for seat, name in enumerate(row.players, start=1))
    refused = why_not_counted(row) or say("The rules of today refuse this game.")
    return ShownGame(row.game_id, row.game, row.game, seats, "", row.ended_at is not None, refused)


def kept_replay(connection: Connection, replays: GameReplays, key: GameKey) -> GameReplay | None:
    """Return a game's replay, and keep it; None where the rules of today refuse it. The caller holds the table's lock.

    That of a quarantined game is not kept: the intake would go on with it.
    """
    found = replays.get(key)
    if found is not None:
        return found
    row, found = game_row(connection, key), replay_game_or_none(connection, key)
    if row is not None and found is not None and row.standing != GameStanding.QUARANTINED:
        replays.keep(key, found)
    return found
