"""All tables of the hall as they stand now, kept in memory, and which of them changed since a moment.

What a table sends is shown from the replay that its intake has just brought up to date. What no entry tells (a table of
which nothing is heard, one that was removed, one that was quarantined) is found by looking at the rows of all tables in
one query, LOOK_S apart, while somebody listens.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Condition, Lock
from typing import Any

from sqlalchemy.engine import Engine, Row
from sqlalchemy.exc import SQLAlchemyError

from referee.refused import Reason, Refused
from referee.sentences import Remembered, say
from vander.hall.game_replays import GameKey, GameReplays
from vander.hall.table_rows import NO_GAME, GameOnTable, numbers_on_tables, read_game, table_rows
from web.schemas.hall_table_values import LiveHint, ShownTable, TablesChange, TableStage, TableTrouble
from web.services.hall_backend import TableStanding

LOOK_S = 5.0
"""How far apart the rows of all tables are looked at."""
SILENT_AFTER = timedelta(minutes=1)
"""A table without a request for this long is shown as silent; a connected table asks every few seconds."""
QUIET_AFTER = timedelta(minutes=15)
"""A table without a new entry for this long is shown as not in play."""
CLOCK_OFF_S = 60.0
"""A table's clock that is further off than this is shown as wrong."""
NEVER = -1
"""The number of no change: all tables have changed since."""
NO_HINT = LiveHint()
LockOfTable = Callable[[int], AbstractContextManager[object]]

_log = logging.getLogger(__name__)


class LiveTables:
    """The tables as they stand now. Any thread may call any method.

    `lock_of` is the lock under which a table's lines are taken. Changes are numbered from the milliseconds of the clock
    at the start, so that a number of an earlier run is below all of this one.
    """

    def __init__(
        self,
        engine: Engine,
        replays: GameReplays,
        lock_of: LockOfTable,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine, self._replays, self._lock_of, self._clock = engine, replays, lock_of, clock
        self._changed, self._looking = Condition(), Lock()
        self._number = time.time_ns() // 1_000_000
        self._shown: dict[int, ShownTable] = {}
        self._rows: dict[int, Row[Any]] = {}
        self._games: dict[int, GameOnTable] = {}
        self._hints: dict[int, LiveHint] = {}
        self._looked_at = float("-inf")

    def since(self, seen: int) -> TablesChange:
        """Return the tables that changed after a change, all for a number that is none."""
        self.look()
        with self._changed:
            return self._since(seen)

    def wait(self, seen: int, timeout_s: float) -> TablesChange:
        """Return what changed as soon as there is something, or nothing after so many seconds."""
        self.look()
        with self._changed:
            self._changed.wait_for(lambda: self._number != seen, timeout_s)
            return self._since(seen)

    def table(self, number: int) -> tuple[ShownTable, LiveHint]:
        """Return a table. Raises Refused (NOT_FOUND)."""
        self.look()
        with self._changed:
            found = self._shown.get(number)
            if found is None:
                raise Refused(say("The hall has no such table."), Reason.NOT_FOUND)
            return found, self._hints.get(number, NO_HINT)

    def hint(self, number: int, hint: LiveHint) -> None:
        """Show what a table says of itself between two entries."""
        with self._changed:
            is_new = number in self._shown and self._hints.get(number, NO_HINT) != hint
            self._hints[number] = hint
            if is_new:
                self._number += 1
                self._shown[number] = replace(self._shown[number], changed=self._number)
                self._changed.notify_all()

    def follow(self, games: Sequence[GameKey]) -> None:
        """Show games after lines of them were taken; look at all tables where it is not a game that changed."""
        try:
            for key in games:
                self._read_changed(key)
            if not games:
                self.look(at_once=True)
        except SQLAlchemyError as error:
            _log.warning("live tables: cannot be read: %s", error)
            self._looked_at = float("-inf")

    def look(self, *, at_once: bool = False) -> None:
        """Look at the rows of all tables, if that was long ago. One thread looks; the others go on with what is known.

        The first one is waited for.
        """
        if not at_once and time.monotonic() - self._looked_at < LOOK_S:
            return
        if not self._looking.acquire(blocking=at_once or not self._rows):
            return
        try:
            if at_once or time.monotonic() - self._looked_at >= LOOK_S:
                self._look()
        finally:
            self._looking.release()

    def _look(self) -> None:
        with self._engine.connect() as connection:
            rows = {row.id: row for row in table_rows(connection)}
            new = [number for number in rows if number not in self._games]
            on_tables = numbers_on_tables(connection, new) if new else {}
        for number in new:
            game, taken_at = on_tables.get(number, (0, None))
            self._read(number, game, taken_at)
        self._looked_at = time.monotonic()
        with self._changed:
            self._rows = rows
            self._show(*rows)
            for number in self._shown.keys() - rows.keys():
                for kept in (self._shown, self._games, self._hints):
                    kept.pop(number, None)
                self._number += 1
            self._changed.notify_all()

    def _read_changed(self, key: GameKey) -> None:
        """Read a game of which lines were taken: that on the table, or one that may be so now."""
        table, game = key
        known = self._games.get(table)
        now = self._clock()
        if known is None or known.number != game:
            with self._engine.connect() as connection:
                game, _ = numbers_on_tables(connection, [table]).get(table, (0, None))
        if game == key[1] or known is None:
            self._read(table, game, now)
        with self._changed:
            self._show(table)
            self._changed.notify_all()

    def _read(self, table: int, game: int, taken_at: datetime | None) -> None:
        """Keep what is on a table, under its lock: of two who read at once, the later one has the last word."""
        with self._lock_of(table), self._engine.connect() as connection:
            played = read_game(connection, self._replays, (table, game)) if game else None
            self._games[table] = GameOnTable(played, taken_at) if game else NO_GAME

    def _show(self, *tables: int) -> None:
        """Bring what is shown of tables up to date. The caller holds the lock of changes."""
        for table in tables:
            row, last = self._rows.get(table), self._shown.get(table)
            if row is None:
                continue
            made = _shown(row, self._games.get(table, NO_GAME), self._clock(), last.changed if last else 0)
            if made != last:
                self._number += 1
                self._shown[table] = replace(made, changed=self._number)

    def _since(self, seen: int) -> TablesChange:
        there = tuple(number for number in self._rows if number in self._shown)
        shown = tuple(self._shown[number] for number in there)
        is_known = seen <= self._number
        return TablesChange(self._number, there, tuple(each for each in shown if each.changed > seen or not is_known))


def _shown(row: Row[Any], on_table: GameOnTable, now: datetime, changed: int) -> ShownTable:
    is_quiet = on_table.played is None or on_table.taken_at is None or now - on_table.taken_at > QUIET_AFTER
    stage = TableStage.GOING
    if on_table.played is not None and on_table.played.is_over:
        stage = TableStage.OVER
    troubles = tuple(_troubles(row, on_table, now))
    stage = TableStage.QUIET if is_quiet else stage
    return ShownTable(row.id, row.name, changed, stage, troubles, Remembered(row.reason), on_table.played)


def _troubles(row: Row[Any], on_table: GameOnTable, now: datetime) -> Sequence[TableTrouble]:
    is_refused = on_table.played is not None and bool(on_table.played.refused)
    found = {
        TableTrouble.QUARANTINED: row.standing == TableStanding.QUARANTINED,
        TableTrouble.REFUSED: is_refused,
        TableTrouble.SILENT: now - (row.seen_at or row.paired_at) > SILENT_AFTER,
        TableTrouble.CLOCK: abs(row.clock_off_s) > CLOCK_OFF_S,
    }
    return [trouble for trouble, is_so in found.items() if is_so]
