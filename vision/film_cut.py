"""Cut the small pictures of the stream to the tray, for the film of a throw: nothing of the room is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Frame, Pixels, small_image
from vision.rectification import GREY, MARGIN_MM, crop_to_tray
from vision.tray_calibration import Calibration
from vision.tray_markers import MARKERS, Point

REACH = 6
"""Pixels of the small picture to each side of a marker's centre: the marker itself in a tray that fills the picture."""
ALIKE = 0.6
"""The correlation (-1 to 1) of a marker with itself in a later picture: 0.9 in other light, below 0.4 when covered."""


CORNERS_AT_LEAST = 2
"""Corners of a tray without markers that must match: one corner alone resembles many things in a room."""


@dataclass(frozen=True)
class CutPlace:
    """Where a cut lies in its frame: left, top, width and height in the pixels of the whole frame."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class FilmCut:
    """Where the tray lies in the small pictures since it was last read.

    small: the small picture in which it was found. centres: the markers in small pictures, or the tapped corners.
    least: how many of them are in their places while the tray is. corner: the cut's corner (x, y) in small pictures.
    inside: uint8, 255 where a pixel of the cut shows the tray. place: the cut in pixels of the whole frame.
    """

    small: Pixels
    centres: Mapping[int, Point]
    least: int
    corner: tuple[int, int]
    inside: npt.NDArray[np.uint8]
    place: CutPlace

    @classmethod
    def of(cls, frame: Frame, calibration: Calibration) -> Self:
        """Return the cut for the small pictures of a camera whose frame was read with that calibration."""
        small = small_image(frame)
        scale = small.shape[1] / frame.pixels.shape[1]
        there = scaled(calibration, scale)
        white, left, top = crop_to_tray(np.full_like(small, 255), there, MARGIN_MM)
        inside = np.ascontiguousarray(np.where(white[..., 0] == GREY, 0, 255), np.uint8)
        height, width = inside.shape
        place = CutPlace(left / scale, top / scale, width / scale, height / scale)
        least = 1 if calibration.layout.tapped is None else CORNERS_AT_LEAST
        return cls(small, there.centres, least, (round(left), round(top)), inside, place)

    def cut(self, small: Pixels) -> Pixels:
        """Return a small picture cut to the tray, with GREY for the room: all of it where the tray is not in its place.

        A camera that was pushed moves all markers; hands and dice leave one at least as it was.
        """
        (left, top), (height, width) = self.corner, self.inside.shape
        cut = np.full((height, width, 3), GREY, np.uint8)
        if self._is_in_place(small):
            cv2.copyTo(small[top : top + height, left : left + width], self.inside, cut)
        return cut

    def _is_in_place(self, small: Pixels) -> bool:
        if small.shape != self.small.shape:
            return False
        return sum(_alike(self.small, small, self.centres[each]) for each in MARKERS) >= self.least


def scaled(calibration: Calibration, scale: float) -> Calibration:
    """Return a calibration for the same picture at another size, its pixels multiplied by `scale`."""
    shift = (scale - 1) / 2  # the centre of a pixel is a whole number
    to_full = np.array([[1 / scale, 0, -shift / scale], [0, 1 / scale, -shift / scale], [0, 0, 1]])
    centres = {number: (x * scale + shift, y * scale + shift) for number, (x, y) in calibration.centres.items()}
    size = round(calibration.size[0] * scale), round(calibration.size[1] * scale)
    return replace(calibration, to_mm=calibration.to_mm @ to_full, centres=centres, size=size)


def _alike(before: Pixels, now: Pixels, centre: Point) -> bool:
    """True if two small pictures show the same pattern around a point, in whatever light."""
    left, top = (max(0, round(position) - REACH) for position in centre)
    there = slice(top, top + 2 * REACH + 1), slice(left, left + 2 * REACH + 1)
    if before[there].size == 0:
        return False
    old, new = (np.asarray(cv2.cvtColor(picture[there], cv2.COLOR_BGR2GRAY)) for picture in (before, now))
    if min(float(old.std()), float(new.std())) < 1:
        return False
    return float(cv2.matchTemplate(old, new, cv2.TM_CCOEFF_NORMED)[0, 0]) > ALIKE
