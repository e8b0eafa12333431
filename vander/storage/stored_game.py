"""A game as the journal holds it, without its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class KeptGame:
    """A game as it was set up. `ended_at` is None while it goes on.

    `clock_doubted`: nobody knows whether the clock was right when it began; of a game played elsewhere nobody does.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str
    started_at: datetime
    ended_at: datetime | None = None
    clock_doubted: bool = False


@dataclass(frozen=True)
class Ending:
    """When a game was over; `at` is None for a game that goes on after all."""

    at: datetime | None
