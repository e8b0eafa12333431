"""Find in earlier small pictures what a later one shows at a place: a die that was carried shows its face all the way.

At twice the size and blurred, since half a pixel of a small picture is a lot for a pip. Places are in small pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.background_subtraction import Mask
from vision.frames import Pixels

Place: TypeAlias = tuple[float, float]
"""x and y in small pixels."""
Levels: TypeAlias = npt.NDArray[np.float32]
"""Grey levels, or sums of their squares and products."""
GREY_SHARES = np.full((1, 3), 3**-0.5, np.float32)
"""A unit vector: what two colours differ along it is at most what they differ."""
FEW_PLACES = 100
"""So many places are compared one by one, which is faster for them than to compare all at once."""

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
        self._disc = disc.astype(np.float32)
        self._faces = [_SoughtFace.within(face, np.asarray(disc, np.uint8)) for face in faces]
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
        grey = np.asarray(cv2.transform(window, GREY_SHARES), np.float32)
        energies = np.asarray(cv2.matchTemplate(cv2.multiply(grey, grey), self._disc, cv2.TM_CCORR), np.float32)
        for face in self._faces if reached > 2 else self._faces[:1]:
            found = face.nearest_within(self._limit**2 * self._count, window, face.grey_differences(grey, energies))
            if found is not None:
                row, column = found
                return place[0] + float(column) / ZOOM - left, place[1] + float(row) / ZOOM - top
        return None


@dataclass(frozen=True, eq=False)
class _SoughtFace:
    """A face within a disc, in colour and in grey, which is 0 beyond the disc; energy: of its grey levels squared."""

    pixels: Levels
    grey: Levels
    disc: Mask
    energy: float

    @classmethod
    def within(cls, face: Pixels, disc: Mask) -> _SoughtFace:
        """Return what of a face lies within the disc."""
        pixels = (face * disc[..., np.newaxis]).astype(np.float32)
        grey = np.asarray(cv2.transform(pixels, GREY_SHARES), np.float32)
        return cls(pixels, grey, disc, float(np.square(grey, dtype=np.float64).sum()))

    def grey_differences(self, grey: Levels, energies: Levels) -> Levels:
        """Return the squared difference of the grey levels at each place of a window, the least that all colours have.

        `energies` are the sums of its squared grey levels within the disc at each place.
        """
        products = cv2.matchTemplate(grey, self.grey, cv2.TM_CCORR)
        return np.asarray(energies - 2 * products + self.energy, np.float32)

    def nearest_within(self, largest: float, window: Levels, least: Levels) -> tuple[int, int] | None:
        """Return the row and column where a window in colour differs least from the face; None if more than `largest`.

        `least` is what it differs at least at each place: most places are left out by that.
        """
        if float(least.min()) >= largest:
            return None
        rows, columns = np.nonzero(least < largest)
        if rows.size <= FEW_PLACES:
            differences = [
                self._difference(window, int(row), int(column)) for row, column in zip(rows, columns, strict=True)
            ]
            nearest = int(np.argmin(differences))
            place = int(rows[nearest]), int(columns[nearest])
            return place if differences[nearest] < largest else None
        mask = cv2.merge([self.disc] * 3).astype(np.float32)
        squares = cv2.matchTemplate(window, self.pixels, cv2.TM_SQDIFF, mask=mask)
        row, column = np.unravel_index(int(np.argmin(squares)), squares.shape)
        return (int(row), int(column)) if float(squares[row, column]) < largest else None

    def _difference(self, window: Levels, row: int, column: int) -> float:
        height, width = self.disc.shape
        there = window[row : row + height, column : column + width]
        return float(cv2.norm(there, self.pixels, cv2.NORM_L2SQR, self.disc))


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
