"""The plan of the virtual table in millimetres: the origin is the centre of marker 0, x to the right, y down, z up.

An octagonal tray of felt lies on a wooden board; the board's corners carry the markers. A low fence runs round the
felt and a thin lath divides the bay from the field.
"""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float64]

WIDTH, HEIGHT = 300.0, 225.0
"""The rectangle from marker centre to marker centre."""
MARKER = 20.0
QUIET = 3.0
"""The white border of a marker."""
UPRIGHT_MARGIN = 12.0
"""How far the picture from straight above shows the table beyond that rectangle (`vision.rectification`)."""
BAY = 0.8 * WIDTH
"""The x at which the bay begins; its top square is the signal spot."""
SPOT = BAY + 26.0, 34.0
"""The middle of the printed ring on the signal spot."""
LATH_WIDTH, LATH_HEIGHT = 2.4, 3.0

_LEDGE = 3.0
"""How far the felt goes beyond the rectangle: a die against the fence still lies inside the rectangle."""
_CUT = 47.0
"""Leg of the corners that are cut off, which leaves room for the markers behind the fence."""
FENCE_WIDTH, FENCE_HEIGHT = 7.0, 10.0
BOARD = (-15.0, -15.0, WIDTH + 15.0, HEIGHT + 15.0)
"""Left, top, right and bottom of the wooden board."""
FIELD_MIDDLE: Vectors = np.array([BAY / 2, HEIGHT / 2])


class TrayPlace(StrEnum):
    """Where a die lies, in the words of the tray's page: a die that is `out` can be seen, one that is `off` cannot."""

    FIELD = "field"
    ASIDE = "aside"
    OUT = "out"
    OFF = "off"


def octagon(widened: float = 0.0) -> Vectors:
    """Return the felt's corners, clockwise from the left end of the top side (8 x 2), with each side moved outwards."""
    low, right, bottom = -_LEDGE - widened, WIDTH + _LEDGE + widened, HEIGHT + _LEDGE + widened
    cut = _CUT + widened * (2 - 2**0.5)
    corners = [(low + cut, low), (right - cut, low), (right, low + cut), (right, bottom - cut)]
    corners += [(right - cut, bottom), (low + cut, bottom), (low, bottom - cut), (low, low + cut)]
    return np.array(corners, np.float64)


def walls() -> tuple[Vectors, Vectors]:
    """Return the sides of the felt: inward unit normals (8 x 2), and offsets (8) with `normal @ point >= offset`."""
    corners = octagon()
    along = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    return normals, np.asarray((normals * corners).sum(axis=1))


def field_walls() -> tuple[Vectors, Vectors]:
    """Return the sides of the field alone, as `walls` does: the lath closes it on the right."""
    normals, offsets = walls()
    return np.vstack([normals, [-1.0, 0.0]]), np.append(offsets, -(BAY - LATH_WIDTH / 2))


def place_of(x: float, y: float) -> TrayPlace:
    """Return the place of a point in view: field or aside inside the rectangle, out beyond it."""
    if not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
        return TrayPlace.OUT
    return TrayPlace.FIELD if x < BAY else TrayPlace.ASIDE


def on_felt(point: Vectors, reach: float) -> bool:
    """Return True if a die of that reach (half its breadth) lies wholly inside the fence, and not across the lath."""
    normals, offsets = walls()
    return bool((normals @ point - offsets >= reach).all()) and abs(point[0] - BAY) >= reach + LATH_WIDTH / 2


def off_tray(point: Vectors, reach: float) -> bool:
    """Return True if a die of that reach lies wholly outside the fence, on the board or the table, and on no marker."""
    normals, offsets = walls()
    clear = np.abs(marker_centres() - point).max(axis=1).min() >= MARKER / 2 + QUIET + reach
    return bool(clear and (normals @ point - offsets).min() <= -(FENCE_WIDTH + reach))


def marker_picture(number: int) -> npt.NDArray[np.uint8]:
    """Return marker `number` (0 to 3 clockwise from the top left), black on white, one pixel a cell (6 x 6)."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(words, number, 6), np.uint8)


def marker_centres() -> Vectors:
    """Return the centres of the markers in the order of their numbers (4 x 2)."""
    return np.array([(0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)])


def unit(vector: Vectors) -> Vectors:
    """Return a vector of length 1 in the same direction."""
    return np.asarray(vector / np.linalg.norm(vector))
