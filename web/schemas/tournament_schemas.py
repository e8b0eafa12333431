"""What the pages and programs of a hall are told of seasons and of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PlainSerializer

from referee.sentences import Refused, say
from web.schemas.response_model import (
    FIELD,
    Count,
    Digits,
    Line,
    Name,
    Needs,
    OptionalName,
    RequestModel,
    SeatName,
    Whole,
    YesNo,
)

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
    clock_doubted: bool
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


def read_moment(text: str) -> datetime | None:
    """Return a moment from ISO 8601, in UTC where it names no zone; None for ''. Raises Refused (INVALID)."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Refused(say("{text} is no time such as 2026-09-01.", text=repr(text))) from None


# What the pages of tournaments ask and are answered


LONGEST_TITLE = 60
"""Characters of a tournament's name: a line of a printed sheet."""
MOST_PLAYERS = 256

KindName = Literal["knock-out", "swiss", "round robin", "league"]
StateName = Literal["draft", "going", "over"]


class Decision(StrEnum):
    """What an organiser decides. REFUSED is said by the hall: a corrected game that could not be followed."""

    MADE = "made"
    ENTERED = "entered"
    STARTED = "started"
    DREW = "drew"
    CALLED = "called"
    WAITS_AGAIN = "waits again"
    RESULT = "result"
    WALKOVER = "walkover"
    GAVE_UP = "gave up"
    WITHDREW = "withdrew"
    REINSTATED = "reinstated"
    CAME_LATE = "came late"
    POSTPONED = "postponed"
    KEPT = "kept"
    PLAYED_AGAIN = "played again"
    REFUSED = "refused"
    REMOVED = "removed"


@dataclass(frozen=True)
class EntrantSchema:
    """A player of a tournament, by the hall's number."""

    player: int
    name: str
    withdrawn: bool
    entered_in_round: int
    """1 for who was there at the start."""


@dataclass(frozen=True)
class FixtureGameSchema:
    """A finished game of a match."""

    winner: int
    """The hall's number of the winner, 0 for a tie."""
    scores: tuple[int, ...]
    """In the order of the match's players; empty where nobody knows them."""


@dataclass(frozen=True)
class FixtureSchema:
    """A match of a tournament. A player who is not known yet, or a bye, is 0 with the name ''."""

    number: int
    round: int
    players: tuple[int, int]
    names: tuple[str, str]
    state: str
    """`waiting`, `called`, `playing`, `done` or `void`."""
    end: str
    """How it ended where nobody played: `bye`, `withdrawn`; else ''."""
    wins: tuple[int, int]
    winner: int
    """The hall's number of the winner, 0 for nobody."""
    games: tuple[FixtureGameSchema, ...]
    table: int
    table_name: str
    called_at: str
    """ISO 8601, or ''."""
    late: bool
    """True if the organiser may give a walkover."""
    third_place: bool
    feeders: tuple[int, ...]
    """The matches whose winners meet here; of the match for third place the losers."""
    day: str
    """ISO 8601, or ''."""


@dataclass(frozen=True)
class RoundSchema:
    """A round with its matches."""

    number: int
    title: str
    fixtures: tuple[FixtureSchema, ...]


@dataclass(frozen=True)
class StandingSchema:
    """A row of the standings; `place` is 0 for who does not count."""

    place: int
    player: int
    name: str
    withdrawn: bool
    points: float
    played: int
    won: int
    tied: int
    lost: int
    buchholz: float
    sonneborn_berger: float
    score_difference: int


@dataclass(frozen=True)
class ConflictSchema:
    """What follows from a corrected result and was begun: `now` are its pairs, `corrected` those that would meet."""

    number: int
    """Which of the conflicts it is, from 1."""
    sentence: str
    round: int
    now: tuple[tuple[str, str], ...]
    corrected: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DecisionSchema:
    """A line of what was decided: when (ISO 8601), by whom, and what."""

    at: str
    organiser: str
    title: str
    about: str


