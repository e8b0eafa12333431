"""How the tray is lit: how bright it is, how evenly, and whether something glares.

The white rims of the markers are paper in all four corners: what they show of the light does not depend on the dice,
the felt or the wood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, MarkerCorners
from vision.frames import Pixels
from vision.rectification import tray_outline

Mask = npt.NDArray[np.uint8]

CELLS = 6
"""Cells to a marker's side."""
RIM_CELLS = (0.35, 0.6)
"""Where the paper beside a marker is looked at, in cells from its black border: every print leaves that much white."""
BLOWN = 250
"""A pixel whose three colours all reach this level shows nothing but that it is bright."""
BLACK = 8
"""A pixel whose three colours all stay below this level shows nothing but that it is dark."""
DARKEST, BRIGHTEST = 5, 95
"""The percentiles that are told as the darkest and the brightest of the tray."""
MARKER_CELLS = CELLS + 4
"""Cells to the side of the square that is left out around a marker, whose paper is not to be taken for glare."""


@dataclass(frozen=True)
class Illumination:
    """How a picture of the tray is lit. Levels are 0 to 255, shares 0 to 1.

    `paper` is the level of the white beside each marker in sight, by its id; `blown` and `black` are the shares of the
    tray, without its markers, that show nothing but white or black; `glare_px` is the area of the largest blown patch.
    """

    mean: float
    darkest: float
    brightest: float
    paper_levels: Mapping[int, float]
    overexposed: float
    underexposed: float
    glare_px: float

    @property
    def evenness(self) -> float | None:
        """The darkest paper to the brightest, 0 to 1; None where fewer than two papers are in sight."""
        levels = self.paper_levels.values()
        return min(levels) / max(*levels, 1.0) if len(levels) > 1 else None


def measure_illumination(
    pixels: Pixels, squares: Mapping[int, MarkerCorners], calibration: Calibration | None
) -> Illumination:
    """How the tray is lit; without a calibration, how the whole picture is. `squares` are the markers in sight."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    inside = _inside(grey.shape, squares, calibration) > 0
    if not inside.any():
        inside = np.ones_like(inside)
    blown = np.asarray((pixels.min(axis=2) >= BLOWN) & inside, np.uint8)
    levels = grey[inside]
    darkest, brightest = np.percentile(levels, (DARKEST, BRIGHTEST))
    return Illumination(
        mean=float(levels.mean()),
        darkest=float(darkest),
        brightest=float(brightest),
        paper_levels={number: _paper(grey, square) for number, square in sorted(squares.items())},
        overexposed=float(blown[inside].mean()),
        underexposed=float((pixels.max(axis=2)[inside] < BLACK).mean()),
        glare_px=_largest(blown),
    )


def _inside(shape: tuple[int, ...], squares: Mapping[int, MarkerCorners], calibration: Calibration | None) -> Mask:
    """Where the tray is, without its markers; everywhere without a calibration."""
    mask = np.full(shape[:2], 255, np.uint8)
    if calibration is not None:
        mask[:] = 0
        cv2.fillPoly(mask, [np.round(tray_outline(calibration)).astype(np.int32)], 255)
    for square in squares.values():
        wide = square.mean(axis=0) + (square - square.mean(axis=0)) * (MARKER_CELLS / CELLS)
        cv2.fillPoly(mask, [np.round(wide).astype(np.int32)], 0)
    return mask


def _paper(grey: Mask, square: MarkerCorners) -> float:
    """The middle level of the white rim beside a marker's four sides."""
    middle = square.mean(axis=0)
    rings = [middle + (square - middle) * (1 + 2 * cells / CELLS) for cells in np.linspace(*RIM_CELLS, 3)]
    along = np.linspace(0.1, 0.9, 24)[:, None]
    places = np.concatenate(
        [a + along * (b - a) for ring in rings for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
    ).astype(np.float32)
    return float(np.median(cv2.remap(grey, places[None, :, 0], places[None, :, 1], cv2.INTER_LINEAR)))


def _largest(mask: Mask) -> float:
    """The area of the largest patch, in pixels."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return float(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0.0
