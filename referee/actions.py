"""How a game stands, and what is done in it: states and actions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from referee.dice import BadAction, Die, DieSet, Zone, fills, in_order
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


_ACTION = re.compile(
    r"(?P<player>[1-9][0-9]?) (?P<verb>[a-z]+(?:-[a-z]+)*)(?P<dice>(?: [^ =]+)*)(?: =(?P<choice>[^ =]+))?"
)


@dataclass(frozen=True)
class Action:
    """What a player did. Chance is an action too: the camera plays `roll`.

    `player` is the seat, from 1. `dice` are put in canonical (sorted) order; in an offer the faces that chance
    will give are unknown (`traffic:?`). `choice` says which way, where a verb has ways (`parked`, `field`).
    The text, `1 fix traffic:happy traffic:two =parked`, reads back: `Action.parse(str(action)) == action`.
    """

    player: int
    verb: str
    dice: tuple[Die, ...] = ()
    choice: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", in_order(self.dice))

    def __str__(self) -> str:
        words = [str(self.player), self.verb, *map(str, self.dice)]
        return " ".join([*words, f"={self.choice}"] if self.choice else words)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an action, whose dice may stand in any order. Raises BadAction with a sentence."""
        found = _ACTION.fullmatch(text)
        if not found:
            raise BadAction(
                say(
                    "{text} is no action; write seat, verb, dice and =choice, for example '1 end'", text=repr(text[:80])
                )
            )
        dice = tuple(Die.parse(word) for word in found["dice"].split())
        return cls(int(found["player"]), found["verb"], dice, found["choice"] or "")

    @property
    def is_throw(self) -> bool:
        """True for the offer of a throw, whose faces only chance can fill in."""
        return any(die.face is None for die in self.dice)


@dataclass(frozen=True)
class DiePosition:
    """Where the rules say that a die lies: what the umpire compares the real table with.

    A die whose face is None may show anything; one whose zone is None may lie anywhere, even out of view. One that
    belongs on the SIGNAL spot may lie anywhere in the tray. Its text, `traffic:happy@field`, or `traffic:happy` for
    anywhere, reads back.
    """

    die: Die
    zone: Zone | None

    def __str__(self) -> str:
        return f"{self.die}@{self.zone}" if self.zone else str(self.die)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `kind:face@zone` or `kind:face`. Raises BadAction."""
        die, at, zone = text.partition("@")
        if at and zone not in list(Zone):
            raise BadAction(
                say(
                    "{text} lies nowhere; write a die and @{known}, or the die alone",
                    text=repr(text[:80]),
                    known=", @".join(Zone),
                )
            )
        return cls(Die.parse(die), Zone(zone) if at else None)


def fresh_dice(_state: GameState, action: Action) -> tuple[DiePosition, ...]:
    """Return the positions of an action's dice before a throw that picks them up wherever they lie on the field."""
    return tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice)


def meets(offer: Action, action: Action) -> bool:
    """True if the action is the offer with its unknown faces filled in."""
    same = (offer.player, offer.verb, offer.choice) == (action.player, action.verb, action.choice)
    return same and fills(offer.dice, action.dice)
