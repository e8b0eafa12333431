"""What may have happened is weighed, where it is not certain that dice were thrown.

A hypothesis says of each die that moved whether it was thrown. It weighs by what the camera saw of each die, by whether
the die shows what it showed, and by what it comes to: people play by the rules far more often than not. Hypotheses that
leave the game standing alike are one outcome. One that has enough of the weight is taken; else it is asked whether the
dice were thrown that make the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final, TypeAlias

from referee.actions import Action
from referee.dice import Blindness, Handling, Seen, SeenDie
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from referee.umpire.leaning import (
    TablePair,
    ask_of_flat,
    find_flat_thrown_again,
    find_leaning,
    find_not_thrown_again,
    find_turned_by_rethrow,
)
from referee.umpire.rest import (
    explain_rest,
    explain_tap,
    find_fallen,
    find_movement,
    find_strangers,
    state_after,
    then_tap,
)
from referee.umpire.tables import (
    Explanation,
    HandChange,
    HandDeed,
    answer_first,
    dice_inside,
    find_hand_changes,
    numbers_of,
    sort_change,
    spell_hands,
)
from referee.umpire.throws import explain_throw

# Tables of which it is certain, die by die, whether it was thrown: the checks in their order


def explain_certain(tables: TablePair, tapped: Action | None = None) -> Explanation:
    """Explain the change between two tables, whatever marks the dice have."""
    game, state, before, after = tables.game, tables.state, tables.before, tables.after
    joined, rethrow = tables.joined, tables.rethrow
    change = replace(
        sort_change(game, state, before, joined), moved=tables.moved, by_tap=tables.by_tap, told=tables.told
    )
    layout = game.lay(state)
    nothing_thrown = not change.thrown and not (change.fell and layout)
    if tapped and (nothing_thrown or tapped.verb == game.lost):
        return explain_tap(game, state, change, tapped)
    waiting = find_movement(after)
    if nothing_thrown and not layout:
        return waiting or find_not_thrown_again(game, state, before, after, rethrow) or Explanation()
    found = (
        waiting
        or find_strangers(state, joined)
        or find_fallen(game, state, change)
        or find_leaning(game, state, before, joined, rethrow)
        or find_not_thrown_again(game, state, before, after, rethrow)
        or find_turned_by_rethrow(game, state, before, after, rethrow)
        or (explain_rest if nothing_thrown else explain_throw)(game, state, change)
    )
    found = ask_of_flat(game, state, found, find_flat_thrown_again(state, before, after, rethrow))
    return then_tap(game, state, found, tapped) if tapped else found


TAKEN_FROM: Final = 0.9
"""The share of the weight, 0 to 1, from which on an outcome is taken, or a breach recorded, and nobody is asked."""
SELDOM: Final = 0.4
"""The weight of a throw against the rules, of dice laid by hand, and of some dice laid while others are thrown. A throw
within the rules has 1."""
UNLIKELY: Final = 1e-3
"""A hypothesis that is less likely by the camera than so much of the likeliest one is not weighed."""
UNSEEN: Final = 0.5
"""How likely it is that dice were thrown which nobody could see."""
BY_HAND: Final = frozenset({Handling.PLACED, Handling.TURNED})
"""The marks of dice that a hand was seen to lay or to turn."""

SET_DOWN_ONE: Final = say("This die was set down, not thrown. Throw it.")
SET_DOWN_SEVERAL: Final = say("These dice were set down, not thrown. Throw them.")

Unit: TypeAlias = tuple[SeenDie, ...]
"""Dice that were all thrown, or none of them: those that nobody could see, else a single one."""


@dataclass(frozen=True)
class WeighedOutcome:
    """What may have happened: these marked dice were `thrown`, and the others not, which is the table `found` explains.

    share: of the weight of all hypotheses, 0 to 1, with those that leave the game standing alike.
    """

    thrown: frozenset[int]
    tables: TablePair
    found: Explanation
    share: float

    @property
    def is_sure(self) -> bool:
        """True if it has so much of the weight that nobody is asked."""
        return self.share >= TAKEN_FROM


def explain_weighed(tables: TablePair, tapped: Action | None = None) -> Explanation:
    """Explain the change between two tables by what most likely happened."""
    marked = tables.marked
    if not marked:
        return explain_certain(tables, tapped)
    waiting = find_movement(tables.after) or find_strangers(tables.state, tables.joined)
    if waiting:
        return Explanation(unfinished=waiting.unfinished, dice=waiting.dice) if tapped else waiting
    leaning = _leaning(tables, marked)
    outcomes = [] if leaning else _weigh(tables, marked)
    found = leaning or _undecided(tables, marked, outcomes) or _statement(tables, marked, outcomes)
    if found is None:
        best = outcomes[0]
        left = [die for die in marked if die.number not in best.thrown]
        certain = explain_certain(best.tables, tapped) if tapped else best.found
        unseen = tuple(die.number for die in marked if _is_unseen(die) and die.number in best.thrown)
        return replace(
            certain,
            hands=certain.hands or hands_of(tables, left),
            unchanged=not tapped and _is_unchanged(tables, best),
            unseen=unseen,
        )
    if tapped:
        return Explanation(unfinished=_answer_first(found), dice=found.dice)
    return replace(found, hands=found.hands or hands_of(tables, marked))


def _answer_first(found: Explanation) -> str:
    return answer_first(found.question) if found.question else found.intervention or found.unfinished


def hands_of(tables: TablePair, marked: Sequence[SeenDie]) -> tuple[HandChange, ...]:
    """Return what hands did with marked dice."""
    return find_hand_changes(tables.before.dice, tables.joined.dice, marked)


# Weights


def _weigh(tables: TablePair, marked: Sequence[SeenDie]) -> list[WeighedOutcome]:
    """Return what may have happened, the likeliest first; all that is merely possible is among it.

    Where no throw is legal and nothing is sure, what accuses nobody comes first.
    """
    same = {each.number: each.is_harmless for each in hands_of(tables, marked) if each.deed is not HandDeed.TAKEN}
    weighed = list[WeighedOutcome]()
    for thrown, camera in _likely_hypotheses(tables, {unit: _chance(tables, unit) for unit in _units(marked)}):
        numbers = frozenset(number for unit in thrown for number in numbers_of(unit))
        told, found = _explained(tables, marked, numbers)
        breach = SELDOM if found.breach and _is_throw(tables, numbers) else 1.0
        weight = camera * breach * _faces(tables, marked, numbers, same) * _together(tables, marked, numbers)
        weighed.append(WeighedOutcome(numbers, told, found, weight))
    return _merged(tables, weighed)


def _chance(tables: TablePair, unit: Unit) -> float:
    """Return how likely it is that dice were thrown, by what the camera saw.

    Of dice that nobody could see, while no hand was what hid them, hands would hardly turn just what a throw takes. A
    single one they might, but where no die that lies there counts yet.
    """
    if unit[0].chance is not None:
        return unit[0].chance
    is_free = bool(tables.after.blind) and {*tables.after.blind} <= {Blindness.NO_FRAMES, Blindness.LENS}
    hardly_turned = len(unit) > 1 or not tables.game.lay(tables.state)
    is_throw = is_free and hardly_turned and _is_legal(tables, _explained(tables, tables.marked, numbers_of(unit))[1])
    return TAKEN_FROM if is_throw else UNSEEN


def _likely_hypotheses(tables: TablePair, chances: Mapping[Unit, float]) -> Iterator[tuple[tuple[Unit, ...], float]]:
    """Yield which units may have been thrown, and how likely that is by the camera; the unlikeliest are left out.

    That no die was thrown is never less likely than it were with a single die, of the mean odds of all: they have one
    film, and what is misleading in it, such as dice that fall from the fingers, is so for each of them.
    """

    def weight(thrown: Collection[Unit]) -> float:
        return prod(chance if unit in thrown else 1 - chance for unit, chance in chances.items())

    weights = {thrown: weight(thrown) for thrown in _hypotheses(tables, chances)}
    since = tables.before.throw
    possible = {unit: chance for unit, chance in chances.items() if 0 < chance < 1 and unit[0].throw > since}
    if possible and not tables.tumbled:
        odds = prod(chance / (1 - chance) for chance in possible.values()) / SELDOM  # as `_faces` weighs hands
        weights[()] = max(weights[()], weight(possible) / SELDOM / odds ** (1 / len(possible)))
    least = UNLIKELY * max(weights.values())
    kept = (), tuple(possible), tuple(chances)
    yield from ((thrown, weight) for thrown, weight in weights.items() if weight >= least or thrown in kept)


def _explained(tables: TablePair, marked: Sequence[SeenDie], thrown: Collection[int]) -> tuple[TablePair, Explanation]:
    """Return the table in which these dice were thrown and the other marked ones were not, and what it comes to."""
    told = tables.all_thrown(thrown).none_thrown([die.number for die in marked if die.number not in thrown])
    return told, explain_certain(told)


def _units(marked: Sequence[SeenDie]) -> list[Unit]:
    unseen = tuple(die for die in marked if _is_unseen(die))
    return [*([unseen] if unseen else []), *((die,) for die in marked if die not in unseen)]


def _is_unseen(die: SeenDie) -> bool:
    return die.chance is None


def _hypotheses(tables: TablePair, chances: Mapping[Unit, float]) -> Iterator[tuple[Unit, ...]]:
    """Yield which units may have been thrown.

    They are those that the tracker counts, and the likeliest of every number; of the tracker's also all but one, and
    with one more; and each alone.
    """
    units, likeliest = tuple(chances), sorted(chances, key=lambda unit: -chances[unit])
    counted = {unit for unit in units if unit[0].throw > tables.before.throw}
    some = [counted, *({*likeliest[:count]} for count in range(len(units) + 1))]
    some += [each for unit in units for each in ({unit}, counted ^ {unit})]
    yield from dict.fromkeys(tuple(unit for unit in units if unit in each) for each in some)


def _faces(tables: TablePair, marked: Sequence[SeenDie], thrown: Collection[int], same: Mapping[int, bool]) -> float:
    """Return how likely it is that the dice which were not thrown show this, where thrown ones have the weight 1.

    Hands keep all faces, or they lie as chance has it, as those of dice do that fall from the fingers. What was done
    while nobody could see it is another deed.
    """
    weight = 1.0
    for is_unseen in (False, True):
        left = [die for die in marked if die.number not in thrown and _is_unseen(die) is is_unseen]
        is_same = all(same.get(die.number, False) for die in left)
        share = prod(_share_of_face(tables, die) for die in left) if is_same else 1.0
        weight *= SELDOM / share if left else 1.0
    return weight


def _together(tables: TablePair, marked: Sequence[SeenDie], thrown: Collection[int]) -> float:
    """Return the weight of dice that were seen to come to rest at once: all or none were thrown, or seldom a part."""
    weight = 1.0
    for throw in {die.throw for die in marked if die.throw > tables.before.throw}:
        certain = any(die.throw == throw for die in tables.tumbled)
        were_thrown = [die.number in thrown for die in marked if die.throw == throw and not _is_unseen(die)]
        if len({*were_thrown, *([True] if certain else [])}) > 1:
            weight *= SELDOM / (len(were_thrown) + certain - 1)
    return weight


def _share_of_face(tables: TablePair, die: SeenDie) -> float:
    """Return the share of a die's sides that show what it shows, one side at least."""
    sides = next((kind.sides for kind in tables.state.dice.kinds if kind.name == die.kind), ())
    count = sum(side.name == die.die.face for side in sides)
    return max(1, count) / (len(sides) or 2)


