"""Tables on which dice were thrown: the throws that fit, their faces, and what the same dice may mean instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final, TypeAlias

from referee.actions import Action, GameState
from referee.dice import Die, KindName, SeenDie, in_order
from referee.game import Game
from referee.judge import judge
from referee.phrases import join_each
from referee.sentences import as_title, say
from referee.umpire.rest import (
    CandidateThrow,
    ReachableState,
    as_moved,
    call_lost,
    explain_breach,
    find_throws,
    reachable_states,
    state_after,
    turned_words,
)
from referee.umpire.tables import (
    LOST_DIE_QUESTION,
    Explanation,
    TableChange,
    ask_if_all,
    describe,
    likely_dice,
    numbers_of,
    out_of_view,
)

# What may speak against a throw that fits, and is asked before it counts

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
        or _thrown_unseen(game, way, reachable, change)
    )
    if not doubt:
        return found
    sentence, dice = doubt
    return replace(found, question=ask_if_all(sentence, game, state, way), dice=dice)


def _thrown_twice(change: TableChange) -> Doubt | None:
    """Doubt dice of several throws, but for single ones that were thrown after people were told that they are due.

    A leaning one that was thrown again counts for its own throw.
    """
    _, *later = Counter(die.throw for die in sorted(change.thrown, key=lambda die: die.throw)).values()
    if not later or (change.told and max(later) == 1):
        return None
    return say("The dice were thrown more than once"), numbers_of(change.thrown)


def _turned_meanwhile(game: Game, state: GameState, way: tuple[Action, ...], change: TableChange) -> Doubt | None:
    """Doubt a die that was not thrown, still counts and shows another face: turned, or mistaken for one in a hand."""
    if not change.turned or not game.lay(state_after(game, state, way[:-1])):
        return None
    words = say("{turned} without being thrown", turned=turned_words(change.turned[0], change))
    return words, numbers_of(change.turned)


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


# The faces of a throw, and the dice whose face must be asked

MOST_READINGS: Final = 64
"""How many combinations of likely faces or kinds are ruled on; of more faces only the two likeliest of each die."""
MOST_NAMED: Final = 3
"""How many ways a question names. Of more, those are offered first by which most was done, as players mostly do."""

WHAT_WAS_IT: Final = "What was it"
"""How the question begins in which several throws fit the table."""

Reading: TypeAlias = tuple[Die, ...]
"""A face for each of the thrown dice, in their order."""
Outcome: TypeAlias = tuple[GameState, ...]
"""Where the game stands after each of the candidates, with the faces of one reading."""


def read_throw(
    game: Game, state: GameState, candidates: Sequence[CandidateThrow], thrown: Sequence[SeenDie]
) -> Explanation:
    """Explain a throw: the dice whose face must be asked, or the ways that lead to different states."""
    readings = _likely_readings(state, thrown)
    unsure = _unsure_dice(game, candidates, thrown, readings)
    if unsure:
        return Explanation(unsure_dice=unsure, dice=unsure)
    ends = zip(_outcome(game, candidates, readings[0]), candidates, strict=True)
    differing = dict(reversed(list(ends)))  # the first candidate of those that end alike
    ways = tuple((*each.start.actions, each.filled(readings[0])) for each in reversed(differing.values()))
    if len(ways) == 1:
        return Explanation(ways)
    if len(ways) > MOST_NAMED:
        longest_first = tuple(sorted(ways, key=len, reverse=True))
        question = say("What was it? The throw can mean {count} things.", count=len(ways))
        return Explanation(longest_first, question=question, dice=numbers_of(thrown))
    titles = [describe(game, state, way) for way in ways]
    question = say("What was it: {ways}?", ways=join_each(titles, _or))
    return Explanation(ways, question=question, dice=numbers_of(thrown))


def _or(first: str, other: str) -> str:
    return say("{first}, or {other}", first=first, other=other)


def _likely_readings(state: GameState, thrown: Sequence[SeenDie]) -> list[Reading]:
    """Return the likely combinations of faces, the likeliest first."""
    likely = [likely_dice(state, die) for die in thrown]
    if prod(map(len, likely)) > MOST_READINGS:
        likely = [dice[:2] for dice in likely]
    return list(product(*likely))


def _unsure_dice(
    game: Game, candidates: Sequence[CandidateThrow], thrown: Sequence[SeenDie], readings: Sequence[Reading]
) -> tuple[int, ...]:
    """Return the dice of which one likely face and another, all else equal, leave the game standing differently."""
    if len(readings) == 1:
        return ()
    outcomes = _outcomes(game, candidates, readings)
    return tuple(die.number for index, die in enumerate(thrown) if _matters(outcomes, index))


def _outcomes(game: Game, candidates: Sequence[CandidateThrow], readings: Sequence[Reading]) -> dict[Reading, Outcome]:
    """Return the outcome of each reading. Which of two dice shows which face is the same: that is worked out once."""
    alike = {in_order(reading): reading for reading in readings}
    known = {faces: _outcome(game, candidates, reading) for faces, reading in alike.items()}
    return {reading: known[in_order(reading)] for reading in readings}


def _matters(outcomes: Mapping[Reading, Outcome], index: int) -> bool:
    """Return True if the face of the die at that index makes a difference to any reading of the others."""
    of_others: dict[Reading, Outcome] = {}
    for reading, outcome in outcomes.items():
        others = (*reading[:index], *reading[index + 1 :])
        if of_others.setdefault(others, outcome) != outcome:
            return True
    return False


def _outcome(game: Game, candidates: Sequence[CandidateThrow], reading: Reading) -> Outcome:
    return tuple(judge(game, each.start.state, each.filled(reading)).state for each in candidates)


# The explanation


def explain_throw(game: Game, state: GameState, change: TableChange) -> Explanation:
    """Explain a table on which dice were thrown."""
    reachable = reachable_states(game, state, game.implied)
    candidates = find_throws(game, as_moved(game, reachable, change), change)
    candidates = candidates or find_throws(game, reachable, change)
    candidates = _without(change.by_tap, candidates) or candidates
    if candidates:
        read = read_throw(game, state, candidates, change.thrown)
        found = ask_in_doubt(game, state, read, reachable, change)
        return _or_lost(game, state, found, change) if _may_be_lost(game, candidates[0], change) else found
    if change.vanished or change.carried:
        return call_lost(game, state, change, is_certain=False)  # a die out of view may be in a hand, or hidden
    return explain_breach(game, state, change)


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
