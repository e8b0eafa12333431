"""What the pages ask of players, past games, challenges and fair dice, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar

from pydantic import Field

from referee import past_result
from referee.dice import BadAction, Die
from referee.fair_play import MARK_TITLES, FairPlayMark, FairPlayTurn, GameReport
from referee.feats import Occasion, Progress
from referee.known_players import COLOURS, PICTURES, ForgetWishes, KnownPlayer, VoiceWish
from referee.phrases import as_sentence, shown_name
from referee.sentences import Refused, say
from web.schemas.response_model import (
    Count,
    Digits,
    NameTitle,
    Needs,
    OptionalName,
    OptionalText,
    RequestModel,
    Whole,
    rounded,
)

# JSON of past games, and of the statistics that are counted of them


Figure = Annotated[float, rounded(3)]


@dataclass(frozen=True)
class PastSeatSchema:
    """A seat of an ended game."""

    seat: Count
    name: str
    player: Count
    """The number of the remembered player, 0 for a forgotten name."""
    won: bool
    score: int | None
    """null until the game is counted."""
    best_turn: int | None
    best_entry: Count
    """The entry that ended the best turn, 0 without one."""

    @classmethod
    def of(cls, seat: past_result.PastSeat) -> PastSeatSchema:
        found, name = seat.result, shown_name(seat.name)
        if found is None:
            return cls(seat.seat, name, seat.player, False, None, None, 0)
        return cls(seat.seat, name, seat.player, found.won, found.score, found.best_turn, found.best_entry)


@dataclass(frozen=True)
class PastGameSchema:
    """An ended game."""

    number: Count
    game: str
    started_at: str
    ended_at: str
    clock_doubted: bool
    """True if nobody knows whether the times are right."""
    finished: bool
    """False for a game that was left before its end, and for one that is not counted yet."""
    seats: tuple[PastSeatSchema, ...]

    @classmethod
    def of(cls, game: past_result.PastGame) -> PastGameSchema:
        started, ended = (moment.isoformat(timespec="seconds") for moment in (game.started_at, game.ended_at))
        finished = all(seat.result and seat.result.finished for seat in game.seats)
        seats = tuple(map(PastSeatSchema.of, game.seats))
        return cls(game.number, game.game, started, ended, game.clock_doubted, finished, seats)


@dataclass(frozen=True)
class HistoryResponse:
    """Some ended games, the newest first."""

    games: tuple[PastGameSchema, ...]
    uncounted: Count
    """How many ended games are not counted yet; that goes on in the background."""


@dataclass(frozen=True)
class PastStepsResponse:
    """An ended game with all that happened in it, in order."""

    game: PastGameSchema
    steps: tuple[past_result.PastStep, ...]


@dataclass(frozen=True)
class GameSumSchema:
    """All finished games of a player at one game. What stands behind a figure is named by games and entries."""

    game: str
    games: Count
    with_others: Count
    wins: Count
    average: Figure
    best_score: int
    best_score_in: Count
    """The number of the game with the best score."""
    best_turn: int
    best_turn_in: Count
    best_turn_entry: Count
    turns: Count
    throws: Count
    stops: Count
    """How many throws the rules stopped."""
    stop_chance: Figure
    """How many they stop on average, by the exact chances."""
    luck: Figure | None
    """How many standard deviations fewer throws were stopped than on average; null where chance has no say."""
    points_luck: Figure
    """The points that throws brought, less what they bring on average."""
    luck_in_points: Figure | None
    risk_taken: Figure | None
    """The mean chance to lose the turn, of throws that risked points."""

    @classmethod
    def of(cls, found: past_result.GameSum) -> GameSumSchema:
        """Return the JSON of a player's figures at one game."""
        return cls(**{figure.name: getattr(found, figure.name) for figure in fields(cls)})


@dataclass(frozen=True)
class StatisticsResponse:
    """A player's figures, game by game; against another player those of both in their common games."""

    games: tuple[GameSumSchema, ...]
    theirs: tuple[GameSumSchema, ...]
    """The other player's figures, () without one."""
    uncounted: Count


@dataclass(frozen=True)
class AwardSchema:
    """A level of an achievement that the player of a seat reached by a game."""

    seat: Count
    name: str
    title: str
    text: str
    level: Count
    levels: Count
    """How many levels there are."""
    entry: Count
    """The entry by which it was reached, 0 for the game as a whole."""

    @classmethod
    def of(cls, award: past_result.Award) -> AwardSchema:
        won = award.achievement
        return cls(award.seat, won.name, won.title, won.text, award.level, len(won.levels), award.entry)


