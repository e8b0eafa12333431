"""Measure how the tray is lit: how bright, how evenly, and whether something glares.

The white rims of the markers are paper in all four corners: their brightness does not depend on dice, felt or wood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.rectification import tray_outline
from vision.tray_calibration import Calibration
from vision.tray_markers import MarkerCorners

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
    overexposed = np.asarray((pixels.min(axis=2) >= OVEREXPOSED_LEVEL) & inside, np.uint8)
    levels = grey[inside]
    darkest, brightest = np.percentile(levels, (DARKEST_PERCENTILE, BRIGHTEST_PERCENTILE))
    glare_px, glare_box = _largest_patch(overexposed)
    return Illumination(
        mean=float(levels.mean()),
        darkest=float(darkest),
        brightest=float(brightest),
        paper_levels={number: _paper_level(grey, corners) for number, corners in sorted(squares.items())},
        overexposed=float(overexposed[inside].mean()),
        underexposed=float((pixels.max(axis=2)[inside] < UNDEREXPOSED_LEVEL).mean()),
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
