"""A frame: one picture of a camera, with its number and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
