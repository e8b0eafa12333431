"""Whether the pictures are good enough: dark, blurred, covered or frozen ones, and the light on the tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.rectification import tray_outline
from vision.tray_calibration import Calibration
from vision.tray_markers import MarkerCorners, find_markers

# Covered, dark and frozen pictures

DARK_LEVEL = 60
"""Grey level (0 to 255) of the brightest patch below which not all motion can be seen; paper in a lit room has 200."""
DETAIL_LEVEL = 6
"""Grey levels by which a covered lens still deviates from its own blurred picture."""
BLIND_SECONDS = 1.0
"""A dark or blank feed is a fault after so many seconds: a sleeve may pass over the lens."""
FROZEN_SECONDS = 2.0
"""A feed that repeats one picture is a fault after so many seconds."""
STREAM_FROZEN_SECONDS = 20.0
"""The same for a video stream: its encoder leaves out the noise of what lies still, but not in a key frame, and cameras
send one each ten seconds at least."""


class FeedFault(StrEnum):
    """What can be wrong with a feed although frames arrive."""

    DARK = "dark"
    """Even the brightest patch is dark: the lens is covered, or the room is too dark to see what moves."""
    COVERED = "covered"
    """The picture has light but no detail."""
    FROZEN = "frozen"
    """A live camera sends the same picture again and again."""


class FeedHealth:
    """Watch a feed for a covered lens, a dark room and a frozen picture.

    `fault` is what has been wrong for BLIND_SECONDS or FROZEN_SECONDS, None for nothing. The rest is about the last
    frame alone. `is_blind`: it was dark or blank. `has_changed`: it differed from the one before. `is_fresh`: it did,
    or it may equal it. `live` is False for a replay, whose frames may repeat: only a live camera always has noise.
    """

    def __init__(self, live: bool = True) -> None:
        self.fault: FeedFault | None = None
        self.is_blind = False
        self.is_fresh = self.has_changed = False
        self._live = live
        self._sample: npt.NDArray[np.uint8] | None = None
        self._last_seeing_at = self._last_changed_at = float("-inf")

    def update(self, pixels: Pixels, small: Pixels, taken_at: float, *, may_repeat: bool = False) -> FeedFault | None:
        """Take in a frame (BGR), its small picture (BGR) and its time in monotonic seconds; return `fault`.

        A frame of a stream that `may_repeat` is fresh though it equals the one before.
        """
        fault = _blindness(small) if self._live else None
        self.is_blind = fault is not None
        if fault is None or self._last_seeing_at == float("-inf"):
            self._last_seeing_at = taken_at
        self.has_changed = self._differs_from_last(pixels)
        self.is_fresh = self.has_changed or may_repeat
        if self.has_changed:
            self._last_changed_at = taken_at
        self.fault = self._lasting(fault, taken_at, STREAM_FROZEN_SECONDS if may_repeat else FROZEN_SECONDS)
        return self.fault

    def reset(self) -> None:
        """Forget the feed, since the camera gives no frames: the next frame is the first of a new feed."""
        self.fault = None
        self._sample = None
        self._last_seeing_at = float("-inf")

    def _differs_from_last(self, pixels: Pixels) -> bool:
        """Compare a sparse sample of the frame with the last one: sensor noise alone changes it in a live feed."""
        sample = pixels[3::33, 5::7].copy()
        last, self._sample = self._sample, sample
        return not self._live or last is None or not np.array_equal(last, sample)

    def _lasting(self, fault: FeedFault | None, taken_at: float, frozen_s: float) -> FeedFault | None:
        if fault is not None and taken_at - self._last_seeing_at >= BLIND_SECONDS:
            return fault
        return FeedFault.FROZEN if taken_at - self._last_changed_at > frozen_s else None


def _blindness(small: Pixels) -> FeedFault | None:
    """Return DARK or COVERED for a small picture that shows nothing, else None."""
    tiny = np.asarray(cv2.resize(small, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
    if tiny.max() < DARK_LEVEL:
        return FeedFault.DARK
    detail = cv2.absdiff(tiny, cv2.blur(tiny, (5, 5)))
    return None if float(np.asarray(detail).max()) > DETAIL_LEVEL else FeedFault.COVERED


# The light on the tray
#
# The white rims of the markers are paper in all four corners: their brightness does not depend on dice, felt or wood.

Grey = npt.NDArray[np.uint8]
"""One level for each pixel, (height, width)."""

MARKER_CELLS = 6
"""Cells to a marker's side, its black border included."""
RIM_CELLS = (0.35, 0.6)
"""Where the paper around a marker is sampled, in cells from its black border: every print has that much white."""
OVEREXPOSED_LEVEL = 250
"""A pixel whose three colours all reach this level shows nothing but that it is bright."""
UNDEREXPOSED_LEVEL = 8
"""A pixel whose three colours all stay below this level shows nothing but that it is dark."""
DARKEST_PERCENTILE, BRIGHTEST_PERCENTILE = 5, 95
EXCLUDED_CELLS = MARKER_CELLS + 4
"""Cells to the side of the square that is left out around a marker: its paper must not count as glare."""


