"""Whether two pictures of dice show nearly the same: told by small, grey, normalised pictures of them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

SIDE = 24
"""Pixels a side of the small picture."""
MIDDLE = 0.6
"""The share of each side that is looked at: the die, and little of what lies around it."""
ALIKE_FROM = 0.96
"""The correlation of small pictures from which on they show nearly the same."""

Thumbnail = npt.NDArray[np.float32]


def is_near_duplicate(pixels_a: Pixels, pixels_b: Pixels) -> bool:
    """Whether two pictures with the die in their middle are so alike that the second teaches nothing new.

    A die that was turned by ten degrees or more, or shows another face, is not; noise and another brightness change
    nothing. Both pictures are height x width x 3.
    """
    return correlation(thumbnail(pixels_a), thumbnail(pixels_b)) >= ALIKE_FROM


def thumbnail(pixels: Pixels) -> Thumbnail:
    """The middle of a picture in SIDE x SIDE grey numbers in one row, of mean 0 and length 1; all 0 when it is flat."""
    height, width = pixels.shape[:2]
    down, across = (round(length * (1 - MIDDLE) / 2) for length in (height, width))
    middle = cv2.cvtColor(pixels[down : height - down, across : width - across], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(middle, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return small / length if length > SIDE else np.zeros_like(small)


def correlation(one: Thumbnail, other: Thumbnail) -> float:
    """The correlation of two small pictures, -1..1; two flat ones are alike."""
    if not one.any() and not other.any():
        return 1.0
    return float(one @ other)
