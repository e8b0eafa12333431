"""The odds of a game: what chance gives for the decision at hand, computed and never guessed.

A game's odds are a module beside this one, named like the game with underscores for its dashes, which offers
`chances(state) -> tuple[Chance, ...]` for any state of that game. Nothing lists the modules: `odds` looks one up by
its name. They are computed only when somebody asks, and what a table asks for is there in well under a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from referee.game import Game, GameState


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


def odds(game: Game, state: GameState) -> tuple[Chance, ...]:
    """The figures for where the game stands; () for a game without a module here, or where chance has no say."""
    chances = _chances_of(game.name)
    return chances(state) if chances else ()


def has_odds(game: Game) -> bool:
    """Whether there are figures for this game at all, so that a table may offer to show them."""
    return _chances_of(game.name) is not None


@cache
def _chances_of(name: str) -> Callable[[Any], tuple[Chance, ...]] | None:
    module = f"{__name__}.{name.replace('-', '_')}"
    if not find_spec(module):
        return None
    found: Callable[[Any], tuple[Chance, ...]] = import_module(module).chances
    return found
