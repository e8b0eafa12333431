"""Calibrate: locate the tray by its four markers, which give the plane, the scale and the zones.

The markers are ArUco `DICT_4X4_50`, ids 0 to 3 clockwise from the top left. **The marked rectangle is the one whose
corners are the four marker centres.** Tray coordinates are millimetres from the centre of marker 0: x to the right, y
down.

A tray without markers is known by its four inner corners, which people tapped in a picture: they stand in for the
marker centres, and the look of the tray's edge tells whether it is still there.
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
from referee.phrases import spell_list
from referee.sentences import say, say_count, within_sentence
from vision.frames import Frame, Pixels
from vision.tray_edge import LONG_SIDE, EdgeFinding, TrayEdge

Homography: TypeAlias = npt.NDArray[np.float64]
"""A 3 x 3 matrix that maps the points of one plane to those of another, in homogeneous coordinates."""
Point: TypeAlias = tuple[float, float]
"""x and y."""
MarkerCorners: TypeAlias = npt.NDArray[np.float32]
"""A marker's corners in pixels, (4, 2), clockwise from its own top left."""

MARKERS = (0, 1, 2, 3)
"""The ids of the tray's markers."""
SAME_PLACE = 1 / 1500
"""Share of the frame's long side: markers that moved less have not moved (0.85 pixels of 1280)."""
HALVE_FROM = 900
"""From this long side in pixels on, markers are searched in the picture at half size."""
CORNERS = (say("top left"), say("top right"), say("bottom right"), say("bottom left"))
"""Where each marker lies on the tray."""
MIN_FLATNESS = 0.88
"""A rectified marker whose short side is less than this share of its long side is tilted: by 28 degrees."""
DISPLACED_SIDES = 1 / 4
"""A marker that moved by more of its sides, while the others did not, was displaced; less is a bump of the tray."""
WINDOW_SIDES = 3
"""Width of the window around a marker's last position that is searched first, in sides of the marker."""
MIN_WINDOW = 12
"""Pixels that a marker of six cells a side needs at least at half size."""
NO_TRAY = say("The tray's markers are not in sight; the dice are read without zones.")
TAPPED_BRIM_MM = 8.0
"""How far the centre of a die may seem to lie beyond the tapped edge: its top is nearer to the camera, and taps err."""
SAME_CORNER_PX = 0.6
"""Tapped corners that were followed by less, in pixels of LONG_SIDE, stay as they were."""
TRAY_MOVED = say("The camera or the tray has moved since its corners were tapped: check the corners.")
PICTURE_TURNED = say("The picture has another shape than when the corners were tapped: turn it back, or tap again.")
EDGE_COVERED = say("Much of the tray's edge cannot be seen; its place is a guess.")


@dataclass(frozen=True, eq=False)
class TappedTray:
    """The inner corners of a tray as people tapped them, and the look of its edge then.

    corners: clockwise from the top left, as fractions of the picture. size: the picture's width and height.
    """

    corners: tuple[Point, Point, Point, Point]
    size: tuple[int, int]
    edge: TrayEdge

    def has_shape_of(self, size: tuple[int, int]) -> bool:
        """True if a picture of that width and height may be the same one at another size, to a pixel."""
        return abs(self.size[0] * size[1] - self.size[1] * size[0]) <= max(*self.size, *size)


@dataclass(frozen=True)
class TrayLayout:
    """The tray's dimensions and zones, as configured.

    width_mm, height_mm: from marker centre to marker centre; marker_mm: side of a marker; brim_mm: how far the playing
    area extends beyond the marker centres (half a marker, and its distance from the wall). The right-hand fifth is
    ASIDE and the square at its top SIGNAL, unless `bay` is False; what lies beyond the brim is OUT.
    tapped: the corners of a tray without markers, which stand in for the marker centres; it has no bay.
    """

    width_mm: float = 300.0
    height_mm: float = 225.0
    marker_mm: float = 20.0
    brim_mm: float = 15.0
    bay: bool = True
    tapped: TappedTray | None = None

    @classmethod
    def by_taps(cls, width_mm: float, height_mm: float, tapped: TappedTray) -> TrayLayout:
        """Return the layout of a tray without markers, of that inner width and height."""
        return cls(width_mm, height_mm, marker_mm=0.0, brim_mm=TAPPED_BRIM_MM, bay=False, tapped=tapped)

    @property
    def bay_mm(self) -> float:
        """Width of the bay in millimetres."""
        return self.width_mm / 5

    def zone_of(self, x_mm: float, y_mm: float, thrown: bool = False) -> Zone:
        """Return the zone of a die by its centre. A thrown die belongs to the field wherever it rests in the tray."""
        if not self._is_inside(x_mm, y_mm):
            return Zone.OUT
        if thrown or not self.bay or x_mm < self.width_mm - self.bay_mm:
            return Zone.FIELD
        return Zone.SIGNAL if y_mm < self.bay_mm else Zone.ASIDE

    def _is_inside(self, x_mm: float, y_mm: float) -> bool:
        brim = self.brim_mm
        return -brim <= x_mm <= self.width_mm + brim and -brim <= y_mm <= self.height_mm + brim

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """The marker centres in tray millimetres, by id."""
        return (0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm), (0.0, self.height_mm)


