"""Tell how long a table has been still: the small pictures in a row that show the same to a fraction of a pixel.

Motion is what changes by many grey levels over several pixels (`vision/background_subtraction.py`). A die that rocks on
its edge or turns slowly may stay below that; the mean of a few pixels around each pixel shows it, since the sensor's
noise nearly vanishes in it. What is left of it, and of what JPEG does to a phone's pictures, is learned at rest.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

STILL_LEVELS = 4.5
"""Grey levels by which the means of two pictures of a still table differ at most: 3.9 on the virtual tray. The edge of
a die 80 levels brighter than the table, moved by 0.3 of a pixel (0.4 mm in a tray that fills the picture), changes them
by more."""
NOISIEST_LEVELS = 10.0
"""The same for a camera whose pictures of one table at rest differ by more than that, as those of a phone do by 7 to 9:
such an edge then moves by 0.6 of a pixel at most. In still more noise no table counts as still."""
NOISE_MARGIN = 1.3
"""By which share pictures may differ more than those of a table at rest did."""
LEARNED = 8
"""So many pairs of pictures of a table at rest are remembered."""
MEAN_PIXELS = 5
"""Width and height of the square of pixels that are averaged."""
MAX_GAIN_CHANGE = 0.03
"""An exposure that changes by a larger share is still being adjusted."""

Means: TypeAlias = npt.NDArray[np.float32]
"""The mean around each pixel of a small picture, (height, width, 3), BGR."""


@dataclass(frozen=True)
class StillRun:
    """Pictures in a row that all show what the first one shows: since when (seconds), for how long, and how many."""

    since: float
    seconds: float = 0.0
    pictures: int = 1


class StillWatch:
    """Compare each small picture with the first one of those that show the same."""

    def __init__(self) -> None:
        self._picture: Pixels | None = None
        self._means: Means | None = None
        self._run: StillRun | None = None
        self._noise: deque[float] = deque(maxlen=LEARNED)

    def learn(self, before: Pixels, now: Pixels) -> None:
        """Take in two small pictures of one table at rest, which differ by noise alone."""
        difference = _difference(_means(before), _means(now))
        if difference is not None:
            self._noise.append(difference)

    def update(self, picture: Pixels, taken_at: float, *, has_moved: bool) -> StillRun:
        """Take in the next small picture and its time in seconds; `has_moved`: since the picture before it."""
        if has_moved or self._run is None or not self._is_same(picture):
            self._picture, self._means, self._run = picture, None, StillRun(taken_at)
        else:
            self._run = replace(self._run, seconds=taken_at - self._run.since, pictures=self._run.pictures + 1)
        return self._run

    def forget(self) -> None:
        """Let the next picture be the first."""
        self._picture = self._means = self._run = None

    def _is_same(self, picture: Pixels) -> bool:
        """True if a picture shows what the first one does."""
        if self._picture is None or self._picture.shape != picture.shape:
            return False
        self._means = _means(self._picture) if self._means is None else self._means
        difference = _difference(self._means, _means(picture))
        return difference is not None and difference <= self._levels

    @property
    def _levels(self) -> float:
        """Return by how many grey levels the means of two pictures of one table may differ."""
        noise = median(self._noise) if self._noise else 0.0  # a shadow in one pair of pictures is no noise
        return STILL_LEVELS if noise <= STILL_LEVELS else min(NOISE_MARGIN * noise, NOISIEST_LEVELS)


def _means(picture: Pixels) -> Means:
    return np.asarray(cv2.boxFilter(picture, cv2.CV_32F, (MEAN_PIXELS, MEAN_PIXELS)), np.float32)


def _difference(before: Means, now: Means) -> float | None:
    """Return the largest difference in grey levels once the brightness is matched, colour by colour.

    None where the brightness differs by more than MAX_GAIN_CHANGE.
    """
    gain = np.median((now[::8, ::8] + 1) / (before[::8, ::8] + 1), axis=(0, 1)).astype(np.float32)
    if float(np.abs(gain - 1).max()) > MAX_GAIN_CHANGE:
        return None
    return float(cv2.norm(now, (before + 1) * gain - 1, cv2.NORM_INF))
