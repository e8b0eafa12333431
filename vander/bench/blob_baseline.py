"""A baseline: count pips with OpenCV's blob detector, as tutorials do it.

Round blobs darker or lighter than their surroundings are pips, neighbouring pips are a die, and their number is its
face. It is never unsure. The constants are the best of several that were tried on photographs.
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
"""Pixels of the longer side to which a photograph is resized."""
PIP_AREA = (30.0, 1600.0)
"""The area of a pip in pixels."""
ROUND, FILLED, CONVEX = 0.85, 0.6, 0.85
"""The least circularity, inertia ratio and convexity of a pip."""
REACH = 3.8
"""The largest distance of neighbouring pips of a die, in their diameters."""
USUAL = 1.6
"""The largest ratio of a pip's size to the photograph's median."""
EDGE = 5.0
"""The edge of a die in diameters of a pip."""


@dataclass(frozen=True)
class Pip:
    """A blob, in pixels of the photograph."""

    x: float
    y: float
    size: float
    light: bool


def count(pixels: Pixels) -> list[BenchReading]:
    """Return the dice in a BGR photograph."""
    return [_die(pips) for pips in group_pips(_usual(_pips(pixels)))]


def _usual(pips: Sequence[Pip]) -> list[Pip]:
    """Return the pips of about the median size: the dice of a photograph are alike."""
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


def group_pips(pips: Sequence[Pip]) -> list[list[Pip]]:
    """Group pips into dice: neighbours of one brightness belong together."""
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
    """Return the die around these pips; more than six count as six."""
    middle = [sum(values) / len(pips) for values in zip(*((pip.x, pip.y, pip.size) for pip in pips), strict=True)]
    return BenchReading(f"pip-{min(6, len(pips))}", True, middle[0], middle[1], EDGE * middle[2])
