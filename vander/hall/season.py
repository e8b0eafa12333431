"""The ended games of all tables over a season, from the hall's database.

Sums go over the table of seats alone, which holds the game and its end too: one index leads to the rows of a season or
of a player, and no game's row is read for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select, tuple_
from sqlalchemy.engine import Connection, Engine, Row

from referee.seat_names import SEAT_NAME
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import GAMES, PLAYERS, SEATS, TABLES
from web.schemas.season_values import HallGame, HallPlayer, HallSeat, SeasonFilter, SeasonRow

_WINS = func.count(case((SEATS.c.won, 1)))


def standings(connection: Connection, wanted: SeasonFilter, most: int) -> Sequence[SeasonRow]:
    """Return the players by wins, then by the share of games won, then by name; seats without a name are left out."""
    games = func.count()
    summed = (
        select(SEATS.c.player_id, games.label("games"), _WINS.label("wins"), func.max(SEATS.c.score).label("best"))
        .where(SEATS.c.finished, *_within(SEATS.c.game, SEATS.c.ended_at, wanted))
        .group_by(SEATS.c.player_id)
        .subquery()
    )
    rank = func.rank().over(order_by=(summed.c.wins.desc(), summed.c.games.asc()))
    ranked = (
        select(rank.label("rank"), PLAYERS.c.name, PLAYERS.c.name_key, summed)
        .join(PLAYERS, PLAYERS.c.id == summed.c.player_id)
        .where(~PLAYERS.c.name.regexp_match(SEAT_NAME))
        .order_by("rank", PLAYERS.c.name_key)
        .limit(most)
    )
    return [
        SeasonRow(row.rank, row.player_id, row.name, row.games, row.wins, row.best)
        for row in connection.execute(ranked)
    ]


def find_players(connection: Connection, part: str, most: int) -> Sequence[HallPlayer]:
    """Return the players whose name holds this part, by name."""
    wanted = _players().where(PLAYERS.c.name_key.contains(part.casefold().strip(), autoescape=True))
    rows = connection.execute(wanted.order_by(PLAYERS.c.name_key).limit(most))
    return [HallPlayer(row.id, row.name, row.games, row.wins) for row in rows]


def find_player(connection: Connection, number: int) -> HallPlayer | None:
    """Return a player, or None."""
    row = connection.execute(_players().where(PLAYERS.c.id == number)).first()
    return HallPlayer(row.id, row.name, row.games, row.wins) if row else None


def player_games(connection: Connection, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
    """Return a player's ended games, the last first."""
    until = before or datetime.max.replace(tzinfo=UTC)
    theirs = (
        select(SEATS.c.table_id, SEATS.c.game_id)
        .where(SEATS.c.player_id == number, SEATS.c.ended_at < until)
        .order_by(SEATS.c.ended_at.desc(), SEATS.c.game_id.desc())
        .limit(most)
    )
    keys = [(row.table_id, row.game_id) for row in connection.execute(theirs)]
    found = {(game.table, game.number): game for game in _games(connection, keys)}
    return [found[key] for key in keys if key in found]


def table_games(connection: Connection, table: int, before: datetime | None, most: int) -> Sequence[HallGame]:
    """Return a table's ended games, the last first."""
    until = before or datetime.max.replace(tzinfo=UTC)
    theirs = (
        select(GAMES.c.table_id, GAMES.c.game_id)
        .where(GAMES.c.table_id == table, GAMES.c.ended_at < until)
        .order_by(GAMES.c.ended_at.desc(), GAMES.c.game_id.desc())
        .limit(most)
    )
    keys = [(row.table_id, row.game_id) for row in connection.execute(theirs)]
    found = {game.number: game for game in _games(connection, keys)}
    return [found[number] for _, number in keys if number in found]


def ended_games(engine: Engine, wanted: SeasonFilter, at_once: int = 500) -> Iterator[HallGame]:
    """Yield all ended games of a season in the order of their ends, so many in memory at once.

    Each page has a connection of its own: none is held while a slow client reads.
    """
    last: tuple[datetime, int, int] | None = None
    ordered = (GAMES.c.ended_at, GAMES.c.table_id, GAMES.c.game_id)
    while True:
        after = [] if last is None else [tuple_(*ordered) > last]
        page = (
            select(*ordered)
            .where(GAMES.c.standing == GameStanding.OVER, *_within(GAMES.c.game, GAMES.c.ended_at, wanted), *after)
            .order_by(*ordered)
            .limit(at_once)
        )
        with engine.connect() as connection:
            rows = connection.execute(page).all()
            keys = [(row.table_id, row.game_id) for row in rows]
            found = {(game.table, game.number): game for game in _games(connection, keys)}
        if not rows:
            return
        last = tuple(rows[-1])
        yield from (found[key] for key in keys)


def _players() -> Select[Any]:
    games = func.count(case((SEATS.c.finished, 1)))
    return (
        select(PLAYERS.c.id, PLAYERS.c.name, games.label("games"), _WINS.label("wins"))
        .outerjoin(SEATS, SEATS.c.player_id == PLAYERS.c.id)
        .group_by(PLAYERS.c.id)
    )


def _within(
    game: ColumnElement[str], ended_at: ColumnElement[datetime], wanted: SeasonFilter
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a filter."""
    yield ended_at.is_not(None)
    if wanted.since:
        yield ended_at >= wanted.since
    if wanted.until:
        yield ended_at < wanted.until
    if wanted.game:
        yield game == wanted.game


def _games(connection: Connection, keys: Sequence[tuple[int, int]]) -> Iterator[HallGame]:
    """Yield games with their seats, in no order."""
    if not keys:
        return
    seated = and_(SEATS.c.table_id == GAMES.c.table_id, SEATS.c.game_id == GAMES.c.game_id)
    wanted = (
        select(GAMES, TABLES.c.name.label("table_name"), SEATS.c.seat, SEATS.c.player_id, SEATS.c.score, SEATS.c.won)
        .join(TABLES, TABLES.c.id == GAMES.c.table_id)
        .outerjoin(SEATS, seated)
        .where(tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(keys), GAMES.c.ended_at.is_not(None))
        .order_by(GAMES.c.table_id, GAMES.c.game_id, SEATS.c.seat)
    )
    rows = connection.execute(wanted)
    for _, seats in groupby(rows, key=lambda row: (row.table_id, row.game_id)):
        yield _game(list(seats))


def _game(rows: Sequence[Row[Any]]) -> HallGame:
    first = rows[0]
    known = {row.seat: row for row in rows if row.seat is not None}
    scores = list(first.scores)
    seats = tuple(
        HallSeat(
            seat,
            known[seat].player_id if seat in known else 0,
            name,
            scores[seat - 1] if seat <= len(scores) else 0,
            seat in first.winner,
        )
        for seat, name in enumerate(first.players, start=1)
    )
    finished = bool(first.winner)
    when = (first.started_at, first.ended_at)
    return HallGame(first.table_id, first.table_name, first.game_id, first.game, *when, finished, seats)
