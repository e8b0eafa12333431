"""The board of a game that describes none: the dice that are awaited, and everybody's points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from referee.board import Board, BoardPart, DicePlace, Tally
from referee.dice import Die


class ScoredState(Protocol):
    """What the default board needs of a game's state: `referee.game` imports this module, so it is not named here."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's points."""

    @property
    def dice_awaited(self) -> tuple[Die, ...]:
        """The dice of the throw that is awaited."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act."""

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""


def default_boards(state: ScoredState) -> tuple[Board, ...]:
    """Return one board in the middle of the table; none while there is nothing to show."""
    parts = (*_awaited(state), *_points(state))
    return (Board(0, "The table", parts=parts),) if parts else ()


def _awaited(state: ScoredState) -> Iterator[BoardPart]:
    if state.dice_awaited:
        who = state.name(state.to_act[0]) if len(state.to_act) == 1 else "Everybody"
        yield DicePlace("awaited", f"{who} throws", state.dice_awaited)


def _points(state: ScoredState) -> Iterator[BoardPart]:
    best = max(state.scores, default=0)
    for seat, score in enumerate(state.scores, start=1):
        yield Tally(f"points-{seat}", state.name(seat), score, of=best)