@dataclass(frozen=True)
class FreeTable:
    """A table of the hall to which nobody is called."""

    number: int
    name: str
    is_free: bool
    """False where a game goes on, or the table is switched off."""


@dataclass(frozen=True)
class TournamentResponse:
    """A tournament as it stands."""

    number: int
    name: str
    version: int
    """Sent back with each decision: one that was made by an older version than another organiser's is refused."""
    kind: KindName
    kind_title: str
    game: str
    game_title: str
    best_of: int
    state: StateName
    entrants: tuple[EntrantSchema, ...]
    rounds: tuple[RoundSchema, ...]
    planned_rounds: int
    standings: tuple[StandingSchema, ...]
    may_draw: bool
    """True if the next round can be drawn now."""
    may_enter: bool
    """True if a player may still come in after the first round."""
    can_be_called: int
    """How many matches can be called to the tables that are free now."""
    waiting: int
    """How many matches wait whose players are free."""
    conflicts: tuple[ConflictSchema, ...]
    tables: tuple[FreeTable, ...]
    decisions: tuple[DecisionSchema, ...]

    @property
    def at_tables(self) -> tuple[FixtureSchema, ...]:
        """Return the matches that are called or played, by the name of the table."""
        found = (one for round_ in self.rounds for one in round_.fixtures if one.state in ("called", "playing"))
        return tuple(sorted(found, key=lambda one: (len(one.table_name), one.table_name)))

    @property
    def current_round(self) -> RoundSchema | None:
        """Return the first round that is not over, else the last one; None before the start."""
        going = (one for one in self.rounds if any(match.state not in ("done", "void") for match in one.fixtures))
        return next(going, self.rounds[-1] if self.rounds else None)

    @property
    def third_place(self) -> FixtureSchema | None:
        """Return the match for third place, None where there is none."""
        return next((one for round_ in self.rounds for one in round_.fixtures if one.third_place), None)

    @property
    def bracket(self) -> tuple[RoundSchema, ...]:
        """Return the rounds of a knock-out as they are drawn: two matches above each other feed the one behind them."""
        found = {one.number: one for round_ in self.rounds for one in round_.fixtures}
        columns: list[RoundSchema] = []
        for round_ in reversed(self.rounds):
            fed = [found[number] for one in columns[-1].fixtures for number in one.feeders] if columns else ()
            last = [one for one in round_.fixtures if not one.third_place]
            columns.append(RoundSchema(round_.number, round_.title, tuple(fed or last)))
        return tuple(reversed(columns))


@dataclass(frozen=True)
class TournamentHeading:
    """A tournament in the list; `winners` are those in the first place when it is over."""

    number: int
    name: str
    kind: KindName
    kind_title: str
    game_title: str
    state: StateName
    players: int
    made_at: str
    round_title: str
    winners: tuple[str, ...]


@dataclass(frozen=True)
class TournamentsResponse:
    """The tournaments of the hall, the last one first."""

    tournaments: tuple[TournamentHeading, ...]


@dataclass(frozen=True)
class MadeTournamentResponse:
    """The number of a tournament that was made."""

    number: int


@dataclass(frozen=True)
class TournamentVersionResponse:
    """How often a tournament has changed, for pages that show it."""

    version: int


Players = Annotated[
    list[Name],
    Field(max_length=MOST_PLAYERS),
    Needs(say("The request needs {field} as a list of at most {most} names.", field=FIELD, most=MOST_PLAYERS)),
]
Options = Annotated[
    dict[Annotated[str, Line(40)], Annotated[str, Line(40)]],
    Needs(say("The request needs {field} as an object of texts.", field=FIELD)),
]
Kind = Annotated[
    KindName, Needs(say("The request needs {field} as knock-out, swiss, round robin or league.", field=FIELD))
]
Day = Annotated[str, Line(10, may_be_empty=True)]
Scores = Annotated[
    list[Annotated[int, Field(ge=-(10**9), le=10**9)]],
    Field(max_length=2),
    Needs(say("The request needs {field} as two whole numbers, or none.", field=FIELD)),
]


