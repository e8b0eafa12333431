"""Find the tray's markers in a picture: ArUco `DICT_4X4_50`, four to a set, clockwise from the top left.

Each printed mat has a set of its own, so that the picture tells which mat lies there. The markers are squares of one
size, so that they tell the shape and size of the rectangle between them too, in sides of a marker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.phrases import spell_list
from referee.sentences import say, say_count
from vision.frames import Pixels

Point: TypeAlias = tuple[float, float]
"""x and y."""
Points: TypeAlias = npt.NDArray[np.float64]
MarkerCorners: TypeAlias = npt.NDArray[np.float32]
"""A marker's corners in pixels, (4, 2), clockwise from its own top left."""
Grey: TypeAlias = npt.NDArray[np.uint8]

MARKERS = (0, 1, 2, 3)
"""The corners of the tray, clockwise from the top left: a marker's id is the first of its set and its corner."""
CORNERS = (say("top left"), say("top right"), say("bottom right"), say("bottom left"))
"""Where each marker lies on the tray."""
MARKER_MM: Final = 20.0
"""Side of the markers on every mat of ours, and what markers of an unknown size are taken for."""
HALVE_FROM, HALVE_AGAIN_FROM = 900, 2600
"""From these long sides in pixels on, markers are searched in the picture at half and at quarter size."""
WINDOW_SIDES = 3
"""Width of the window around a marker's last position that is searched first, in sides of the marker."""
MIN_WINDOW = 12
"""Pixels that a marker of six cells a side needs at least at half size."""
SAME_MARKER_SIDES = 1.0
"""Two sightings of one id nearer than this, in sides, are of one marker."""
MISFIT = 0.12
"""Markers whose sides differ by more than this share from those of one plane do not belong together."""
SAME_MAT = 0.025
"""A rectangle whose sides differ by no more than this share from a mat's is that mat's: markers tell 1 per cent."""
UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True)
class MarkerSet:
    """Four markers that belong together, with ids from `first` on.

    paper: the mat that they are printed on; '' for markers of an unknown paper, or cut out and laid into a tray.
    size_mm: width and height of the mat's rectangle; None where the markers have to tell it.
    """

    first: int
    paper: str = ""
    size_mm: tuple[float, float] | None = None


UNKNOWN_MAT: Final = MarkerSet(0)
"""The markers of mats that were printed before each paper had a set of its own, and of mats of a size of their own."""
CUT_OUT: Final = MarkerSet(16)
"""The markers of the sheet that is cut up."""
MATS: Final = (
    MarkerSet(4, "a3", (300.0, 225.0)),
    MarkerSet(8, "a4", (240.0, 165.0)),
    MarkerSet(12, "letter", (235.0, 165.0)),
)
"""The mats with a set of their own."""
MARKER_SETS: Final = {one.first: one for one in (UNKNOWN_MAT, *MATS, CUT_OUT)}


@dataclass(frozen=True, eq=False)
class MarkerSighting:
    """A marker in a picture: its set, its corner of the tray, and its own corners in pixels."""

    of: MarkerSet
    corner: int
    corners: MarkerCorners

    @property
    def centre(self) -> Point:
        """The marker's centre in pixels, to a fraction."""
        return marker_centre(self.corners)

    @property
    def side(self) -> float:
        """The mean length of the marker's sides in pixels."""
        return float(np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1).mean())


@dataclass(frozen=True, eq=False)
class SeenMarkers:
    """The markers of one tray in a picture, by corner; `fault` is '' or a sentence about what else is wrong.

    In a mirrored picture, and of markers that were printed so, no corner is known.
    """

    of: MarkerSet = UNKNOWN_MAT
    corners: Mapping[int, MarkerCorners] = field(default_factory=dict)
    fault: str = ""

    @property
    def centres(self) -> dict[int, Point]:
        """The centres in pixels, by corner."""
        return {number: marker_centre(corners) for number, corners in self.corners.items()}

    @property
    def is_whole(self) -> bool:
        """True if all four are seen."""
        return len(self.corners) == len(MARKERS)


TWO_MATS = say("Two mats are in the picture, and the larger one is used: take the other one away.")
MIXED = say("The markers belong to different mats: lay out the four of one mat.")
MIRRORED = say("The picture is mirrored: turn the mirror off.")
PRINTED_MIRRORED = say("The markers are printed mirrored: print them once more, not mirrored.")


def find_markers(pixels: Pixels) -> SeenMarkers:
    """Return the markers of the tray in a picture (BGR): of several mats those of the largest that is whole."""
    grey = _grey(pixels)
    scale = _search_scale(max(grey.shape))
    seen = _detect(grey, scale, _detector())
    found = _largest(seen)
    if (
        not found.is_whole
    ):  # far markers of an oblique camera are too small at that size, and near ones at the next too large
        found = _largest(_each_once([*_detect(grey, scale / 2, _detector()), *seen]))
    return found if found.is_whole else _mirrored(grey, scale, len(found.corners)) or found