@dataclass(frozen=True, eq=False)
class Calibration:
    """Where the tray lies in a frame.

    to_mm: maps frame pixels to tray millimetres. centres: the four marker centres in frame pixels, by id. size: width
    and height of the frame. doubt: '' or a sentence that says which markers could not be seen.
    """

    layout: TrayLayout
    to_mm: Homography
    centres: Mapping[int, Point]
    size: tuple[int, int]
    doubt: str = ""
    hidden: tuple[int, ...] = ()
    """The markers that could not be seen in this frame."""
    guessed: tuple[int, ...] = ()
    """The markers whose centres were moved along with the others', unseen."""


def calibrate(frame: Frame, layout: TrayLayout, last: Calibration | None = None) -> Calibration | None:
    """Find the tray in a frame; None if not all four markers are seen and there is no `last` calibration.

    While markers are hidden, tilted or displaced the last calibration is kept, moved along with the sound markers, and
    its `doubt` says so. A `last` of another frame size is ignored.
    """
    return locate(frame, layout, last)[0]


def locate(frame: Frame, layout: TrayLayout, last: Calibration | None = None) -> tuple[Calibration | None, str]:
    """Return what `calibrate` does, and its doubt ('' or a sentence), which also says why there is no calibration."""
    if layout.tapped is not None:
        return _locate_tapped(frame, layout, layout.tapped, last)
    size = frame.pixels.shape[1], frame.pixels.shape[0]
    known = last if last is not None and last.size == size else None
    seen = _find(frame.pixels, known)
    centres = {number: _centre(corners) for number, corners in seen.items()}
    fresh = fit_calibration(centres, layout, size) if len(centres) == len(MARKERS) else None
    plane = fresh or known
    tilted = tuple(number for number, corners in seen.items() if plane is not None and _is_tilted(corners, plane))
    found = _choose(fresh, known, centres, tilted)
    return found, found.doubt if found is not None else _reason_for_none(centres, tilted)


def _locate_tapped(
    frame: Frame, layout: TrayLayout, tapped: TappedTray, last: Calibration | None
) -> tuple[Calibration | None, str]:
    """Locate a tray by its tapped corners. It is lost, not guessed at, when it moved by more than can be followed."""
    size = frame.pixels.shape[1], frame.pixels.shape[0]
    if not tapped.has_shape_of(size):
        return None, PICTURE_TURNED
    seen = tapped.edge.look(frame.pixels)
    if seen.finding is EdgeFinding.MOVED:
        return None, TRAY_MOVED
    places = cv2.perspectiveTransform(tapped.edge.corners[None], seen.movement)[0]
    centres = {number: _at_full_size(place, size) for number, place in zip(MARKERS, places, strict=True)}
    found = fit_calibration(centres, layout, size)
    if found is None:
        return None, TRAY_MOVED
    known = last if last is not None and last.size == size and last.layout == layout else None
    if known is not None and not _has_shifted(known, found):
        found = known
    doubt = EDGE_COVERED if seen.finding is EdgeFinding.COVERED else ""
    return replace(found, doubt=doubt), doubt


def _at_full_size(place: npt.NDArray[np.float64], size: tuple[int, int]) -> Point:
    """Return a place of a picture LONG_SIDE pixels long in the picture of that width and height."""
    scale = max(size) / LONG_SIDE
    x, y = (float(each) for each in (place + 0.5) * scale - 0.5)
    return x, y


def _has_shifted(known: Calibration, fresh: Calibration) -> bool:
    """True if tapped corners that were followed lie elsewhere now by more than following errs."""
    limit = SAME_CORNER_PX * max(known.size) / LONG_SIDE
    return any(np.hypot(*np.subtract(known.centres[k], fresh.centres[k])) > limit for k in MARKERS)


def find_marker_centres(pixels: Pixels) -> dict[int, Point]:
    """Return the centres of the markers in a picture (BGR), in pixels to a fraction, by id."""
    return {number: _centre(corners) for number, corners in _find_all(pixels).items()}


def find_marker_corners(pixels: Pixels) -> dict[int, MarkerCorners]:
    """Return the corners of the markers in a picture (BGR), in pixels to a fraction, by id."""
    return _find_all(pixels)


