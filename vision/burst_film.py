"""The small pictures of one burst of motion, kept until it is known how each die came to lie where it lies."""

from __future__ import annotations

from dataclasses import dataclass

from vision.background_subtraction import Mask
from vision.frames import Pixels

MAX_PICTURES = 120
"""The last pictures with motion that are kept of a burst: four seconds at 30 a second, 46 MB."""


@dataclass(frozen=True, eq=False)
class FilmPicture:
    """A small picture in which something moved.

    at: seconds of the frame. after: seconds since the picture before it, which it was compared with. moved: what moved
    since then. hand: where a hand is, None without one.
    """

    at: float
    after: float
    pixels: Pixels
    moved: Mask
    hand: Mask | None


@dataclass(frozen=True, eq=False)
class BurstFilm:
    """What happened between two tables at rest: the small pictures of both, and those with motion between them.

    whole: False if the burst began before the first picture that was kept.
    """

    before: Pixels
    pictures: tuple[FilmPicture, ...]
    after: Pixels
    whole: bool = True