def _merged(tables: TablePair, weighed: Sequence[WeighedOutcome]) -> list[WeighedOutcome]:
    """Join the hypotheses that leave the game standing alike, each under its likeliest, and share the weight."""
    whole = sum(each.share for each in weighed) or 1.0
    alike: dict[Hashable, list[WeighedOutcome]] = {}
    for each in weighed:
        alike.setdefault(_what_follows(tables, each), []).append(each)
    joined = (
        replace(max(group, key=lambda each: each.share), share=sum(each.share for each in group) / whole)
        for group in alike.values()
    )
    ordered = sorted(joined, key=lambda each: -each.share)
    if not ordered[0].is_sure and not any(_is_legal(tables, each.found) for each in ordered):
        return sorted(ordered, key=lambda each: len(each.thrown))
    return ordered


def _is_throw(tables: TablePair, thrown: Collection[int]) -> bool:
    """True if dice were thrown, of the marked ones or others."""
    return bool(tables.tumbled or thrown)


def _what_follows(tables: TablePair, outcome: WeighedOutcome) -> Hashable:
    """Return what of an outcome makes a difference to the game: of breaches only whether anything was thrown."""
    found = outcome.found
    if found.breach:
        return _is_throw(tables, outcome.thrown)
    ends = tuple(state_after(tables.game, tables.state, way) for way in found.ways)
    says = found.question, found.breach, found.unfinished, found.pending
    return ends, says, found.unsure_dice, found.set_flat, found.turned, found.rethrow is None


