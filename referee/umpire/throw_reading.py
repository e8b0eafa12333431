"""Reading a throw: its likely faces, the dice whose face must be asked, and what the throw can mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias

from referee.dice import Die, SeenDie, in_order
from referee.game import Game
from referee.game_state import GameState
from referee.judge import judge
from referee.phrases import join_each
from referee.sentences import say
from referee.umpire.explanation import Explanation
from referee.umpire.legal_throws import CandidateThrow
from referee.umpire.table_change import likely_dice, numbers_of
from referee.umpire.wording import describe

MOST_READINGS: Final = 64
"""How many combinations of likely faces are ruled on; of more, only the two likeliest faces of each die are."""
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
