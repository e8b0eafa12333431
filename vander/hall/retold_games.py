"""Games that a table tells again under a new pairing, such as from a backup that was put back: each counts once.

No two games begin alike: a game is known again by when it was begun and by its first entry, to the microsecond, whoever
tells it. Numbers and names do not count: a table gives other numbers after a restore, and players are renamed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, select, text, tuple_
from sqlalchemy.engine import Connection, Row

from referee.sentences import say
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import (
    GameStanding,
    count_no_more,
    game_row,
    replay_game_or_none,
    update_game,
    write_standing,
)
from vander.hall.hall_schema import ENTRIES, FIXTURE_GAMES, GAMES, TABLES

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
