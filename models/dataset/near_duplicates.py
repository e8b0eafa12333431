"""Near-duplicate pictures of dice, found by correlating small, grey, normalised thumbnails."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

SIDE = 24
"""Pixels a side of a thumbnail."""
MIDDLE = 0.6
"""The share of each side that is compared: the die, and little of what lies around it."""
ALIKE_FROM = 0.96
"""Pictures whose thumbnails correlate by this much or more are near-duplicates."""

Thumbnail = npt.NDArray[np.float32]


def is_near_duplicate(pixels_a: Pixels, pixels_b: Pixels) -> bool:
    """True if two pictures with the die in their middle are so alike that the second teaches nothing new.

    False for a die that was turned by ten degrees or more, or shows another face; noise and brightness do not count.
    Both pictures are height x width x 3, BGR, uint8.
    """
    return correlation(thumbnail(pixels_a), thumbnail(pixels_b)) >= ALIKE_FROM


def thumbnail(pixels: Pixels) -> Thumbnail:
    """Return the middle of a picture as SIDE x SIDE grey values in a row, of mean 0 and norm 1; all 0 if it is flat."""
    height, width = pixels.shape[:2]
    down, across = (round(length * (1 - MIDDLE) / 2) for length in (height, width))
    middle = cv2.cvtColor(pixels[down : height - down, across : width - across], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(middle, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return small / length if length > SIDE else np.zeros_like(small)


def correlation(one: Thumbnail, other: Thumbnail) -> float:
    """Return the correlation of two thumbnails, -1..1; 1 for two flat ones."""
    if not one.any() and not other.any():
        return 1.0
    return float(one @ other)
