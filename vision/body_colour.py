"""Describe the body of a die by the colour of its top face without ink, corrected for the light where that is known.

Colours are logarithms of linear light, since a lamp multiplies them: brightness, and the ratios of red and of blue to
green. With the tray's markers in sight, the light is that of their white paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.die_crops import INPUT_EDGES
from vision.frames import Pixels
from vision.observations import DieSighting
from vision.rectification import TrayView
from vision.tray_calibration import Calibration, TrayLayout

Floats = npt.NDArray[np.float64]

DIMENSIONS = 3
"""Brightness, red against green, blue against green."""
GAMMA = 2.2
"""Exponent from a camera's levels to linear light, about that of sRGB."""
FLOOR = 0.03
"""Added to linear light (0 to 1) before its logarithm: stray light and noise make the darkest levels meaningless."""
SIDE = 32
"""A crop is averaged to so many pixels a side first, against noise and texture."""
FACE_EDGES, RIM_EDGES = 0.48, 0.34
"""Half widths of the top face, and of its inner part that mostly holds ink, in edges of the die."""
INNER_WEIGHT = 0.3
"""Weight of the inner pixels against those of the rim when the commonest colour is sought."""
MODE_RADIUS = 0.45
"""Distance in log units within which pixels are of one colour; differences of chroma count CHROMA_WEIGHT times."""
CHROMA_WEIGHT = 2.0
MODE_STEPS, SEEDS = 2, 12
GLARE_LEVEL = 250
"""A pixel whose three colours all reach this level is glare, or overexposed."""

RIM_CELLS = 0.5
"""Where the paper around a marker is sampled, in cells from its black border."""
MARKER_CELLS = 6
PAPER_LEVEL = 40.0
"""Paper that is darker (mean level, 0 to 255) is none: something lies over the marker."""

_TO_VALUES: Floats = np.array([[0.25, 0.0, 1.0], [0.5, -1.0, -1.0], [0.25, 1.0, 0.0]])
"""From logarithms of blue, green and red to a body colour's values."""
_WEIGHTS: Floats = np.array([1.0, CHROMA_WEIGHT, CHROMA_WEIGHT])


@dataclass(frozen=True, eq=False)
class BodyColour:
    """The colour of a die's body.

    values: float64, (DIMENSIONS,). purity: share (0 to 1) of the rim of the top face that has this colour: low where
    ink, glare or shadow cover it. is_lit: True if the light was known.
    """

    values: Floats
    purity: float
    is_lit: bool

    def as_numbers(self) -> tuple[float, ...]:
        """Return the colour as plain numbers that `from_numbers` takes."""
        numbers = (*self.values, self.purity, float(self.is_lit))
        return tuple(round(float(number), 4) for number in numbers)

    @classmethod
    def from_numbers(cls, numbers: Sequence[float]) -> BodyColour | None:
        """Return the colour; None from nothing, or from numbers of another form."""
        if len(numbers) != DIMENSIONS + 2 or not np.isfinite(numbers).all():
            return None
        return cls(np.asarray(numbers[:DIMENSIONS], np.float64), float(numbers[-2]), bool(numbers[-1]))


def body_colour(crop: Pixels, paper: Floats | None) -> BodyColour:
    """Return the body colour of an upright crop (uint8, BGR, INPUT_SIDE pixels square): the commonest of its rim.

    paper: levels of white paper at the die's place (3,), BGR, 0 to 255; None if the light is not known.
    """
    face, rim = _samples()
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA).reshape(-1, 3)[face]
    seen = small.min(axis=1) < GLARE_LEVEL
    if seen[rim].mean() < 1 / 3:
        seen[:] = True
    pixels = (np.log(_linear(small, paper) + FLOOR) @ _TO_VALUES) * _WEIGHTS
    near = seen & _is_near(pixels, _commonest(pixels, seen, rim))
    return BodyColour(pixels[near].mean(axis=0) / _WEIGHTS, float(near[rim].mean()), paper is not None)