# What is decided


def _leaning(tables: TablePair, marked: Sequence[SeenDie]) -> Explanation | None:
    """Return that dice lean which were thrown, if all were that may have been: they are thrown again in any case."""
    denied = [die.number for die in marked if die.chance == 0.0 or die.throw <= tables.before.throw]
    every = tables.all_thrown([die.number for die in marked if die.number not in denied]).none_thrown(denied)
    found = explain_certain(every)
    return found if found.rethrow else None


def _is_unchanged(tables: TablePair, best: WeighedOutcome) -> bool:
    """True if hands surely did nothing that matters, and have none of the dice.

    Before a turn's first throw dice may be on their way.
    """
    is_in_sight = len(dice_inside(tables.joined)) >= len(dice_inside(tables.before))
    is_nothing = best.found == Explanation() and bool(tables.game.lay(tables.state))
    return best.share >= TAKEN_FROM and is_nothing and is_in_sight


def _undecided(tables: TablePair, marked: Sequence[SeenDie], outcomes: Sequence[WeighedOutcome]) -> Explanation | None:
    """Return the question whether dice were thrown, where no outcome has enough of the weight and a throw is legal."""
    best, *others = outcomes
    legal = sum(each.share for each in outcomes if _is_legal(tables, each.found))
    if best.is_sure or not others or not legal:
        return None
    if legal < 1 - TAKEN_FROM and _with_more_thrown(tables, outcomes):
        return None
    differ = best.thrown ^ others[0].thrown
    return _question(tables.after, [die for die in marked if die.number in differ])


