"""Calibrate: locate the tray by its four markers, which give the plane, the scale and the zones.

**The marked rectangle is the one whose corners are the four marker centres** (`vision.tray_markers`). Tray coordinates
are millimetres from the centre of marker 0: x to the right, y down. How large the rectangle is the markers tell: by
their ids on a mat of ours, else by their own side, taken for MARKER_MM. Of cut-out markers of another size all
millimetres are wrong by one factor, so nothing may be concluded from a length in millimetres alone.

A tray without markers is known by its four inner corners, which people tapped in a picture: they stand in for the
marker centres, and the look of the tray's edge tells whether it is still there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import Zone
from referee.sentences import say, within_sentence
from vision.frames import Frame
from vision.observations import USUAL_TRAY_MM
from vision.tray_edge import LONG_SIDE, EdgeFinding, TrayEdge
from vision.tray_markers import (
    MARKER_MM,
    MARKERS,
    MATS,
    UNKNOWN_MAT,
    MarkerCorners,
    MarkerSet,
    Point,
    SeenMarkers,
    find_markers,
    find_markers_near,
    goes_round,
    known_mat,
    measure_rectangle,
    name_markers,
)

Homography: TypeAlias = npt.NDArray[np.float64]
"""A 3 x 3 matrix that maps the points of one plane to those of another, in homogeneous coordinates."""

SAME_PLACE = 1 / 1500
"""Share of the frame's long side: markers that moved less have not moved (0.85 pixels of 1280)."""
MIN_FLATNESS = 0.88
"""A rectified marker whose short side is less than this share of its long side is tilted: by 28 degrees."""
DISPLACED_SIDES = 1 / 4
"""A marker that moved by more of its sides, while the others did not, was displaced; less is a bump of the tray."""
SAME_SIZE = 0.04
"""Share by which a rectangle that was measured twice, or typed, may differ: markers measure to 1 per cent."""
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
    """The tray's dimensions and zones.

    width_mm, height_mm: from marker centre to marker centre; marker_mm: side of a marker; brim_mm: how far the playing
    area extends beyond the marker centres (half a marker, and its distance from the wall). The right-hand fifth is
    ASIDE and the square at its top SIGNAL, unless `bay` is False; what lies beyond the brim is OUT.
    typed: True if somebody typed the size; else the markers tell it, and the layout of a `Calibration` has it.
    tapped: the corners of a tray without markers, which stand in for the marker centres; it has no bay.
    """

    width_mm: float = USUAL_TRAY_MM[0]
    height_mm: float = USUAL_TRAY_MM[1]
    marker_mm: float = MARKER_MM
    brim_mm: float = 15.0
    bay: bool = True
    typed: bool = False
    tapped: TappedTray | None = None

    @classmethod
    def by_taps(cls, width_mm: float, height_mm: float, tapped: TappedTray) -> TrayLayout:
        """Return the layout of a tray without markers, of that inner width and height."""
        return cls(width_mm, height_mm, marker_mm=0.0, brim_mm=TAPPED_BRIM_MM, bay=False, tapped=tapped)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the marked rectangle in millimetres."""
        return self.width_mm, self.height_mm

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

    layout: with the size that the markers tell, unless one was typed. to_mm: maps frame pixels to tray millimetres.
    centres: the four marker centres in frame pixels, by corner. size: width and height of the frame. of: the markers'
    set. doubt: '' or a sentence, such as which markers could not be seen.
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
    of: MarkerSet = UNKNOWN_MAT

    def is_inside(self, x: float, y: float) -> bool:
        """True if a place in pixels of the frame is in the tray."""
        at = cv2.perspectiveTransform(np.array([[(x, y)]], np.float64), self.to_mm)[0, 0]
        return self.layout.zone_of(*at.tolist()) is not Zone.OUT


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
    seen = _find(frame, known)
    if seen.fault and not seen.is_whole:
        return None, seen.fault
    told = _told_layout(layout, seen, known)
    plane = (fit_calibration(seen.centres, told, size) if seen.is_whole else None) or known
    fresh = fit_calibration(seen.centres, _used_layout(layout, told), size, seen.of) if seen.is_whole else None
    tilted = tuple(number for number, corners in seen.corners.items() if plane and _is_tilted(corners, plane))
    found = _choose(fresh, known, seen.centres, tilted)
    if found is None:
        return None, _reason_for_none(seen.centres, tilted)
    found = replace(found, doubt=found.doubt or seen.fault or _contradiction(layout, seen))
    return found, found.doubt


def _find(frame: Frame, known: Calibration | None) -> SeenMarkers:
    """Find the markers near their last places; what is not found there, in the whole picture.

    While two are in their places the tray is there, even where a screen in the picture shows it once more.
    """
    if known is None:
        return find_markers(frame.pixels)
    near = find_markers_near(frame.pixels, known.of, known.centres, _marker_side(known))
    if near.is_whole:
        return near
    anywhere = find_markers(frame.pixels)
    if len(near.corners) < 2:
        return anywhere
    others = anywhere.corners if anywhere.of == known.of else {}
    return replace(near, corners=dict(sorted({**others, **near.corners}.items())))


def _told_layout(layout: TrayLayout, seen: SeenMarkers, known: Calibration | None) -> TrayLayout:
    """Return the layout with the size that the markers tell.

    What they told before stands while it is confirmed, so that millimetres do not jitter.
    """
    size = _told_size(seen)
    if known is not None and known.of == seen.of and (size is None or _agree(known.layout.size_mm, size)):
        size = known.layout.size_mm
    return layout if size is None else replace(layout, width_mm=size[0], height_mm=size[1])


def _used_layout(layout: TrayLayout, told: TrayLayout) -> TrayLayout:
    """Return the layout that the markers tell, or the typed one with the size of a marker that goes with it."""
    if not layout.typed:
        return told
    return replace(layout, marker_mm=told.marker_mm * layout.width_mm / told.width_mm)


def _told_size(seen: SeenMarkers) -> tuple[float, float] | None:
    """Return the rectangle's width and height in millimetres as the markers tell them; None unless all are seen."""
    if seen.of.size_mm is not None:
        return seen.of.size_mm
    measured = measure_rectangle(seen.corners) if seen.is_whole else None
    return None if measured is None else known_mat(measured[0] * MARKER_MM, measured[1] * MARKER_MM)