def _commonest(pixels: Floats, seen: npt.NDArray[np.bool_], rim: npt.NDArray[np.bool_]) -> Floats:
    """Return the colour that most of the rim's pixels share, refined by mean shift."""
    candidates = np.nonzero(seen & rim)[0]
    seeds = pixels[candidates[:: max(1, len(candidates) // SEEDS)]]
    squares = (pixels**2).sum(axis=1) - 2 * seeds @ pixels.T + (seeds**2).sum(axis=1, keepdims=True)
    votes = (squares < MODE_RADIUS**2) @ (seen * np.where(rim, 1.0, INNER_WEIGHT))
    mode = seeds[votes.argmax()]
    for _ in range(MODE_STEPS):
        mode = pixels[seen & _is_near(pixels, mode)].mean(axis=0)
    return np.asarray(mode)


def _is_near(pixels: Floats, mode: Floats) -> npt.NDArray[np.bool_]:
    away = pixels - mode
    squares = np.einsum("nd,nd->n", away, away)
    return np.asarray(squares <= max(MODE_RADIUS**2, float(squares.min())))


@cache
def _samples() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return the indices of a small crop's pixels on the top face, and which of them are of its rim."""
    along = np.abs((np.arange(SIDE) + 0.5) / SIDE - 0.5) * INPUT_EDGES
    reach = np.maximum(*np.meshgrid(along, along)).ravel()
    face = np.nonzero(reach < FACE_EDGES)[0]
    return face, reach[face] > RIM_EDGES


def _linear(levels: npt.NDArray[Any], paper: Floats | None) -> Floats:
    """Return linear light as a share of what white paper gives, from levels (n, 3)."""
    white = np.full(3, 255.0) if paper is None else np.maximum(paper, 1.0)
    return np.asarray((levels / white) ** GAMMA)


@cache
def colour_of_body(body: str) -> tuple[float, ...]:
    """Return the values of a body that a die set tells, #rrggbb, under a known light."""
    levels = np.array([[int(body[k : k + 2], 16) for k in (5, 3, 1)]], np.uint8)
    return tuple(map(float, np.log(_linear(levels, None) + FLOOR)[0] @ _TO_VALUES))


@dataclass(frozen=True, eq=False)
class PaperLight:
    """The levels of the markers' paper, float64, (4, 3), BGR, by id; NaN for a marker that is not in sight."""

    levels: Floats
    calibration: Calibration

    def at(self, sighting: DieSighting) -> Floats | None:
        """Return the levels (3,) at a die's place, interpolated between the markers; None if none is in sight."""
        seen = np.isfinite(self.levels[:, 0])
        if not seen.any():
            return None
        if not seen.all():
            return np.asarray(self.levels[seen].mean(axis=0))
        layout = self.calibration.layout
        x, y = np.clip((sighting.x_mm / layout.width_mm, sighting.y_mm / layout.height_mm), 0.0, 1.0)
        weights = np.array([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])
        return np.asarray(weights @ self.levels)


def paper_light(view: TrayView) -> PaperLight | None:
    """Return the light on the tray by its markers' paper; None without a calibration, or without markers."""
    calibration = view.calibration
    if calibration is None or calibration.layout.tapped is not None:
        return None
    spots = cv2.perspectiveTransform(_paper_spots(calibration.layout), np.linalg.inv(calibration.to_mm)).astype(
        np.float32
    )
    levels = cv2.remap(view.frame.pixels, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    papers = np.median(levels, axis=1).astype(np.float64)
    papers[papers.mean(axis=1) < PAPER_LEVEL] = np.nan
    papers[list(calibration.hidden)] = np.nan
    return PaperLight(papers, calibration)


@cache
def _paper_spots(layout: TrayLayout) -> Floats:
    """Return where the markers' paper is sampled in tray millimetres: (4, n, 2)."""
    cell = layout.marker_mm / MARKER_CELLS
    return np.array([np.add(corner, _ring() * cell) for corner in layout.corners_mm])


@cache
def _ring() -> Floats:
    """Return offsets along a ring around a marker in cells from its centre, (n, 2)."""
    reach = MARKER_CELLS / 2 + RIM_CELLS
    along = np.linspace(-0.9, 0.9, 8) * reach
    flat, low, high = along, np.full(8, -reach), np.full(8, reach)
    sides = [(flat, low), (flat, high), (low, flat), (high, flat)]
    return np.concatenate([np.stack(side, axis=1) for side in sides])
