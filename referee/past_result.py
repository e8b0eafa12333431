"""How an ended game came out: what decided it, its best moments, and the achievements that players won by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.achievements import Achievement
from referee.play_statistics import PastGame


@dataclass(frozen=True)
class Highlight:
    """A moment of a game to look back at: its name, whose it was, what is said of it, and its entry and picture.

    picture: the name of the picture of the dice then, '' where none was kept.
    """

    name: str
    seat: int
    sentence: str
    entry: int
    picture: str


@dataclass(frozen=True)
class Award:
    """A level of an achievement that the player of a seat reached by a game, at its `entry`; 0 for it as a whole."""

    seat: int
    achievement: Achievement
    level: int
    entry: int = 0


@dataclass(frozen=True)
class Rematch:
    """The same game again: the players in the order of their seats, in which the next one begins."""

    game: str
    players: tuple[str, ...]
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