def _agree(size: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(a / b - 1) <= SAME_SIZE for a, b in zip(size, other, strict=True))


def _contradiction(layout: TrayLayout, seen: SeenMarkers) -> str:
    """Return what the markers say against a typed size, as a sentence; '' if they agree, or nothing was typed.

    Markers of an unknown size tell the shape of the rectangle alone.
    """
    told = _told_size(seen) if layout.typed else None
    if told is None:
        return ""
    is_mat = told == seen.of.size_mm or any(told == mat.size_mm for mat in MATS)
    fits = told if is_mat else (layout.width_mm, layout.width_mm * told[1] / told[0])
    if _agree(layout.size_mm, fits):
        return ""
    typed = f"{layout.width_mm:g} x {layout.height_mm:g}"
    return say(
        "The tray is set to {typed} mm, but its markers show {seen} mm: take the setting away.",
        typed=typed,
        seen=f"{fits[0]:.0f} x {fits[1]:.0f}",
    )


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


def _marker_side(known: Calibration) -> float:
    """Return the side of a marker in frame pixels where it looks largest."""
    corners = [known.centres[number] for number in MARKERS]
    width, height = known.layout.width_mm, known.layout.height_mm
    scales = [
        float(np.hypot(*np.subtract(a, b))) / mm
        for a, b, mm in zip(corners, [*corners[1:], corners[0]], (width, height, width, height), strict=True)
    ]
    return max(scales) * known.layout.marker_mm


def fit_calibration(
    seen: Mapping[int, Point], layout: TrayLayout, size: tuple[int, int], of: MarkerSet = UNKNOWN_MAT
) -> Calibration | None:
    """Return the calibration by four centres; None if they do not go round clockwise."""
    corners = np.array([seen[number] for number in MARKERS], np.float32)
    if not goes_round(corners):
        return None
    to_mm = cv2.getPerspectiveTransform(corners, np.array(layout.corners_mm, np.float32))
    return Calibration(layout, np.asarray(to_mm, np.float64), dict(seen), size, of=of)


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
