"""A player's games in figures, and the games that the figures come from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.dice import Die
from referee.game_results import SeatResult


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
