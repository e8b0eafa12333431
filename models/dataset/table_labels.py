"""Labels that people give at the table: what they say of dice, why, and the throws that they are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from referee.dice import Die

StatedFaces = Mapping[int, tuple[int, Die]]
"""What people said: for a die's number the throw that gave it its face, and the die with that face."""


class LabelSource(StrEnum):
    """How it came that a person said what a die shows; a label's `by`."""

    ANSWERED = "answered at the table"
    CORRECTED = "corrected at the table"
    CONFIRMED = "confirmed at the table"
    CHECKED = "checked at the table"


@dataclass(frozen=True)
class CheckedDie:
    """A die of a throw that was ruled on. `die` is what it was read as, `picture` the name of its picture.

    `accepted`: the reader was sure of itself; `said`: how it came that a person said what the die shows, if one did.
    """

    number: int
    throw: int
    die: Die
    picture: str = ""
    accepted: bool = True
    said: LabelSource | None = None

    @property
    def by_itself(self) -> bool:
        """Whether the reader alone said what the die shows."""
        return self.accepted and self.said is None


@dataclass(frozen=True)
class SpotCheck:
    """A throw that people are asked about: the dice that the reader read by itself."""

    number: int
    dice: tuple[CheckedDie, ...]