def name_markers(numbers: tuple[int, ...], *, corners: bool = False) -> str:
    """Return `Marker 1` or `Markers 1 and 3`, or with `corners` `Marker 1 (top right)`. `numbers` are not empty."""
    names = [
        say("{number} ({corner})", number=each, corner=CORNERS[each]) if corners else str(each) for each in numbers
    ]
    return say_count("Marker {names}", "Markers {names}", len(names), names=spell_list(names, "and"))


def _find(pixels: Pixels, known: Calibration | None) -> dict[int, MarkerCorners]:
    """Find the markers near their last positions, and in the whole picture if one is not found there."""
    near = {} if known is None else _find_near(pixels, known)
    return near if len(near) == len(MARKERS) else _find_all(pixels)


def _find_all(pixels: Pixels) -> dict[int, MarkerCorners]:
    return _detect(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8), max(pixels.shape), _detector())


def _find_near(pixels: Pixels, known: Calibration) -> dict[int, MarkerCorners]:
    """Find the markers in windows around their last positions: faster than searching the whole picture."""
    reach = round(WINDOW_SIDES / 2 * _marker_side(known))
    found: dict[int, MarkerCorners] = {}
    for number, (x, y) in known.centres.items():
        left, top = max(0, round(x) - reach), max(0, round(y) - reach)
        window = pixels[top : max(top, round(y) + reach), left : max(left, round(x) + reach)]
        if min(window.shape[:2]) < MIN_WINDOW:
            continue
        grey = np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), np.uint8)
        corners = _detect(grey, max(pixels.shape), _window_detector()).get(number)
        if corners is not None:
            found[number] = corners + np.array([left, top], np.float32)
    return found


def _detect(grey: npt.NDArray[np.uint8], long_side: int, detector: cv2.aruco.ArucoDetector) -> dict[int, MarkerCorners]:
    """Return the corners of the markers in a grey picture, or in a part of one whose long side is `long_side`."""
    scale = 2 if long_side >= HALVE_FROM else 1
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if scale == 2 else grey
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return {}
    found = {int(number): one[0] for number, one in zip(ids.ravel(), corners, strict=True)}
    return {number: _refine(grey, found[number], scale) for number in MARKERS if number in found}


def _marker_side(known: Calibration) -> float:
    """Return the side of a marker in frame pixels where it looks largest."""
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
def _window_detector() -> cv2.aruco.ArucoDetector:
    """Return a detector for a window of WINDOW_SIDES, in which a marker is large."""
    parameters = _detector().getDetectorParameters()
    parameters.minMarkerPerimeterRate = 0.5 * 4 / WINDOW_SIDES
    parameters.maxMarkerPerimeterRate = 2.0 * 4 / WINDOW_SIDES
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _refine(grey: npt.NDArray[np.uint8], corners: MarkerCorners, scale: int) -> MarkerCorners:
    """Return corners to a fraction of a pixel in the full-sized picture; `corners` are in it divided by `scale`."""
    rough = np.ascontiguousarray((corners + 0.5) * scale - 0.5, np.float32).reshape(-1, 1, 2)
    side = float(np.linalg.norm(rough[0] - rough[1]))
    reach = int(np.clip(side / 12, 2, 5))
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    return np.asarray(cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), until), np.float32).reshape(4, 2)


def _centre(corners: MarkerCorners) -> Point:
    """Return where the diagonals cross: the centre, whatever the perspective."""
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in corners)
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
    return float(x / w), float(y / w)


