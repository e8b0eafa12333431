"""A frame: one picture of a camera, with its number and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""Height x width x 3, blue-green-red, as OpenCV has it."""

SMALL_LONG_SIDE = 320
"""Pixels of the small picture's longer side, in which motion is looked for."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: its pixels, its number (from 1, growing), and when it was taken (seconds of `time.monotonic`).

    `small` is the same moment in small, SMALL_LONG_SIDE pixels long, from a camera that makes both by itself: each of
    its pixels stands for those around it. All frames of such a camera have it; it is None from every other.
    """

    pixels: Pixels
    number: int
    taken_at: float
    small: Pixels | None = None
