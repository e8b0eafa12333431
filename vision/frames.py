"""Frames: a picture with its number and time, the small picture in which motion is looked for."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

# Frames

Pixels = npt.NDArray[np.uint8]
"""A picture: uint8, (height, width, 3), BGR, as in OpenCV."""

SMALL_LONG_SIDE = 320
"""Pixels of the small picture's longer side; motion is detected in small pictures."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a camera.

    number: from 1, increasing. taken_at: seconds of `time.monotonic`. small: the same picture with a long side of
    SMALL_LONG_SIDE pixels, area-averaged, from a camera that delivers both sizes; None from every other camera.
    is_detailed: False where `pixels` are enlarged from a smaller picture: motion shows in them, and no die is read.
    is_photograph: True for a single picture of a table at rest: it is read at once. It is given again and
    again until the next one is taken.
    may_repeat: True from a stream that sends nothing for what has not changed, so that two frames may be equal.
    is_spared: True from a camera that gives few frames on purpose, because it sees nothing move.
    """

    pixels: Pixels
    number: int
    taken_at: float
    small: Pixels | None = None
    is_detailed: bool = True
    is_spared: bool = False
    is_photograph: bool = False
    may_repeat: bool = False


# Small pictures


def small_image(frame: Frame) -> Pixels:
    """Return the frame's own small picture if it has the right size and shape, else its pixels downscaled."""
    small = frame.small
    return small if small is not None and _fits(small, frame.pixels) else downscale(frame.pixels)


def _fits(small: Pixels, pixels: Pixels) -> bool:
    """True if `small` has a long side of SMALL_LONG_SIDE and the aspect ratio of `pixels`."""
    (small_height, small_width), (height, width) = small.shape[:2], pixels.shape[:2]
    same_aspect = abs(small_height * width - small_width * height) <= max(height, width)
    return max(small_height, small_width) == SMALL_LONG_SIDE and bool(same_aspect)


def downscale(pixels: Pixels) -> Pixels:
    """Return the picture with a long side of SMALL_LONG_SIDE pixels, by area averaging.

    Halving is much faster than any other factor, so it goes first, as often as it fits.
    """
    while max(pixels.shape) >= 2 * SMALL_LONG_SIDE and not (pixels.shape[0] % 2 or pixels.shape[1] % 2):
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = pixels.shape[:2]
    if max(height, width) == SMALL_LONG_SIDE:
        return pixels
    scale = SMALL_LONG_SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
