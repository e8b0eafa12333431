"""Past games as they are shown: their steps, how they came out, their best moments, and a player's figures. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from referee.calls import CitedSentence
from referee.dice import Die
from referee.feats import Achievement, Feat, SeatFeat
from referee.game_results import SeatResult
from referee.journal import Entry
from referee.phrases import points
from referee.sentences import say

# What an ended game is shown by, entry after entry


@dataclass(frozen=True)
class PastStep:
    """An entry of an ended game, as it was ruled on when it was made: later corrections are steps of their own.

    `seat` is whose action it was, 0 for none.
    """

    entry: int
    at: datetime
    seat: int
    calls: tuple[CitedSentence, ...]
    is_play: bool
    """False for what was done besides playing: a correction, an answer, a breach."""
    scores: tuple[int, ...]
    """The scores after it, seat by seat."""
    picture: str
    """The name of the kept picture, `/pictures/{name}.jpg`, or ''; old pictures give way to new ones."""
    read: tuple[str, ...] = ()
    """The dice of a throw as the camera read them, `kind:face`, where they count in the test of the dice."""


# A player's games in figures, and the games that the figures come from


@dataclass(frozen=True)
class GameSum:
    """All finished games of one player at one game, summed.

    with_others, wins: the games with other players, and how many of these were won: nobody wins alone.
    best_score_in, best_turn_in, best_turn_entry: the numbers of the games, and of the entry, behind both.
    stops to risk: as in `SeatResult`, over all games.
    """

    game: str
    games: int
    with_others: int
    wins: int
    average: float
    best_score: int
    best_score_in: int
    best_turn: int
    best_turn_in: int
    best_turn_entry: int
    turns: int
    throws: int
    stops: int
    stop_chance: float
    stop_variance: float
    points_luck: float
    points_variance: float
    risks: int
    risk: float

    @property
    def luck(self) -> float | None:
        """How many standard deviations fewer throws were stopped than chance stops; None where chance has no say."""
        return deviations(self.stop_chance - self.stops, self.stop_variance)

    @property
    def luck_in_points(self) -> float | None:
        """How many standard deviations more points the throws brought than they bring on average; None without any."""
        return deviations(self.points_luck, self.points_variance)

    @property
    def risk_taken(self) -> float | None:
        """The mean chance to lose the turn, of throws that risked points; None without any."""
        return self.risk / self.risks if self.risks else None


def deviations(difference: float, variance: float) -> float | None:
    """Return a difference from the mean in standard deviations; None where nothing can differ."""
    return difference / variance**0.5 if variance > 0 else None


@dataclass(frozen=True)
class PastGameFilter:
    """Which ended games are wanted; 0, '' and None narrow nothing.

    before: only games below this number. game: of one game, by its name. player, against: in which one player sat, or
    two, by their numbers. die_set: with dice of this set. face: with throws in which the camera read this face.
    """

    before: int = 0
    game: str = ""
    player: int = 0
    against: int = 0
    die_set: str = ""
    face: Die | None = None


ALL_GAMES = PastGameFilter()
"""A filter that narrows nothing."""


@dataclass(frozen=True)
class PastSeat:
    """A seat of an ended game. `player` is the remembered player's number, 0 for none; `result` None until counted."""

    seat: int
    name: str
    player: int
    result: SeatResult | None


@dataclass(frozen=True)
class PastGame:
    """An ended game with its seats. `clock_doubted`: nobody knows whether its times are right."""

    number: int
    game: str
    started_at: datetime
    ended_at: datetime
    clock_doubted: bool
    seats: tuple[PastSeat, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who won, () for a game that was left or is not counted yet."""
        return tuple(seat.name for seat in self.seats if seat.result and seat.result.won)


# How an ended game came out: what decided it, its best moments, and the achievements that players won by it


@dataclass(frozen=True)
class Highlight:
    """A moment of a game to look back at, whose it was, and what is said of it."""

    name: str
    """`decided`, `best-turn`, `luckiest` or `bold`."""
    seat: int
    sentence: str
    entry: int
    picture: str
    """The name of the kept picture of the dice then, or ''."""


@dataclass(frozen=True)
class Award:
    """A level of an achievement that the player of a seat reached by a game, at its `entry`; 0 for it as a whole."""

    seat: int
    achievement: Achievement
    level: int
    entry: int = 0


@dataclass(frozen=True)
class Rematch:
    """The same game again, as it is set up."""

    game: str
    players: tuple[str, ...]
    """In the order of their seats."""
    options: Mapping[str, str]
    die_set: str


@dataclass(frozen=True)
class PastResult:
    """How an ended game came out. Until it is counted there are neither highlights nor awards."""

    game: PastGame
    scores: tuple[int, ...]
    highlights: tuple[Highlight, ...]
    awards: tuple[Award, ...]
    rematch: Rematch


# The best moments of an ended game, with their pictures. Pure


WORTH_TELLING = 0.25
"""A throw that brings as many points in a larger share of all cases was no lucky one."""


def find_highlights(game: PastGame, feats: Sequence[SeatFeat], entries: Sequence[Entry]) -> tuple[Highlight, ...]:
    """Return the moments of a game that are worth a look: what decided it, the best turn, the luck and the courage."""
    names = {seat.seat: seat.name for seat in game.seats}
    chosen = (*_decided(feats, names), *_best_turn(game), *_luckiest(feats, names), *_boldest(feats, names))
    return tuple(
        Highlight(name, seat, sentence, entry, _picture(entries, entry)) for name, seat, sentence, entry in chosen
    )


_Moment = tuple[str, int, str, int]


def _decided(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    for feat in feats:
        if feat.feat == Feat.DECIDED:
            gained = points(int(feat.value))
            sentence = say("Here {name} took the lead for good, with {points}.", name=names[feat.seat], points=gained)
            yield Feat.DECIDED, feat.seat, sentence, feat.entry


def _best_turn(game: PastGame) -> Iterator[_Moment]:
    counted = [(seat, seat.result) for seat in game.seats if seat.result and seat.result.best_turn > 0]
    if counted:
        seat, result = max(counted, key=lambda each: each[1].best_turn)
        sentence = say("{name} made the best turn: {points}.", name=seat.name, points=points(result.best_turn))
        yield "best-turn", seat.seat, sentence, result.best_entry


def _luckiest(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    lucky = [feat for feat in feats if feat.feat == Feat.LUCKIEST and feat.value <= WORTH_TELLING]
    for feat in sorted(lucky, key=lambda each: each.value)[:1]:
        sentence = say(
            "{name} made the luckiest throw: {share} of 100 such throws bring as many points.",
            name=names[feat.seat],
            share=_of_hundred(feat.value),
        )
        yield Feat.LUCKIEST, feat.seat, sentence, feat.entry


def _boldest(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    bold = [feat for feat in feats if feat.feat == Feat.BOLD]
    for feat in sorted(bold, key=lambda each: -each.value)[:1]:
        sentence = say(
            "{name} dared the most: such a turn is lost in {share} of 100 cases.",
            name=names[feat.seat],
            share=_of_hundred(feat.value),
        )
        yield Feat.BOLD, feat.seat, sentence, feat.entry


def _of_hundred(chance: float) -> str:
    """Return a chance as so many of 100, with a decimal below ten."""
    share = 100 * chance
    return f"{share:.0f}" if share >= 10 else f"{share:.1g}"


def _picture(entries: Sequence[Entry], number: int) -> str:
    """Return the picture of the dice at an entry: its own, else the last one before it."""
    kept = [entry.evidence for entry in entries if entry.evidence and entry.number <= number]
    return kept[-1] if kept else ""
