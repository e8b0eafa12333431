"""Measure how sharp a picture is: over how many pixels the edges of the tray's markers are spread.

A marker's black border against its white rim gives four edges of full contrast, each seen at many places. Profiles
across a side are aligned by their edge and averaged, which resolves the edge far finer than a pixel, as the slanted
edge of ISO 12233 does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.tray_markers import MarkerCorners, find_markers

Profiles = npt.NDArray[np.float64]
"""Levels across an edge, (profiles, samples)."""

MARKER_CELLS = 6
"""Cells to a marker's side: four by four, and a black border of one."""
REACH_CELLS = 0.8
"""How far a profile reaches to each side of an edge, in cells: it stays in the black border and in the white rim."""
SAMPLED_PART = (0.12, 0.88)
"""The part of a side that is sampled: at the corners two edges meet."""
PROFILES = 32
"""Profiles per side."""
SAMPLE_PX = 0.25
"""Pixels from one sample of a profile to the next."""
MIN_CONTRAST = 25.0
"""Levels between black and white below which there is no edge to measure."""
RISE = (0.1, 0.9)
"""The width of an edge is the distance from a tenth of its rise to nine tenths."""
FINE_PX, COARSE_PX = 2.0, 16.0
"""Standard deviations, in pixels of a picture DETAIL_SIDE long, of the blurs that separate fine and coarse detail."""
STRONGEST_PERCENTILE = 99.7
"""Detail is measured at this percentile: in the strongest edges noise does not count."""
DETAIL_SIDE = 640
MIN_COARSE = 8.0
"""Levels added to the coarse detail: in an empty picture noise alone would pass for sharpness."""


@dataclass(frozen=True, eq=False)
class MarkerSharpness:
    """One marker in a picture: its corners in pixels, and how many pixels its edges are spread over."""

    number: int
    corners: MarkerCorners
    spread_px: float


def marker_sharpness(pixels: Pixels) -> tuple[MarkerSharpness, ...]:
    """Return the sharpness of each marker in a picture (BGR), by id; markers without a measurable edge are left out."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.float32)
    return measure_markers(grey, find_markers(pixels).corners)


def measure_markers(grey: npt.NDArray[np.float32], squares: Mapping[int, MarkerCorners]) -> tuple[MarkerSharpness, ...]:
    """Return the same for markers already found in a grey picture, (height, width), levels 0 to 255."""
    spreads = {number: _spread(grey, corners) for number, corners in sorted(squares.items())}
    return tuple(
        MarkerSharpness(number, squares[number], spread) for number, spread in spreads.items() if spread is not None
    )


def fine_detail(pixels: Pixels) -> float:
    """Return the share of fine detail in a picture (BGR), 0 to 1, to focus a lens by while no marker can be found.

    Comparable only between pictures of the same scene.
    """
    scale = DETAIL_SIDE / max(pixels.shape)
    grey = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    level = np.asarray(grey, np.float32)
    return min(1.0, _strongest_detail(level, FINE_PX) / (_strongest_detail(level, COARSE_PX) + MIN_COARSE))


def _strongest_detail(grey: npt.NDArray[np.float32], blur_px: float) -> float:
    """Return how many levels the strongest detail deviates from the blurred picture."""
    return float(np.percentile(np.abs(grey - cv2.GaussianBlur(grey, (0, 0), blur_px)), STRONGEST_PERCENTILE))


def _spread(grey: npt.NDArray[np.float32], corners: MarkerCorners) -> float | None:
    """Return the median edge width of the four sides in pixels; None if no side has a measurable edge."""
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    widths = [width for start, end in sides if (width := _edge_width(_profiles(grey, start, end))) is not None]
    return float(np.median(widths)) if widths else None


def _profiles(grey: npt.NDArray[np.float32], start: MarkerCorners, end: MarkerCorners) -> Profiles:
    """Return the levels across a side, from inside the marker outwards: PROFILES rows of samples SAMPLE_PX apart."""
    side = float(np.hypot(*(end - start)))
    outwards = np.array([end[1] - start[1], start[0] - end[0]]) / max(side, 1e-9)
    reach = REACH_CELLS * side / MARKER_CELLS
    steps = np.arange(-reach, reach + SAMPLE_PX / 2, SAMPLE_PX)
    along = start + np.linspace(*SAMPLED_PART, PROFILES)[:, None] * (end - start)
    places = (along[:, None, :] + steps[None, :, None] * outwards).astype(np.float32)
    return np.asarray(cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.float64)


def _edge_width(profiles: Profiles) -> float | None:
    """Return the pixels from a tenth of the rise to nine tenths; None if there is no edge."""
    plateau = max(1, profiles.shape[1] // 8)
    black, white = np.median(profiles[:, :plateau]), np.median(profiles[:, -plateau:])
    if profiles.shape[1] < 4 or white - black < MIN_CONTRAST:
        return None
    edge = _aligned_mean((profiles - black) / (white - black))
    low, high = (_crossing(edge, level) for level in RISE)
    return (high - low) * SAMPLE_PX


def _aligned_mean(profiles: Profiles) -> npt.NDArray[np.float64]:
    """Return the mean profile after each was shifted so that half of its rise lies in the middle."""
    samples = np.arange(profiles.shape[1])
    middle = (profiles.shape[1] - 1) / 2
    shifted = [np.interp(samples + _crossing(row, 0.5) - middle, samples, row) for row in profiles]
    return np.asarray(np.mean(shifted, axis=0))


def _crossing(profile: npt.NDArray[np.float64], level: float) -> float:
    """Return where a profile first reaches a level, to a fraction of a sample; its end if it never does."""
    above = np.flatnonzero(profile >= level)
    if not len(above):
        return float(len(profile) - 1)
    first = int(above[0])
    if first == 0:
        return 0.0
    below, reached = profile[first - 1], profile[first]
    return first - 1 + float((level - below) / (reached - below))
