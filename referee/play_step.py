"""How a game is played, told in one minute: a few steps, each a short sentence with a picture."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import BoardPart


@dataclass(frozen=True)
class PlayStep:
    """One step: a sentence of 20 words at most, and the parts of a board that picture it."""

    sentence: str
    picture: tuple[BoardPart, ...]
