"""The tables of the hall as they stand now, with what they tell of this moment, for those who watch them."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from threading import BoundedSemaphore, Condition, Lock
from time import monotonic
from typing import Annotated, Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import select
from sqlalchemy.engine import Connection, Engine, Row
from sqlalchemy.exc import SQLAlchemyError

from hardware.mqtt_broker import BrokerAddress, open_client
from referee.dice import Die, FaceName, KindName, RefereeError
from referee.journal import Entry
from referee.past_result import PastStep
from referee.sentences import Reason, Refused, Remembered, say
from referee.snapshot import Snapshot
from vander.extras.players.play_statistics_service import past_steps
from vander.hall import hall_games, season
from vander.hall.game_replays import GameKey, GameReplay, GameReplays, open_dice, open_game
from vander.hall.hall_schema import TABLES
from vander.hall.hall_service import HallService
from vander.storage.journal_schema import KeptGame
from vander.table.match import Match
from web.schemas import hall_schemas as shapes
from web.schemas.snapshot_response import dice_schema, snapshot_response
from web.schemas.tournament_schemas import HallGame

# What tables tell an MQTT broker of this moment: the dice as they lie, what is waited for, what is wrong
#
# These are hints and no more: whoever may write to the broker may write them. Scores, turns and rulings on the hall's
# pages come from the entries alone, and without a broker the pages show those.


LARGEST_HINT = 16_384
"""Bytes of a message that is read at all."""
MOST_NODES = 200
"""Tables whose hints are kept: four times as many as a hall has."""
TOPICS = "vander/+/state"
AT_MOST_ONCE = 0
_log = logging.getLogger(__name__)

Word = Annotated[str, Field(max_length=60)]
Said = Annotated[str, Field(max_length=1000)]


class HintedDie(BaseModel):
    """A die as the table's camera reads it now."""

    model_config = ConfigDict(frozen=True)
    kind: Word
    face: Word


class TableHint(BaseModel):
    """The part of a table's state that the hall shows besides what its entries say; `ok` where nothing is wrong."""

    model_config = ConfigDict(frozen=True)
    waits_for: Said = ""
    dice: Annotated[tuple[HintedDie, ...], Field(max_length=60)] = ()
    camera: Said = "ok"
    box: Said = "ok"


@dataclass(frozen=True)
class _KeptHint:
    hint: TableHint
    text: bytes


