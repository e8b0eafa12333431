"""Throws that nobody saw: after a restart, or camera trouble, the legal throws that explain how the dice lie now. Pure.

Only the table as it lies is known: which dice were thrown is worked out from what the rules lay out before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from referee.actions import Action, DiePosition
from referee.dice import Seen, SeenDie, Zone
from referee.game import Game
from referee.game_state import GameState
from referee.judge import judge
from referee.sentences import say
from referee.umpire import describe, differs
from referee.umpire.rest import ReachableState, not_picked, reachable_states
from referee.umpire.tables import dice_inside, dice_words

MOST_OFFERED = 3
"""How many throws are offered; those that end no turn, and take the fewest dice, come first."""

LEAST_CHANGED = 4
"""Of the dice of a throw that takes all of them, one in so many at least shows what none did before."""

UnseenWay = tuple[Action, ...]
"""What hands did, and the throw after it, with the faces that lie there."""


def find_unseen_throws(
    game: Game, state: GameState, seen: Seen, thrown: Collection[int] | None = None, *, is_sure: bool = False
) -> tuple[UnseenWay, ...]:
    """Return the ways in which one legal throw leads from a state to the table as it lies; () where none does.

    `thrown` are the numbers of the dice that were thrown, where that is known; `is_sure`: some were, though all may lie
    as before. Ways that lead to the same state are one. A throw for which the turn before it has to be over counts only
    where no other fits, since a throw of all dice fits whatever lies there.
    """
    ends: dict[GameState, UnseenWay] = {}
    starts = list(reachable_states(game, state, game.implied))
    changed = _changed(game.lay(state), seen)
    found = (way for way in _ways(game, starts, seen, thrown) if thrown or is_sure or _is_likely(way, changed, seen))
    for way in sorted(found, key=lambda way: (_implied(game, way), len(way[-1].dice), len(way))):
        end = _state_after(game, state, way)
        if end is not None and not differs(game, end, seen):
            ends.setdefault(end, way)
    within = tuple(way for way in ends.values() if not _implied(game, way))
    return (within or tuple(ends.values()))[:MOST_OFFERED]


def unseen_title(game: Game, state: GameState, way: UnseenWay) -> str:
    """Return a way in words, with what was thrown: `Save 3, then Roll 5 dice: 1, 1, 2, 4, 6`."""
    return say("{way}: {dice}", way=describe(game, state, way), dice=dice_words(way[-1].dice))


def _changed(layout: Sequence[DiePosition], seen: Seen) -> int:
    """Return how many dice show what no die of the layout does."""
    there = Counter(die.die for die in dice_inside(seen))
    return (there - Counter(position.die for position in layout)).total()


def _is_likely(way: UnseenWay, changed: int, seen: Seen) -> bool:
    """True if enough dice changed for a throw. One that takes all dice fits any table on which a die was turned."""
    is_of_all = len(way[-1].dice) == len(dice_inside(seen))
    return changed * LEAST_CHANGED >= len(way[-1].dice) if is_of_all else changed > 0


def _implied(game: Game, way: UnseenWay) -> int:
    return sum(action.verb in game.implied for action in way)


def _ways(
    game: Game, starts: Sequence[ReachableState], seen: Seen, known: Collection[int] | None
) -> Iterator[UnseenWay]:
    for start in starts:
        for offer in game.legal(start.state):
            thrown = _thrown(game, start, offer, seen, known or ()) if offer.is_throw else None
            if thrown is not None and (known is None or {die.number for die in thrown} == set(known)):
                yield *start.actions, replace(offer, dice=tuple(die.die for die in thrown))


def _thrown(
    game: Game, start: ReachableState, offer: Action, seen: Seen, known: Collection[int]
) -> Sequence[SeenDie] | None:
    """Return the dice that were thrown if it was this throw: all that the others leave; None where they do not fit."""
    kept = not_picked(start.layout, game.thrown(start.state, offer)) if start.layout else ()
    # Dice that were thrown are kept last; of the others, one that nobody needs is more likely in the bay.
    lying = sorted(dice_inside(seen), key=lambda die: (die.number in known, die.zone is Zone.FIELD))
    left = None if kept is None else _left_over(kept, lying, bay=seen.bay)
    if left is None or Counter(die.kind for die in left) != Counter(die.kind for die in offer.dice):
        return None
    return left


def _left_over(kept: Sequence[DiePosition], dice: Sequence[SeenDie], *, bay: bool) -> Sequence[SeenDie] | None:
    """Return the dice that have no place among those kept; None where a kept one is not there."""
    left = list(dice)
    for position in sorted(kept, key=lambda position: (position.die.face is None, position.zone is None)):
        fits = [die for die in left if _lies(die, position, bay=bay)]
        if not fits:
            return None
        left.remove(fits[0])
    return left


def _lies(die: SeenDie, position: DiePosition, *, bay: bool) -> bool:
    there = not bay or position.zone in (None, Zone.SIGNAL, die.zone)
    is_same = die.kind == position.die.kind and position.die.face in (None, die.die.face)
    return there and is_same


def _state_after(game: Game, state: GameState, way: UnseenWay) -> GameState | None:
    for action in way:
        ruling = judge(game, state, action)
        if ruling.refusal:
            return None
        state = ruling.state
    return state
