"""The table as last ruled on and the table now, with all that was said and remembered between the two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from referee.actions import Action
from referee.dice import Departure, Handling, Homecoming, Seen, SeenDie
from referee.game import Game
from referee.game_state import GameState
from referee.umpire.rethrow import join_rethrow
from referee.umpire.rethrow_due import RethrowDue

DieAndThrow: TypeAlias = tuple[int, int]
"""The tracker's number of a die, and the throw in which it last moved; 0 for whichever die left in that throw."""
Sayings: TypeAlias = Mapping[DieAndThrow, bool]
"""What people said of dice: True of one that was thrown and stayed in the tray, False of one that did not."""
NOTHING_SAID: Final[Sayings] = MappingProxyType({})


@dataclass(frozen=True)
class TablePair:
    """The table `before`, as last ruled on, and the settled table `after`, in which what people said is certain.

    said: that. joined: `after` as if what was thrown again, or touched by that, had come to lie so in its own throw.
    moved: the actions that hands were seen to do before the throw. rethrow: the dice that leaned since `before`.
    by_tap: the verbs of what a throw may imply that people tap.
    """

    game: Game
    state: GameState
    before: Seen
    after: Seen
    joined: Seen
    moved: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    by_tap: frozenset[str] = frozenset()
    said: Sayings = field(default_factory=dict)

    @classmethod
    def of(  # noqa: PLR0913  # what `explain` is given
        cls,
        game: Game,
        state: GameState,
        before: Seen,
        after: Seen,
        *,
        moved: Sequence[Action] = (),
        rethrow: RethrowDue | None = None,
        by_tap: frozenset[str] = frozenset(),
        said: Sayings,
    ) -> TablePair:
        """Return the pair of these tables."""
        after = as_said(after, said)
        return cls(game, state, before, after, join_rethrow(rethrow, after), tuple(moved), rethrow, by_tap, said)

    def with_said(self, said: Sayings) -> TablePair:
        """Return the pair of these tables with further sayings."""
        after = as_said(self.after, said)
        return replace(self, after=after, joined=join_rethrow(self.rethrow, after), said={**self.said, **said})

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


def as_said(seen: Seen, said: Sayings) -> Seen:
    """Return the table in which what people said is certain: dice that were thrown did not leave the tray."""
    if not said:
        return seen
    stayed = {die for die, was_thrown in said.items() if was_thrown}
    departures = tuple(each for each in seen.departures if not is_of(each, stayed))
    return replace(seen, dice=tuple(_as_said(die, said) for die in seen.dice), departures=departures)


def _as_said(die: SeenDie, said: Sayings) -> SeenDie:
    was_thrown = said.get((die.number, die.throw))
    if was_thrown is None:
        return die
    if was_thrown:
        return replace(die, handled=None, chance=None)
    return replace(die, handled=die.handled or Handling.PLACED, chance=0.0)


def is_of(departure: Departure, dice: Collection[DieAndThrow]) -> bool:
    """True if a departure is of one of these dice; whichever die nobody saw to the end is 0, as it is asked about.

    A die that is known to have left is never that one, though its number is 0 too where nobody knows which it was.
    """
    number = 0 if departure.home is Homecoming.UNSEEN and (0, departure.throw) in dice else departure.die
    is_known = number > 0 or departure.home is Homecoming.UNSEEN
    return is_known and (number, departure.throw) in dice


def _not_thrown(die: SeenDie, throw: int) -> SeenDie:
    return replace(die, throw=min(die.throw, throw), handled=None)
