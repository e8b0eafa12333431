"""JSON of a hall's ended games: standings, players and their games, and the keys of programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, ClassVar

from referee.games import named
from referee.refused import Refused
from referee.seat_names import shown_name
from referee.sentences import say
from web.schemas.request_model import Digits, Line, Name, OptionalName, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel
from web.schemas.season_values import ApiKey, HallGame, HallPlayer, HallSeat, SeasonFilter, SeasonRow

MOST_ROWS = 500
Moment = Annotated[str, Line(40, may_be_empty=True)]


@dataclass(frozen=True)
class SeasonRowSchema(ResponseModel):
    """A player's finished games in a season."""

    rank: Count
    """Shared by players with as many wins of as many games."""
    player: Count
    name: str
    games: Count
    wins: Count
    best_score: int

    @classmethod
    def of(cls, row: SeasonRow) -> SeasonRowSchema:
        """Return the JSON of a row."""
        return cls(row.rank, row.player, shown_name(row.name), row.games, row.wins, row.best_score)


@dataclass(frozen=True)
class StandingsResponse(ResponseModel):
    """The players of a season, the best first."""

    rows: tuple[SeasonRowSchema, ...]


@dataclass(frozen=True)
class HallPlayerSchema(ResponseModel):
    """A player of the hall."""

    number: Count
    name: str
    games: Count
    """Finished games."""
    wins: Count

    @classmethod
    def of(cls, player: HallPlayer) -> HallPlayerSchema:
        """Return the JSON of a player."""
        return cls(player.number, shown_name(player.name), player.games, player.wins)


@dataclass(frozen=True)
class HallPlayersResponse(ResponseModel):
    """Players of the hall, by name."""

    players: tuple[HallPlayerSchema, ...]


@dataclass(frozen=True)
class HallSeatSchema(ResponseModel):
    """A seat of an ended game."""

    seat: Count
    player: Count
    """The number of the hall's player, 0 for a name that nobody can read."""
    name: str
    score: int
    won: bool

    @classmethod
    def of(cls, seat: HallSeat) -> HallSeatSchema:
        """Return the JSON of a seat."""
        return cls(seat.seat, seat.player, shown_name(seat.name), seat.score, seat.won)


@dataclass(frozen=True)
class HallGameSchema(ResponseModel):
    """An ended game of a table."""

    table: Count
    table_name: str
    number: Count
    game: str
    title: str
    """What people call the game."""
    started_at: str
    ended_at: str
    finished: bool
    """False for a game that was left before its end."""
    seats: tuple[HallSeatSchema, ...]

    @classmethod
    def of(cls, game: HallGame) -> HallGameSchema:
        """Return the JSON of a game."""
        when = (game.started_at.isoformat(), game.ended_at.isoformat())
        seats = tuple(map(HallSeatSchema.of, game.seats))
        heading = (game.table, game.table_name, game.number, game.game, _title_of(game.game))
        return cls(*heading, *when, game.finished, seats)


def _title_of(game: str) -> str:
    """Return what a game is called; its name where this program does not know it."""
    try:
        return named(game).title
    except LookupError:
        return game


@dataclass(frozen=True)
class PlayerHistoryResponse(ResponseModel):
    """A player of the hall with ended games, the last first."""

    player: HallPlayerSchema
    games: tuple[HallGameSchema, ...]


@dataclass(frozen=True)
class ApiKeySchema(ResponseModel):
    """A key by which a program reads."""

    number: Count
    name: str
    made_at: str
    used_at: str
    """'' for one that was never used."""

    @classmethod
    def of(cls, key: ApiKey) -> ApiKeySchema:
        """Return the JSON of a key."""
        return cls(key.number, key.name, key.made_at.isoformat(), key.used_at.isoformat() if key.used_at else "")


@dataclass(frozen=True)
class ApiKeysResponse(ResponseModel):
    """The keys of the club's programs; `secret` is that of the one just made, shown this once, else ''."""

    keys: tuple[ApiKeySchema, ...]
    secret: str = ""


class SeasonQuery(RequestModel):
    """Which ended games are meant: '' bounds nothing."""

    since: Moment = ""
    """ISO 8601, a day or a moment; a day begins at midnight UTC."""
    until: Moment = ""
    """The first moment that does not count any more."""
    game: OptionalName = ""
    most: Annotated[Whole, Digits] = 100
    example: ClassVar = {"since": "2026-09-01", "until": "2027-07-01", "game": "toss-up", "most": 100}

    @property
    def wanted(self) -> SeasonFilter:
        """Return the filter. Raises Refused (INVALID) for what is no time."""
        return SeasonFilter(read_moment(self.since), read_moment(self.until), self.game)

    @property
    def rows(self) -> int:
        """Return how many rows are wanted, MOST_ROWS at most."""
        return max(1, min(MOST_ROWS, self.most))


class FindPlayersQuery(RequestModel):
    """A part of the names of the players who are wanted, '' for all."""

    name: OptionalName = ""
    most: Annotated[Whole, Digits] = 100
    example: ClassVar = {"name": "an", "most": 20}

    @property
    def rows(self) -> int:
        """Return how many rows are wanted, MOST_ROWS at most."""
        return max(1, min(MOST_ROWS, self.most))


class PlayerGamesQuery(RequestModel):
    """Games that ended before a time, '' for the last ones."""

    before: Moment = ""
    most: Annotated[Whole, Digits] = 50
    example: ClassVar = {"before": "2026-11-01T00:00:00+00:00", "most": 50}

    @property
    def until(self) -> datetime | None:
        """Return the time. Raises Refused (INVALID) for what is no time."""
        return read_moment(self.before)

    @property
    def rows(self) -> int:
        """Return how many games are wanted, MOST_ROWS at most."""
        return max(1, min(MOST_ROWS, self.most))


class NewKeyRequest(RequestModel):
    """What the program is called that gets a key."""

    example: ClassVar = {"name": "Club site"}
    name: Name


class DropKeyRequest(RequestModel):
    """Which key is taken back."""

    number: Whole


def read_moment(text: str) -> datetime | None:
    """Return a moment from ISO 8601, in UTC where it names no zone; None for ''. Raises Refused (INVALID)."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Refused(say("{text} is no time such as 2026-09-01.", text=repr(text))) from None
