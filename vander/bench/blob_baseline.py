"""A rival: pips counted with OpenCV's blob detector, as tutorials do it.

Round blobs darker or lighter than what surrounds them are pips, pips that lie near one another are a die, and its
number is how many there are. It knows no doubt. The constants are the best of some that were tried on photographs.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from vander.bench.photo_scores import BenchReading
from vision.frames import Pixels

LONG_SIDE = 960
"""Pixels to which a photograph is brought first."""
PIP_AREA = (30.0, 1600.0)
"""Pixels that a pip covers."""
ROUND, FILLED, CONVEX = 0.85, 0.6, 0.85
"""How circular, unstretched and convex a pip is at least."""
REACH = 3.8
"""Pips of one die lie within so many of their diameters."""
USUAL = 1.6
"""How much larger or smaller than the median blob of the photograph a pip may be."""
EDGE = 5.0
"""Diameters of a pip in the edge of a die."""


@dataclass(frozen=True)
class Pip:
    """A blob, in pixels of the photograph."""

    x: float
    y: float
    size: float
    light: bool


def count(pixels: Pixels) -> list[BenchReading]:
    """The dice in a BGR photograph."""
    return [_die(pips) for pips in grouped(_usual(_pips(pixels)))]


def _usual(pips: Sequence[Pip]) -> list[Pip]:
    """The pips of about the commonest size: dice in one photograph are alike."""
    usual = statistics.median(pip.size for pip in pips) if pips else 0.0
    return [pip for pip in pips if usual / USUAL < pip.size < usual * USUAL]


def _pips(pixels: Pixels) -> list[Pip]:
    factor = LONG_SIDE / max(pixels.shape[:2])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=how)
    grey = cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 3)
    return [
        Pip(blob.pt[0] / factor, blob.pt[1] / factor, blob.size / factor, light)
        for light in (False, True)
        for blob in cv2.SimpleBlobDetector.create(_wanted(light)).detect(grey)
    ]


def _wanted(light: bool) -> cv2.SimpleBlobDetector.Params:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByColor, wanted.blobColor = True, 255 if light else 0
    wanted.filterByArea, (wanted.minArea, wanted.maxArea) = True, PIP_AREA
    wanted.filterByCircularity, wanted.minCircularity = True, ROUND
    wanted.filterByInertia, wanted.minInertiaRatio = True, FILLED
    wanted.filterByConvexity, wanted.minConvexity = True, CONVEX
    return wanted


def grouped(pips: Sequence[Pip]) -> list[list[Pip]]:
    """Pips by dice: whatever hangs together by near and like neighbours."""
    groups = list[list[Pip]]()
    for pip in pips:
        near = [group for group in groups if any(_neighbours(pip, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([pip, *(other for group in near for other in group)])
    return groups


def _neighbours(one: Pip, other: Pip) -> bool:
    reach = REACH * (one.size + other.size) / 2
    return one.light == other.light and math.hypot(one.x - other.x, one.y - other.y) < reach


def _die(pips: Sequence[Pip]) -> BenchReading:
    """The die in the middle of its pips; more than six are taken for six."""
    middle = [sum(values) / len(pips) for values in zip(*((pip.x, pip.y, pip.size) for pip in pips), strict=True)]
    return BenchReading(f"pip-{min(6, len(pips))}", True, middle[0], middle[1], EDGE * middle[2])
