"""Actions of players and of chance, with a text that reads back, and where the rules say that dice lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from referee.dice import BadAction, Die, Zone, fills, in_order
from referee.game_state import GameState
from referee.sentences import say

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