def find_markers_near(pixels: Pixels, of: MarkerSet, centres: Mapping[int, Point], side_px: float) -> SeenMarkers:
    """Find the markers of a set in windows around their last centres: faster than searching the whole picture."""
    reach = round(WINDOW_SIDES / 2 * side_px)
    found: dict[int, MarkerCorners] = {}
    for number, (x, y) in centres.items():
        left, top = max(0, round(x) - reach), max(0, round(y) - reach)
        window = pixels[top : max(top, round(y) + reach), left : max(left, round(x) + reach)]
        if min(window.shape[:2]) < MIN_WINDOW:
            continue
        for one in _detect(_grey(window), _search_scale(max(pixels.shape)), _window_detector()):
            if (one.of, one.corner) == (of, number):
                found[number] = one.corners + np.array([left, top], np.float32)
    return SeenMarkers(of, dict(sorted(found.items())))


def measure_rectangle(corners: Mapping[int, MarkerCorners]) -> tuple[float, float, float] | None:
    """Return the width and height between four markers' centres in sides of a marker, and the misfit, a share.

    In the plane of the table all markers are squares of one size. Up to the two lengths asked for, that plane is known
    by the four centres; what makes all sides equal and all corners right is a linear problem in their squares. The
    misfit is how far the sides then differ from each other. None if the centres do not go round clockwise.
    """
    centres = np.array([marker_centre(corners[number]) for number in MARKERS], np.float32)
    if not goes_round(centres):
        return None
    to_unit = cv2.getPerspectiveTransform(centres, UNIT)
    flat = [cv2.perspectiveTransform(corners[number][None].astype(np.float64), to_unit)[0] for number in MARKERS]
    sides = np.concatenate([np.roll(one, -1, axis=0) - one for one in flat])
    following = np.concatenate([np.roll(np.roll(one, -1, axis=0) - one, -1, axis=0) for one in flat])
    rows = np.concatenate([sides**2, sides * following])
    wanted = np.concatenate([np.ones(len(sides)), np.zeros(len(sides))])
    squared, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
    if (squared <= 0).any():
        return None
    width, height = np.sqrt(squared)
    lengths = np.hypot(sides[:, 0] * width, sides[:, 1] * height)
    return float(width), float(height), float(np.sqrt(np.mean((lengths - 1) ** 2)))


def known_mat(width_mm: float, height_mm: float) -> tuple[float, float]:
    """Return the rectangle of the mat that has about these sides, else the sides themselves."""
    like = [mat.size_mm for mat in MATS if mat.size_mm and _is_like(mat.size_mm, (width_mm, height_mm))]
    return min(like, key=lambda size: abs(size[0] - width_mm), default=(width_mm, height_mm))


def _is_like(size: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(a / b - 1) <= SAME_MAT for a, b in zip(size, other, strict=True))


def name_markers(numbers: tuple[int, ...], *, corners: bool = False) -> str:
    """Return `Marker 1` or `Markers 1 and 3`, or with `corners` `Marker 1 (top right)`. `numbers` are not empty."""
    names = [
        say("{number} ({corner})", number=each, corner=CORNERS[each]) if corners else str(each) for each in numbers
    ]
    return say_count("Marker {names}", "Markers {names}", len(names), names=spell_list(names, "and"))


def marker_centre(corners: MarkerCorners) -> Point:
    """Return where the diagonals cross: the centre, whatever the perspective."""
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in corners)
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
    return float(x / w), float(y / w)


def goes_round(centres: npt.NDArray[np.float32]) -> bool:
    """True if four points (4, 2) in pixels go round clockwise, each at a corner."""
    return bool(cv2.isContourConvex(centres)) and cv2.contourArea(centres, oriented=True) > 0


def _largest(found: Sequence[MarkerSighting]) -> SeenMarkers:
    """Return the markers of the largest whole mat; without one those of the set of which most are seen."""
    whole = [four for of in dict.fromkeys(one.of for one in found) for four in _whole_mats(found, of)]
    if whole:
        # Markers of two mats of one paper can be paired crosswise too: what spans the least belongs together.
        apart = [
            pair for pair in combinations(whole, 2) if not any(one is other for one in pair[0] for other in pair[1])
        ]
        chosen = max(min(apart, key=lambda pair: _area(pair[0]) + _area(pair[1])) if apart else whole, key=_area)
        others = [one for one in found if not any(one is other for other in chosen)]
        return SeenMarkers(chosen[0].of, {one.corner: one.corners for one in chosen}, TWO_MATS if others else "")
    if not found:
        return SeenMarkers()
    by_set = [[one for one in found if one.of is of] for of in dict.fromkeys(one.of for one in found)]
    most = max(by_set, key=lambda of_set: (len({one.corner for one in of_set}), sum(one.side for one in of_set)))
    largest = sorted(most, key=lambda one: one.side)
    kept = {one.corner: one.corners for one in largest}
    return SeenMarkers(most[0].of, dict(sorted(kept.items())), MIXED if len(by_set) > 1 else "")


