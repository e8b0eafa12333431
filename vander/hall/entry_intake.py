"""Take the lines of a table's outbox into the hall's database: in order, each exactly once, what the rules allow."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import BoundedSemaphore, Lock
from typing import Any

from sqlalchemy import and_, func, insert, select, text, tuple_, update
from sqlalchemy.engine import Connection, Engine, Row

from referee.journal import Contradiction
from referee.sentences import Reason, Refused, Remembered, say
from vander.hall import hall_games
from vander.hall.game_replays import (
    BadLine,
    EndedBody,
    EntryBody,
    GameBody,
    GameKey,
    GameReplay,
    GameReplays,
    NamesBody,
    ToldLine,
    Unplayable,
    read_line,
)
from vander.hall.hall_games import (
    GameStanding,
    count_no_more,
    game_row,
    replay_game_or_none,
    update_game,
    write_standing,
)
from vander.hall.hall_schema import ENTRIES, FIXTURE_GAMES, GAMES, TABLES
from vander.hall.table_registry import drop_waiting
from vander.storage.outbox_tables import line_hash
from web.schemas.hall_schemas import EntriesRequest, LineRequest, TableStanding

# Games that a table tells again under a new pairing, such as from a backup that was put back: each counts once
#
# No two games begin alike: a game is known again by when it was begun and by its first entry, to the microsecond,
# whoever tells it. Numbers and names do not count: a table gives other numbers after a restore, and players are
# renamed.


MOST_TOLD = 20
"""How often a game may be told: a copy beyond that never counts, or a liar could make the hall compare for ever."""
ALIKE = ("at", "source", "deed", "action", "target", "seat", "dice")
"""The columns by which an entry is the same: names, which may change, stand in none of them."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class GameTelling:
    """A game as one pairing tells it. `entries` is how many it has, and `last` the last one by its ALIKE columns.

    `counts` is True if it counted before what is looked at now.
    """

    key: GameKey
    standing: GameStanding
    is_won: bool
    counts: bool
    entries: int
    last: tuple[object, ...]


def settle_retold(connection: Connection, key: GameKey, was: GameStanding | None) -> bool | None:
    """Let a game that has changed count once among all that tell it; `was` is its standing before.

    Return whether it was told more than once; None where that is not known yet, before its first entry.
    """
    own = game_row(connection, key)
    if own is None or not (first := _entries(connection, [(*key, 1)])):
        return None
    if own.standing != GameStanding.GOING:  # two that end at once see each other
        moment = (own.started_at - _EPOCH) // timedelta(microseconds=1)
        connection.execute(text("SELECT pg_advisory_xact_lock(:moment)"), {"moment": moment})
    told = _told_games(connection, own, first[*key, 1], was)
    if len(told) < 2:
        return False
    changed = next((one for one in told if one.key == key), None)
    others = [one for one in told if one.key != key]
    found: Mapping[GameKey, GameStanding]
    if changed is None:
        found = {key: GameStanding.RETOLD} if own.standing == GameStanding.OVER else {}
    else:
        found = standings_of(changed, others, _continued(connection, changed, others))
    told_now = {one.key: one.standing for one in told}
    stands = {**told_now, **found}
    counted = next((one for one, standing in stands.items() if standing == GameStanding.OVER), others[0].key)
    for one, standing in found.items():
        if one in told_now and told_now[one] == standing:
            continue
        if standing == GameStanding.RETOLD:
            _count_no_more(connection, one, key if counted == one else counted)
        else:
            _count_again(connection, one)
    return True


def standings_of(
    changed: GameTelling, others: Sequence[GameTelling], continued: Collection[tuple[GameKey, GameKey]]
) -> Mapping[GameKey, GameStanding]:
    """Return which tellings of a game stand otherwise now that one of them has changed.

    `continued` are pairs of one telling and another that says all of it, and then more. Such a one is the game with a
    correction, and takes the place of the other. Else what counts already stays: who puts a backup back and plays
    another end to a game gains nothing. `others` are in the order in which they were told.
    """
    counting = [one for one in others if one.counts]
    if changed.standing == GameStanding.QUARANTINED:
        waiting = [one for one in others if one.standing == GameStanding.RETOLD]
        waiting.sort(key=lambda one: not one.is_won)
        return {} if counting or not waiting else {waiting[0].key: GameStanding.OVER}
    outdated = {one.key: GameStanding.RETOLD for one in counting if (one.key, changed.key) in continued}
    if changed.standing == GameStanding.GOING:
        return outdated
    rivals = [one for one in counting if one.key not in outdated]
    is_outdated = any((changed.key, one.key) in continued for one in others)
    stays_out = changed.standing == GameStanding.RETOLD and not outdated
    has_better = bool(rivals) and (not changed.is_won or any(one.is_won for one in rivals))
    if is_outdated or stays_out or has_better:
        return outdated | {changed.key: GameStanding.RETOLD}
    return outdated | {one.key: GameStanding.RETOLD for one in rivals} | {changed.key: GameStanding.OVER}


