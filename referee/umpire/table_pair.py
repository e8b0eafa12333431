"""The table as last ruled on and the table now, with all that was said and remembered between the two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from referee.actions import Action
from referee.dice import Departure, Homecoming, Seen, SeenDie
from referee.game import Game
from referee.game_state import GameState
from referee.umpire.rethrow import join_rethrow
from referee.umpire.rethrow_due import RethrowDue

DieAndThrow: TypeAlias = tuple[int, int]
"""The tracker's number of a die, and the throw in which it last moved; 0 for whichever die left in that throw."""


@dataclass(frozen=True)
class TablePair:
    """The table `before`, as last ruled on, and the settled table `after`.

    joined: `after` as if what was thrown again, or touched by that, had come to lie so in its own throw.
    moved: the actions that hands were seen to do before the throw. rethrow: the dice that leaned since `before`.
    by_tap: True if the last thing that a throw may imply was tapped.
    """

    game: Game
    state: GameState
    before: Seen
    after: Seen
    joined: Seen
    moved: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    by_tap: bool = False

    @classmethod
    def of(  # noqa: PLR0913, PLR0917  # what `explain` is given
        cls,
        game: Game,
        state: GameState,
        before: Seen,
        after: Seen,
        moved: Sequence[Action] = (),
        rethrow: RethrowDue | None = None,
        by_tap: bool = False,  # what `explain` is given
    ) -> TablePair:
        """Return the pair of these tables."""
        return cls(game, state, before, after, join_rethrow(rethrow, after), tuple(moved), rethrow, by_tap)

    @property
    def marked(self) -> tuple[SeenDie, ...]:
        """Return the dice of throws since `before` of which it is not certain that they were thrown."""
        return tuple(die for die in self.joined.dice if die.handled and die.throw > self.before.throw)

    @property
    def tumbled(self) -> tuple[SeenDie, ...]:
        """Return the dice that were certainly thrown since `before`."""
        return tuple(die for die in self.joined.dice if not die.handled and die.throw > self.before.throw)

    def all_thrown(self, numbers: Collection[int]) -> TablePair:
        """Return the pair in which these dice were certainly thrown."""
        return self._with(lambda die: replace(die, handled=None) if die.number in numbers else die)

    def none_thrown(self, numbers: Collection[int]) -> TablePair:
        """Return the pair with these dice marked as not thrown: a hand placed them, or nobody saw them move."""
        kept = self._with(lambda die: _not_thrown(die, self.before.throw) if die.number in numbers else die)
        return kept if self.rethrow else kept._with_throws_in_a_row()

    def _with_throws_in_a_row(self) -> TablePair:
        """Return the pair with its throws renumbered without gaps, since what hands did is not a throw."""
        throws = sorted({die.throw for die in self.joined.dice if die.throw > self.before.throw})
        places = {throw: self.before.throw + place for place, throw in enumerate(throws, start=1)}
        return self._with(lambda die: replace(die, throw=places.get(die.throw, die.throw)))

    def _with(self, change: Callable[[SeenDie], SeenDie]) -> TablePair:
        after, joined = (replace(seen, dice=tuple(map(change, seen.dice))) for seen in (self.after, self.joined))
        return replace(self, after=after, joined=joined)


def as_believed(seen: Seen, believed: Collection[DieAndThrow]) -> Seen:
    """Return the table in which these dice were certainly thrown and did not leave the tray, since people said so."""
    if not believed:
        return seen
    dice = (replace(die, handled=None) if (die.number, die.throw) in believed else die for die in seen.dice)
    departures = tuple(each for each in seen.departures if not is_of(each, believed))
    return replace(seen, dice=tuple(dice), departures=departures)


def is_of(departure: Departure, dice: Collection[DieAndThrow]) -> bool:
    """True if a departure is of one of these dice; whichever die nobody saw to the end is 0, as it is asked about.

    A die that is known to have left is never that one, though its number is 0 too where nobody knows which it was.
    """
    number = 0 if departure.home is Homecoming.UNSEEN and (0, departure.throw) in dice else departure.die
    is_known = number > 0 or departure.home is Homecoming.UNSEEN
    return is_known and (number, departure.throw) in dice


def _not_thrown(die: SeenDie, throw: int) -> SeenDie:
    return replace(die, throw=min(die.throw, throw), handled=None)