def _whole_mats(found: Sequence[MarkerSighting], of: MarkerSet) -> Iterable[tuple[MarkerSighting, ...]]:
    """Yield each four of a set's markers that may lie on one mat: squares of one size in one plane."""
    at_corner = [[one for one in found if one.of is of and one.corner == corner] for corner in MARKERS]
    is_alone = all(len(at) == 1 for at in at_corner)
    for four in product(*at_corner):
        measured = measure_rectangle({one.corner: one.corners for one in four})
        if is_alone or (measured is not None and measured[2] < MISFIT):
            yield four


def _area(four: Sequence[MarkerSighting]) -> float:
    return abs(cv2.contourArea(np.array([one.centre for one in four], np.float32)))


def _mirrored(grey: Grey, scale: float, upright: int) -> SeenMarkers | None:
    """Return what is wrong where the markers are there as in a mirror; None where no more are than `upright`.

    Some markers look like others in a mirror.
    """
    found = _largest(_detect(np.ascontiguousarray(grey[:, ::-1]), scale, _detector()))
    if len(found.corners) < 3 or len(found.corners) <= upright:
        return None
    centres = [found.centres[number] for number in sorted(found.corners)]
    is_clockwise = cv2.contourArea(np.array(centres, np.float32), oriented=True) > 0
    return SeenMarkers(found.of, {}, MIRRORED if is_clockwise else PRINTED_MIRRORED)


def _grey(pixels: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def _search_scale(long_side: int) -> float:
    """Return by how much a picture of that long side in pixels is made smaller to search it for markers."""
    return 1 if long_side < HALVE_FROM else 2 if long_side < HALVE_AGAIN_FROM else 4


def _detect(grey: Grey, scale: float, detector: cv2.aruco.ArucoDetector) -> list[MarkerSighting]:
    """Return the markers in a grey picture that is searched `scale` times smaller, or larger where that is below 1."""
    how = cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR
    small = grey if scale == 1 else cv2.resize(grey, None, fx=1 / scale, fy=1 / scale, interpolation=how)
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return []
    found: list[MarkerSighting] = []
    for number, one in zip(ids.ravel(), corners, strict=True):
        of = MARKER_SETS.get(int(number) // 4 * 4)
        if of is not None:
            found.append(MarkerSighting(of, int(number) % 4, _refine(grey, one[0], scale)))
    return _each_once(found)


def _each_once(found: Sequence[MarkerSighting]) -> list[MarkerSighting]:
    """Return the sightings without those of a marker that was seen already."""
    kept: list[MarkerSighting] = []
    for one in found:
        same = [other for other in kept if (other.of, other.corner) == (one.of, one.corner)]
        if all(np.hypot(*np.subtract(one.centre, other.centre)) > SAME_MARKER_SIDES * one.side for other in same):
            kept.append(one)
    return kept


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMin = 9
    parameters.adaptiveThreshWinSizeMax = 25
    parameters.adaptiveThreshWinSizeStep = 16
    parameters.minMarkerPerimeterRate = 0.06
    parameters.maxMarkerPerimeterRate = 1.0
    # Cells are told by their middles: those of small and of slanted markers are a pixel off where they are expected.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.2
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


@cache
def _window_detector() -> cv2.aruco.ArucoDetector:
    """Return a detector for a window of WINDOW_SIDES, in which a marker is large."""
    parameters = _detector().getDetectorParameters()
    parameters.minMarkerPerimeterRate = 0.5 * 4 / WINDOW_SIDES
    parameters.maxMarkerPerimeterRate = 2.0 * 4 / WINDOW_SIDES
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _refine(grey: Grey, corners: MarkerCorners, scale: float) -> MarkerCorners:
    """Return corners to a fraction of a pixel in the full-sized picture; `corners` are in it divided by `scale`."""
    rough = np.ascontiguousarray((corners + 0.5) * scale - 0.5, np.float32).reshape(-1, 1, 2)
    side = float(np.linalg.norm(rough[0] - rough[1]))
    reach = int(np.clip(side / 12, 2, max(5, 3 * scale)))
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    return np.asarray(cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), until), np.float32).reshape(4, 2)
