"""The ended games of all tables over a season, from the hall's database, for pages and programs."""

from __future__ import annotations

import csv
import json
import secrets
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from itertools import groupby
from time import monotonic
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, case, delete, func, insert, select, tuple_, update
from sqlalchemy.engine import Connection, Engine, Row
from sqlalchemy.exc import IntegrityError

from models.die_sets import DieSetSource
from referee.dice import DieSet
from referee.games import title_of
from referee.phrases import SEAT_NAME
from referee.record_parser import BadRecord
from referee.sentences import Reason, Refused, say
from vander.access.devices import key_digest
from vander.extras.players.exports import ZipPieces, plain_cell, record_of
from vander.hall import hall_games
from vander.hall.game_replays import GameKey, open_dice
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import API_KEYS, GAMES, PLAYERS, SEATS, TABLES
from vander.hall.table_registry import KnownKeys, RequestRates
from vander.storage.journal_schema import KeptGame
from web.schemas.tournament_schemas import ApiKey, HallGame, HallPlayer, HallSeat, SeasonFilter, SeasonRow

# The ended games of all tables over a season, from the hall's database
#
# Sums go over the table of seats alone, which holds the game and its end too: one index leads to the rows of a season
# or of a player, and no game's row is read for them.


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
    row = connection.execute(_players().where(PLAYERS.c.id == number)).first()
    return HallPlayer(row.id, row.name, row.games, row.wins) if row else None