@dataclass(frozen=True)
class PastResultResponse:
    """How an ended game came out. Until it is counted there are neither highlights nor awards."""

    game: PastGameSchema
    is_counted: bool
    scores: tuple[int, ...]
    """The scores at the end, seat by seat; none of a game that the rules of today cannot play again."""
    highlights: tuple[past_result.Highlight, ...]
    awards: tuple[AwardSchema, ...]
    rematch: past_result.Rematch

    @classmethod
    def of(cls, result: past_result.PastResult) -> PastResultResponse:
        return cls(
            PastGameSchema.of(result.game),
            all(seat.result for seat in result.game.seats),
            result.scores,
            result.highlights,
            tuple(map(AwardSchema.of, result.awards)),
            result.rematch,
        )


@dataclass(frozen=True)
class ProgressSchema:
    """How far a player has come with an achievement."""

    name: str
    title: str
    text: str
    level: Count
    levels: Count
    """How many levels there are."""
    occasions: Count
    next: Count
    """The occasions that the next level takes, 0 at the highest one."""
    reached_in: Count
    """The number of the game in which the present level was reached, 0 at none."""
    reached_entry: Count

    @classmethod
    def of(cls, found: Progress) -> ProgressSchema:
        """Return the JSON of a player's progress."""
        one, where = found.achievement, found.reached or Occasion(0)
        counts = (found.level, len(one.levels), found.occasions, found.next)
        return cls(one.name, one.title, one.text, *counts, where.game, where.entry)


@dataclass(frozen=True)
class AchievementsResponse:
    """A player's achievements, and how many ended games are not counted yet."""

    achievements: tuple[ProgressSchema, ...]
    uncounted: Count


@dataclass(frozen=True)
class LinkResponse:
    """A link that opens another program."""

    link: str


class HistoryQuery(RequestModel):
    """Which ended games are wanted: 0 and '' narrow nothing."""

    before: Annotated[Whole, Digits] = 0
    game: OptionalName = ""
    player: Annotated[Whole, Digits] = 0
    against: Annotated[Whole, Digits] = 0
    dice: OptionalName = ""
    """The name of a die set."""
    face: OptionalText = ""
    """A die, `kind:face`, as the camera read it in a throw."""
    example: ClassVar = {"before": 100, "game": "toss-up", "player": 1, "against": 2, "dice": "toss-up"}

    @property
    def wanted(self) -> past_result.PastGameFilter:
        """Return the filter that the query names. Raises Refused (INVALID) where `face` names no die."""
        try:
            face = Die.parse(self.face) if self.face else None
        except BadAction as error:
            raise Refused(as_sentence(error)) from None
        return past_result.PastGameFilter(self.before, self.game, self.player, self.against, self.dice, face)


class StatisticsQuery(RequestModel):
    """The player with whom another is compared, 0 for none."""

    against: Annotated[Whole, Digits] = 0
    example: ClassVar = {"against": 2}


# JSON of the remembered players, and of what changes them


@dataclass(frozen=True)
class PlayersResponse:
    """All remembered players, and the looks that they may choose."""

    players: tuple[KnownPlayer, ...]
    colours: tuple[str, ...] = COLOURS
    pictures: tuple[str, ...] = PICTURES


class ForgetPlayerRequest(RequestModel):
    """What becomes of voices that bear the name, and which of the copies are deleted."""

    voices: Annotated[VoiceWish, Needs(say("A recorded voice can be renamed or deleted."))] = "rename"
    copies: Annotated[list[str], Needs(say("Say which copies, as a list of their names."))] = Field(
        default=[], max_length=1000
    )
    example: ClassVar = {"voices": "delete", "copies": ["vander-backup-20261121-120000.zip"]}

    @property
    def wishes(self) -> ForgetWishes:
        return ForgetWishes(self.voices, tuple(self.copies))


class ChangePlayerRequest(RequestModel):
    """Another name, colour or picture for a player; '' leaves each as it is."""

    name: OptionalName = ""
    colour: OptionalName = ""
    picture: OptionalName = ""
    example: ClassVar = {"name": "Ann", "colour": "teal", "picture": "owl"}


class MergePlayerRequest(RequestModel):
    """The player to whom all games of this one go."""

    into: Whole
    example: ClassVar = {"into": 2}


# JSON of the test of the dice: how often each face was read, and how often a fair die is read so


Read = Annotated[float, rounded(1)]


