"""The odds of Rollers: the chance to complete each set in the rolls left, with the best play.

Exact. Of the dice only what matters for one number is kept: how many purple ones count for it (each falls so with 1/3:
the number and the star), and how the black one lies (1/6: the number; 1/6: the zap). Counting dice are always saved.
The one decision is whether a black die with another number is rolled for its sixth, or left lying so that no zap can
come.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final

from referee.chances import Chance
from referee.games.rollers.state import (
    BLACK,
    PURPLE,
    ROLLS,
    SAVED,
    VALUES,
    RollersPhase,
    RollersSection,
    RollersState,
    counts_as,
)
from referee.sentences import say

PURPLE_DICE: Final = 5
COUNTS: Final = Fraction(1, 3)
"""A purple die counts for a number: it shows it, or a star."""
BLACK_COUNTS: Final = Fraction(1, 6)
BLACK_ZAPS: Final = Fraction(1, 6)


class BlackDie(Enum):
    """The black die as one number sees it: it counts, may be rolled or left, has to be left, has to be rolled."""

    COUNTS = "counts"
    FREE = "free"
    BOUND = "bound"
    TO_ROLL = "to roll"


@dataclass(frozen=True)
class SetHand:
    """The dice as one number sees them, and how many of that number are wanted.

    `counting` purple dice count for it, `stuck` ones are saved for good without counting, and the black one lies
    as said. `final` tells a table where a saved die is never rolled again.
    """

    wanted: int
    counting: int = 0
    black: BlackDie = BlackDie.TO_ROLL
    stuck: int = 0
    final: bool = False

    @property
    def complete(self) -> bool:
        """True if all dice that are wanted lie there."""
        return self.counting + (self.black is BlackDie.COUNTS) >= self.wanted


def chances(state: RollersState) -> tuple[Chance, ...]:
    """Return the chance to open, to close, or both, for each section that is not closed, while the player rolls."""
    if state.phase is not RollersPhase.ROLL:
        return ()
    return tuple(chance for value in VALUES for chance in _for_section(state, value))


def _for_section(state: RollersState, value: int) -> Iterator[Chance]:
    section = state.section(state.seat, value)
    if section is RollersSection.EMPTY:
        yield _chance(state, say("open the {number}s", number=value), value, value)
        yield _chance(state, say("open and close the {number}s", number=value), value, value + 1)
    if section is RollersSection.OPEN:
        yield _chance(state, say("close the {number}s", number=value), value, 1)


def _chance(state: RollersState, what: str, value: int, wanted: int) -> Chance:
    hand, left = hand_of(state, value, wanted), ROLLS - state.rolls
    if leaves_black(hand, left):
        what = say("{what}, leaving the black die as it lies", what=what)
    return Chance(what, float(set_chance(hand, left)), "chance")


def hand_of(state: RollersState, value: int, wanted: int) -> SetHand:
    """Return the dice of a turn as one number sees them."""
    purple = [die for die in state.good if die.kind == PURPLE]
    stuck = sum(die.kind == PURPLE and not counts_as(die, value) for die in state.bound)
    counting = sum(counts_as(die, value) for die in purple)
    return SetHand(wanted, counting, _black(state, value), stuck, state.chose(SAVED, "final"))


def _black(state: RollersState, value: int) -> BlackDie:
    black = next((die for die in state.good if die.kind == BLACK), None)
    if black is None:
        return BlackDie.TO_ROLL
    if counts_as(black, value):
        return BlackDie.COUNTS
    return BlackDie.BOUND if black in state.bound else BlackDie.FREE


def leaves_black(hand: SetHand, rolls: int) -> bool:
    """True if a black die that may be rolled or left is better left, with this many rolls to come."""
    undecided = hand.black is BlackDie.FREE and rolls > 0 and not hand.complete
    return undecided and _leaving_black(hand, rolls) > _rolling_black(hand, rolls)


@lru_cache(maxsize=4096)
def set_chance(hand: SetHand, rolls: int) -> Fraction:
    """Return the chance to have all dice that are wanted, with the best play, in the rolls left."""
    if hand.complete or not rolls:
        return Fraction(hand.complete)
    if hand.black is BlackDie.TO_ROLL:
        return _rolling_black(hand, rolls)
    left = _leaving_black(hand, rolls)
    return max(left, _rolling_black(hand, rolls)) if hand.black is BlackDie.FREE else left


def _leaving_black(hand: SetHand, rolls: int) -> Fraction:
    """Return the chance if only purple dice are rolled; where saved dice are final, the black one then has to stay."""
    bound = hand.final and hand.black is BlackDie.FREE
    return _purple(replace(hand, black=BlackDie.BOUND) if bound else hand, rolls)


def _rolling_black(hand: SetHand, rolls: int) -> Fraction:
    """Return the chance if the black die is rolled: a zap leaves what counted before, else it counts, or is free."""
    zapped = set_chance(replace(hand, black=BlackDie.TO_ROLL), rolls - 1)
    counted = _purple(replace(hand, black=BlackDie.COUNTS), rolls)
    neither = _purple(replace(hand, black=BlackDie.FREE), rolls)
    return BLACK_ZAPS * zapped + BLACK_COUNTS * counted + (1 - BLACK_ZAPS - BLACK_COUNTS) * neither


def _purple(hand: SetHand, rolls: int) -> Fraction:
    """Return the chance if this roll takes all purple dice that do not count, and leaves the black die as it is."""
    rolled = PURPLE_DICE - hand.stuck - hand.counting
    ways = (
        _falls(rolled, more) * set_chance(replace(hand, counting=hand.counting + more), rolls - 1)
        for more in range(rolled + 1)
    )
    return sum(ways, start=Fraction(0))


def _falls(rolled: int, counting: int) -> Fraction:
    """Return the chance that exactly `counting` of the purple dice rolled count."""
    return comb(rolled, counting) * COUNTS**counting * (1 - COUNTS) ** (rolled - counting)
