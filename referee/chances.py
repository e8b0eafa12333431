"""What chance gives for the decision at hand, and what a throw could have brought: computed exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Literal

from referee.actions import Action, GameState, meets
from referee.calls import Call, Moment
from referee.dice import Die, DieKind
from referee.game import Game

# The odds of a game: what chance gives for the decision at hand, computed exactly
#
# A game's odds are the module `odds` of its folder, which offers `chances(state) -> tuple[Chance, ...]` for any state
# of that game. It is imported and computed only when somebody asks, and answers in well under a second.


@dataclass(frozen=True)
class Chance:
    """One figure for the table: what it is of, in a short phrase, and its value.

    `unit` says how to read the value: a `chance` lies between 0 and 1, the others are expected numbers.
    `advised` marks the decision that the figures speak for; never more than one of those that may be taken now.
    """

    what: str
    value: float
    unit: Literal["chance", "points", "turns", "cards"]
    advised: bool = False


def odds(state: GameState) -> tuple[Chance, ...]:
    """Return the figures for where a game stands; () for a game without odds, or where chance has no say."""
    chances = _chances_of(type(state).__module__)
    return chances(state) if chances else ()


def has_odds(game: Game) -> bool:
    """True if there are figures for this game at all, so that a table may offer to show them."""
    return _chances_of(game.state_type.__module__) is not None


@cache
def _chances_of(state_module: str) -> Callable[[GameState], tuple[Chance, ...]] | None:
    """Return `chances` of the module `odds` next to the module of a game's states, None where there is none."""
    package = state_module.rpartition(".")[0]
    if not package or not find_spec(f"{package}.odds"):
        return None
    found: Callable[[GameState], tuple[Chance, ...]] | None = getattr(import_module(f"{package}.odds"), "chances", None)
    return found


# What a throw could have brought: every outcome that the rules know, with its exact chance
#
# The referee itself rules on each outcome, so that these chances and the rules cannot drift apart. Dice of one kind
# are interchangeable: a handful of them is tried once, and counts as often as it comes.


STOPS = frozenset({Moment.STOP, Moment.BUST})
"""What the rules say of a throw that ends the turn: the outcome nobody wants."""


@dataclass(frozen=True)
class ThrowOutlook:
    """The exact chances of a throw before it was made.

    stop: the chance that it ends the turn. points, variance: the mean and the variance of the points that the throw
    itself gives or takes, those of the turn that are not safe yet included. gains: each such number of points with its
    chance.
    """

    stop: float
    points: float
    variance: float
    gains: tuple[tuple[int, float], ...] = ()

    def chance_of(self, least: int) -> float:
        """Return the chance that the throw gives so many points or more."""
        return sum(chance for gained, chance in self.gains if gained >= least)


class ThrowChances:
    """The outlooks of the throws of a game; each is worked out once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[tuple[GameState, Action], ThrowOutlook | None] = {}

    def outlook(self, state: GameState, action: Action) -> ThrowOutlook | None:
        """Return the outlook of a legal throw; None where no offer of the game explains it, as after an agreement."""
        offer = next((offer for offer in self._game.legal(state) if offer.is_throw and meets(offer, action)), None)
        if offer is None:
            return None
        key = (self._game.as_chance_sees(state), offer)
        if key not in self._known:
            self._known[key] = self._work_out(*key)
        return self._known[key]

    def _work_out(self, state: GameState, offer: Action) -> ThrowOutlook:
        stop = points = squares = 0.0
        gains: dict[int, float] = {}
        for chance, thrown in outcomes(self._game, state, offer):
            after, calls = self._game.play(state, thrown)
            gained = self._game.worth(after, offer.player) - self._game.worth(state, offer.player)
            stop += chance * is_stopped(calls)
            points += chance * gained
            squares += chance * gained * gained
            gains[gained] = gains.get(gained, 0.0) + chance
        return ThrowOutlook(stop, points, max(0.0, squares - points * points), tuple(gains.items()))


def outcomes(game: Game, state: GameState, offer: Action) -> Iterator[tuple[float, Action]]:
    """Yield the ways in which the unknown dice of an offered throw may fall, with their chances, which sum to 1.

    One way stands for all that are alike to the game.
    """
    unknown = Counter(die.kind for die in offer.dice if die.face is None)
    known = tuple(die for die in offer.dice if die.face is not None)
    handfuls = (_distinct_rolls(game, state, offer, state.dice.kind(kind), unknown[kind]) for kind in sorted(unknown))
    for falls in product(*handfuls):
        dice = (*known, *(die for _, fell in falls for die in fell))
        yield prod(chance for chance, _ in falls), replace(offer, dice=dice)


def _distinct_rolls(
    game: Game, state: GameState, offer: Action, kind: DieKind, count: int
) -> tuple[tuple[float, tuple[Die, ...]], ...]:
    """Return one roll of so many dice of all that are alike to the game, with the chance of all of them."""
    if game.alike is None:
        return rolls(kind, count)
    found: dict[Hashable, tuple[float, tuple[Die, ...]]] = {}
    for chance, dice in rolls(kind, count):
        key = game.looks_at(state, offer, dice)
        so_far, first = found.get(key, (0.0, dice))
        found[key] = (so_far + chance, first)
    return tuple(found.values())


@cache
def rolls(kind: DieKind, count: int) -> tuple[tuple[float, tuple[Die, ...]], ...]:
    """Return every roll of so many interchangeable dice with its chance, each side of a die as likely as another."""
    share = {face: sum(side.name == face for side in kind.sides) / len(kind.sides) for face in kind.faces}
    found = []
    for faces in combinations_with_replacement(kind.faces, count):
        ways = factorial(count) // prod(factorial(times) for times in Counter(faces).values())
        found.append((ways * prod(share[face] for face in faces), tuple(Die(kind.name, face) for face in faces)))
    return tuple(found)


def is_stopped(calls: tuple[Call, ...]) -> bool:
    """True if the rules ended the turn."""
    return any(call.moment in STOPS for call in calls)
