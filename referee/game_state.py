"""The state that all games share: players, who acts, scores, awaited dice, options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.dice import Die, DieSet
from referee.phrases import clockwise, spell_list
from referee.sentences import say


@dataclass(frozen=True)
class Player:
    """A seat at the table, from 1, and who sits there."""

    seat: int
    name: str


@dataclass(frozen=True)
class GameState:
    """Where a game stands. Each game extends it with fields of its own.

    `to_act` are the seats that may act now (empty when the game is over). `dice_awaited` are the dice of the
    next throw, faces unknown; empty while a decision is awaited. `winner` holds the winning seats, `gone` those whose
    players have left the game.
    Two states with the same hash may differ in their options, which are compared but not hashed.
    """

    players: tuple[Player, ...]
    dice: DieSet
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    to_act: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    dice_awaited: tuple[Die, ...] = ()
    winner: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.players[seat - 1].name

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of players, as a sentence has them: `Ann, Bob and Cy`."""
        return spell_list([self.name(seat) for seat in seats], "and")

    @property
    def present(self) -> tuple[int, ...]:
        """Return the seats whose players have not left the game, in order."""
        return tuple(player.seat for player in self.players if player.seat not in self.gone)

    def after(self, seat: int) -> tuple[int, ...]:
        """Return the other seats in turn order after `seat`, without those whose players have left."""
        return tuple(other for other in clockwise(len(self.players), seat) if other not in self.gone)

    @property
    def seat(self) -> int:
        """The first seat that may act, 0 when the game is over."""
        return self.to_act[0] if self.to_act else 0

    @property
    def on_turn(self) -> int:
        """Return the seat whose turn it is, 0 while several act at once and when the game is over."""
        return self.to_act[0] if len(self.to_act) == 1 else 0

    @property
    def turn_seat(self) -> int:
        """Return the seat whose turn it is, also while somebody else is asked in that turn."""
        return self.on_turn

    @property
    def who(self) -> str:
        """The name of the player whose turn it is."""
        return self.name(self.seat)

    def whose_throw(self, contenders: Sequence[int]) -> str:
        """Return whose lot is thrown now, among these seats, for a player who has to wait."""
        name = self.name(self.to_act[0])
        if len(contenders) == len(self.present):
            return say("Now it is {name}'s turn to throw.", name=name)
        return say("Only {names} throw. Now it is {name}'s turn to throw.", names=self.names(contenders), name=name)

    def chose(self, option: str, value: str) -> bool:
        """True if the table plays by this reading of the option."""
        return self.options.get(option) == value
