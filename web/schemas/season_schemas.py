"""JSON of a hall's ended games: standings, players and their games, and the keys of programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, ClassVar

from pydantic import PlainSerializer

from referee.sentences import Refused, say
from web.schemas.response_model import Count, Digits, Line, Name, OptionalName, RequestModel, SeatName, Whole

# JSON of a hall's ended games: standings, players and their games, and the keys of programs


MOST_ROWS = 500
Moment = Annotated[str, Line(40, may_be_empty=True)]
EXACT = PlainSerializer(lambda moment: moment.isoformat() if moment else "", return_type=str)
"""Marks a moment that is sent as exactly as it is kept, None as ''."""


@dataclass(frozen=True)
class SeasonFilter:
    """Which ended games are meant: from `since` to before `until`, None for no bound; of one `game`, '' for all."""

    since: datetime | None = None
    until: datetime | None = None
    game: str = ""


@dataclass(frozen=True)
class SeasonRow:
    """A player's finished games in a season."""

    rank: Count
    """Shared by players with as many wins of as many games."""
    player: Count
    name: SeatName
    games: Count
    wins: Count
    best_score: int


@dataclass(frozen=True)
class StandingsResponse:
    """The players of a season, the best first."""

    rows: tuple[SeasonRow, ...]


@dataclass(frozen=True)
class HallPlayer:
    """A player of the hall."""

    number: Count
    name: SeatName
    games: Count
    """Finished games."""
    wins: Count


@dataclass(frozen=True)
class HallPlayersResponse:
    """Players of the hall, by name."""

    players: tuple[HallPlayer, ...]


@dataclass(frozen=True)
class HallSeat:
    """A seat of an ended game."""

    seat: Count
    player: Count
    """The number of the hall's player, 0 for a name that nobody can read."""
    name: SeatName
    score: int
    won: bool


@dataclass(frozen=True)
class HallGame:
    """An ended game of a table."""

    table: Count
    table_name: str
    number: Count
    game: str
    title: str
    """What people call the game; its name where this program does not know it."""
    started_at: Annotated[datetime, EXACT]
    ended_at: Annotated[datetime, EXACT]
    finished: bool
    """False for a game that was left before its end."""
    seats: tuple[HallSeat, ...]


@dataclass(frozen=True)
class PlayerHistoryResponse:
    """A player of the hall with ended games, the last first."""

    player: HallPlayer
    games: tuple[HallGame, ...]


@dataclass(frozen=True)
class ApiKey:
    """A key by which a program reads; the secret itself is shown once, and only its hash is kept."""

    number: Count
    name: str
    made_at: Annotated[datetime, EXACT]
    used_at: Annotated[datetime | None, EXACT]
    """'' for one that was never used."""


@dataclass(frozen=True)
class ApiKeysResponse:
    """The keys of the club's programs; `secret` is that of the one just made, shown this once, else ''."""

    keys: tuple[ApiKey, ...]
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
