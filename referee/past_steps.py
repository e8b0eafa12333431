"""What an ended game is shown by, entry after entry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.calls import Call
from referee.dice import Die


@dataclass(frozen=True)
class PastStep:
    """An entry of an ended game, as it was ruled on when it was made: later corrections are steps of their own.

    `seat` is whose action it was, 0 for none. `is_play`: False for what was done besides playing. `scores` are those
    after it, seat by seat; `picture` is the name of the picture that was kept with it, or ''. `read` are the dice of a
    throw as the camera read them, where they count in the test of the dice.
    """

    entry: int
    at: datetime
    seat: int
    calls: tuple[Call, ...]
    is_play: bool
    scores: tuple[int, ...]
    picture: str
    read: tuple[Die, ...] = ()
