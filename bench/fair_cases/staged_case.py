"""A situation by name, and the list that they are put into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.fair_cases.case import Case
from bench.fair_cases.judgement import Sort
from bench.fair_cases.opening import Wanted, any_throw

FIVE = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")


class Fate:
    """What must become of the thrown dice in a case: throws with another fate are passed over."""

    PLAIN, LEANS, LEAVES = "plain", "leans", "leaves"


@dataclass(frozen=True)
class Staged:
    """A situation by name: what it is, how it is played, in which games, from which openings, with which fate."""

    name: str
    title: str
    sort: Sort
    play: Callable[[Case], None]
    games: tuple[str, ...] = FIVE
    wanted: Wanted = any_throw
    fate: str = Fate.PLAIN


ALL: dict[str, Staged] = {}


def staged(
    sort: Sort,
    title: str,
    wanted: Wanted = any_throw,
    fate: str = Fate.PLAIN,
    games: tuple[str, ...] = FIVE,
) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    def add(play: Callable[[Case], None]) -> Callable[[Case], None]:
        name = play.__name__.strip("_").replace("_", "-")
        ALL[name] = Staged(name, title, sort, play, games, wanted, fate)
        return play

    return add
