"""Where the tray is: its four markers give the plane, the scale and the zones.

The markers are ArUco `DICT_4X4_50`, ids 0 to 3 clockwise from the top left. **The marked rectangle is the one whose
corners are the four marker centres.** Millimetres count from the centre of marker 0: x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import Zone
from vision.frames import Frame, Pixels

Plane: TypeAlias = npt.NDArray[np.float64]
"""A 3x3 matrix that takes the points of one plane to those of another."""
Point: TypeAlias = tuple[float, float]

MARKERS = (0, 1, 2, 3)
SAME_PLACE = 1 / 1500
"""Share of the frame's long side: markers that moved less lie where they lay (0.85 pixels of 1280)."""
BIG_PICTURE = 900
"""From this long side in pixels on, markers are looked for in the half-sized picture."""


@dataclass(frozen=True)
class TrayLayout:
    """The tray's measures and zones, as configured.

    width_mm, height_mm: from marker centre to marker centre; marker_mm: a marker's side; brim_mm: how far the playing
    area reaches beyond the marker centres (half a marker, and its distance from the wall). The right-hand fifth is
    `aside` and the square at its top `signal`, unless `bay` is False; what lies beyond the brim is `out`.
    """

    width_mm: float = 300.0
    height_mm: float = 225.0
    marker_mm: float = 20.0
    brim_mm: float = 15.0
    bay: bool = True

    @property
    def bay_mm(self) -> float:
        """The bay's width."""
        return self.width_mm / 5

    def zone_of(self, x_mm: float, y_mm: float, thrown: bool = False) -> Zone:
        """Where a die lies whose centre is there. A thrown one belongs to the field wherever it rests inside."""
        if not self._inside(x_mm, y_mm):
            return Zone.OUT
        if thrown or not self.bay or x_mm < self.width_mm - self.bay_mm:
            return Zone.FIELD
        return Zone.SIGNAL if y_mm < self.bay_mm else Zone.ASIDE

    def _inside(self, x_mm: float, y_mm: float) -> bool:
        brim = self.brim_mm
        return -brim <= x_mm <= self.width_mm + brim and -brim <= y_mm <= self.height_mm + brim

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """The marker centres, in the order of their ids."""
        return (0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm), (0.0, self.height_mm)


@dataclass(frozen=True, eq=False)
class Calibration:
    """Where the tray lies in a frame. `to_mm` takes frame pixels to the tray's millimetres.

    `centres` are the four marker centres in frame pixels; `size` is the frame's width and height; `doubt` is '' or a
    sentence that says which markers could not be seen.
    """

    layout: TrayLayout
    to_mm: Plane
    centres: Mapping[int, Point]
    size: tuple[int, int]
    doubt: str = ""
    hidden: tuple[int, ...] = ()
    """The markers that could not be seen in this frame."""


def calibrate(frame: Frame, layout: TrayLayout, last: Calibration | None = None) -> Calibration | None:
    """Find the tray in a frame. None when not all four markers are seen and there is no `last` to go by.

    While markers are hidden the last calibration is kept, moved along with the markers still in sight, and `doubt`
    says so. A frame of another size makes `last` worthless.
    """
    size = frame.pixels.shape[1], frame.pixels.shape[0]
    seen = find_markers(frame.pixels)
    known = last if last is not None and last.size == size else None
    if len(seen) == len(MARKERS):
        return _steady(_fit(seen, layout, size), known)
    return None if known is None else _keep(known, seen)


