"""Find dice that flew into the tray and were taken up again before the table settled: their throw is never read.

What is left of them are blobs in the last pictures before a hand comes in, in places where no die lay before and none
lies after, and the hand over them. Dice that it only carried elsewhere lie there afterwards, and can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from vision.burst_film import FilmPicture
from vision.motion_burst import MotionBurst
from vision.outside_visits import MIN_DIE, Outside
from vision.small_tracks import BlobSighting

FREE_SECONDS: Final = 0.1
"""So long no hand is in sight before one comes in: dice that are still leaving a hand are not taken up."""
PICTURES: Final = 3
"""In the last so many pictures, with that in which it comes in, dice are looked for that it takes."""
REACH_SECONDS: Final = 0.3
"""So soon after it came in the hand is over the dice that it takes."""
FASTEST: Final = 12.0
"""Edges a second: dice are about to lie still that are slower, and fingers that reach in are faster."""
LARGEST_EDGES: Final = 3.0
"""The side of a square of a blob's area, in edges: some dice with their shadows that touch."""
SAME_PLACE_EDGES: Final = 1.2
"""A blob so near to where a die lies or lay, in edges, is that die, or its traces."""

Point: TypeAlias = tuple[float, float]
"""A place in pixels of the frame."""
Moment: TypeAlias = tuple[FilmPicture, tuple[BlobSighting, ...]]
"""A picture of a film, and what differs in it from the table before."""


@dataclass(frozen=True)
class TakenUp:
    """Dice that a hand took up: when it came in, in seconds of the film, and how many dice at least."""

    at: float
    dice: int


def find_taken_up(
    burst: MotionBurst, lay: Sequence[Point], lie: Sequence[Point], outside: Outside, edge: float
) -> Iterator[TakenUp]:
    """Yield what hands took up during a burst.

    lay, lie: where dice lay before it and lie after it. outside: how far beyond the tray a blob is. edge: of a die, in
    pixels of the frame.
    """
    moments: list[Moment] = list(zip(burst.film.pictures if burst.film else (), burst.blobs, strict=False))
    hands = [k for k, (picture, _) in enumerate(moments) if picture.hand is not None]
    for gone, came in pairwise(hands):
        at = moments[came][0].at
        if at - moments[gone][0].at <= FREE_SECONDS or came - gone < PICTURES:
            continue
        seen = [blobs for _, blobs in moments[came + 1 - PICTURES : came + 1]]
        landed = [
            one
            for before, now in pairwise(seen)
            for one in _new_dice(now, [*lay, *lie], outside, edge)
            if _was_near(one, before, edge)
        ]
        taken = [one for one in landed if _is_reached(one, moments[came:], burst.scale)]
        if taken:
            yield TakenUp(at, len({one for one in taken if one.at == taken[-1].at}))


def _new_dice(
    blobs: Sequence[BlobSighting], known: Sequence[Point], outside: Outside, edge: float
) -> list[BlobSighting]:
    """Return the blobs of dice that are where none lies or lay."""
    return [
        one
        for one in blobs
        if not (one.held or one.at_border) and MIN_DIE <= one.edge / edge <= LARGEST_EDGES and outside(one) < 0
        if all(np.hypot(one.x - x, one.y - y) > SAME_PLACE_EDGES * edge for x, y in known)
    ]


def _was_near(die: BlobSighting, before: Sequence[BlobSighting], edge: float) -> bool:
    return any(np.hypot(die.x - one.x, die.y - one.y) < FASTEST * edge * (die.at - one.at) for one in before)


def _is_reached(die: BlobSighting, moments: Sequence[Moment], scale: float) -> bool:
    """True if the hand that comes in with the first of some pictures is soon over a place."""
    x, y = int(die.x * scale), int(die.y * scale)
    hands = (picture.hand for picture, _ in moments if picture.at <= moments[0][0].at + REACH_SECONDS)
    return any(hand is not None and bool(hand[y, x]) for hand in hands)