def counted_elsewhere(connection: Connection, keys: Iterable[GameKey]) -> set[GameKey]:
    """Return those of these games that have counted in a tournament as another pairing told them."""
    first, other, others_first = ENTRIES.alias(), GAMES.alias(), ENTRIES.alias()
    same = [first.c[name] == others_first.c[name] for name in ALIKE]
    wanted = (
        select(GAMES.c.table_id, GAMES.c.game_id)
        .join(first, and_(_is_first(first, GAMES)))
        .join(other, and_(_begins_as(GAMES, other)))
        .join(others_first, and_(_is_first(others_first, other), *same))
        .join(
            FIXTURE_GAMES,
            and_(FIXTURE_GAMES.c.table_id == other.c.table_id, FIXTURE_GAMES.c.game_id == other.c.game_id),
        )
        .where(tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(keys)))
        .where(tuple_(GAMES.c.table_id, GAMES.c.game_id) != tuple_(other.c.table_id, other.c.game_id))
    )
    return {(row.table_id, row.game_id) for row in connection.execute(wanted)}


def _told_games(
    connection: Connection, own: Row[Any], first: tuple[object, ...], was: GameStanding | None
) -> list[GameTelling]:
    """Return all that tell the game of a row, in the order in which they were told, without other quarantined ones."""
    begin = ENTRIES.alias()
    alike = [begin.c[name] == value for name, value in zip(ALIKE, first, strict=True)]
    count = (
        select(func.max(ENTRIES.c.number))
        .where(ENTRIES.c.table_id == GAMES.c.table_id, ENTRIES.c.game_id == GAMES.c.game_id)
        .scalar_subquery()
    )
    wanted = (
        select(GAMES, count.label("last_entry"))
        .join(begin, _is_first(begin, GAMES))
        .where(GAMES.c.started_at == own.started_at, GAMES.c.game == own.game, GAMES.c.die_set == own.die_set, *alike)
        .order_by(GAMES.c.taken_at, GAMES.c.table_id, GAMES.c.game_id)
        .limit(MOST_TOLD)
    )
    key = (own.table_id, own.game_id)
    rows = [row for row in connection.execute(wanted) if _is_alike(row, own)]
    last = _entries(connection, [(row.table_id, row.game_id, row.last_entry) for row in rows])
    return [
        GameTelling(
            key=(row.table_id, row.game_id),
            standing=GameStanding(row.standing),
            is_won=bool(row.winner),
            counts=(was if (row.table_id, row.game_id) == key else row.standing) == GameStanding.OVER,
            entries=row.last_entry,
            last=last[row.table_id, row.game_id, row.last_entry],
        )
        for row in rows
        if row.standing != GameStanding.QUARANTINED or (row.table_id, row.game_id) == key
    ]


def _continued(
    connection: Connection, changed: GameTelling, others: Sequence[GameTelling]
) -> set[tuple[GameKey, GameKey]]:
    """Return the pairs of which one is the changed game, and the second says all of the first, and then more."""
    pairs = [(changed, one) if changed.entries < one.entries else (one, changed) for one in others]
    longer = [(short, long) for short, long in pairs if short.entries < long.entries]
    there = _entries(connection, [(*long.key, short.entries) for short, long in longer])
    return {(short.key, long.key) for short, long in longer if there.get((*long.key, short.entries)) == short.last}


def _entries(
    connection: Connection, wanted: Sequence[tuple[int, int, int]]
) -> Mapping[tuple[int, int, int], tuple[object, ...]]:
    """Return the ALIKE columns of entries by table, game and number."""
    place = (ENTRIES.c.table_id, ENTRIES.c.game_id, ENTRIES.c.number)
    rows = connection.execute(select(*place, *(ENTRIES.c[name] for name in ALIKE)).where(tuple_(*place).in_(wanted)))
    return {(row[0], row[1], row[2]): tuple(row[3:]) for row in rows}


def _is_first(entries: Any, games: Any) -> Any:  # noqa: ANN401 - SQLAlchemy's own type of a condition is generic
    return and_(entries.c.table_id == games.c.table_id, entries.c.game_id == games.c.game_id, entries.c.number == 1)


