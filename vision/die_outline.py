"""A die as the camera sees it, set straight by the tray's plane: its top face a unit square wherever it lies.

The picture around a die is warped onto the plane of a flat die's top face, turned with the die, in edges of the die.
There a flat die of any place, camera and rotation shows the same square, and its sides appear towards the point below
the camera, by as much as the line of sight tells. What is seen is described by the directions of its outlines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.observations import DieSighting
from vision.plane_camera import PlaneCamera
from vision.tray_calibration import Calibration

Floats = npt.NDArray[np.float32]

SIDE, PER_EDGE = 54, 24
"""Pixels a side of the straightened picture, and pixels for an edge of the die: it reaches 1.1 edges to each side."""
CELL, DIRECTIONS = 6, 8
"""Pixels a side of a cell, and directions of outlines that are told apart, as in histograms of oriented gradients
(Dalal and Triggs 2005)."""
CELLS = SIDE // CELL
PLANES = DIRECTIONS + 2
"""Numbers of a cell: outlines in each direction, and how far its colour is from the table's and from the top face's."""
CONTRAST_LEVELS, COLOUR_LEVELS = 12.0, 20.0
"""Gradient and colour distance, in levels, up to which a cell's number grows evenly; beyond by the logarithm."""


@dataclass(frozen=True, eq=False)
class DieOutline:
    """What a die looks like in the plane of a flat die's top face.

    cells: float32, (CELLS, CELLS, PLANES). sight: the line of sight in that plane, in the die's axes: how far the foot
    of a flat die is seen from its top face, as a share of its edge, float32, (2,).
    """

    cells: Floats
    sight: Floats


def outline_of(
    pixels: Pixels, calibration: Calibration, camera: PlaneCamera, sighting: DieSighting, edge_mm: float
) -> DieOutline:
    """Return the outline of a die in a frame (BGR) whose dice have that edge."""
    straight, sight = straightened(pixels, calibration, camera, sighting, edge_mm)
    return DieOutline(_cells(straight), sight)


def straightened(
    pixels: Pixels, calibration: Calibration, camera: PlaneCamera, sighting: DieSighting, edge_mm: float
) -> tuple[Pixels, Floats]:
    """Return the picture of a die, uint8, (SIDE, SIDE, 3), BGR, and its line of sight (see DieOutline)."""
    foot, height = np.array(camera.eye_mm[:2]), camera.height_mm
    centre = foot + (np.array([sighting.x_mm, sighting.y_mm]) - foot) * (height - edge_mm) / height
    lean = np.radians(sighting.turned_degrees)
    turn = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    step = edge_mm / (2 * PER_EDGE)
    corner = centre - turn @ np.full(2, (SIDE - 0.5) * step)
    to_plane = np.vstack([np.column_stack([step * turn, corner]), [0, 0, 1]])
    to_frame = np.linalg.inv(calibration.to_mm) @ camera.plane_at(edge_mm) @ to_plane
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine = cv2.warpPerspective(pixels, to_frame, (2 * SIDE, 2 * SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    straight = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(straight, np.uint8), (turn.T @ (foot - centre) / height).astype(np.float32)


def _cells(straight: Pixels) -> Floats:
    picture = straight.astype(np.float32)
    small = picture.reshape(CELLS, CELL, CELLS, CELL, 3).mean(axis=(1, 3))
    rim = np.concatenate([picture[:3].reshape(-1, 3), picture[-3:].reshape(-1, 3)])
    rim = np.concatenate([rim, picture[:, :3].reshape(-1, 3), picture[:, -3:].reshape(-1, 3)])
    table, top = np.median(rim, axis=0), small[3:6, 3:6].mean(axis=(0, 1))
    far = [np.log1p(np.linalg.norm(small - colour, axis=2) / COLOUR_LEVELS) for colour in (table, top)]
    return np.concatenate([_directions(picture), np.stack(far, axis=2)], axis=2).astype(np.float32)


def _directions(picture: Floats) -> Floats:
    """Return the mean strength of the outlines in each cell and direction, each pixel by its strongest colour."""
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *order, ksize=3).reshape(-1, 3) for order in ((1, 0), (0, 1)))
    strongest = np.arange(len(across)), (across**2 + down**2).argmax(axis=1)
    x, y = across[strongest], down[strongest]
    strength = np.log1p(np.hypot(x, y) / CONTRAST_LEVELS)
    angle = (np.arctan2(y, x) % np.pi) / np.pi * DIRECTIONS
    low = angle.astype(np.intp)
    share = angle - low
    found = np.zeros(CELLS * CELLS * DIRECTIONS)
    for direction, weight in ((low, 1 - share), (low + 1, share)):
        found += np.bincount(_CELL_OF_PIXEL + direction % DIRECTIONS, strength * weight, len(found))
    return np.asarray(found.reshape(CELLS, CELLS, DIRECTIONS) / CELL**2, np.float32)


_CELL_OF_PIXEL = np.add.outer(np.arange(SIDE) // CELL * CELLS, np.arange(SIDE) // CELL).ravel() * DIRECTIONS


def mirrored(outline: DieOutline, *, swapped: bool, across: bool, down: bool) -> DieOutline:
    """Return the outline with its axes swapped and then mirrored: the same die seen by a mirrored camera."""
    cells, sight = outline.cells, outline.sight
    if swapped:
        cells, sight = cells.transpose(1, 0, 2)[..., _SWAPPED], sight[::-1]
    if across:
        cells, sight = cells[:, ::-1][..., _MIRRORED], sight * (-1, 1)
    if down:
        cells, sight = cells[::-1][..., _MIRRORED], sight * (1, -1)
    return replace(outline, cells=cells, sight=sight.astype(np.float32))


_MIRRORED = [*(-n % DIRECTIONS for n in range(DIRECTIONS)), *range(DIRECTIONS, PLANES)]
_SWAPPED = [*((DIRECTIONS // 2 - n) % DIRECTIONS for n in range(DIRECTIONS)), *range(DIRECTIONS, PLANES)]
