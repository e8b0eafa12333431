"""Whether what differs from the table at rest is a hand, seen from one picture to the next.

A single picture does not always tell: fingers before a frame of wood change little, and what the hand covers has edges
too. So a hand that was sure in one picture is followed through the next ones.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.background_subtraction import ARRIVED, Background, Mask
from vision.frames import Pixels

MEMORY_SECONDS = 0.3
"""Time constant of the running average of a region that stays: the weight of a picture falls to 1/e in this time."""


class HandWatch:
    """Follow what reaches in over the border through the pictures of one burst."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._region: Mask | None = None
        self._belief = 0.0
        self._at = 0.0

    def update(self, picture: Pixels, taken_at: float) -> Mask | None:
        """Return where a hand is in the next small picture, taken at a time in seconds; None without one."""
        region, arrived = self._background.reaching(picture) or (None, 0.0)
        since = taken_at - self._at
        is_same = self._region is not None and region is not None and bool(cv2.bitwise_and(self._region, region).any())
        kept = float(np.exp(-since / MEMORY_SECONDS)) if is_same else 0.0
        self._belief = kept * self._belief + (1 - kept) * arrived
        self._region, self._at = region, taken_at
        is_hand = ARRIVED[0] < max(self._belief, arrived) and 0.0 < arrived < ARRIVED[1]
        # Its border is soft, and it moves: it is taken to be three pixels wider than it differs from the table.
        return (
            np.asarray(cv2.dilate(region, np.ones((7, 7), np.uint8)), np.uint8)
            if is_hand and region is not None
            else None
        )