def fit_calibration(seen: Mapping[int, Point], layout: TrayLayout, size: tuple[int, int]) -> Calibration | None:
    """Return the calibration by four centres; None if they do not go round clockwise."""
    corners = np.array([seen[number] for number in MARKERS], np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < 0:
        return None
    to_mm = cv2.getPerspectiveTransform(corners, np.array(layout.corners_mm, np.float32))
    return Calibration(layout, np.asarray(to_mm, np.float64), dict(seen), size)


def _is_tilted(corners: MarkerCorners, plane: Calibration) -> bool:
    """True if a marker, rectified, is no square: it does not lie flat, or is half covered."""
    flat = cv2.perspectiveTransform(corners[None].astype(np.float64), plane.to_mm)[0]
    across, down = flat[1] + flat[2] - flat[0] - flat[3], flat[2] + flat[3] - flat[0] - flat[1]
    long, short = np.linalg.svd(np.column_stack([across, down]), compute_uv=False)
    return bool(short < MIN_FLATNESS * long)


def _choose(
    fresh: Calibration | None, known: Calibration | None, seen: Mapping[int, Point], tilted: tuple[int, ...]
) -> Calibration | None:
    """Return the fresh calibration if all markers are sound, else the known one, moved along with the sound markers."""
    if known is None:
        return None if tilted else fresh
    if fresh is None and len(seen) == len(MARKERS):
        return None
    if fresh is None or tilted:
        return _keep(known, seen, tilted)
    displaced = _displaced(known, fresh)
    return (
        _without_jitter(fresh, known)
        if displaced is None
        else _doubted(known, seen, say("{marker} has moved", marker=displaced))
    )


def _without_jitter(fresh: Calibration, known: Calibration) -> Calibration:
    """Return the known calibration while nothing moved, so that millimetres do not jitter."""
    if known.layout != fresh.layout or _has_moved(known, fresh.centres):
        return fresh
    return replace(known, doubt="", hidden=(), guessed=())


def _displaced(known: Calibration, fresh: Calibration) -> str | None:
    """Return the name of the one marker that moved while the others did not; None without one."""
    moved = [number for number in MARKERS if _has_moved(known, {number: fresh.centres[number]})]
    if len(moved) != 1 or moved[0] in known.guessed:
        return None
    far = np.hypot(*np.subtract(known.centres[moved[0]], fresh.centres[moved[0]]))
    return name_markers((moved[0],), corners=True) if far > DISPLACED_SIDES * _marker_side(known) else None


def _has_moved(known: Calibration, seen: Mapping[int, Point]) -> bool:
    tolerance = max(known.size) * SAME_PLACE
    return any(np.hypot(*np.subtract(known.centres[number], place)) > tolerance for number, place in seen.items())


def _keep(known: Calibration, seen: Mapping[int, Point], tilted: tuple[int, ...]) -> Calibration:
    """Return the known calibration, moved along with the markers that lie flat."""
    if not seen:
        doubt = say("No marker is in sight; the tray is taken to be where it was last seen.")
        return replace(known, doubt=doubt, hidden=MARKERS)
    sound = {number: place for number, place in seen.items() if number not in tilted}
    kept = _moved_along(known, sound) if sound and _has_moved(known, sound) else known
    return _doubted(kept, seen, _marker_fault(seen, tilted))


def _doubted(known: Calibration, seen: Mapping[int, Point], what: str) -> Calibration:
    return replace(known, doubt=say("{fault}; the tray's place is a guess.", fault=what), hidden=_unseen(seen))


def _unseen(seen: Mapping[int, Point]) -> tuple[int, ...]:
    return tuple(number for number in MARKERS if number not in seen)


def _marker_fault(seen: Mapping[int, Point], tilted: tuple[int, ...]) -> str:
    """Return what is wrong with the markers, as the first half of a sentence; '' if nothing is."""
    hidden = _unseen(seen)
    unseen = say("{markers} cannot be seen", markers=name_markers(hidden, corners=True)) if hidden else ""
    if not tilted:
        return unseen
    names = name_markers(tilted, corners=True)
    one, several = (
        say("{markers} is tilted or half covered", markers=names),
        say("{markers} are tilted or half covered", markers=names),
    )
    lean = one if len(tilted) == 1 else several
    if hidden:
        return say("{fault}, and {tilted}", fault=unseen, tilted=within_sentence(lean))
    return lean


def _reason_for_none(seen: Mapping[int, Point], tilted: tuple[int, ...]) -> str:
    """Return why there is no calibration: one or two missing markers are named; with more there is no tray at all."""
    if len(seen) < 2:
        return NO_TRAY
    fault = _marker_fault(seen, tilted) or say("The markers do not go round clockwise")
    return say("{fault}; the dice are read without zones.", fault=fault)


def _moved_along(known: Calibration, seen: Mapping[int, Point]) -> Calibration:
    """Return a calibration moved along with some of its markers."""
    back = np.linalg.inv(_movement({number: known.centres[number] for number in seen}, seen))
    ahead = np.linalg.inv(back)
    centres = {number: _mapped(ahead, place) for number, place in known.centres.items()}
    guessed = tuple(number for number in MARKERS if number not in seen)
    return replace(known, to_mm=known.to_mm @ back, centres=centres, guessed=guessed)


def _movement(old: Mapping[int, Point], new: Mapping[int, Point]) -> Homography:
    """Return how the picture moved: affine by three markers, a similarity by two, a translation by one."""
    before, after = (np.array([places[number] for number in old], np.float32) for places in (old, new))
    if len(old) == 1:
        step = after[0] - before[0]
        return np.array([[1, 0, step[0]], [0, 1, step[1]], [0, 0, 1]], np.float64)
    moved = cv2.getAffineTransform(before, after) if len(old) == 3 else cv2.estimateAffinePartial2D(before, after)[0]
    return np.vstack([np.asarray(moved, np.float64), [0, 0, 1]])


def _mapped(homography: Homography, place: Point) -> Point:
    x, y, w = homography @ (place[0], place[1], 1.0)
    return float(x / w), float(y / w)
