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
MarkerCorners: TypeAlias = npt.NDArray[np.float32]
"""A marker's corners in pixels (4x2), clockwise from its own top left."""

MARKERS = (0, 1, 2, 3)
SAME_PLACE = 1 / 1500
"""Share of the frame's long side: markers that moved less lie where they lay (0.85 pixels of 1280)."""
BIG_PICTURE = 900
"""From this long side in pixels on, markers are looked for in the half-sized picture."""
CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""Where each marker lies on the tray."""
FLATTEST = 0.88
"""A marker whose picture, seen from above, is squeezed to less of its length than this is tilted: by 28 degrees."""
ASTRAY = 1 / 4
"""A marker that lies so many of its sides from where it lay, while the others lie still, was moved; less is a jolt."""
NEAR_SIDES = 3
"""Sides of a marker to a side of the window, around where it lay, in which it is looked for first."""
LEAST_WINDOW = 12
"""Pixels that a marker of six cells a side needs at least, seen at half size."""
NO_TRAY = "The tray's markers are not in sight; the dice are read without zones."


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
    guessed: tuple[int, ...] = ()
    """The markers whose centres were moved along with the others', unseen."""


def calibrate(frame: Frame, layout: TrayLayout, last: Calibration | None = None) -> Calibration | None:
    """Find the tray in a frame. None when not all four markers are seen and there is no `last` to go by.

    While markers are hidden, tilted or moved the last calibration is kept, moved along with the markers that lie as
    they should, and `doubt` says so. A frame of another size makes `last` worthless.
    """
    return locate(frame, layout, last)[0]


def locate(frame: Frame, layout: TrayLayout, last: Calibration | None = None) -> tuple[Calibration | None, str]:
    """The same, and the doubt that goes with it: a sentence, or ''. It tells why there is no calibration, too."""
    size = frame.pixels.shape[1], frame.pixels.shape[0]
    known = last if last is not None and last.size == size else None
    seen = _find(frame.pixels, known)
    centres = {number: _crossing(square) for number, square in seen.items()}
    fresh = _fit(centres, layout, size) if len(centres) == len(MARKERS) else None
    plane = fresh or known
    tilted = tuple(number for number, square in seen.items() if plane is not None and _is_tilted(square, plane))
    found = _settle(fresh, known, centres, tilted)
    return found, found.doubt if found is not None else _why_none(centres, tilted)


def find_marker_centres(pixels: Pixels) -> dict[int, Point]:
    """The centres, in pixels of the picture and to a fraction of one, of the markers in sight, by id."""
    return {number: _crossing(square) for number, square in _find_all(pixels).items()}


def find_marker_corners(pixels: Pixels) -> dict[int, MarkerCorners]:
    """The corners, in pixels of the picture and to a fraction of one, of the markers in sight, by id."""
    return _find_all(pixels)


def name_markers(numbers: tuple[int, ...], *, corners: bool = False) -> str:
    """`Marker 1` or `Markers 1 and 3`, as the words of a sentence; `Marker 1 (top right)` with their corners."""
    names = [f"{number} ({CORNERS[number]})" if corners else str(number) for number in numbers]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"Marker{'s' if len(names) > 1 else ''} {listed}"


def _find(pixels: Pixels, known: Calibration | None) -> dict[int, MarkerCorners]:
    """The markers in sight: near where they lay, and in the whole picture where one of them is not found there."""
    near = {} if known is None else _find_near(pixels, known)
    return near if len(near) == len(MARKERS) else _find_all(pixels)


def _find_all(pixels: Pixels) -> dict[int, MarkerCorners]:
    return _detect(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8), max(pixels.shape), _detector())


def _find_near(pixels: Pixels, known: Calibration) -> dict[int, MarkerCorners]:
    reach = round(NEAR_SIDES / 2 * _side(known))
    found: dict[int, MarkerCorners] = {}
    for number, (x, y) in known.centres.items():
        left, top = max(0, round(x) - reach), max(0, round(y) - reach)
        window = pixels[top : max(top, round(y) + reach), left : max(left, round(x) + reach)]
        if min(window.shape[:2]) < LEAST_WINDOW:
            continue
        grey = np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), np.uint8)
        square = _detect(grey, max(pixels.shape), _near_detector()).get(number)
        if square is not None:
            found[number] = square + np.array([left, top], np.float32)
    return found


def _detect(grey: npt.NDArray[np.uint8], long_side: int, detector: cv2.aruco.ArucoDetector) -> dict[int, MarkerCorners]:
    """The corners of the markers in a picture, or in a part of one whose long side is `long_side`."""
    scale = 2 if long_side >= BIG_PICTURE else 1
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if scale == 2 else grey
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return {}
    found = {int(number): square[0] for number, square in zip(ids.ravel(), corners, strict=True)}
    return {number: _sharpen(grey, found[number], scale) for number in MARKERS if number in found}


def _side(known: Calibration) -> float:
    """The side of a marker in frame pixels, at the corner where it looks largest."""
    corners = [known.centres[number] for number in MARKERS]
    width, height = known.layout.width_mm, known.layout.height_mm
    scales = [
        float(np.hypot(*np.subtract(a, b))) / mm
        for a, b, mm in zip(corners, [*corners[1:], corners[0]], (width, height, width, height), strict=True)
    ]
    return max(scales) * known.layout.marker_mm


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMin = 9
    parameters.adaptiveThreshWinSizeMax = 25
    parameters.adaptiveThreshWinSizeStep = 16
    parameters.minMarkerPerimeterRate = 0.06
    parameters.maxMarkerPerimeterRate = 1.0
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


