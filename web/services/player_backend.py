"""What the pages of the players need of the running program. Any thread may call any method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.known_players import ForgetWishes, ForgottenPlayer, KnownPlayer, NameTraces


class PlayerBackend(Protocol):
    """The players whom the table remembers, by their numbers. Refusals are `Refused`."""

    def players(self) -> Sequence[KnownPlayer]:
        """Return the players who are remembered, in the order in which they came."""

    def player(self, number: int) -> KnownPlayer:
        """Return the player of that number. Raises Refused (NOT_FOUND)."""

    def change(self, number: int, *, name: str = "", colour: str = "", picture: str = "") -> None:
        """Give a player another name, colour or picture; '' leaves each as it is."""

    def merge(self, number: int, into: int) -> None:
        """Make one player of two: the first one's games are the other's."""

    def traces(self, number: int) -> NameTraces:
        """Return what holds a player's name besides the journal, and is the owner's to decide on."""

    def forget(self, number: int, wishes: ForgetWishes) -> ForgottenPlayer:
        """Take a player's name out of everything that is kept; the games stay."""