def _begins_as(one: Any, other: Any) -> Any:  # noqa: ANN401 - as above
    return and_(*(one.c[name] == other.c[name] for name in ("started_at", "game", "die_set")))


def _is_alike(one: Row[Any], other: Row[Any]) -> bool:
    return one.options == other.options and len(one.players) == len(other.players)


def _count_no_more(connection: Connection, key: GameKey, counted: GameKey) -> None:
    """Count a game nowhere, since it counts as another pairing told it."""
    table = connection.execute(select(TABLES.c.name).where(TABLES.c.id == counted[0])).scalar_one()
    why = say("This game was reported twice. It counts as game {number} of {table}.", number=counted[1], table=table)
    count_no_more(connection, key, GameStanding.RETOLD, str(why))


def _count_again(connection: Connection, key: GameKey) -> None:
    """Count a game that was told twice after all."""
    update_game(connection, key, standing=GameStanding.OVER, reason="")
    row, replayed = game_row(connection, key), replay_game_or_none(connection, key)
    if row is not None and replayed is not None:
        write_standing(connection, key, replayed, row.sequence)


# Take the lines of a table's outbox into the hall's database: in order, each exactly once, what the rules allow
#
# A table sends a line at least once. The number of lines that were taken stands in the table's row, which is locked
# and changed in the transaction that writes them, so that a line that comes twice is skipped. A line's hash holds
# that of the line before it: a journal that was copied or put back, and then went another way, does not fit on to
# what was taken.


OLDER = say(
    "This table's journal is older than the hall's copy: a backup was put back, or a data folder copied. Pair it again."
)
FORKED = say(
    "This table's journal differs from the hall's copy: two boxes send as one table, or a backup was put back. "
    "Pair it again."
)
MOST_OFF_S = 100 * 365 * 86_400.0
"""A clock is told to be wrong by this at most, so that a time can be counted with it."""
_log = logging.getLogger(__name__)

TAKEN_AT_ONCE = 8
"""Requests that are taken at the same time: more would only take processor time and connections from each other."""
MOST_RENAMED = 20
"""Changes of names that one request brings about: each may touch many tournaments, which wait meanwhile. What is left
of the request is not taken, and the table sends it again."""
UNHASHED = say("The hashes of this table's lines are wrong.")


class _Quarantined(Exception):
    """A table's lines do not fit on to what was taken. The argument is the sentence that says why."""


@dataclass
class _Batch:
    """One table's lines while they are taken: the games that changed, and what is still to be written.

    `names` are those that games have by now: of many changes of one game the last alone is written, after the entries
    before it and before those after it.
    """

    connection: Connection
    table: int
    files: tuple[Mapping[str, str], Mapping[str, str]]
    clock_off_s: float
    changed: dict[GameKey, int] = field(default_factory=dict)
    rows: list[dict[str, object]] = field(default_factory=list)
    refused: set[GameKey] = field(default_factory=set)
    names: dict[GameKey, tuple[Sequence[str], datetime]] = field(default_factory=dict)
    renamed: list[GameKey] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """True if this request has brought about enough."""
        return len(self.renamed) + len(self.names) >= MOST_RENAMED

    def write_names(self, *games: GameKey) -> None:
        for key in games:
            if key in self.names:
                self.write_rows()
                hall_games.set_names(self.connection, key, *self.names.pop(key))
                self.renamed.append(key)

    def write_rows(self) -> None:
        """Write the entries that wait: many in one statement."""
        if self.rows:
            self.connection.execute(insert(ENTRIES), self.rows)
            self.rows.clear()