@dataclass(frozen=True)
class Illumination:
    """How a picture of the tray is lit. Levels are 0 to 255, shares 0 to 1, of the tray without its markers.

    mean: mean level. darkest, brightest: 5th and 95th percentile. paper_levels: level of the white around each marker
    in sight, by id. overexposed, underexposed: shares of pixels that show nothing but white or black. glare_px: area of
    the largest overexposed patch in pixels. glare_box: left, top, width and height of that patch in pixels.
    """

    mean: float
    darkest: float
    brightest: float
    paper_levels: Mapping[int, float]
    overexposed: float
    underexposed: float
    glare_px: float
    glare_box: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def evenness(self) -> float | None:
        """The darkest paper level divided by the brightest, 0 to 1; None with fewer than two markers in sight."""
        levels = self.paper_levels.values()
        return min(levels) / max(*levels, 1.0) if len(levels) > 1 else None


def measure_illumination(
    pixels: Pixels, squares: Mapping[int, MarkerCorners], calibration: Calibration | None
) -> Illumination:
    """Measure the light on the tray, or in the whole picture (BGR) without a calibration.

    `squares` are the corners of the markers in sight, by id.
    """
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    inside = _tray_mask(grey.shape, squares, calibration) > 0
    if not inside.any():
        inside = np.ones_like(inside)
    overexposed = np.asarray((cv2.inRange(pixels, (OVEREXPOSED_LEVEL,) * 3, (255,) * 3) > 0) & inside, np.uint8)
    underexposed = cv2.inRange(pixels, (0,) * 3, (UNDEREXPOSED_LEVEL - 1,) * 3) > 0
    levels = grey[inside]
    darkest, brightest = np.percentile(levels, (DARKEST_PERCENTILE, BRIGHTEST_PERCENTILE))
    glare_px, glare_box = _largest_patch(overexposed)
    return Illumination(
        mean=float(levels.mean()),
        darkest=float(darkest),
        brightest=float(brightest),
        paper_levels={number: _paper_level(grey, corners) for number, corners in sorted(squares.items())},
        overexposed=float(overexposed[inside].mean()),
        underexposed=float(underexposed[inside].mean()),
        glare_px=glare_px,
        glare_box=glare_box,
    )


def _tray_mask(shape: tuple[int, ...], squares: Mapping[int, MarkerCorners], calibration: Calibration | None) -> Grey:
    """Return 255 where the tray is, without its markers; without a calibration the whole picture is the tray."""
    mask = np.full(shape[:2], 255, np.uint8)
    if calibration is not None:
        mask[:] = 0
        cv2.fillPoly(mask, [np.round(tray_outline(calibration)).astype(np.int32)], 255)
    for corners in squares.values():
        middle = corners.mean(axis=0)
        excluded = middle + (corners - middle) * (EXCLUDED_CELLS / MARKER_CELLS)
        cv2.fillPoly(mask, [np.round(excluded).astype(np.int32)], 0)
    return mask


def _paper_level(grey: Grey, corners: MarkerCorners) -> float:
    """Return the median level of the white rim along a marker's four sides."""
    middle = corners.mean(axis=0)
    rings = [middle + (corners - middle) * (1 + 2 * cells / MARKER_CELLS) for cells in np.linspace(*RIM_CELLS, 3)]
    along = np.linspace(0.1, 0.9, 24)[:, None]
    samples = np.concatenate(
        [a + along * (b - a) for ring in rings for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
    ).astype(np.float32)
    return float(np.median(cv2.remap(grey, samples[None, :, 0], samples[None, :, 1], cv2.INTER_LINEAR)))


def _largest_patch(mask: Grey) -> tuple[float, tuple[int, int, int, int]]:
    """Return the area of the largest connected patch in pixels, and its left, top, width and height; 0 without one."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count == 1:
        return 0.0, (0, 0, 0, 0)
    left, top, width, height, area = max(stats[1:].tolist(), key=lambda patch: patch[cv2.CC_STAT_AREA])
    return float(area), (left, top, width, height)


# How sharp a picture is
#
# A marker's black border against its white rim gives four edges of full contrast, each seen at many places. Profiles
# across a side are aligned by their edge and averaged, which resolves the edge far finer than a pixel, as the slanted
# edge of ISO 12233 does.

Profiles = npt.NDArray[np.float64]
"""Levels across an edge, (profiles, samples)."""

CELLS = 6
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
    reach = REACH_CELLS * side / CELLS
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
