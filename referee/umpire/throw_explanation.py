"""Tables on which dice were thrown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.dice import SeenDie
from referee.game import Game
from referee.game_state import GameState
from referee.sentences import say
from referee.umpire.breaches import explain_breach
from referee.umpire.explanation import LOST_DIE_QUESTION, Explanation
from referee.umpire.legal_throws import CandidateThrow, find_bumped, find_throws
from referee.umpire.obstacles import call_lost
from referee.umpire.reachable import ReachableState, as_moved, reachable_states
from referee.umpire.rest_explanation import explain_rest
from referee.umpire.table_change import TableChange, numbers_of
from referee.umpire.throw_doubts import ask_in_doubt
from referee.umpire.throw_reading import read_throw
from referee.umpire.wording import describe, dice_words


def explain_throw(game: Game, state: GameState, change: TableChange) -> Explanation:
    """Explain a table on which dice were thrown."""
    reachable = tuple(reachable_states(game, state, game.implied))
    candidates = find_throws(game, as_moved(game, reachable, change), change)
    candidates = candidates or find_throws(game, reachable, change)
    candidates = _without(change.by_tap, candidates) or candidates
    if candidates:
        read = read_throw(game, state, candidates, change.thrown)
        found = ask_in_doubt(game, state, read, reachable, change)
        return _or_lost(game, state, found, change) if _may_be_lost(game, candidates[0], change) else found
    if change.vanished or change.carried:
        return call_lost(game, state, change, is_certain=False)  # a die out of view may be in a hand, or hidden
    return _explain_bumped(game, state, reachable, change) or explain_breach(game, state, change)


def _without(verbs: frozenset[str], candidates: Sequence[CandidateThrow]) -> list[CandidateThrow]:
    """Return the throws that fit without anything done that people tap."""
    return [each for each in candidates if not any(action.verb in verbs for action in each.start.actions)]


def _may_be_lost(game: Game, candidate: CandidateThrow, change: TableChange) -> bool:
    """Return True if a die that was set aside before is no longer in view, in a game in which dice can be lost."""
    unseen = change.vanished and (change.bay or candidate.start.actions)
    return bool(game.lost and (change.carried or unseen))


def _or_lost(game: Game, state: GameState, found: Explanation, change: TableChange) -> Explanation:
    """Add a lost die as an alternative to the ways of a throw that fits."""
    if not found.ways:
        return found
    lost = call_lost(game, state, change, is_certain=False)
    return replace(found, ways=(*found.ways, *lost.ways), question=LOST_DIE_QUESTION)


def _explain_bumped(
    game: Game, state: GameState, reachable: Sequence[ReachableState], change: TableChange
) -> Explanation | None:
    """Explain a throw that bumped other dice, which show what they showed; None where no such throw fits."""
    same = [die for die in change.thrown if change.shows_the_same(state, die)]
    unchanged = [die for die in same if die.number in change.exposed or not change.kept]
    if len(unchanged) == len(change.thrown):
        return _explain_moved(game, state, change)
    found = find_bumped(game, reachable, change, unchanged)
    return None if found is None else _ask_bumped(game, state, change, *found)


def _explain_moved(game: Game, state: GameState, change: TableChange) -> Explanation:
    """Explain dice that seemed to be thrown, show what they showed, and are no legal throw: hands have moved them.

    Where they lie as hands may lay them, such as parked, that is what hands did: the table need not lie as before.
    """
    laid = explain_rest(game, state, change.with_moved(change.thrown))
    return laid if laid != Explanation() else Explanation(unchanged=True)


def _ask_bumped(
    game: Game,
    state: GameState,
    change: TableChange,
    bumped: Sequence[SeenDie],
    candidates: Sequence[CandidateThrow],
) -> Explanation:
    found = read_throw(game, state, candidates, change.with_bumped(bumped).thrown)
    if found.unsure_dice or found.question:
        return found
    words = dice_words(change.known[die.number].die for die in bumped)
    way = describe(game, state, found.ways[0])
    question = say("Was {dice} only bumped, and this done: {way}?", dice=words, way=way)
    return replace(found, question=question, dice=numbers_of(bumped))
