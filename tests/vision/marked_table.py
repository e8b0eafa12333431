"""A table with markers on it, drawn by numpy and OpenCV: mats of any size, seen from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.synthetic.die_renderer import emulate_sensor
from vision.frames import Pixels

PIXELS_PER_MM = 4.0
TABLE_MM = (520.0, 420.0)


@dataclass(frozen=True)
class LaidMat:
    """Four markers on the table: their rectangle's left top corner and size, the side of one, and their first id.

    turned: degrees by which each marker is turned for itself. left_out: corners without a marker. mirrored: as if
    printed mirrored.
    """

    left_mm: float = 60.0
    top_mm: float = 60.0
    width_mm: float = 300.0
    height_mm: float = 225.0
    marker_mm: float = 20.0
    first: int = 0
    turned: Sequence[float] = (0.0, 0.0, 0.0, 0.0)
    left_out: Sequence[int] = ()
    mirrored: bool = False


def draw_table(*mats: LaidMat, seed: int = 0) -> Pixels:
    """Return the table from straight above, BGR, PIXELS_PER_MM."""
    size = round(TABLE_MM[1] * PIXELS_PER_MM), round(TABLE_MM[0] * PIXELS_PER_MM)
    table = np.full((*size, 3), 118, np.uint8)
    for mat in mats:
        _lay(table, mat)
    return emulate_sensor(table, np.random.default_rng(seed), noise=2.0, blur=0.0)


def _lay(table: Pixels, mat: LaidMat) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    for number, (across, down) in enumerate(corners):
        if number in mat.left_out:
            continue
        cell = 20
        image = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(dictionary, mat.first + number, 6 * cell),
            *(cell,) * 4,
            cv2.BORDER_CONSTANT,
            value=(255,),
        )
        image = image[:, ::-1] if mat.mirrored else image
        middle = np.array([mat.left_mm + across * mat.width_mm, mat.top_mm + down * mat.height_mm]) * PIXELS_PER_MM
        scale = mat.marker_mm * PIXELS_PER_MM / (6 * cell)
        turn = cv2.getRotationMatrix2D((4 * cell - 0.5, 4 * cell - 0.5), mat.turned[number], scale)
        reach = round(mat.marker_mm * PIXELS_PER_MM)
        left, top = np.rint(middle).astype(int) - reach
        turn[:, 2] += middle - (left, top) - (4 * cell - 0.5)
        around = table[top : top + 2 * reach, left : left + 2 * reach]
        to = around.shape[1], around.shape[0]
        drawn = cv2.warpAffine(np.ascontiguousarray(image), turn, to, flags=cv2.INTER_AREA)
        inside = cv2.warpAffine(np.full_like(image, 255), turn, to, flags=cv2.INTER_NEAREST)
        around[inside > 0] = drawn[inside > 0][:, None]


def seen_from(
    table: Pixels, tilt_degrees: float = 0.0, around_degrees: float = 90.0, size: tuple[int, int] = (1280, 960)
) -> Pixels:
    """Return the table as a camera over its middle sees it, tilted from straight down towards a side."""
    tilt, around = np.radians([tilt_degrees, around_degrees])
    # x to the right, y down, z into the table: the side towards which the camera is tilted is below in its picture.
    away = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), -np.cos(tilt)])
    ahead = -away
    right = np.cross((np.cos(around), np.sin(around), 0.0), ahead)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(ahead, right), ahead])
    distance, focal = 640.0, 0.98 * size[0]
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    place = lens @ turn @ np.column_stack([(1, 0, 0), (0, 1, 0), -distance * away])
    to_mm = np.array([[1 / PIXELS_PER_MM, 0, -TABLE_MM[0] / 2], [0, 1 / PIXELS_PER_MM, -TABLE_MM[1] / 2], [0, 0, 1]])
    soft = cv2.GaussianBlur(table, (0, 0), 0.6 * PIXELS_PER_MM / 2.3)
    return np.asarray(cv2.warpPerspective(soft, place @ to_mm, size, borderValue=(118, 118, 118)), np.uint8)