class EntryIntake:
    """Takes the lines of tables. Any thread may call it; the lines of one table are taken one request at a time."""

    def __init__(self, engine: Engine, replays: GameReplays) -> None:
        self._engine, self._replays = engine, replays
        self._locks: defaultdict[int, Lock] = defaultdict(Lock)
        self._locks_lock, self._places = Lock(), BoundedSemaphore(TAKEN_AT_ONCE)

    def take(self, table: int, request: EntriesRequest) -> tuple[int, tuple[GameKey, ...]]:
        """Take what is new of a table's lines; return how many are taken in all, and the games that changed.

        Raises Refused (CONFLICT) for a table that is quarantined, now or since before, and (GONE) for a removed one.
        """
        with self.lock(table), self._places:
            touched: dict[GameKey, int] = {}
            try:
                with self._engine.begin() as connection:
                    off_s = _clock_off_s(request.now, datetime.now(UTC))
                    batch = _Batch(connection, table, (request.die_sets, request.sheets), off_s, touched)
                    taken = self._take(batch, request)
            except _Quarantined as found:
                self._quarantine(table, found.args[0])
                raise Refused(found.args[0], Reason.CONFLICT) from None
            except BaseException:
                self._replays.drop(touched)
                raise
            return taken, tuple(touched)

    def lock(self, table: int) -> Lock:
        """Return the lock under which a table's lines are taken, and the replays of its games changed."""
        with self._locks_lock:
            return self._locks[table]

    def _take(self, batch: _Batch, request: EntriesRequest) -> int:
        now = datetime.now(UTC)
        row = batch.connection.execute(select(TABLES).where(TABLES.c.id == batch.table).with_for_update()).one()
        if row.removed_at is not None:
            raise Refused(say("The hall has removed this table. Pair it again."), Reason.GONE)
        if row.standing == TableStanding.QUARANTINED:
            raise Refused(Remembered(row.reason), Reason.CONFLICT)
        new = self._take_lines(batch, _new_lines(row.taken, row.head_hash, request), now)
        batch.write_rows()
        batch.write_names(*batch.names)
        self._write_standings(batch)
        self._replays.drop(batch.renamed)  # once: a table may tell many names in one request, and no ruling needs them
        taken = new[-1].sequence if new else row.taken
        values: dict[str, object] = {
            "seen_at": now,
            "version": request.version,
            "node": request.node,
            "clock_off_s": batch.clock_off_s,
        }
        if new:
            values |= {"taken": taken, "head_hash": new[-1].hash}
        batch.connection.execute(update(TABLES).where(TABLES.c.id == batch.table).values(values))
        return int(taken)

    def _take_lines(self, batch: _Batch, lines: Sequence[LineRequest], now: datetime) -> Sequence[LineRequest]:
        """Take lines until the batch is full; return those that were taken."""
        for place, line in enumerate(lines, start=1):
            self._take_line(batch, line, now)
            if batch.is_full:
                return lines[:place]
        return lines

    def _quarantine(self, table: int, why: str) -> None:
        """Accept no more lines from a table until it is paired again."""
        values = {"standing": TableStanding.QUARANTINED, "reason": str(why), "seen_at": datetime.now(UTC)}
        with self._engine.begin() as connection:
            connection.execute(update(TABLES).where(TABLES.c.id == table).values(values))

    def _take_line(self, batch: _Batch, sent: LineRequest, now: datetime) -> None:
        try:
            line = read_line(sent.sequence, sent.kind, sent.body, now)
        except BadLine as error:
            unread = (sent.sequence, sent.kind, sent.body.replace("\0", ""), now)
            hall_games.quarantine_line(batch.connection, batch.table, unread, str(error))
            return
        match line.body:
            case GameBody():
                self._begin(batch, line, line.body)
            case EntryBody():
                self._play(batch, line, line.body)
            case EndedBody() | NamesBody():
                self._change(batch, line, line.body)

    def _begin(self, batch: _Batch, line: ToldLine, body: GameBody) -> None:
        key = (batch.table, body.number)
        batch.write_rows()
        dice, sheets = batch.files
        used = {name: text for name, text in sheets.items() if name in body.options.values()}
        files = (dice.get(body.die_set, ""), used)
        telling = hall_games.TellingTable(batch.table, batch.clock_off_s)
        set_up = hall_games.insert_game(batch.connection, telling, line, body, files)
        if set_up is None:
            again = say("game {game} was begun twice", game=body.number)
            hall_games.quarantine_line(batch.connection, batch.table, line, again)
            return
        drop_waiting(batch.connection, batch.table, body.players)
        batch.changed[key] = line.sequence
        try:
            self._replays.keep(key, GameReplay.of(set_up))
        except Unplayable as error:
            self._refuse_game(batch, key, str(error))

    def _play(self, batch: _Batch, line: ToldLine, body: EntryBody) -> None:
        key = (batch.table, body.game)
        batch.write_names(key)
        replayed = self._going(batch, line, key)
        if replayed is None:
            return
        batch.changed[key] = line.sequence  # first of all: whatever fails from here on, the replay is read again
        why = _refusal(replayed, body)
        if why:
            self._refuse_line(batch, line, key, why)
            return
        batch.rows.append(hall_games.entry_row(batch.table, line, body))

    def _change(self, batch: _Batch, line: ToldLine, body: EndedBody | NamesBody) -> None:
        key = (batch.table, body.game)
        replayed = self._going(batch, line, key)
        if replayed is None:
            return
        batch.write_rows()
        batch.changed[key] = line.sequence
        if isinstance(body, EndedBody):
            hall_games.end_game(batch.connection, key, body.at, batch.clock_off_s)
        elif len(body.players) != len(replayed.players):
            self._refuse_line(batch, line, key, say("there are not as many names as players"))
        else:
            batch.names[key] = body.players, line.taken_at

    def _going(self, batch: _Batch, line: ToldLine, key: GameKey) -> GameReplay | None:
        """Return the replay of a game; None where there is none, and the line is quarantined."""
        kept = self._replays.get(key)
        if kept is not None:
            return kept
        batch.write_rows()
        row = hall_games.game_row(batch.connection, key)
        why: str = say("the hall never received game {game}", game=key[1])
        if row is not None:
            why = row.reason
        if row is None or row.standing == GameStanding.QUARANTINED:
            if row is not None and isinstance(line.body, NamesBody) and len(line.body.players) == len(row.players):
                batch.names[key] = line.body.players, line.taken_at  # a name may be forgotten
            hall_games.quarantine_line(batch.connection, batch.table, line, why)
            return None
        try:
            replayed = hall_games.replay_game(batch.connection, key)
        except (ValueError, LookupError, TypeError) as error:  # the rules of today refuse what was taken before
            self._refuse_line(batch, line, key, str(error))
            return None
        if replayed is not None:
            self._replays.keep(key, replayed)
        return replayed

    def _refuse_line(self, batch: _Batch, line: ToldLine, key: GameKey, why: str) -> None:
        """Quarantine a line and its whole game: what comes after it builds on what the rules refuse."""
        hall_games.quarantine_line(batch.connection, batch.table, line, why)
        batch.changed[key] = line.sequence
        self._refuse_game(batch, key, why)

    def _refuse_game(self, batch: _Batch, key: GameKey, why: str) -> None:
        self._replays.drop([key])
        batch.write_rows()
        batch.refused.add(key)
        hall_games.quarantine_game(batch.connection, key, why)

    def _write_standings(self, batch: _Batch) -> None:
        for key, sequence in batch.changed.items():
            if key in batch.refused:
                settle_retold(batch.connection, key, None)
                continue
            replayed = self._replays.get(key) or hall_games.replay_game_or_none(batch.connection, key)
            if replayed is not None:
                _write_standing(batch.connection, key, replayed, sequence)


