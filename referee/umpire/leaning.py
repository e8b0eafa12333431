"""Two tables with what was said between them, and leaning dice: their re-throw belongs to the throw before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from referee.actions import Action, GameState
from referee.dice import Die, Handling, Seen, SeenDie, Zone
from referee.game import LEANING_DIE, SET_FLAT, Game
from referee.phrases import in_a_row
from referee.sentences import say
from referee.umpire.tables import Explanation, RethrowDue, ask_if_all, dice_inside, likely_dice, numbers_of


def join_rethrow(due: RethrowDue | None, after: Seen) -> Seen:
    """Return the table as if what was thrown again, or touched by that, had come to lie so in its own throw."""
    if due is None:
        return after
    lay = _by_number_now(due, after)
    return replace(after, dice=tuple(_joined(die, lay.get(die.number), due.table.throw) for die in after.dice))


def _by_number_now(due: RethrowDue, after: Seen) -> Mapping[int, SeenDie]:
    """Return the dice before the re-throw, keyed by the numbers that the tracker gives them now.

    A leaning die may have been taken for one of another kind, and has another number once it lies flat.
    """
    lay, now = {die.number: die for die in due.table.dice}, {die.number for die in after.dice}
    gone = [die for die in due.table.dice if die.cocked and die.number not in now]
    fresh = [die for die in after.dice if die.throw > due.table.throw and die.number not in lay]
    return {**lay, **{new.number: old for new, old in zip(fresh, gone, strict=False)}}


def _joined(die: SeenDie, old: SeenDie | None, since: int) -> SeenDie:
    if old is None:
        return die
    is_touched = die.throw > since and not old.cocked
    if is_touched and die.zone is Zone.OUT:
        return die
    if is_touched:
        return replace(die, throw=old.throw, zone=old.zone, handled=old.handled, chance=old.chance)
    if _was_set_flat(die, old, since):
        return replace(die, throw=old.throw, handled=None, chance=None)
    return replace(die, throw=old.throw)


def _was_set_flat(die: SeenDie, old: SeenDie, since: int) -> bool:
    """Return True if a hand has laid down a die that leaned: `find_not_thrown_again` says what becomes of it."""
    return old.cocked and die.throw > since and die.handled in {Handling.PLACED, Handling.TURNED}


def remember_leaning(due: RethrowDue | None, after: Seen) -> RethrowDue:
    """Return what to remember of a table (joined) on which dice lean."""
    if due is None:
        return RethrowDue(after)
    flat = {die.number: die for die in due.table.dice if not die.cocked}
    dice = (replace(die, faces=flat[die.number].faces) if die.number in flat else die for die in after.dice)
    return RethrowDue(replace(after, dice=tuple(dice)))


def find_leaning(game: Game, state: GameState, before: Seen, after: Seen, due: RethrowDue | None) -> Explanation | None:
    """Explain that thrown dice lean and are to be thrown again; None where none does.

    Of dice that were not thrown, one that leans is set down as it lay; one that already lay so when the table was
    ruled on, and has not moved since, was taken as it lies: nothing is asked of it.
    """
    leaning = [die for die in dice_inside(after) if die.cocked and not _lay_so(die, before)]
    if not leaning:
        return None
    thrown = [die for die in leaning if die.throw > before.throw]
    named = thrown or leaning
    return Explanation(
        unfinished=in_a_row(_lean(state, named), _throw_again(thrown) if thrown else _set_down_flat(leaning)),
        rule=game.cite("cocked"),
        dice=numbers_of(named),
        rethrow=remember_leaning(due, after),
    )


def _lay_so(die: SeenDie, before: Seen) -> bool:
    return any(old.cocked and (old.number, old.throw) == (die.number, die.throw) for old in before.dice)


def find_not_thrown_again(
    game: Game, state: GameState, before: Seen, after: Seen, due: RethrowDue | None
) -> Explanation | None:
    """Explain dice that leaned and have not been thrown again: they are in a hand, or a hand has set them flat.

    A die that seemed to lean may have been none: nobody waits for it where all dice lie there.
    """
    if due is None:
        return None
    now, lay = {die.number: die for die in after.dice}, _by_number_now(due, after)
    here = {old.number for number, old in lay.items() if number in now}
    leaned = due.thrown_leaning(before)
    if any(die.number not in here for die in leaned) and len(dice_inside(after)) < sum(n for _, n in state.dice.counts):
        sentence = say("A leaning die is not in view. Throw it again.")
        return Explanation(unfinished=sentence, rule=game.cite("cocked"))
    flat = [now[die.number] for die in leaned if die.number in now and _was_not_thrown(now[die.number], die, due)]
    if not flat or not due.touched or state.options.get(LEANING_DIE, SET_FLAT) == SET_FLAT:
        return None
    was_one, were_several = (
        say("A leaning die was set flat, not thrown."),
        say("Leaning dice were set flat, not thrown."),
    )
    told = in_a_row(was_one if len(flat) == 1 else were_several, _throw_again(flat))
    return Explanation(unfinished=told, rule=game.cite("cocked"), dice=numbers_of(flat), set_flat=numbers_of(flat))


def _was_not_thrown(die: SeenDie, old: SeenDie, due: RethrowDue) -> bool:
    since = due.table.throw
    return die.throw <= since or _was_set_flat(die, old, since)


def find_turned_by_rethrow(
    game: Game, state: GameState, before: Seen, after: Seen, due: RethrowDue | None
) -> Explanation | None:
    """Explain that a re-throw turned dice which do not belong to its throw: they are turned back."""
    if due is None:
        return None
    ruled = {die.number: die for die in before.dice}
    moved = ((ruled[die.number], die) for old, die in _moved(after, due) if _was_kept(old, before, ruled))
    turned = [(old, die) for old, die in moved if not _may_show(state, die, old.die)]
    if not turned:
        return None
    title = _title(state, turned[0][0])
    sentence = say(
        "A die that was not thrown showed {title} before. Turn it back, or go on as the dice lie.", title=title
    )
    numbers = numbers_of(die for _, die in turned)
    return Explanation(unfinished=sentence, rule=game.cite("cocked"), dice=numbers, turned=numbers)


def find_flat_thrown_again(state: GameState, before: Seen, after: Seen, due: RethrowDue | None) -> tuple[SeenDie, ...]:
    """Return the dice of the throw that lay flat and show another face since leaning ones were thrown again."""
    moved = _moved(after, due) if due else ()
    flat = [(old, die) for old, die in moved if old.throw > before.throw and not old.cocked]
    return tuple(die for old, die in flat if not _may_show(state, die, old.die))


def ask_of_flat(game: Game, state: GameState, found: Explanation, turned: Sequence[SeenDie]) -> Explanation:
    """Ask about the one way that was found, where flat dice of the throw were thrown again too."""
    if not turned or len(found.ways) != 1 or found.question:
        return found
    sentence = ask_if_all(say("Flat dice were thrown again too"), game, state, found.ways[0])
    return replace(found, question=sentence, dice=numbers_of(turned))


def _moved(after: Seen, due: RethrowDue) -> Iterator[tuple[SeenDie, SeenDie]]:
    """Yield the dice in the tray that the re-throw moved, each as a pair (before, after)."""
    lay = _by_number_now(due, after)
    for die in dice_inside(after):
        if die.throw > due.table.throw and die.number in lay:
            yield lay[die.number], die


def _was_kept(old: SeenDie, before: Seen, ruled: Mapping[int, SeenDie]) -> bool:
    return old.throw <= before.throw and old.number in ruled


def _may_show(state: GameState, die: SeenDie, face: Die) -> bool:
    return face.face is None or face in likely_dice(state, die)


def _lean(state: GameState, dice: Sequence[SeenDie]) -> str:
    """Return that these dice lean, named by what they show likelier than not where there are few."""
    named = [_title(state, die) for die in dice if die.faces and die.faces[0][1] > 0.5]
    if all(die.stacked for die in dice):
        return _lie_on_others(len(dice), named)
    if len(dice) == 1:
        return say("The die that shows {title} leans.", title=named[0]) if named else say("A die leans.")
    if len(dice) == len(named) == 2:
        return say("The dice that show {title} and {other} lean.", title=named[0], other=named[1])
    return say("{count} dice lean.", count=len(dice))


def _lie_on_others(count: int, named: Sequence[str]) -> str:
    """Return that dice which rest on something lean or lie on others: a die that leans alone is read as both."""
    if count == 1 and named:
        return say("The die that shows {title} leans or lies on another.", title=named[0])
    if count == 1:
        return say("A die leans or lies on another.")
    if count == len(named) == 2:
        return say("The dice that show {title} and {other} lean or lie on others.", title=named[0], other=named[1])
    return say("{count} dice lean or lie on others.", count=count)


def _title(state: GameState, die: SeenDie) -> str:
    return state.dice.face_title(die.kind, die.faces[0][0]) if die.faces else say("another face")


def _throw_again(dice: Sequence[SeenDie]) -> str:
    return say("Throw it again.") if len(dice) == 1 else say("Throw them again.")


def _set_down_flat(dice: Sequence[SeenDie]) -> str:
    return say("Set it down flat, as before.") if len(dice) == 1 else say("Set them down flat, as before.")


# The table before and after, and what was said between them

DieAndThrow: TypeAlias = tuple[int, int]
"""The tracker's number of a die, and the throw in which it last moved."""
Sayings: TypeAlias = Mapping[DieAndThrow, bool]
"""What people said of dice: whether each was thrown."""
NOTHING_SAID: Final[Sayings] = MappingProxyType({})