class LiveHints:
    """The hints of all tables, from `start` to `close`. Any thread may call it; a broker that is away stops nothing.

    `tell` is called with the name on the broker of a table whose hint has changed.
    """

    def __init__(self, address: BrokerAddress, client_id: str, tell: Callable[[str], None]) -> None:
        self._tell, self._lock = tell, Lock()
        self._kept: OrderedDict[str, _KeptHint] = OrderedDict()
        self._client = open_client(address, client_id)
        self._client.suppress_exceptions = True  # one in a callback would end the thread that connects again
        self._client.on_connect, self._client.on_message = self._on_connect, self._on_message
        self._client.on_disconnect = self._on_disconnect

    def start(self) -> None:
        """Begin to listen; waits for nobody."""
        self._client.loop_start()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def hint(self, node: str) -> TableHint | None:
        """Return the hint of the table of that name on the broker; None without one, or while no broker answers."""
        with self._lock:
            found = self._kept.get(node)
            return found.hint if found else None

    def _on_connect(
        self, client: Client, _: object, __: ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        if reason.is_failure:
            _log.warning("hall: the MQTT broker refuses: %s", reason)
            return
        client.subscribe(TOPICS, AT_MOST_ONCE)

    def _on_disconnect(
        self, _: Client, __: object, ___: DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        """Drop all hints, since they may be old at the reconnect; the broker then sends the retained ones again."""
        with self._lock:
            nodes = tuple(self._kept)
            self._kept.clear()
        for node in nodes:
            self._tell(node)

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        node, text = message.topic.split("/")[1], bytes(message.payload)
        hint = _read(text)
        with self._lock:
            before = self._kept.pop(node, None)
            if hint is not None:
                self._kept[node] = _KeptHint(hint, text)
            while len(self._kept) > MOST_NODES:
                self._kept.popitem(last=False)
        if (before.hint if before else None) != hint:
            self._tell(node)


def _read(text: bytes) -> TableHint | None:
    """Return the hint in a message; None for one that is none."""
    if len(text) > LARGEST_HINT:
        return None
    try:
        return TableHint.model_validate(json.loads(text))
    except (ValidationError, ValueError, RecursionError):
        return None


# All tables of the hall as they stand now, kept in memory, and which of them changed since a moment
#
# What a table sends is shown from the replay that its intake has just brought up to date. What no entry tells (a
# table of which nothing is heard, one that was removed, one that was quarantined) is found by looking at the rows of
# all tables in one query, LOOK_S apart, while somebody listens.


LOOK_S = 5.0
"""How far apart the rows of all tables are looked at."""
SILENT_AFTER = timedelta(minutes=1)
"""A table without a request for this long is shown as silent; a connected table asks every few seconds."""
QUIET_AFTER = timedelta(minutes=15)
"""A table without a new entry for this long is shown as not in play."""
NEVER = -1
"""The number of no change: all tables have changed since."""
NO_HINT = shapes.LiveHint()
LockOfTable = Callable[[int], AbstractContextManager[object]]


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
        self._shown: dict[int, shapes.ShownTable] = {}
        self._rows: dict[int, Row[Any]] = {}
        self._games: dict[int, hall_games.GameOnTable] = {}
        self._hints: dict[int, shapes.LiveHint] = {}
        self._looked_at = float("-inf")

    def since(self, seen: int) -> shapes.TablesChange:
        """Return the tables that changed after a change, all for a number that is none."""
        self.look()
        with self._changed:
            return self._since(seen)

    def wait(self, seen: int, timeout_s: float) -> shapes.TablesChange:
        """Return what changed as soon as there is something, or nothing after so many seconds."""
        self.look()
        with self._changed:
            self._changed.wait_for(lambda: self._number != seen, timeout_s)
            return self._since(seen)

    def table(self, number: int) -> tuple[shapes.ShownTable, shapes.LiveHint]:
        """Return a table. Raises Refused (NOT_FOUND)."""
        self.look()
        with self._changed:
            found = self._shown.get(number)
            if found is None:
                raise Refused(say("The hall has no such table."), Reason.NOT_FOUND)
            return found, self._hints.get(number, NO_HINT)

    def hint(self, number: int, hint: shapes.LiveHint) -> None:
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
            rows = {row.id: row for row in hall_games.table_rows(connection)}
            new = [number for number in rows if number not in self._games]
            on_tables = hall_games.numbers_on_tables(connection, new) if new else {}
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
                game, _ = hall_games.numbers_on_tables(connection, [table]).get(table, (0, None))
        if game == key[1] or known is None:
            self._read(table, game, now)
        with self._changed:
            self._show(table)
            self._changed.notify_all()

    def _read(self, table: int, game: int, taken_at: datetime | None) -> None:
        """Keep what is on a table, under its lock: of two who read at once, the later one has the last word."""
        with self._lock_of(table), self._engine.connect() as connection:
            played = hall_games.read_game(connection, self._replays, (table, game)) if game else None
            self._games[table] = hall_games.GameOnTable(played, taken_at) if game else hall_games.NO_GAME

    def _show(self, *tables: int) -> None:
        """Bring what is shown of tables up to date. The caller holds the lock of changes."""
        for table in tables:
            row, last = self._rows.get(table), self._shown.get(table)
            if row is None:
                continue
            made = _shown(row, self._games.get(table, hall_games.NO_GAME), self._clock(), last.changed if last else 0)
            if made != last:
                self._number += 1
                self._shown[table] = replace(made, changed=self._number)

    def _since(self, seen: int) -> shapes.TablesChange:
        there = tuple(number for number in self._rows if number in self._shown)
        shown = tuple(self._shown[number] for number in there)
        is_known = seen <= self._number
        return shapes.TablesChange(
            self._number, there, tuple(each for each in shown if each.changed > seen or not is_known)
        )


def _shown(row: Row[Any], on_table: hall_games.GameOnTable, now: datetime, changed: int) -> shapes.ShownTable:
    is_quiet = on_table.played is None or on_table.taken_at is None or now - on_table.taken_at > QUIET_AFTER
    stage = shapes.TableStage.GOING
    if on_table.played is not None and on_table.played.is_over:
        stage = shapes.TableStage.OVER
    troubles = tuple(_troubles(row, on_table, now))
    stage = shapes.TableStage.QUIET if is_quiet else stage
    return shapes.ShownTable(row.id, row.name, changed, stage, troubles, Remembered(row.reason), on_table.played)


def _troubles(row: Row[Any], on_table: hall_games.GameOnTable, now: datetime) -> Sequence[shapes.TableTrouble]:
    is_refused = on_table.played is not None and bool(on_table.played.refused)
    found = {
        shapes.TableTrouble.QUARANTINED: row.standing == shapes.TableStanding.QUARANTINED,
        shapes.TableTrouble.REFUSED: is_refused,
        shapes.TableTrouble.SILENT: now - (row.seen_at or row.paired_at) > SILENT_AFTER,
        shapes.TableTrouble.CLOCK: abs(row.clock_off_s) > hall_games.CLOCK_OFF_S,
    }
    return [trouble for trouble, is_so in found.items() if is_so]


# The tables of the hall as people watch them


NO_SUCH_GAME = say("This table has played no such game.")
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

    def shown(self) -> shapes.TablesChange:
        return self.live.since(NEVER)

    def wait(self, seen: int, timeout_s: float) -> shapes.TablesChange:
        """Return the tables that changed after a change as soon as there is one, or none in time.

        All tables have changed since a number that there never was.
        """
        return self.live.wait(seen, timeout_s)

    def table(self, number: int) -> shapes.WatchedTable:
        """Return a table. Raises Refused (NOT_FOUND)."""
        shown, hint = self.live.table(number)
        snapshot, dice = Snapshot(shown.changed), hint.dice
        rulings: tuple[PastStep, ...] = ()
        if shown.game is not None:
            key = (number, shown.game.number)
            with self._lock_of(number), self._engine.connect() as connection:
                replayed = hall_games.kept_replay(connection, self._replays, key)
                if replayed is not None:
                    snapshot = hall_games.game_snapshot(shown.changed, shown.game.number, replayed, hint.waits_for)
                    rulings, dice = hall_games.last_rulings(replayed), hint.dice or hall_games.last_dice(replayed)
        titles = snapshot.state.dice if snapshot.state else None
        return shapes.WatchedTable(shown, snapshot_response(snapshot), rulings, dice_schema(dice, titles), hint)

    def past_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return the ended games of a table that ended before a time, the last first. Raises Refused (NOT_FOUND)."""
        with self._engine.connect() as connection:
            _table_row(connection, number)
            return season.table_games(connection, number, before, most)

    def past_game(self, number: int, game: int) -> shapes.PastTableGame:
        """Return a game entry by entry.

        Raises Refused: NOT_FOUND, CONFLICT for one that cannot be replayed, TOO_SOON while MOST_REPLAYED are replayed.
        """
        if not self._replaying.acquire(blocking=False):
            raise Refused(say("Requests come too often. They are taken again in a moment."), Reason.TOO_SOON, wait_s=1)
        try:
            return self._past_game(number, game)
        finally:
            self._replaying.release()

    def _past_game(self, number: int, game: int) -> shapes.PastTableGame:
        with self._engine.connect() as connection:
            table = _table_row(connection, number)
            row = hall_games.game_row(connection, (number, game))
            if row is None:
                raise Refused(NO_SUCH_GAME, Reason.NOT_FOUND)
            rows = hall_games.read_entries(connection, (number, game), row.players)
            try:
                entries = tuple(rows)
            except (RefereeError, ValueError, LookupError) as error:
                raise _not_replayed(error) from error
        try:
            return _past_game(table, row, entries)
        except (RefereeError, ValueError, LookupError) as error:
            raise _not_replayed(error) from error


def _not_replayed(error: Exception) -> Refused:
    return Refused(say("This game cannot be played again by the rules of today: {cause}", cause=error), Reason.CONFLICT)


def _table_row(connection: Connection, number: int) -> Row[Any]:
    """Return the row of a table, also of one that was removed. Raises Refused (NOT_FOUND)."""
    row = connection.execute(select(TABLES).where(TABLES.c.id == number)).first()
    if row is None:
        raise Refused(say("The hall has no such table."), Reason.NOT_FOUND)
    return row


def _past_game(table: Row[Any], row: Row[Any], entries: tuple[Entry, ...]) -> shapes.PastTableGame:
    set_up = hall_games.read_set_up(row)
    game, _ = open_game(set_up)
    when = (row.started_at, row.ended_at, hall_games.is_clock_doubted(row))
    kept = KeptGame(row.game_id, row.game, set_up.players, set_up.options, row.die_set, *when)
    steps = past_steps(Match.of(kept, game, open_dice(set_up), entries))
    refused = hall_games.why_not_counted(row)
    shown = hall_games.shown_game(
        row.game_id, GameReplay.of(set_up, entries), ended=row.ended_at is not None, refused=refused
    )
    return shapes.PastTableGame(table.id, table.name, shown, *when, steps)


# Pass live hints from the MQTT broker to the hall's pages


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


def as_shown(hint: TableHint | None) -> shapes.LiveHint:
    """Return a hint as the pages show it: what is well is not said."""
    if hint is None:
        return shapes.LiveHint()
    dice = tuple(Die(KindName(die.kind), FaceName(die.face)) for die in hint.dice)
    return shapes.LiveHint(dice, Remembered(hint.waits_for), _trouble(hint.camera), _trouble(hint.box))


def _trouble(said: str) -> str:
    return "" if said == OK else Remembered(said)
