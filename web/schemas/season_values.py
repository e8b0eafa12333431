"""What is known of a hall's ended games, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class SeasonFilter:
    """Which ended games are meant: from `since` to before `until`, None for no bound; of one `game`, '' for all."""

    since: datetime | None = None
    until: datetime | None = None
    game: str = ""


@dataclass(frozen=True)
class SeasonRow:
    """A player's finished games in a season. `rank` is shared by players with as many wins of as many games."""

    rank: int
    player: int
    name: str
    games: int
    wins: int
    best_score: int


@dataclass(frozen=True)
class HallSeat:
    """A seat of a game in the hall; `player` is 0 for a name that nobody can read."""

    seat: int
    player: int
    name: str
    score: int
    won: bool


@dataclass(frozen=True)
class HallGame:
    """An ended game of a table. `finished` is False for one that was left before its end."""

    table: int
    table_name: str
    number: int
    game: str
    started_at: datetime
    ended_at: datetime
    finished: bool
    seats: tuple[HallSeat, ...]


@dataclass(frozen=True)
class HallPlayer:
    """A player of the hall, with how many finished games and wins."""

    number: int
    name: str
    games: int
    wins: int


@dataclass(frozen=True)
class ApiKey:
    """A key by which a program may read; the secret itself is shown once, and only its hash is kept."""

    number: int
    name: str
    made_at: datetime
    used_at: datetime | None
