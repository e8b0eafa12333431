"""A game as the journal holds it, without its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from referee.dice import BadAction, Die
from referee.sentences import say


@dataclass(frozen=True)
class Misreading:
    """A die that the camera reads otherwise than people said: as what, what it shows, and where it lies.

    x_mm, y_mm: its place on the tray; turned_degrees: its rotation, 0 to 90. Its text,
    `traffic:two=traffic:sad@30.0,50.0,12.0`, reads back to the same.
    """

    read: Die
    shows: Die
    x_mm: float
    y_mm: float
    turned_degrees: float

    def __str__(self) -> str:
        return f"{self.read}={self.shows}@{self.x_mm:.1f},{self.y_mm:.1f},{self.turned_degrees:.1f}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what a text says. Raises BadAction."""
        dice, _, place = text.partition("@")
        read, _, shows = dice.partition("=")
        try:
            x_mm, y_mm, turned_degrees = map(float, place.split(","))
        except ValueError as error:
            raise BadAction(say("{text} is no place of a die", text=repr(text))) from error
        return cls(Die.parse(read), Die.parse(shows), x_mm, y_mm, turned_degrees)


@dataclass(frozen=True)
class KeptGame:
    """A game as the journal stores it: its setup and its times. `ended_at` is None until it ends.

    `clock_doubted`: nobody knows whether the clock was right when it began; of a game played elsewhere nobody does.
    `misreadings` are of the dice as they lay when the table was last seen.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str
    started_at: datetime
    ended_at: datetime | None = None
    clock_doubted: bool = False
    misreadings: tuple[Misreading, ...] = ()


@dataclass(frozen=True)
class Ending:
    """When a game was over; `at` is None for a game that goes on after all."""

    at: datetime | None