@cache
def _near_detector() -> cv2.aruco.ArucoDetector:
    """For a window of NEAR_SIDES sides of a marker, in which a marker is large."""
    parameters = _detector().getDetectorParameters()
    parameters.minMarkerPerimeterRate = 0.5 * 4 / NEAR_SIDES
    parameters.maxMarkerPerimeterRate = 2.0 * 4 / NEAR_SIDES
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _sharpen(grey: npt.NDArray[np.uint8], square: MarkerCorners, scale: int) -> MarkerCorners:
    """Corners to a fraction of a pixel, in the full-sized picture."""
    rough = np.ascontiguousarray((square + 0.5) * scale - 0.5, np.float32).reshape(-1, 1, 2)
    side = float(np.linalg.norm(rough[0] - rough[1]))
    reach = int(np.clip(side / 12, 2, 5))
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    return np.asarray(cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), until), np.float32).reshape(4, 2)


def _crossing(square: MarkerCorners) -> Point:
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


def _is_tilted(square: MarkerCorners, plane: Calibration) -> bool:
    """Whether a marker, drawn from straight above, is no square: it does not lie flat, or is half covered."""
    flat = cv2.perspectiveTransform(square[None].astype(np.float64), plane.to_mm)[0]
    across, down = flat[1] + flat[2] - flat[0] - flat[3], flat[2] + flat[3] - flat[0] - flat[1]
    long, short = np.linalg.svd(np.column_stack([across, down]), compute_uv=False)
    return bool(short < FLATTEST * long)


def _settle(
    fresh: Calibration | None, known: Calibration | None, seen: Mapping[int, Point], tilted: tuple[int, ...]
) -> Calibration | None:
    """The calibration to go by: the fresh one where all markers lie as they should, else the known one."""
    if known is None:
        return None if tilted else fresh
    if fresh is None and len(seen) == len(MARKERS):
        return None
    if fresh is None or tilted:
        return _keep(known, seen, tilted)
    astray = _astray(known, fresh)
    return _steady(fresh, known) if astray is None else _doubting(known, seen, f"{astray} has moved")


def _steady(fresh: Calibration, known: Calibration) -> Calibration:
    """Keep the known calibration while nothing moved, so that millimetres do not jitter."""
    if known.layout != fresh.layout or _moved(known, fresh.centres):
        return fresh
    return replace(known, doubt="", hidden=(), guessed=())


def _astray(known: Calibration, fresh: Calibration) -> str | None:
    """The name of the one marker that lies elsewhere while the others lie where they lay."""
    moved = [number for number in MARKERS if _moved(known, {number: fresh.centres[number]})]
    if len(moved) != 1 or moved[0] in known.guessed:
        return None
    far = np.hypot(*np.subtract(known.centres[moved[0]], fresh.centres[moved[0]]))
    return name_markers((moved[0],), corners=True) if far > ASTRAY * _side(known) else None


def _moved(known: Calibration, seen: Mapping[int, Point]) -> bool:
    tolerance = max(known.size) * SAME_PLACE
    return any(np.hypot(*np.subtract(known.centres[number], place)) > tolerance for number, place in seen.items())


def _keep(known: Calibration, seen: Mapping[int, Point], tilted: tuple[int, ...]) -> Calibration:
    """The known calibration, moved along with the markers that lie flat."""
    if not seen:
        doubt = "No marker is in sight; the tray is taken to be where it was last seen."
        return replace(known, doubt=doubt, hidden=MARKERS)
    sound = {number: place for number, place in seen.items() if number not in tilted}
    kept = _shifted(known, sound) if sound and _moved(known, sound) else known
    return _doubting(kept, seen, _awry(seen, tilted))


def _doubting(known: Calibration, seen: Mapping[int, Point], what: str) -> Calibration:
    return replace(known, doubt=f"{what}; the tray's place is a guess.", hidden=_unseen(seen))


def _unseen(seen: Mapping[int, Point]) -> tuple[int, ...]:
    return tuple(number for number in MARKERS if number not in seen)


def _awry(seen: Mapping[int, Point], tilted: tuple[int, ...]) -> str:
    """What is wrong with the markers, as the first half of a sentence."""
    hidden = _unseen(seen)
    told = [f"{name_markers(hidden, corners=True)} cannot be seen"] if hidden else []
    if tilted:
        verb = "is" if len(tilted) == 1 else "are"
        told.append(f"{name_markers(tilted, corners=True)} {verb} tilted or half covered")
    return ", and ".join([*told[:1], *(one[0].lower() + one[1:] for one in told[1:])])


def _why_none(seen: Mapping[int, Point], tilted: tuple[int, ...]) -> str:
    """Why there is no calibration: one or two markers can be named, where more are missing it is no tray at all."""
    if len(seen) < 2:
        return NO_TRAY
    awry = _awry(seen, tilted) or "The markers do not go round clockwise"
    return f"{awry}; the dice are read without zones."


def _shifted(known: Calibration, seen: Mapping[int, Point]) -> Calibration:
    """Move a calibration along with some of its markers."""
    back = np.linalg.inv(_shift({number: known.centres[number] for number in seen}, seen))
    ahead = np.linalg.inv(back)
    centres = {number: _through(ahead, place) for number, place in known.centres.items()}
    guessed = tuple(number for number in MARKERS if number not in seen)
    return replace(known, to_mm=known.to_mm @ back, centres=centres, guessed=guessed)


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