def _statement(tables: TablePair, marked: Sequence[SeenDie], outcomes: Sequence[WeighedOutcome]) -> Explanation | None:
    """Return what hands did that has to be put right; None where the likeliest outcome is legal as it is."""
    best = outcomes[0]
    left = [die for die in marked if die.number not in best.thrown]
    if not left or _is_legal(tables, best.found):
        return None
    may_be = _with_more_thrown(tables, outcomes)
    is_throw = _is_throw(tables, best.thrown)
    is_all = len(left) == len(dice_inside(tables.joined)) or not tables.game.lay(tables.state)
    if may_be and (is_throw or (is_all and not _lie_as_before(tables))):
        wanted = [die for die in left if die.number in may_be[0].thrown]
        return _not_thrown(tables, wanted, may_be=any(each.share for each in may_be))
    is_swapped = bool(best.found.unfinished) and any(one.deed is HandDeed.SWAPPED for one in hands_of(tables, left))
    if not is_throw and (best.found.breach or is_swapped):
        return _intervention(tables, left, best.found, may_be=any(each.share for each in may_be))
    return None


def _with_more_thrown(tables: TablePair, outcomes: Sequence[WeighedOutcome]) -> list[WeighedOutcome]:
    """Return the outcomes that would be legal throws with more dice than in the likeliest one."""
    thrown = outcomes[0].thrown
    return [each for each in outcomes if each.thrown > thrown and _is_legal(tables, each.found)]


