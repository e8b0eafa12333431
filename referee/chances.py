"""The odds of a game: what chance gives for the decision at hand, computed exactly.

A game's odds are the module `odds` of its folder, which offers `chances(state) -> tuple[Chance, ...]` for any state of
that game. It is imported and computed only when somebody asks, and answers in well under a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Literal

from referee.game import Game
from referee.game_state import GameState


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
