"""JSON of past games, and of the statistics that are counted of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from referee.achievements import Occasion, Progress
from referee.dice import BadAction, Die
from referee.past_result import Award, PastResult
from referee.past_steps import PastStep
from referee.phrases import as_sentence
from referee.play_statistics import GameSum, PastGame, PastGameFilter, PastSeat
from referee.refused import Refused
from referee.seat_names import shown_name
from web.schemas.challenge_schemas import CitedSentence
from web.schemas.request_model import Digits, OptionalName, OptionalText, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel, rounded

Figure = Annotated[float, rounded(3)]


@dataclass(frozen=True)
class PastSeatSchema(ResponseModel):
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
    def of(cls, seat: PastSeat) -> PastSeatSchema:
        """Return the JSON of a seat."""
        found, name = seat.result, shown_name(seat.name)
        if found is None:
            return cls(seat.seat, name, seat.player, False, None, None, 0)
        return cls(seat.seat, name, seat.player, found.won, found.score, found.best_turn, found.best_entry)


@dataclass(frozen=True)
class PastGameSchema(ResponseModel):
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
    def of(cls, game: PastGame) -> PastGameSchema:
        """Return the JSON of an ended game."""
        started, ended = (moment.isoformat(timespec="seconds") for moment in (game.started_at, game.ended_at))
        finished = all(seat.result and seat.result.finished for seat in game.seats)
        seats = tuple(map(PastSeatSchema.of, game.seats))
        return cls(game.number, game.game, started, ended, game.clock_doubted, finished, seats)


@dataclass(frozen=True)
class HistoryResponse(ResponseModel):
    """Some ended games, the newest first."""

    games: tuple[PastGameSchema, ...]
    uncounted: Count
    """How many ended games are not counted yet; that goes on in the background."""


@dataclass(frozen=True)
class PastStepSchema(ResponseModel):
    """An entry of an ended game, as it was ruled on when it was made."""

    entry: Count
    at: str
    """When it happened: ISO 8601 in UTC."""
    seat: Count
    """Whose action it was, 0 for none."""
    calls: tuple[CitedSentence, ...]
    is_play: bool
    """False for what was done besides playing: a correction, an answer, a breach."""
    scores: tuple[int, ...]
    """The scores after it, seat by seat."""
    picture: str
    """The name of the kept picture, `/pictures/{name}.jpg`, or ''; old pictures give way to new ones."""
    read: tuple[str, ...]
    """The dice of a throw as the camera read them, `kind:face`, where they count in the test of the dice."""

    @classmethod
    def of(cls, step: PastStep) -> PastStepSchema:
        """Return the JSON of an entry."""
        calls = tuple(CitedSentence(call.sentence, call.rule) for call in step.calls)
        at = step.at.isoformat(timespec="seconds")
        read = tuple(map(str, step.read))
        return cls(step.entry, at, step.seat, calls, step.is_play, step.scores, step.picture, read)


@dataclass(frozen=True)
class PastStepsResponse(ResponseModel):
    """An ended game with all that happened in it, in order."""

    game: PastGameSchema
    steps: tuple[PastStepSchema, ...]


@dataclass(frozen=True)
class GameSumSchema(ResponseModel):
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
    def of(cls, found: GameSum) -> GameSumSchema:
        """Return the JSON of a player's figures at one game."""
        return cls(
            game=found.game,
            games=found.games,
            with_others=found.with_others,
            wins=found.wins,
            average=found.average,
            best_score=found.best_score,
            best_score_in=found.best_score_in,
            best_turn=found.best_turn,
            best_turn_in=found.best_turn_in,
            best_turn_entry=found.best_turn_entry,
            turns=found.turns,
            throws=found.throws,
            stops=found.stops,
            stop_chance=found.stop_chance,
            luck=found.luck,
            points_luck=found.points_luck,
            luck_in_points=found.luck_in_points,
            risk_taken=found.risk_taken,
        )


@dataclass(frozen=True)
class StatisticsResponse(ResponseModel):
    """A player's figures, game by game; against another player those of both in their common games."""

    games: tuple[GameSumSchema, ...]
    theirs: tuple[GameSumSchema, ...]
    """The other player's figures, () without one."""
    uncounted: Count


@dataclass(frozen=True)
class HighlightSchema(ResponseModel):
    """A moment of a game to look back at."""

    name: str
    """`decided`, `best-turn`, `luckiest` or `bold`."""
    seat: Count
    sentence: str
    entry: Count
    picture: str
    """The name of the kept picture, or ''."""


@dataclass(frozen=True)
class AwardSchema(ResponseModel):
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
    def of(cls, award: Award) -> AwardSchema:
        """Return the JSON of an award."""
        won = award.achievement
        return cls(award.seat, won.name, won.title, won.text, award.level, len(won.levels), award.entry)


@dataclass(frozen=True)
class RematchSchema(ResponseModel):
    """The same game again, as it is set up."""

    game: str
    players: tuple[str, ...]
    """In the order of their seats."""
    options: Mapping[str, str]
    die_set: str


@dataclass(frozen=True)
class PastResultResponse(ResponseModel):
    """How an ended game came out. Until it is counted there are neither highlights nor awards."""

    game: PastGameSchema
    is_counted: bool
    scores: tuple[int, ...]
    """The scores at the end, seat by seat; none of a game that the rules of today cannot play again."""
    highlights: tuple[HighlightSchema, ...]
    awards: tuple[AwardSchema, ...]
    rematch: RematchSchema

    @classmethod
    def of(cls, result: PastResult) -> PastResultResponse:
        """Return the JSON of a result."""
        highlights = tuple(
            HighlightSchema(each.name, each.seat, each.sentence, each.entry, each.picture) for each in result.highlights
        )
        again = result.rematch
        return cls(
            PastGameSchema.of(result.game),
            all(seat.result for seat in result.game.seats),
            result.scores,
            highlights,
            tuple(map(AwardSchema.of, result.awards)),
            RematchSchema(again.game, again.players, again.options, again.die_set),
        )


@dataclass(frozen=True)
class ProgressSchema(ResponseModel):
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
class AchievementsResponse(ResponseModel):
    """A player's achievements, and how many ended games are not counted yet."""

    achievements: tuple[ProgressSchema, ...]
    uncounted: Count


@dataclass(frozen=True)
class LinkResponse(ResponseModel):
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
    def wanted(self) -> PastGameFilter:
        """Return the filter that the query names. Raises Refused (INVALID) where `face` names no die."""
        try:
            face = Die.parse(self.face) if self.face else None
        except BadAction as error:
            raise Refused(as_sentence(error)) from None
        return PastGameFilter(self.before, self.game, self.player, self.against, self.dice, face)


class StatisticsQuery(RequestModel):
    """The player with whom another is compared, 0 for none."""

    against: Annotated[Whole, Digits] = 0
    example: ClassVar = {"against": 2}
