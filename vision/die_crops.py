"""Cut dice out of pictures: upright for the network, with surroundings for storage, square for display.

All pictures are uint8, (height, width, 3), BGR. Positions are in pixels, and the centre of the first pixel is (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.observations import DieSighting
from vision.rectification import TrayView

INPUT_SIDE = 64
"""Pixels a side of the reader's square input."""
INPUT_EDGES = 1.5
"""Width of the reader's input in edges of the die."""
DOWNSCALE_BELOW = 0.75
"""Below this many input pixels per picture pixel the picture is area-averaged first: sampling alone would alias."""

OVERSAMPLED = 2
"""Samples a pixel and axis of what is cut out of a plane: of dice that are large in the frame one would alias."""

SURROUNDINGS_EDGES = 3.0
"""Width of a stored crop in edges of the die: enough to cut the die out again a little off its centre."""
MAX_SURROUNDINGS = 192
"""Pixels of a stored crop's longer side at most."""
DISPLAY_SIDE = 96
"""Pixels a side of a crop for display."""
DISPLAY_EDGES = 1.7
"""Width of a crop for display in edges of the die."""


@dataclass(frozen=True)
class RotatedSquare:
    """The top face of a die in a picture: centre (x, y) and edge in pixels, and clockwise rotation in degrees."""

    x: float
    y: float
    edge: float
    turned_degrees: float


def crop(pixels: Pixels, square: RotatedSquare) -> Pixels:
    """Return the die upright, INPUT_SIDE pixels square and INPUT_EDGES wide; beyond the picture it is mirrored."""
    part, near = _neighbourhood(pixels, square)
    turn = cv2.getRotationMatrix2D((near.x, near.y), near.turned_degrees, INPUT_SIDE / (INPUT_EDGES * near.edge))
    turn = np.add(turn, [[0, 0, INPUT_SIDE / 2 - near.x], [0, 0, INPUT_SIDE / 2 - near.y]])
    size = (INPUT_SIDE, INPUT_SIDE)
    upright = cv2.warpAffine(part, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(upright, np.uint8)


def _neighbourhood(pixels: Pixels, square: RotatedSquare) -> tuple[Pixels, RotatedSquare]:
    """Return the part of a picture around a die and the die's square in it, downscaled where the die is large."""
    height, width = pixels.shape[:2]
    left, right = (int(np.clip(square.x + side * INPUT_EDGES * square.edge, 0, width - 1)) for side in (-1, 1))
    top, bottom = (int(np.clip(square.y + side * INPUT_EDGES * square.edge, 0, height - 1)) for side in (-1, 1))
    part = pixels[top : bottom + 1, left : right + 1]
    factor = INPUT_SIDE / (INPUT_EDGES * square.edge)
    if factor > DOWNSCALE_BELOW:
        return part, RotatedSquare(square.x - left, square.y - top, square.edge, square.turned_degrees)
    size = (max(1, round(part.shape[1] * factor)), max(1, round(part.shape[0] * factor)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    x, y = (square.x - left + 0.5) * factor - 0.5, (square.y - top + 0.5) * factor - 0.5
    return np.asarray(small, np.uint8), RotatedSquare(x, y, square.edge * factor, square.turned_degrees)


def upright_crop(view: TrayView, sighting: DieSighting) -> Pixels:
    """Return a die of a view as the reader takes it, turned so that what is seen of its sides is below its top.

    In a tray's plane a top face is a square however the camera leans, so that it is cut out there.
    """
    turned = upright(sighting.turned_degrees, view.sight_at(sighting.x_mm, sighting.y_mm).down)
    if view.calibration is None:
        return crop(view.frame.pixels, RotatedSquare(sighting.x, sighting.y, sighting.edge, turned))
    return straightened(view, replace(sighting, turned_degrees=turned), INPUT_EDGES, INPUT_SIDE)


def upright(turned_degrees: float, down: npt.NDArray[np.float64]) -> float:
    """Return the quarter turn of a rotation (degrees) at which a direction of the picture, (2,), points down best."""
    below = float(np.degrees(np.arctan2(down[1], down[0]))) - 90
    return below + (turned_degrees - below + 45) % 90 - 45


def straightened(view: TrayView, sighting: DieSighting, edges: float, side: int) -> Pixels:
    """Return a die upright in the plane of the view, `edges` of it wide and `side` pixels square."""
    lean = np.radians(sighting.turned_degrees)
    fine = OVERSAMPLED * side
    step = edges * sighting.edge_mm / fine
    turn = step * np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    corner = np.array([sighting.x_mm, sighting.y_mm]) - turn @ np.full(2, (fine - 1) / 2)
    to_plane = np.vstack([np.column_stack([turn, corner]), [0, 0, 1]])
    to_frame = view.to_frame @ np.linalg.inv(view.to_mm) @ to_plane
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(
        view.frame.pixels, to_frame, (fine, fine), flags=flags, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def rotation_in_frame(sighting: DieSighting, view: TrayView) -> float:
    """Return the die's rotation in the frame, 0 to 90 degrees clockwise.

    `sighting.turned_degrees` is in the view, which may itself be rotated and skewed against the frame.
    """
    lean = np.radians(sighting.turned_degrees)
    middle = cv2.perspectiveTransform(np.array([[[sighting.x, sighting.y]]]), np.linalg.inv(view.to_frame))[0, 0]
    ahead = middle + 10 * np.array([np.cos(lean), np.sin(lean)])
    there = cv2.perspectiveTransform(ahead[None, None], view.to_frame)[0, 0]
    return float(np.degrees(np.arctan2(there[1] - sighting.y, there[0] - sighting.x)) % 90)


def cut_with_surroundings(pixels: Pixels, sighting: DieSighting, turned_degrees: float) -> tuple[Pixels, RotatedSquare]:
    """Return a die with its surroundings, not rotated, and its square in there.

    SURROUNDINGS_EDGES wide, less where the picture ends, and downscaled to MAX_SURROUNDINGS. `turned_degrees` is the
    die's rotation in the frame.
    """
    reach = SURROUNDINGS_EDGES / 2 * sighting.edge
    left, top = max(0, int(sighting.x - reach)), max(0, int(sighting.y - reach))
    part = pixels[top : int(sighting.y + reach) + 1, left : int(sighting.x + reach) + 1]
    scale = min(1.0, MAX_SURROUNDINGS / max(part.shape[:2]))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = ((position + 0.5) * scale - 0.5 for position in (sighting.x - left, sighting.y - top))
    return part.copy(), RotatedSquare(x, y, sighting.edge * scale, turned_degrees)


def cut_for_display(pixels: Pixels, sighting: DieSighting, side: int = DISPLAY_SIDE) -> Pixels:
    """Return the square around a die, `side` pixels wide; beyond the picture its border is repeated."""
    width = max(2, round(sighting.edge * DISPLAY_EDGES))
    cut = cv2.getRectSubPix(pixels, (width, width), (sighting.x, sighting.y))
    how = cv2.INTER_AREA if width > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (side, side), interpolation=how), np.uint8)
