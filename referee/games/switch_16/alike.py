"""What the rules of Switch 16 look at in a roll, so that equal rolls need not be worked out one by one."""

from __future__ import annotations

from collections.abc import Hashable

from referee.actions import Action
from referee.dice import Die, number_on
from referee.games.switch_16.state import SWITCH, Switch16State, sums
from referee.games.switch_16.verbs import ROLL


def alike(state: Switch16State, offer: Action, dice: tuple[Die, ...]) -> Hashable:
    """Return the face of the Switch die, or whether the other dice make the top card (S.2-12); lots as they fall.

    Which cards follow the first is a later choice, so that a roll itself brings no points by them.
    """
    if offer.verb != ROLL.name or dice[0].kind == SWITCH:
        return dice
    return state.deck.top in sums(tuple(sorted(number_on(die.face) for die in dice)))
