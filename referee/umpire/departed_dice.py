"""Dice that left the tray in a throw, and came back or did not: the game's own rule, or the throw is made again.

A die that left calls the rule also where it was laid back at once or bounced back: it had left. What nobody saw to
its end is asked.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from referee.actions import Action
from referee.dice import Departure, Handling, Homecoming
from referee.sentences import say
from referee.umpire.certain_table import explain_certain
from referee.umpire.explanation import LOST_DIE_QUESTION, Explanation
from referee.umpire.obstacles import find_fallen, find_movement
from referee.umpire.rest_explanation import then_tap
from referee.umpire.table_change import TableChange, numbers_of, sort_change
from referee.umpire.table_pair import TablePair, is_of
from referee.umpire.weighing import explain_marked

LEFT_AND_CAME_BACK: Final = say("A die left the tray and came back: throw the dice of this throw again.")


def explain_departed(tables: TablePair, tapped: Action | None = None) -> Explanation | None:
    """Explain a throw in which dice were seen to leave the tray; None where none was."""
    departures = _departures(tables)
    if not departures or find_movement(tables.after):
        return None
    back = numbers_of(die for die in tables.marked if die.handled is Handling.RETURNED)
    counted = tables.all_thrown(back)
    game, state = tables.game, tables.state
    if tapped and tapped.verb == game.lost:
        return explain_certain(counted, tapped)
    change = _with_departed(sort_change(game, state, tables.before, counted.joined), departures, back)
    found = _find_lost(counted, change, departures)
    if found is None:
        return None
    found = replace(found, departed=departures)
    return then_tap(game, state, found, tapped) if tapped else found


def _departures(tables: TablePair) -> tuple[Departure, ...]:
    """Return the dice that left since the last ruling; one that is only marked so is known to have come back."""
    seen = tuple(each for each in tables.after.departures if each.throw > tables.before.throw)
    known = {each.die for each in seen}
    marked = (die for die in tables.marked if die.handled is Handling.RETURNED and die.number not in known)
    return (*seen, *(Departure(die.throw, Homecoming.BY_HAND, die.number) for die in marked))


def _with_departed(change: TableChange, departures: Collection[Departure], back: Collection[int]) -> TableChange:
    """Return the change in which the dice that left are fallen ones, wherever they lie now; 0 stands for one unseen."""
    fell = (*change.fell, *back)
    unseen = (0,) * (len(departures) - len(fell))
    thrown = tuple(die for die in change.thrown if die.number not in back)
    return replace(change, thrown=thrown, fell=(*fell, *unseen))


def _find_lost(tables: TablePair, change: TableChange, departures: Collection[Departure]) -> Explanation | None:
    """Explain by the game's rule for a lost die, or that the throw is made again; None where nothing was thrown."""
    game, state = tables.game, tables.state
    if not change.thrown and not game.lay(state) and not _is_whole_throw(tables, len(change.fell)):
        return None
    found = find_fallen(game, state, change)
    left = {die for die, stayed in tables.said.items() if not stayed}
    doubtful = [each for each in departures if each.home is Homecoming.UNSEEN and not is_of(each, left)]
    if found is None:
        return None
    found = replace(found, dice=tuple(filter(None, found.dice)))
    if doubtful:
        is_all = len(doubtful) == len(departures)
        return (_find_nothing(tables, found, doubtful) if is_all else None) or _ask(tables, found, doubtful)
    came_back = any(each.home in {Homecoming.BY_HAND, Homecoming.BY_ITSELF} for each in departures)
    return replace(found, unfinished=LEFT_AND_CAME_BACK) if found.unfinished and came_back else found


def _find_nothing(tables: TablePair, found: Explanation, doubtful: Collection[Departure]) -> Explanation | None:
    """Explain the table in which no die left, where nothing counts whether one left or not; else None."""
    if found.ways:
        return None
    stayed = tables.with_said({(each.die, each.throw): True for each in doubtful})
    otherwise = explain_marked(stayed) or explain_certain(stayed)
    is_nothing = not (otherwise.ways or otherwise.question or otherwise.breach or otherwise.unsure_dice)
    return otherwise if is_nothing and not otherwise.intervention else None


def _is_whole_throw(tables: TablePair, count: int) -> bool:
    """True if a throw of so many dice is awaited: between turns hands may drop a few of the dice."""
    return any(offer.is_throw and len(offer.dice) == count for offer in tables.game.legal(tables.state))


def _ask(tables: TablePair, found: Explanation, doubtful: Collection[Departure]) -> Explanation:
    """Ask whether a die left, where nobody saw it to the end."""
    if not found.ways:
        numbers = tuple(each.die for each in doubtful)
        return Explanation(question=LOST_DIE_QUESTION, dice=found.dice, perhaps_thrown=numbers, mark=Handling.RETURNED)
    otherwise = explain_marked(tables) or explain_certain(tables)
    if otherwise.perhaps_thrown or otherwise.unsure_dice:
        return otherwise
    ways = tuple(dict.fromkeys((*otherwise.ways, *found.ways)))
    return replace(found, ways=ways, question=LOST_DIE_QUESTION)
