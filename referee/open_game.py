"""A game that stands open: it was begun, is not over, and can be played on, maybe on another evening."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

MOST_OPEN = 20
"""How many games may stand open at once."""


@dataclass(frozen=True)
class OpenGame:
    """An open game. `scores` are () where the rules of today cannot play it again; `played_at` is its last entry's."""

    number: int
    game: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    started_at: datetime
    played_at: datetime
    on_table: bool = False