@dataclass(frozen=True)
class FairFaceSchema:
    """A face of a kind of dice."""

    face: str
    title: str
    read: Count
    expected: Read
    """How often a fair die is read so on average, this table's misreads included."""
    low: Read
    """Between `low` and `high` lie all faces of a fair die in 95 of 100 cases."""
    high: Read


@dataclass(frozen=True)
class FairKindSchema:
    """A kind of dice: all dice of it are tested together."""

    kind: str
    title: str
    dice: Count
    needed: Count
    """How many dice find one loaded by 20 % in 8 of 10 cases; 0 while misreads are hardly known."""
    p_value: Annotated[float, rounded(4)]
    """The share of fair dice that are read as unevenly by chance."""
    is_suspicious: bool
    """True if fewer than 5 of 100 fair dice are read as unevenly."""
    faces: tuple[FairFaceSchema, ...]


@dataclass(frozen=True)
class FairnessResponse:
    """The test of the dice of one set."""

    die_set: str
    title: str
    kinds: tuple[FairKindSchema, ...]
    """The kinds of which dice were read."""


@dataclass(frozen=True)
class FairnessOverview:
    """The die sets that can be tested, and what the test rests on."""

    die_sets: tuple[NameTitle, ...]
    checked: Count
    """Of so many dice, chosen at random, people said whether they were read right."""
    wrong: Count
    """So many of these were read wrong."""
    uncounted: Count
    """How many ended games are not counted yet."""


@dataclass(frozen=True)
class CheckedDieSchema:
    """A die that people checked: the titles of the face that was read, and of the one that it shows."""

    kind: str
    read: str
    shows: str
    is_wrong: bool


@dataclass(frozen=True)
class CheckedThrowSchema:
    """A throw of which people said whether it was read right."""

    number: Count
    """The throws are numbered from 1 in the order of the answers."""
    at: str
    """When people said so: ISO 8601 in UTC."""
    clock_doubted: bool
    """True if the clock may have been wrong then: in that game, or since the answers' times are out of order there."""
    game: str
    """The name of the game, '' where the journal does not hold it any more."""
    past_game: Count
    """The number of the game where it has ended, else 0."""
    entry: Count
    picture: str
    """The name of the kept picture, `/pictures/{name}.jpg`, or ''; old pictures give way to new ones."""
    dice: tuple[CheckedDieSchema, ...]


@dataclass(frozen=True)
class CheckedThrowsResponse:
    """Some of the throws that people checked, the newest first."""

    throws: tuple[CheckedThrowSchema, ...]
    has_more: bool
    unnamed: Count
    """Of so many checked dice only the number is kept, since they were checked by an earlier version."""


class CheckedThrowsQuery(RequestModel):
    """Which throws are wanted: those below a number, 0 for the newest; only those with a die that was read wrong."""

    before: Annotated[Whole, Digits] = 0
    wrong: Annotated[Whole, Digits] = 0
    """1 for these only."""
    example: ClassVar = {"before": 20, "wrong": 1}


# JSON of the fair-play reports: what people, hands and blind moments did to each game, turn by turn


@dataclass(frozen=True)
class MarkCount:
    """How often something happened in a game."""

    mark: FairPlayMark
    title: str
    count: Count


@dataclass(frozen=True)
class DeviceCount:
    """How much of it a device did; '' for one without a name."""

    device: str
    count: Count


@dataclass(frozen=True)
class GameFairPlay:
    """The fair-play report of a game."""

    number: Count
    game: str
    players: tuple[str, ...]
    started: str
    """When the game was set up, in ISO 8601."""
    blind_s: Annotated[float, Field(ge=0), rounded(1)]
    """For how many seconds nobody saw the tray, hands over it not counted."""
    counts: tuple[MarkCount, ...]
    devices: tuple[DeviceCount, ...]
    turns: tuple[FairPlayTurn, ...]


@dataclass(frozen=True)
class FairPlayResponse:
    """The reports of the last games at this table, the newest first."""

    games: tuple[GameFairPlay, ...]


def game_fair_play(game: GameReport) -> GameFairPlay:
    report = game.report
    return GameFairPlay(
        number=game.number,
        game=game.game,
        players=game.players,
        started=game.started.isoformat(),
        blind_s=report.blind_s,
        counts=tuple(MarkCount(mark, MARK_TITLES[mark], count) for mark, count in report.counts.items()),
        devices=tuple(DeviceCount(device, count) for device, count in (report.by_device or {}).items()),
        turns=report.turns,
    )
