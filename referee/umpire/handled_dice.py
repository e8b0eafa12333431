"""Marked dice: nobody saw whether they were thrown, or a hand was seen placing or turning them.

A throw needs evidence of tumbling for each die. A marked die is no part of a throw before people have said that it
was thrown. Where the table is legal without it and it shows what it showed, a hand has only moved it; where no die
tumbled, there was no throw; else the marked dice are asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.actions import Action
from referee.dice import Blindness, Handling, Seen, SeenDie
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from referee.umpire.certain_table import explain_certain
from referee.umpire.explanation import Explanation
from referee.umpire.hand_changes import HandChange, HandDeed, find_hand_changes, spell_hands
from referee.umpire.obstacles import find_movement, find_strangers
from referee.umpire.table_change import dice_inside, numbers_of
from referee.umpire.table_pair import DieAndThrow, TablePair
from referee.umpire.wording import answer_first

SET_DOWN_ONE: Final = say("This die was set down, not thrown. Throw it.")
SET_DOWN_SEVERAL: Final = say("These dice were set down, not thrown. Throw them.")
BY_HAND: Final = frozenset({Handling.PLACED, Handling.TURNED})
"""The marks of dice that a hand was seen to lay or to turn."""


def explain_marked(
    tables: TablePair, denied: Collection[DieAndThrow] = (), tapped: Action | None = None
) -> Explanation | None:
    """Explain a table with marked dice; None where there are none. `denied`: people said that these were not thrown."""
    marked = tables.marked
    if not marked:
        return None
    refused = [die for die in marked if (die.number, die.throw) in denied]
    told = tables.none_thrown(numbers_of(refused)) if refused else tables
    open_dice = told.marked
    waiting = find_movement(tables.after) or find_strangers(tables.state, tables.joined)
    found = waiting or (_ask(told, open_dice) if open_dice else None) or _put_right(tables, told, refused)
    if found is None:
        return replace(explain_certain(told.none_thrown(numbers_of(open_dice)), tapped), hands=hands_of(tables, marked))
    if tapped:
        return Explanation(unfinished=_answer_first(found), dice=found.dice)
    return found if waiting else replace(found, hands=found.hands or hands_of(tables, marked))


def hands_of(tables: TablePair, marked: Sequence[SeenDie]) -> tuple[HandChange, ...]:
    """Return what hands did with marked dice."""
    return find_hand_changes(tables.before.dice, tables.joined.dice, marked)


def _answer_first(found: Explanation) -> str:
    if found.question:
        return answer_first(found.question)
    return found.intervention or found.unfinished


def _ask(tables: TablePair, marked: Sequence[SeenDie]) -> Explanation | None:
    """Explain marked dice of which people have not spoken; None where hands have done nothing that matters."""
    numbers = numbers_of(marked)
    kept, thrown = explain_certain(tables.none_thrown(numbers)), explain_certain(tables.all_thrown(numbers))
    if thrown.rethrow or kept == thrown:
        return thrown
    if _is_legal(tables, kept) and _only_moved_before(tables, marked):
        return None
    if tables.tumbled:
        return _ask_of_throw(tables, marked, kept, thrown)
    return _ask_without_throw(tables, marked, kept, thrown)


def _only_moved_before(tables: TablePair, marked: Sequence[SeenDie]) -> bool:
    """True if hands only moved these dice, and others were thrown after that."""
    last_tumbled = max((die.throw for die in tables.tumbled), default=0)
    by_hand = all(die.handled in BY_HAND and die.throw < last_tumbled for die in marked)
    return by_hand and _shows_the_same(tables, marked)


def _ask_of_throw(
    tables: TablePair, marked: Sequence[SeenDie], kept: Explanation, thrown: Explanation
) -> Explanation | None:
    """Explain marked dice next to others that were certainly thrown."""
    if _is_legal(tables, kept) and not _is_legal(tables, thrown) and (kept.question or _shows_the_same(tables, marked)):
        return None
    if _is_legal(tables, kept) or _is_legal(tables, thrown) or len(marked) > 1:
        return _question(tables.after, marked)
    if kept.breach and thrown.breach:
        return kept
    return None if kept.breach == "" else thrown


def _ask_without_throw(
    tables: TablePair, marked: Sequence[SeenDie], kept: Explanation, thrown: Explanation
) -> Explanation | None:
    """Explain marked dice where no die is known to have tumbled: that is no throw before people say so."""
    may_be = _is_legal(tables, thrown)
    if may_be and any(die.handled not in BY_HAND for die in marked):
        return _question(tables.after, marked)
    is_all = len(marked) == len(dice_inside(tables.joined))
    if may_be and not _lie_as_before(tables) and (is_all or not tables.game.lay(tables.state)):
        return _not_thrown(tables, marked, may_be=True)
    is_swapped = bool(kept.unfinished) and any(each.deed is HandDeed.SWAPPED for each in hands_of(tables, marked))
    return _intervention(tables, marked, kept, may_be=may_be) if kept.breach or is_swapped else None


def _put_right(tables: TablePair, told: TablePair, refused: Sequence[SeenDie]) -> Explanation | None:
    """Explain dice that people said were not thrown; None where the table is legal without them."""
    numbers = numbers_of(refused)
    kept = explain_certain(told)
    if not refused or _is_legal(tables, kept):
        return None
    if _is_legal(tables, explain_certain(tables.all_thrown(numbers))) and not _would_be_put_back(told):
        return _not_thrown(tables, refused, may_be=False)
    if kept.breach and not told.tumbled:
        return _intervention(tables, refused, kept, may_be=False)
    return None


def _would_be_put_back(tables: TablePair) -> bool:
    """True if no die tumbled and the state prescribes positions, so that players have to put the dice back."""
    return not tables.tumbled and bool(tables.game.lay(tables.state))


def _intervention(tables: TablePair, marked: Sequence[SeenDie], kept: Explanation, *, may_be: bool) -> Explanation:
    """Return the explanation of what hands did and players have to put right."""
    hands = hands_of(tables, marked)
    sentence = spell_hands([each for each in hands if each.deed is not HandDeed.TAKEN]) or kept.breach
    return _statement(sentence, kept.rule, marked, hands, may_be=may_be)


def _not_thrown(tables: TablePair, marked: Sequence[SeenDie], *, may_be: bool) -> Explanation:
    """Explain that dice were laid down which have to be thrown."""
    sentence = SET_DOWN_ONE if len(marked) == 1 else SET_DOWN_SEVERAL
    rule = tables.game.cite("touched")
    return _statement(sentence, rule, marked, hands_of(tables, marked), may_be=may_be)


def _statement(
    sentence: str, rule: str, marked: Sequence[SeenDie], hands: tuple[HandChange, ...], *, may_be: bool
) -> Explanation:
    numbers = numbers_of(marked)
    perhaps = numbers if may_be else ()
    return Explanation(
        unfinished=sentence, intervention=sentence, rule=rule, dice=numbers, hands=hands, perhaps_thrown=perhaps
    )


def _question(after: Seen, marked: Sequence[SeenDie]) -> Explanation:
    """Return the question whether marked dice were thrown: those of one mark, the doubtful ones first."""
    mark = next((die.handled for die in marked if die.handled not in BY_HAND), marked[0].handled)
    alike = [die for die in marked if die.handled is mark]
    numbers = numbers_of(alike)
    sentence = ask_if_thrown(len(alike), mark, after.blind)
    return Explanation(question=sentence, dice=numbers, perhaps_thrown=numbers, mark=mark)


def ask_if_thrown(count: int, mark: Handling | None, blind: Sequence[Blindness] = ()) -> str:
    """Return the question whether so many dice with that mark were thrown, after why nobody knows."""
    why = next((_BLIND[reason] for reason in blind), "") if mark is Handling.UNSEEN else ""
    asked = say("Was this die thrown?") if count == 1 else say("Were these dice thrown?")
    return in_a_row(why or _doubt(mark, count), asked)


def _doubt(mark: Handling | None, count: int) -> str:
    """Return why nobody knows whether so many dice with that mark were thrown."""
    doubts: Mapping[Handling | None, str] = {
        Handling.PLACED: say("A hand was there."),
        Handling.TURNED: say_count("It was not seen to tumble.", "They were not seen to tumble.", count),
        Handling.RETURNED: say_count("It seemed to leave the tray.", "They seemed to leave the tray.", count),
        Handling.UNSEEN: say("The camera did not see it."),
    }
    return doubts[mark]


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


def _shows_the_same(tables: TablePair, marked: Sequence[SeenDie]) -> bool:
    return all(change.is_harmless for change in hands_of(tables, marked) if change.deed is not HandDeed.TAKEN)


def _lie_as_before(tables: TablePair) -> bool:
    """True if the same dice with the same faces lie in the tray as at the last ruling."""
    before, after = (sorted(str(die.die) for die in dice_inside(seen)) for seen in (tables.before, tables.joined))
    return before == after