def find_markers(pixels: Pixels) -> dict[int, Point]:
    """The centres, in pixels of the picture and to a fraction of one, of the markers in sight, by id."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    big = max(grey.shape) >= BIG_PICTURE
    looked_at = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if big else grey
    corners, ids, _ = _detector().detectMarkers(looked_at)
    if ids is None:
        return {}
    scale = 2 if big else 1
    found = {int(number): _sharpen(grey, square[0], scale) for number, square in zip(ids.ravel(), corners, strict=True)}
    return {number: _crossing(found[number]) for number in MARKERS if number in found}


def name_markers(numbers: tuple[int, ...]) -> str:
    """`Marker 1` or `Markers 1 and 3`, as the words of a sentence."""
    names = [str(number) for number in numbers]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"Marker{'s' if len(names) > 1 else ''} {listed}"


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMin = 9
    parameters.adaptiveThreshWinSizeMax = 25
    parameters.adaptiveThreshWinSizeStep = 16
    parameters.minMarkerPerimeterRate = 0.06
    parameters.maxMarkerPerimeterRate = 1.0
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _sharpen(grey: npt.NDArray[np.uint8], square: npt.NDArray[np.float32], scale: int) -> npt.NDArray[np.float32]:
    """Corners to a fraction of a pixel, in the full-sized picture."""
    rough = np.ascontiguousarray((square + 0.5) * scale - 0.5, np.float32).reshape(-1, 1, 2)
    side = float(np.linalg.norm(rough[0] - rough[1]))
    reach = int(np.clip(side / 12, 2, 5))
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    return np.asarray(cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), until), np.float32).reshape(4, 2)


def _crossing(square: npt.NDArray[np.float32]) -> Point:
    """Where the diagonals cross: the centre, whatever the perspective."""
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in square)
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
    return float(x / w), float(y / w)


def _fit(seen: Mapping[int, Point], layout: TrayLayout, size: tuple[int, int]) -> Calibration | None:
    """The plane through four centres; None when they do not go round clockwise."""
    corners = np.array([seen[number] for number in MARKERS], np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < 0:
        return None
    to_mm = cv2.getPerspectiveTransform(corners, np.array(layout.corners_mm, np.float32))
    return Calibration(layout, np.asarray(to_mm, np.float64), dict(seen), size)


def _steady(fresh: Calibration | None, known: Calibration | None) -> Calibration | None:
    """Keep the known calibration while nothing moved, so that millimetres do not jitter."""
    if fresh is None or known is None or known.layout != fresh.layout or _moved(known, fresh.centres):
        return fresh
    return replace(known, doubt="", hidden=())


def _moved(known: Calibration, seen: Mapping[int, Point]) -> bool:
    tolerance = max(known.size) * SAME_PLACE
    return any(np.hypot(*np.subtract(known.centres[number], place)) > tolerance for number, place in seen.items())


def _keep(known: Calibration, seen: Mapping[int, Point]) -> Calibration:
    hidden = tuple(number for number in MARKERS if number not in seen)
    if not seen:
        doubt = "No marker is in sight; the tray is taken to be where it was last seen."
        return replace(known, doubt=doubt, hidden=hidden)
    doubt = f"{name_markers(hidden)} cannot be seen; the tray's place is a guess."
    return replace(known if not _moved(known, seen) else _shifted(known, seen), doubt=doubt, hidden=hidden)


def _shifted(known: Calibration, seen: Mapping[int, Point]) -> Calibration:
    """Move a calibration along with the markers in sight."""
    back = np.linalg.inv(_shift({number: known.centres[number] for number in seen}, seen))
    ahead = np.linalg.inv(back)
    centres = {number: _through(ahead, place) for number, place in known.centres.items()}
    return replace(known, to_mm=known.to_mm @ back, centres=centres)


def _shift(old: Mapping[int, Point], new: Mapping[int, Point]) -> Plane:
    """How the picture moved: three markers give an affine movement, two a turn and a scale, one a step."""
    before, after = (np.array([places[number] for number in old], np.float32) for places in (old, new))
    if len(old) == 1:
        step = after[0] - before[0]
        return np.array([[1, 0, step[0]], [0, 1, step[1]], [0, 0, 1]], np.float64)
    moved = cv2.getAffineTransform(before, after) if len(old) == 3 else cv2.estimateAffinePartial2D(before, after)[0]
    return np.vstack([np.asarray(moved, np.float64), [0, 0, 1]])


def _through(plane: Plane, place: Point) -> Point:
    x, y, w = plane @ (place[0], place[1], 1.0)
    return float(x / w), float(y / w)