class NewTournamentRequest(RequestModel):
    """What is agreed before the first round."""

    example: ClassVar = {
        "name": "Club cup",
        "kind": "knock-out",
        "game": "toss-up",
        "players": ["Ann", "Bob", "Cid", "Dot"],
        "start": True,
    }

    name: Annotated[str, Line(LONGEST_TITLE, called=say("a name"))]
    kind: Kind
    game: Name
    options: Options = Field(default_factory=dict)
    players: Players
    start: YesNo
    """False for one whose players are still coming."""
    in_order: YesNo = False
    """True if the first of `players` is the strongest, and so on; else they are seeded by lot."""
    best_of: Whole = 1
    rounds: Whole = 0
    """Of a Swiss tournament; 0 for as many as find one winner."""
    twice: YesNo = False
    third_place: YesNo = False
    first_day: Day = ""
    """Of a league, ISO 8601."""
    every_days: Annotated[Whole, Field(ge=1, le=366)] = 7
    walkover_minutes: Whole = 10


class VersionRequest(RequestModel):
    """The version of the tournament by which somebody decides."""

    example: ClassVar = {"version": 1}
    version: Whole


class EnterPlayersRequest(VersionRequest):
    """Who is to play in a tournament that has not begun."""

    example: ClassVar = {"version": 1, "players": ["Ann", "Bob"]}
    players: Players


class StartTournamentRequest(VersionRequest):
    """Draw the first round."""

    in_order: YesNo = False


class FixtureRequest(VersionRequest):
    """A match of the tournament."""

    example: ClassVar = {"version": 1, "fixture": 1}
    fixture: Whole


class CallPlayersRequest(FixtureRequest):
    """The table to which the players of a match are called; one that is called already goes on there."""

    example: ClassVar = {"version": 1, "fixture": 1, "table": 1}
    table: Whole


class FixtureGameRequest(RequestModel):
    """A game of a match: its winner by the hall's number, 0 for a tie, and its scores where they are known."""

    winner: Whole
    scores: Scores = Field(default_factory=list)


class ResultRequest(FixtureRequest):
    """All games of a match; none takes the result back."""

    example: ClassVar = {"version": 1, "fixture": 1, "games": [{"winner": 1}]}
    games: Annotated[
        list[FixtureGameRequest],
        Field(max_length=25),
        Needs(say("The request needs {field} as a list of games.", field=FIELD)),
    ]


class AbsentRequest(FixtureRequest):
    """Who did not come to a match."""

    example: ClassVar = {"version": 1, "fixture": 1, "absent": [1]}
    absent: Annotated[
        list[Whole], Field(max_length=2), Needs(say("The request needs {field} as a list of players.", field=FIELD))
    ]


class FixturePlayerRequest(FixtureRequest):
    """A player of a match."""

    example: ClassVar = {"version": 1, "fixture": 1, "player": 1}
    player: Whole


class EntrantRequest(VersionRequest):
    """A player of the tournament."""

    example: ClassVar = {"version": 1, "player": 1}
    player: Whole


class LateEntrantRequest(VersionRequest):
    """Who comes after the first round."""

    example: ClassVar = {"version": 1, "name": "Zoe"}
    name: Name
    ties_missed: YesNo = False
    """True if each round of a Swiss tournament that was missed counts as a tie."""


class PostponeRequest(FixtureRequest):
    """Another day for a match of a league."""

    example: ClassVar = {"version": 1, "fixture": 1, "day": "2026-12-24"}
    day: Day


class SettleRequest(VersionRequest):
    """Which conflict is settled, and how."""

    example: ClassVar = {"version": 1, "conflict": 1, "keep": True}
    conflict: Whole
    keep: YesNo
    """True to keep what was played, false to have it played again."""