def _write_standing(connection: Connection, key: GameKey, replayed: GameReplay, sequence: int) -> None:
    stood = hall_games.write_standing(connection, key, replayed, sequence)
    if stood is not None and (replayed.is_retold is not False or stood != (GameStanding.GOING, GameStanding.GOING)):
        replayed.is_retold = settle_retold(connection, key, stood[0])


def _refusal(replayed: GameReplay, body: EntryBody) -> str:
    """Read the next entry of a game; return why the rules refuse it, '' where they do not."""
    try:
        refusal = replayed.reader.add(body.entry(replayed.players))
    except (BadLine, Contradiction) as error:
        return str(error)
    except Exception as error:  # forged dice may lead a game's rules anywhere: that ends this game, not the table
        _log.exception("hall: an entry cannot be ruled on: %s", body.action)
        return say("entry {number} cannot be ruled on: {why}", number=body.number, why=error or type(error).__name__)
    if refusal is None:
        return ""
    return say("entry {number} is against the rules: {why}", number=body.number, why=refusal.sentence)


def _new_lines(taken: int, head_hash: str, request: EntriesRequest) -> Sequence[LineRequest]:
    """Return the lines after those that were taken; none where some between are missing, which the table sends then.

    Raises _Quarantined where they do not fit on.
    """
    if request.head < taken:
        raise _Quarantined(OLDER)
    previous, first = request.previous, request.lines[0].sequence if request.lines else request.head + 1
    if first - 1 == taken and previous != head_hash:
        raise _Quarantined(FORKED)
    if first - 1 > taken:
        return ()
    for place, line in enumerate(request.lines):
        if line.sequence != first + place or line.hash != line_hash(previous, line.sequence, line.kind, line.body):
            raise _Quarantined(UNHASHED)
        previous = line.hash
        if line.sequence == taken and line.hash != head_hash:
            raise _Quarantined(FORKED)
    return request.lines[max(0, taken - first + 1) :]


def _clock_off_s(told: str, now: datetime) -> float:
    """Return by how many seconds the table's clock is ahead; 0 for a time that cannot be read."""
    try:
        moment = datetime.fromisoformat(told)
    except ValueError:
        return 0.0
    off_s = (moment - now).total_seconds() if moment.tzinfo else 0.0
    return max(-MOST_OFF_S, min(MOST_OFF_S, off_s))
