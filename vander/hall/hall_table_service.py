"""The tables of the hall as people watch them; implements `web.services.hall_table_backend.HallTableBackend`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from threading import BoundedSemaphore
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Connection, Row

from referee.dice import RefereeError
from referee.journal import Entry
from referee.refused import Reason, Refused
from referee.sentences import say
from referee.snapshot import Snapshot
from vander.hall import hall_games, season
from vander.hall.game_replays import GameReplay, open_dice, open_game
from vander.hall.hall_schema import TABLES
from vander.hall.hall_service import HallService
from vander.hall.live_tables import NEVER, LiveTables
from vander.hall.shown_games import game_snapshot, last_dice, last_rulings, shown_game
from vander.hall.table_rows import kept_replay
from vander.memory.past_game_steps import past_steps
from vander.session.match import Match
from vander.storage.stored_game import KeptGame
from web.schemas.hall_table_values import LiveHint, PastTableGame, ShownTable, TablesChange, WatchedTable
from web.schemas.season_values import HallGame

NO_GAME = say("This table has played no such game.")
MOST_REPLAYED = 2
"""Games that are replayed for watchers at once: each takes the processor for a while."""


class HallTableService:
    """What is shown of the tables. Any thread may call any method.

    `live` takes the hints that tables give of themselves between two entries.
    """

    def __init__(self, hall: HallService) -> None:
        self._engine, self._replays, self._lock_of = hall.engine, hall.replays, hall.lock_of
        self._replaying = BoundedSemaphore(MOST_REPLAYED)
        self.live = LiveTables(hall.engine, hall.replays, hall.lock_of)
        hall.listen(self.live.follow)

    def shown(self) -> TablesChange:
        """Return all tables."""
        return self.live.since(NEVER)

    def wait(self, seen: int, timeout_s: float) -> TablesChange:
        """Return the tables that changed after a change as soon as there is one, or none in time."""
        return self.live.wait(seen, timeout_s)

    def table(self, number: int) -> WatchedTable:
        """Return a table. Raises Refused (NOT_FOUND)."""
        shown, hint = self.live.table(number)
        if shown.game is None:
            return WatchedTable(shown, Snapshot(shown.changed), (), hint.dice, hint)
        key = (number, shown.game.number)
        with self._lock_of(number), self._engine.connect() as connection:
            replayed = kept_replay(connection, self._replays, key)
            if replayed is None:
                return WatchedTable(shown, Snapshot(shown.changed), (), hint.dice, hint)
            return _watched(shown, hint, replayed)

    def past_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return the ended games of a table that ended before a time, the last first. Raises Refused (NOT_FOUND)."""
        with self._engine.connect() as connection:
            _table_row(connection, number)
            return season.table_games(connection, number, before, most)

    def past_game(self, number: int, game: int) -> PastTableGame:
        """Return a game entry by entry.

        Raises Refused: NOT_FOUND, CONFLICT for one that cannot be replayed, TOO_SOON while MOST_REPLAYED are replayed.
        """
        if not self._replaying.acquire(blocking=False):
            raise Refused(say("Requests come too often. They are taken again in a moment."), Reason.TOO_SOON, wait_s=1)
        try:
            return self._past_game(number, game)
        finally:
            self._replaying.release()

    def _past_game(self, number: int, game: int) -> PastTableGame:
        with self._engine.connect() as connection:
            table = _table_row(connection, number)
            row = hall_games.game_row(connection, (number, game))
            if row is None:
                raise Refused(NO_GAME, Reason.NOT_FOUND)
            rows = hall_games.read_entries(connection, (number, game), row.players)
            try:
                entries = tuple(rows)
            except (RefereeError, ValueError, LookupError) as error:
                raise _not_replayed(error) from error
        try:
            return _past_game(table, row, entries)
        except (RefereeError, ValueError, LookupError) as error:
            raise _not_replayed(error) from error


def _watched(shown: ShownTable, hint: LiveHint, replayed: GameReplay) -> WatchedTable:
    number = shown.game.number if shown.game else 0
    snapshot = game_snapshot(shown.changed, number, replayed, hint.waits_for)
    return WatchedTable(shown, snapshot, last_rulings(replayed), hint.dice or last_dice(replayed), hint)


def _not_replayed(error: Exception) -> Refused:
    return Refused(say("This game cannot be played again by the rules of today: {cause}", cause=error), Reason.CONFLICT)


def _table_row(connection: Connection, number: int) -> Row[Any]:
    """Return the row of a table, also of one that was removed. Raises Refused (NOT_FOUND)."""
    row = connection.execute(select(TABLES).where(TABLES.c.id == number)).first()
    if row is None:
        raise Refused(say("The hall has no such table."), Reason.NOT_FOUND)
    return row


def _past_game(table: Row[Any], row: Row[Any], entries: tuple[Entry, ...]) -> PastTableGame:
    set_up = hall_games.read_set_up(row)
    game, _ = open_game(set_up)
    when = (row.started_at, row.ended_at, row.clock_doubted)
    kept = KeptGame(row.game_id, row.game, set_up.players, set_up.options, row.die_set, *when)
    steps = past_steps(Match.of(kept, game, open_dice(set_up), entries))
    refused = hall_games.why_not_counted(row)
    shown = shown_game(row.game_id, GameReplay.of(set_up, entries), ended=row.ended_at is not None, refused=refused)
    return PastTableGame(table.id, table.name, shown, row.started_at, row.ended_at, steps)
