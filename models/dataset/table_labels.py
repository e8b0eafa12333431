"""Labels that people give at the table: the faces they state, the occasion, and the throws they are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from referee.dice import Die

StatedFaces = Mapping[int, tuple[int, Die]]
"""The faces that people stated: for a die's number, the throw that gave it its face, and the die with that face."""


DieOfThrow = tuple[int, int]
"""A die's number, and the throw that gave it its face."""


class LabelSource(StrEnum):
    """Why it is believed what a die shows; the `by` of its label. A person said so, except where it was RULED."""

    ANSWERED = "answered at the table"
    CORRECTED = "corrected at the table"
    CONFIRMED = "confirmed at the table"
    CHECKED = "checked at the table"
    RULED = "settled by a ruling"
    """Nobody was asked about the doubt, and the game knows the face all the same: weaker than an answer."""


@dataclass(frozen=True)
class CheckedDie:
    """A die of a throw that was ruled on. `die` is its reading, `picture` the name of its picture.

    `accepted`: the reading was accepted; `said`: the occasion on which a person stated what the die shows, or None.
    """

    number: int
    throw: int
    die: Die
    picture: str = ""
    accepted: bool = True
    said: LabelSource | None = None

    @property
    def by_itself(self) -> bool:
        """True if the reading was accepted and nobody stated what the die shows."""
        return self.accepted and self.said is None


@dataclass(frozen=True)
class SpotCheck:
    """A throw that people are asked about: the dice of it that were read without help."""

    number: int
    dice: tuple[CheckedDie, ...]


@dataclass(frozen=True)
class AnsweredCheck:
    """A throw of which people said whether it was read right: its game and entry, and what stands of its checked dice.

    dice: each die as it was read, and as it is. at: when people said so, ISO 8601, '' before that is kept.
    """

    game: int
    entry: int
    dice: tuple[tuple[Die, Die], ...]
    at: str = ""

    @property
    def wrong(self) -> int:
        """How many dice were read wrong."""
        return sum(read != true for read, true in self.dice)
