"""The names of a game's players, which everybody at the table has to tell apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import combinations

from referee.game import BadStart
from referee.sentences import say


def check_names(names: Sequence[str]) -> None:
    """Raise BadStart where two names look the same. Capitals, spaces and what is invisible make no difference.

    This is asked for a new game and for a record. `begin` does not ask: an older journal may hold such a game.
    """
    for name, other in combinations(names, 2):
        if as_read(name) == as_read(other):
            raise BadStart(_too_alike(name, other))


def _too_alike(name: str, other: str) -> str:
    if name == other:
        return say("two players are called {name}: give each player a name of their own", name=name)
    return say("{name} and {other} are too alike: give each player a name of their own", name=name, other=other)


def as_read(name: str) -> str:
    """Return a name as people tell it from others: two names with the same text here are one name."""
    words = unicodedata.normalize("NFKC", name).casefold().split()
    return " ".join("".join(letter for letter in word if letter.isprintable()) for word in words)