def _intervention(tables: TablePair, marked: Sequence[SeenDie], kept: Explanation, *, may_be: bool) -> Explanation:
    """Return the explanation of what hands did and players have to put right."""
    hands = hands_of(tables, marked)
    sentence = spell_hands([each for each in hands if each.deed is not HandDeed.TAKEN]) or kept.breach
    harmless = {each.number for each in hands if each.is_harmless}
    wrong = [die for die in marked if die.number not in harmless] or marked
    return _said(sentence, kept.rule, wrong, hands, may_be=may_be)


def _not_thrown(tables: TablePair, marked: Sequence[SeenDie], *, may_be: bool) -> Explanation:
    """Explain that dice were laid down which have to be thrown."""
    sentence = SET_DOWN_ONE if len(marked) == 1 else SET_DOWN_SEVERAL
    return _said(sentence, tables.game.cite("touched"), marked, hands_of(tables, marked), may_be=may_be)


def _said(
    sentence: str, rule: str, marked: Sequence[SeenDie], hands: tuple[HandChange, ...], *, may_be: bool
) -> Explanation:
    numbers = numbers_of(marked)
    perhaps = numbers if may_be else ()
    return Explanation(
        unfinished=sentence, intervention=sentence, rule=rule, dice=numbers, hands=hands, perhaps_thrown=perhaps
    )


def _question(after: Seen, marked: Sequence[SeenDie]) -> Explanation:
    """Return the question whether dice were thrown: those that nobody could see first."""
    asked = [die for die in marked if _is_unseen(die)] or marked
    numbers, sentence = numbers_of(asked), ask_if_thrown(len(asked), asked[0].handled, after.blind)
    return Explanation(question=sentence, dice=numbers, perhaps_thrown=numbers)


def ask_if_thrown(count: int, mark: Handling | None, blind: Sequence[Blindness] = ()) -> str:
    """Return the question whether so many dice with that mark were thrown, after why nobody knows."""
    asked = say("Was this die thrown?") if count == 1 else say("Were these dice thrown?")
    return in_a_row(_why_unseen(blind) if mark is Handling.UNSEEN else _doubt(mark, count), asked)


def counted_unseen(count: int, blind: Sequence[Blindness]) -> str:
    """Return what everybody is told of so many dice that count as thrown though nobody saw them."""
    counts = say_count("This die counts as thrown.", "These dice count as thrown.", count)
    return in_a_row(_why_unseen(blind), counts)


def _why_unseen(blind: Sequence[Blindness]) -> str:
    return next((_BLIND[reason] for reason in blind), _doubt(Handling.UNSEEN, 1))


def _doubt(mark: Handling | None, count: int) -> str:
    """Return why nobody knows whether so many dice with that mark were thrown."""
    if mark is Handling.UNSEEN:
        return say("The camera did not see it.")
    return say_count("It was not seen to tumble.", "They were not seen to tumble.", count)


_BLIND: Final[Mapping[Blindness, str]] = {
    Blindness.LENS: say("The lens was covered."),
    Blindness.HAND: say("A hand was in the way."),
    Blindness.NO_FRAMES: say("The camera saw nothing for a moment."),
    Blindness.RESTART: say("Vander has started again."),
    Blindness.PHOTOGRAPH: say("Nobody saw what happened between the photographs."),
}


def _is_legal(tables: TablePair, found: Explanation) -> bool:
    """True if a throw explains the table, whichever faces it has; that a die may be lost is no such explanation."""
    return bool(found.unsure_dice) or any(way[-1].verb != tables.game.lost for way in found.ways)


def _lie_as_before(tables: TablePair) -> bool:
    """True if no die in the tray shows what none did at the last ruling; others may be in a hand."""
    before, after = (Counter(die.die for die in dice_inside(seen)) for seen in (tables.before, tables.joined))
    return not after - before
