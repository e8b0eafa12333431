"""Sightings that the finder doubts, and that are dice all the same: with them the set in the tray is complete.

A die with a single pip is a plain square to the finder, which is about as sure of it as of a tile. Where the others of
the set are surely there, a thing of a die's size that shows one of its faces is the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.dice import DieSet

MOST_DOUBTED = 3
"""No more than one die in so many is vouched for, so that marks on a table with few dice never make up a set."""
SIZE_SHARE = 0.25
"""Share by which the edge may differ from that of the other dice; the finder errs by some 10 %."""
MOST_NONE = 0.05
"""Highest probability (0 to 1) of showing no face."""


@dataclass(frozen=True)
class SightedDie:
    """A sighting: its edge in any unit, its probability of showing no face (0 to 1), whether it is surely a die."""

    edge: float
    none_probability: float
    is_sure: bool


def missing_dice(seen: Sequence[SightedDie], left_out: Sequence[SightedDie], dice: DieSet | None) -> tuple[bool, ...]:
    """Return which sightings that show no known face are dice all the same: those with which the set is complete.

    They may show a drawing that nobody has taught, so that a person has to be asked. `is_sure` is the finder's word.
    """
    edge = float(np.median([one.edge for one in seen])) if seen else 0.0
    fitting = tuple(one.is_sure and abs(one.edge - edge) <= SIZE_SHARE * edge for one in left_out)
    is_complete = dice is not None and len(seen) + sum(fitting) == sum(count for _, count in dice.counts)
    are_few = MOST_DOUBTED * sum(fitting) <= len(seen) + sum(fitting)
    return tuple(one and is_complete and are_few for one in fitting)


def vouched_dice(sighted: Sequence[SightedDie], dice: DieSet | None) -> tuple[bool, ...]:
    """Return for each sighting whether it is a doubted one that the count of the set shows to be a die."""
    doubted = [one for one in sighted if not one.is_sure]
    sure = [one.edge for one in sighted if one.is_sure]
    if dice is None or not doubted or not sure or len(sighted) != sum(count for _, count in dice.counts):
        return (False,) * len(sighted)
    edge = float(np.median(sure))
    fitting = all(abs(one.edge / edge - 1) <= SIZE_SHARE and one.none_probability <= MOST_NONE for one in doubted)
    are_few = MOST_DOUBTED * len(doubted) <= len(sighted)
    return tuple(fitting and are_few and not one.is_sure for one in sighted)
