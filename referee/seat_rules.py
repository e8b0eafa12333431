"""What a table asks of phones that are bound to a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.game_state import Player
from referee.journal import Actor


@dataclass(frozen=True)
class SeatRules:
    """The table's choices, and the names of the players whose phones are bound.

    own_seat_only: a bound phone's taps for another seat are refused; else they are done, and said on every tablet.
    confirm: what a bound phone does to the score (corrections, take-backs) waits until another seat confirms it.
    """

    own_seat_only: bool = False
    confirm: bool = False
    bound: tuple[str, ...] = ()

    def needs_another(self, by: Actor, players: Sequence[Player]) -> bool:
        """True if another seat has to confirm what the actor does, and there is another seat with a phone."""
        others = {player.name for player in players if player.seat != by.seat}
        return self.confirm and bool(by.seat) and not others.isdisjoint(self.bound)


def seat_of(name: str, players: Sequence[Player]) -> int:
    """Return the seat of the player of that name, 0 where nobody of that name plays."""
    return next((player.seat for player in players if name and player.name == name), 0)
