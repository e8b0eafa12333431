"""Find in earlier small pictures what a later one shows at a place: a die that was carried shows its face all the way.

At twice the size and blurred, since half a pixel of a small picture is a lot for a pip. Places are in small pixels.
"""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np

from vision.frames import Pixels

Place: TypeAlias = tuple[float, float]
"""x and y in small pixels."""

RADIUS_EDGES = 0.55
"""Radius of what is compared, in edges of the die: its top face, whichever way it is turned."""
ROTATIONS = 0.0, -16.0, 16.0
"""Degrees by which a carried die may be turned against how it lies at last."""
ZOOM, BLUR = 2, 1.6
"""How much the pictures are enlarged, and the standard deviation of the blur after that, in enlarged pixels."""
SAME_SHARE, LEAST_LEVELS, MOST_LEVELS = 0.38, 4.0, 20.0
"""Two places show the same where their grey levels differ (root mean square) by less than this share of the contrast
of the face, within limits: a dark face without contrast resembles any other dark face."""


class FaceSearch:
    """What a picture shows around a place, to be searched in other pictures. `edge` is the die's, in small pixels."""

    def __init__(self, picture: Pixels, place: Place, edge: float) -> None:
        self.radius = max(3, round(edge * RADIUS_EDGES))
        reach = ZOOM * self.radius
        shown = _enlarged(picture, place, self.radius + 4)
        middle = (shown.shape[1] - 1) / 2
        disc = cv2.circle(np.zeros((2 * reach + 1,) * 2, np.uint8), (reach, reach), reach, 1, -1)
        faces = [_cut(shown, (middle, middle), reach, degrees) for degrees in ROTATIONS]
        contrast = float(faces[0][disc > 0].std(axis=0).mean())
        self._count = 3 * int(disc.sum())
        self._mask = cv2.merge([disc] * 3).astype(np.float32)
        self._faces = [face.astype(np.float32) for face in faces]
        self._limit = min(max(SAME_SHARE * contrast, LEAST_LEVELS), MOST_LEVELS)

    def find(self, picture: Pixels, place: Place, reach: float) -> Place | None:
        """Return where the face is in a picture, at most `reach` to each side of a place; None if it is not there.

        Within two pixels it is looked for as it lies at last, farther away also turned a little. Beyond the picture it
        is not looked for: after a gap in the camera's sight a die may have come from very far, and the search of all
        that took seconds.
        """
        reached = max(1, min(int(np.ceil(reach)), max(picture.shape)))
        whole = _enlarged(picture, place, self.radius + reached)
        height, width = picture.shape[:2]
        (top, rows), (left, columns) = (
            _inside(at, reached, self.radius, side) for at, side in zip(place[::-1], (height, width), strict=True)
        )
        window = whole[rows, columns].astype(np.float32)
        for face in self._faces if reached > 2 else self._faces[:1]:
            squares = cv2.matchTemplate(window, face, cv2.TM_SQDIFF, mask=self._mask)
            row, column = np.unravel_index(int(np.argmin(squares)), squares.shape)
            if (max(float(squares[row, column]), 0.0) / self._count) ** 0.5 < self._limit:
                return place[0] + float(column) / ZOOM - left, place[1] + float(row) / ZOOM - top
        return None


def _inside(at: float, reached: int, radius: int, side: int) -> tuple[int, slice]:
    """Return how far before a place a search within `side` pixels begins, and the part of the window that it takes."""
    before, behind = (max(1, min(reached, int(np.ceil(way)))) for way in (at, side - 1 - at))
    return before, slice(ZOOM * (reached - before), ZOOM * (reached + behind + 2 * radius) + 1)


def _enlarged(picture: Pixels, place: Place, reach: int) -> Pixels:
    """Return the square of a picture within `reach` pixels of a place, ZOOM times as large and blurred."""
    margin = reach + 2
    large = cv2.resize(_cut(picture, place, margin, 0.0), None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_LINEAR)
    blurred = np.asarray(cv2.GaussianBlur(large, (0, 0), BLUR), np.uint8)
    middle = (blurred.shape[1] - 1) / 2
    return _cut(blurred, (middle, middle), ZOOM * reach, 0.0)


def _cut(picture: Pixels, place: Place, reach: int, degrees: float) -> Pixels:
    """Return the square of a picture, turned, within `reach` pixels of a place; beyond the border it is continued."""
    turned = cv2.getRotationMatrix2D(place, degrees, 1.0)
    turned[:, 2] += np.subtract(reach, place)
    side = 2 * reach + 1
    return np.asarray(cv2.warpAffine(picture, turned, (side, side), borderMode=cv2.BORDER_REPLICATE), np.uint8)