@dataclass(frozen=True)
class TablePair:
    """The table `before`, as last ruled on, and the settled table `after`, in which what people said is certain.

    joined: `after` as if what was thrown again, or touched by that, had come to lie so in its own throw.
    moved: the actions that hands were seen to do before the throw. rethrow: the dice that leaned since `before`.
    by_tap: the verbs of what a throw may imply that people tap. told: True if people were told what is wrong.
    """

    game: Game
    state: GameState
    before: Seen
    after: Seen
    joined: Seen
    moved: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    by_tap: frozenset[str] = frozenset()
    told: bool = False

    @property
    def marked(self) -> tuple[SeenDie, ...]:
        """Return the dice of which it is not certain how they came to lie so since `before`."""
        lay = {die.number: die.chance for die in self.before.dice}
        return tuple(die for die in self.joined.dice if self._is_doubtful(die, lay.get(die.number)))

    def _is_doubtful(self, die: SeenDie, chance_before: float | None) -> bool:
        """True if the camera is not certain; of a die that was kept, it has one chance for each time that it moved."""
        is_new, is_sure = die.throw > self.before.throw, die.chance is None or die.chance == 1.0
        if not is_new:
            return not is_sure and die.chance != chance_before and die.zone is Zone.FIELD and not die.handled
        return not is_sure if die.handled is None else die.handled is not Handling.RETURNED

    @property
    def tumbled(self) -> tuple[SeenDie, ...]:
        """Return the dice that were certainly thrown since `before`."""
        doubtful = self.marked
        moved = (die for die in self.joined.dice if die.throw > self.before.throw)
        return tuple(die for die in moved if not die.handled and die not in doubtful)

    def all_thrown(self, numbers: Collection[int]) -> TablePair:
        """Return the pair in which these dice were certainly thrown."""
        throw = max(self.after.throw, self.before.throw + 1)
        return self._with(lambda die: _thrown(die, self.before.throw, throw) if die.number in numbers else die)

    def none_thrown(self, numbers: Collection[int]) -> TablePair:
        """Return the pair with these dice marked as not thrown: a hand placed them, or others pushed them.

        What a throw pushed out of the bay is still set aside.
        """
        since = self.before.throw
        is_throw = any(die.throw > since and die.number not in numbers for die in self.joined.dice)
        aside = {die.number for die in self.before.dice if die.zone is Zone.ASIDE}

        def kept_die(die: SeenDie) -> SeenDie:
            was_pushed = is_throw and die.number in aside and die.zone is Zone.FIELD
            zone = Zone.ASIDE if was_pushed else die.zone
            return replace(die, throw=min(die.throw, since), handled=None, zone=zone)

        kept = self._with(lambda die: kept_die(die) if die.number in numbers else die)
        return kept if self.rethrow else kept._with_throws_in_a_row()

    def _with_throws_in_a_row(self) -> TablePair:
        """Return the pair with its throws renumbered without gaps, since what hands did is not a throw."""
        throws = sorted({die.throw for die in self.joined.dice if die.throw > self.before.throw})
        places = {throw: self.before.throw + place for place, throw in enumerate(throws, start=1)}
        moved = {throw: place for throw, place in places.items() if throw != place}
        return self._with(lambda die: replace(die, throw=moved[die.throw]) if die.throw in moved else die)

    def _with(self, change: Callable[[SeenDie], SeenDie]) -> TablePair:
        after = replace(self.after, dice=tuple(map(change, self.after.dice)))
        # Without a re-throw both are one table. Each hypothesis makes one anew: that was a quarter of an explanation.
        is_one = self.joined is self.after
        joined = after if is_one else replace(self.joined, dice=tuple(map(change, self.joined.dice)))
        return replace(self, after=after, joined=joined)


def as_said(before: Seen, after: Seen, said: Sayings) -> Seen:
    """Return the table `after` in which what people said is certain."""
    throw = max(after.throw, before.throw + 1)
    told = {die.number: said[die.number, die.throw] for die in after.dice if (die.number, die.throw) in said}
    dice = (
        replace(_thrown(die, before.throw, throw), chance=1.0)
        if told.get(die.number)
        else replace(die, handled=die.handled or Handling.PLACED, chance=0.0)
        if die.number in told
        else die
        for die in after.dice
    )
    return replace(after, dice=tuple(dice))


def _thrown(die: SeenDie, since: int, throw: int) -> SeenDie:
    """Return a die as one that was certainly thrown, in its throw or in that one."""
    return replace(die, handled=None, throw=die.throw if die.throw > since else throw)
