"""Doubts about a throw that fits: what the same dice may mean instead, and is asked before the throw counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from referee.actions import Action
from referee.dice import KindName, SeenDie, Zone
from referee.game import Game
from referee.game_state import GameState
from referee.sentences import as_title, say
from referee.umpire.breaches import turned_words
from referee.umpire.explanation import Explanation
from referee.umpire.legal_throws import find_throws
from referee.umpire.placement import is_laid_out
from referee.umpire.reachable import ReachableState
from referee.umpire.rest_explanation import state_after
from referee.umpire.table_change import TableChange, count_kinds, likely_dice, numbers_of
from referee.umpire.wording import ask_if_all, out_of_view

Doubt: TypeAlias = tuple[str, tuple[int, ...]]
"""What speaks against a throw, as a sentence without its full stop, and the numbers of the dice that it is about."""


def ask_in_doubt(
    game: Game, state: GameState, found: Explanation, reachable: Sequence[ReachableState], change: TableChange
) -> Explanation:
    """Ask about the one way that was found, where the dice may mean something else all the same."""
    if len(found.ways) != 1:
        return found
    way = found.ways[0]
    doubt = (
        _thrown_twice(change)
        or _turned_meanwhile(game, state, way, change)
        or _only_nudged(game, state, way, change)
        or _only_appeared(change)
        or _thrown_unseen(game, way, reachable, change)
    )
    if not doubt:
        return found
    sentence, dice = doubt
    return replace(found, question=ask_if_all(sentence, game, state, way), dice=dice)


def _thrown_twice(change: TableChange) -> Doubt | None:
    """Doubt dice of several throws, unless each further throw was of a single die: a leaning one, thrown again."""
    _, *later = sorted(Counter(die.throw for die in change.thrown).items())
    several = any(count > 1 for _, count in later)
    if not several and not (later and any(die.zone is Zone.ASIDE for die in change.thrown)):
        return None
    return say("The dice were thrown more than once"), numbers_of(change.thrown)


def _turned_meanwhile(game: Game, state: GameState, way: tuple[Action, ...], change: TableChange) -> Doubt | None:
    """Doubt a die that was not thrown, still counts and shows another face: turned, or mistaken for one in a hand."""
    if not change.turned or not game.lay(state_after(game, state, way[:-1])):
        return None
    words = say("{turned} without being thrown", turned=turned_words(change.turned[0], change))
    return words, numbers_of(change.turned)


def _only_nudged(game: Game, state: GameState, way: tuple[Action, ...], change: TableChange) -> Doubt | None:
    """Doubt a single die that shows what it showed, where nothing else changed: it may only have been nudged."""
    if not _is_one_unchanged(state, change.thrown, change):
        return None
    if not is_laid_out(game.lay(state), change.with_bumped(change.thrown).kept):
        return None
    after = state_after(game, state, way)
    if game.tell(after) == game.tell(state) and game.legal(after) == game.legal(state):
        return None
    return say("The one die that moved shows what it showed"), numbers_of(change.thrown)


def _is_one_unchanged(state: GameState, thrown: Sequence[SeenDie], change: TableChange) -> bool:
    is_read = len(thrown) == 1 and len(likely_dice(state, thrown[0])) == 1
    return is_read and change.shows_the_same(state, thrown[0])


def _only_appeared(change: TableChange) -> Doubt | None:
    """Doubt dice that were not in view at the last ruling: they may have been overlooked, or laid down again."""
    if not change.kept or count_kinds(change.thrown) - change.appeared:
        return None
    is_one = len(change.thrown) == 1
    sentence = say("A die was not in view before") if is_one else say("Dice were not in view before")
    return sentence, numbers_of(change.thrown)


def _thrown_unseen(
    game: Game, way: tuple[Action, ...], reachable: Sequence[ReachableState], change: TableChange
) -> Doubt | None:
    """Doubt a throw while dice are out of view: they may have been thrown with the others.

    A throw without doubt ends no turn for that, so that implied actions are tried only where the way has some.
    """
    if game.lost or not change.vanished:
        return None
    has_implied = any(action.verb in game.implied for action in way)
    near = [
        each for each in reachable if has_implied or not any(action.verb in game.implied for action in each.actions)
    ]
    if not any(find_throws(game, near, change.with_unseen(more)) for more in _parts_of(change.vanished)):
        return None
    return as_title(out_of_view(change.vanished.total())), numbers_of(change.thrown)


def _parts_of(kinds: Counter[KindName]) -> Iterator[Counter[KindName]]:
    """Yield every part of some dice but the empty one."""
    numbers = product(*(range(count + 1) for count in kinds.values()))
    return (Counter(dict(zip(kinds, each, strict=True))) for each in numbers if any(each))
