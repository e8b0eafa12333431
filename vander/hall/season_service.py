"""A season as pages and programs see it; implements `web.schemas.season_values.SeasonBackend`."""

from __future__ import annotations

import csv
import json
import secrets
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from time import monotonic

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from models.die_sets import DieSetSource
from referee.dice import DieSet
from referee.record_format import BadRecord
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.access.device_registry import key_digest
from vander.hall import hall_games, season
from vander.hall.game_replays import GameKey, open_dice
from vander.hall.hall_schema import API_KEYS
from vander.hall.known_keys import KnownKeys
from vander.hall.request_rates import RequestRates
from vander.memory.play_export import plain_cell
from vander.memory.record_export import ZipPieces, record_of
from vander.storage.stored_game import KeptGame
from web.schemas.season_values import (
    ApiKey,
    HallGame,
    HallPlayer,
    SeasonFilter,
    SeasonRow,
)

COLUMNS = ("table", "number", "game", "started_at", "ended_at", "finished", "seat", "player", "score", "won")
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
            return season.standings(connection, wanted, most)

    def player(self, number: int) -> HallPlayer:
        """Return a player. Raises Refused (NOT_FOUND)."""
        with self._engine.connect() as connection:
            found = season.find_player(connection, number)
        if found is None:
            raise Refused(say("The hall knows no such player."), Reason.NOT_FOUND)
        return found

    def player_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return a player's games that ended before a time, the last first."""
        with self._engine.connect() as connection:
            return season.player_games(connection, number, before, most)

    def find_players(self, part: str, most: int) -> Sequence[HallPlayer]:
        """Return the players whose name holds this part, by name; all for ''."""
        with self._engine.connect() as connection:
            return season.find_players(connection, part, most)

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
        return season.ended_games(self._engine, wanted)

    def _csv(self, wanted: SeasonFilter) -> Iterator[bytes]:
        text = StringIO()
        rows = csv.writer(text, lineterminator="\r\n")
        rows.writerow(COLUMNS)
        for game in self._games(wanted):
            for seat in game.seats:
                heading = (plain_cell(game.table_name), game.number, game.game)
                when = (game.started_at.isoformat(), game.ended_at.isoformat(), game.finished)
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
        when = (row.started_at, row.ended_at, row.clock_doubted)
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
        "finished": game.finished,
        "seats": [
            {"seat": seat.seat, "player": seat.name, "score": seat.score, "won": seat.won} for seat in game.seats
        ],
    }
