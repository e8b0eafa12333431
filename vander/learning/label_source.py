"""What people say of dice, and how it came that they said it."""

from __future__ import annotations

from collections.abc import Mapping
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