def player_games(connection: Connection, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
    """Return a player's ended games, the last first."""
    return _last_games(connection, SEATS, SEATS.c.player_id == number, before, most)


def table_games(connection: Connection, table: int, before: datetime | None, most: int) -> Sequence[HallGame]:
    """Return a table's ended games, the last first."""
    return _last_games(connection, GAMES, GAMES.c.table_id == table, before, most)


def _last_games(
    connection: Connection, among: Table, whose: ColumnElement[bool], before: datetime | None, most: int
) -> Sequence[HallGame]:
    until = before or datetime.max.replace(tzinfo=UTC)
    theirs = (
        select(among.c.table_id, among.c.game_id)
        .where(whose, among.c.ended_at < until)
        .order_by(among.c.ended_at.desc(), among.c.game_id.desc())
        .limit(most)
    )
    keys = [(row.table_id, row.game_id) for row in connection.execute(theirs)]
    found = {(game.table, game.number): game for game in _games(connection, keys)}
    return [found[key] for key in keys if key in found]


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
    when = (first.started_at, first.ended_at, hall_games.is_clock_doubted(first))
    heading = (first.table_id, first.table_name, first.game_id, first.game, title_of(first.game))
    return HallGame(*heading, *when, finished, seats)


# A season as pages and programs see it


WHEN = ("started_at", "ended_at", "clock_doubted", "finished")
COLUMNS = ("table", "number", "game", *WHEN, "seat", "player", "score", "won")
"""The columns of the CSV: a row for each seat of each game."""
REQUESTS_OF_KEY, WITHIN_S = 120, 60.0
"""How many requests a program may make in a minute."""
NO_KEY = say("This address wants a key of the club, which a keeper makes.")


class SeasonService:
    """The season over the hall's database. Any thread may call any method."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self._engine = engine
        self._rates = RequestRates(clock, REQUESTS_OF_KEY, WITHIN_S)
        self._keys = KnownKeys(self._read_keys, clock)

    def standings(self, wanted: SeasonFilter, most: int) -> Sequence[SeasonRow]:
        """Return the players by wins, then by the share of games won, then by name."""
        with self._engine.connect() as connection:
            return standings(connection, wanted, most)

    def player(self, number: int) -> HallPlayer:
        """Return a player. Raises Refused (NOT_FOUND)."""
        with self._engine.connect() as connection:
            found = find_player(connection, number)
        if found is None:
            raise Refused(say("The hall knows no such player."), Reason.NOT_FOUND)
        return found

    def player_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return a player's games that ended before a time, the last first."""
        with self._engine.connect() as connection:
            return player_games(connection, number, before, most)

    def find_players(self, part: str, most: int) -> Sequence[HallPlayer]:
        """Return the players whose name holds this part, by name; all for ''."""
        with self._engine.connect() as connection:
            return find_players(connection, part, most)

    def plays(self, form: str, wanted: SeasonFilter) -> Iterator[bytes]:
        """Yield the pieces of a file with all games. Raises Refused (NOT_FOUND) for a form that there is not."""
        forms = {"csv": self._csv, "json": self._json, "records": self._records}
        if form not in forms:
            raise Refused(say("Plays come as csv, json or records."), Reason.NOT_FOUND)
        return forms[form](wanted)

    def api_keys(self) -> Sequence[ApiKey]:
        """Return the keys that were not taken back, by name."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(API_KEYS).order_by(API_KEYS.c.name))
            return [ApiKey(row.id, row.name, row.made_at, row.used_at) for row in rows]

    def make_api_key(self, name: str) -> str:
        """Make a key for a program of that name and return it. Raises Refused (CONFLICT)."""
        key = secrets.token_urlsafe(32)
        row = {"name": name, "digest": key_digest(key), "made_at": datetime.now(UTC)}
        try:
            with self._engine.begin() as connection:
                number = connection.execute(insert(API_KEYS).values(row).returning(API_KEYS.c.id)).scalar_one()
        except IntegrityError as error:
            raise Refused(say("There is a key {name} already.", name=name), Reason.CONFLICT) from error
        self._keys.add(key, number)
        return key

    def drop_api_key(self, number: int) -> None:
        """Take a key back. Raises Refused (NOT_FOUND)."""
        with self._engine.begin() as connection:
            if not connection.execute(delete(API_KEYS).where(API_KEYS.c.id == number)).rowcount:
                raise Refused(say("There is no such key."), Reason.NOT_FOUND)
        self._keys.drop(number)

    def check_api_key(self, key: str, network: str = "") -> None:
        """Note that a key is used; `network` is where it comes from.

        Raises Refused: NOT_ALLOWED for one that is not known, TOO_SOON for a flood of requests with it, or of unknown
        keys from there. Neither asks the database.
        """
        number = self._keys.number_of(key, network)
        if number is None:
            raise Refused(NO_KEY, Reason.NOT_ALLOWED)
        self._rates.check(number)
        used = update(API_KEYS).where(API_KEYS.c.id == number).values(used_at=datetime.now(UTC))
        with self._engine.begin() as connection:
            if not connection.execute(used).rowcount:
                raise Refused(NO_KEY, Reason.NOT_ALLOWED)

    def _read_keys(self) -> Mapping[str, int]:
        with self._engine.connect() as connection:
            rows = connection.execute(select(API_KEYS.c.digest, API_KEYS.c.id)).all()
        return {row.digest: row.id for row in rows}

    def _games(self, wanted: SeasonFilter) -> Iterator[HallGame]:
        return ended_games(self._engine, wanted)

    def _csv(self, wanted: SeasonFilter) -> Iterator[bytes]:
        text = StringIO()
        rows = csv.writer(text, lineterminator="\r\n")
        rows.writerow(COLUMNS)
        for game in self._games(wanted):
            for seat in game.seats:
                heading = (plain_cell(game.table_name), game.number, game.game)
                when = (game.started_at.isoformat(), game.ended_at.isoformat(), game.clock_doubted, game.finished)
                rows.writerow((*heading, *when, seat.seat, plain_cell(seat.name), seat.score, seat.won))
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
        yield text.getvalue().encode()

    def _json(self, wanted: SeasonFilter) -> Iterator[bytes]:
        yield b'{"what": "vander hall plays", "format": 1, "plays": ['
        before = "\n"
        for game in self._games(wanted):
            yield (before + json.dumps(_play(game), ensure_ascii=False)).encode()
            before = ",\n"
        yield b"]}\n"

    def _records(self, wanted: SeasonFilter) -> Iterator[bytes]:
        pieces = ZipPieces()
        with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as packed:
            for game in self._games(wanted):
                name = f"table-{game.table}-game-{game.number}-{game.game}"
                try:
                    packed.writestr(f"{name}.txt", self._record((game.table, game.number)))
                except (BadRecord, ValueError, LookupError) as error:
                    packed.writestr(f"{name}.not-written.txt", f"{error}\n")
                yield pieces.take()
        yield pieces.take()

    def _record(self, key: GameKey) -> str:
        with self._engine.connect() as connection:
            row = hall_games.game_row(connection, key)
            if row is None:
                raise LookupError(f"game {key[1]} of table {key[0]} has gone")
            entries = tuple(hall_games.read_entries(connection, key, row.players))
        when = (row.started_at, row.ended_at, hall_games.is_clock_doubted(row))
        kept = KeptGame(row.game_id, row.game, tuple(row.players), row.options, row.die_set, *when)
        set_up = hall_games.read_set_up(row)
        return record_of(kept, entries, (), _OwnDice(open_dice(set_up)))


class _OwnDice(DieSetSource):
    """The dice of one game."""

    def __init__(self, dice: DieSet) -> None:
        self._dice = dice

    def names(self) -> tuple[str, ...]:
        """Return the name of the dice."""
        return (self._dice.name,)

    def load(self, name: str) -> DieSet:
        """Return the dice, whatever they are called."""
        return self._dice


def _play(game: HallGame) -> dict[str, object]:
    return {
        "table": game.table_name,
        "number": game.number,
        "game": game.game,
        "started_at": game.started_at.isoformat(),
        "ended_at": game.ended_at.isoformat(),
        "clock_doubted": game.clock_doubted,
        "finished": game.finished,
        "seats": [
            {"seat": seat.seat, "player": seat.name, "score": seat.score, "won": seat.won} for seat in game.seats
        ],
    }
