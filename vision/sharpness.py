"""How sharp a picture is: over how many pixels the edges of the tray's markers are spread.

A marker's black border stands against its white rim, so that its four sides are edges of full contrast, and each is
seen at many places. Profiles across a side are laid over one another, edge upon edge, which gives the edge far finer
than a pixel, as the slanted edge of ISO 12233 does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import MarkerCorners, find_marker_corners
from vision.frames import Pixels

Levels = npt.NDArray[np.float64]

CELLS = 6
"""Cells to a marker's side: four by four, and a black border of one."""
REACH_CELLS = 0.8
"""How far across an edge it is looked at, in cells: neither beyond the black border nor beyond the white rim."""
ALONG = (0.12, 0.88)
"""The part of a side that is looked at: at the corners two edges meet."""
PLACES = 32
"""Profiles to a side."""
STEP = 0.25
"""Pixels from one sample of a profile to the next."""
LEAST_CONTRAST = 25.0
"""Levels between black and white from which on an edge is one."""
RISE = (0.1, 0.9)
"""An edge is as wide as the way from a tenth of its rise to nine tenths."""
FINE, COARSE, STRONGEST = 2.0, 16.0, 99.7
"""Standard deviations, in pixels of a picture DETAIL_SIDE long, of the two blurs that tell fine detail from coarse, and
the percentile that is looked at: the strongest edges, in which noise is lost."""
DETAIL_SIDE = 640
HARDLY_ANY = 8.0
"""Levels of coarse detail that count as little: without them noise alone would pass for sharpness."""


@dataclass(frozen=True, eq=False)
class MarkerSharpness:
    """One marker in a picture: its corners in pixels (4 x 2, clockwise), and how many pixels its edges are spread."""

    number: int
    corners: MarkerCorners
    spread_px: float


def sharpness(pixels: Pixels) -> tuple[MarkerSharpness, ...]:
    """The markers in sight and how sharp each is, in the order of their ids. None where none is found."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.float32)
    return measured(grey, find_marker_corners(pixels))


def measured(grey: npt.NDArray[np.float32], squares: Mapping[int, MarkerCorners]) -> tuple[MarkerSharpness, ...]:
    """The same for markers that were found before, in a grey picture."""
    spreads = {number: _spread(grey, square) for number, square in sorted(squares.items())}
    return tuple(
        MarkerSharpness(number, squares[number], spread) for number, spread in spreads.items() if spread is not None
    )


def detail(pixels: Pixels) -> float:
    """The share of fine detail in a picture, 0 to 1: a figure to turn a lens by while no marker can be found.

    It tells sharper from less sharp in pictures of the same things, and nothing of pictures of other things.
    """
    scale = DETAIL_SIDE / max(pixels.shape)
    grey = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    level = np.asarray(grey, np.float32)
    return min(1.0, _strongest(level, FINE) / (_strongest(level, COARSE) + HARDLY_ANY))


def _strongest(grey: npt.NDArray[np.float32], reach: float) -> float:
    return float(np.percentile(np.abs(grey - cv2.GaussianBlur(grey, (0, 0), reach)), STRONGEST))


def _spread(grey: npt.NDArray[np.float32], square: MarkerCorners) -> float | None:
    """The middle one of what the four sides tell; None where none tells anything."""
    ends = zip(square, np.roll(square, -1, axis=0), strict=True)
    told = [width for start, end in ends if (width := _edge_width(_profiles(grey, start, end))) is not None]
    return float(np.median(told)) if told else None


def _profiles(grey: npt.NDArray[np.float32], start: MarkerCorners, end: MarkerCorners) -> Levels:
    """The levels across a side, from inside the marker outwards: PLACES rows of samples STEP apart."""
    side = float(np.hypot(*(end - start)))
    outwards = np.array([end[1] - start[1], start[0] - end[0]]) / max(side, 1e-9)
    reach = REACH_CELLS * side / CELLS
    steps = np.arange(-reach, reach + STEP / 2, STEP)
    along = start + np.linspace(*ALONG, PLACES)[:, None] * (end - start)
    places = (along[:, None, :] + steps[None, :, None] * outwards).astype(np.float32)
    return np.asarray(cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.float64)


def _edge_width(profiles: Levels) -> float | None:
    """Pixels from a tenth of the rise to nine tenths; None where there is no edge."""
    plateau = max(1, profiles.shape[1] // 8)
    black, white = np.median(profiles[:, :plateau]), np.median(profiles[:, -plateau:])
    if profiles.shape[1] < 4 or white - black < LEAST_CONTRAST:
        return None
    edge = _laid_over((profiles - black) / (white - black))
    low, high = (_crossing(edge, level) for level in RISE)
    return (high - low) * STEP


def _laid_over(profiles: Levels) -> Levels:
    """The mean of profiles, each moved so that its middle, half the way up, lies in the middle of its samples."""
    samples = np.arange(profiles.shape[1])
    middle = (profiles.shape[1] - 1) / 2
    moved = [np.interp(samples + _crossing(row, 0.5) - middle, samples, row) for row in profiles]
    return np.asarray(np.mean(moved, axis=0))


def _crossing(profile: Levels, level: float) -> float:
    """Where a profile first comes up to a level, to a fraction of a sample; its end where it never does."""
    above = np.flatnonzero(profile >= level)
    if not len(above):
        return float(len(profile) - 1)
    first = int(above[0])
    if first == 0:
        return 0.0
    below, reached = profile[first - 1], profile[first]
    return first - 1 + float((level - below) / (reached - below))
