"""Rectify: show the tray from straight above, so that a millimetre is the same number of pixels everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Frame, Pixels
from vision.plane_camera import camera_over
from vision.tray_calibration import Calibration, Homography

Points = npt.NDArray[np.float64]

PIXELS_PER_MM = 1.0
"""Enough for common dice. More takes longer to search."""
WELL_SEEN_PX, BEST_SEEN_PX = (11.0, 24.0), 16.0
"""Edges in view pixels between which the finder needs no other scale, and the edge that it gets else."""
MARGIN_MM = 60.0
"""How much of the table around the marked rectangle is in view, for dice that left the tray."""
HALVE_FROM = 1.8
"""Frame pixels per view pixel from which on the frame is halved first: sampling alone would alias fine patterns."""

TRAY_MARGIN_MM = 12.0
"""How much of a stored picture is kept around the marked rectangle: the markers, and no more of the room."""
GREY = 118
"""Level (all three colours) that replaces the room in a stored picture."""


OBLIQUE_FROM = 25.0
"""Degrees between a line of sight and the vertical from which on a side of a die may be read together with its top."""


@dataclass(frozen=True, eq=False)
class LineOfSight:
    """How the camera sees a place: degrees from the vertical, None if nobody knows; and where a die's sides are seen.

    down: the direction from the top of a die towards its foot, (2,), in the axes of the view.
    """

    degrees: float | None
    down: Points

    @property
    def may_be_oblique(self) -> bool:
        """True unless it is known that no side of a die can be seen well."""
        return self.degrees is None or self.degrees >= OBLIQUE_FROM


UPRIGHT_PICTURE = LineOfSight(None, np.array([0.0, 1.0]))
"""How dice are seen in a picture without a tray: people hold a camera upright, so that sides are below tops."""


@dataclass(frozen=True, eq=False)
class TrayView:
    """A frame prepared for the finder.

    pixels: uint8, BGR, from straight above if there is a calibration. to_frame, to_mm: homographies from view pixels to
    frame pixels and to tray millimetres; without a calibration `to_mm` maps to frame pixels too, since their size is
    not known. mm_per_pixel: the unit of `to_mm` per view pixel. edge_mm: the dice's edge as far as earlier tables told
    it, in tray millimetres; None if none did.
    """

    frame: Frame
    calibration: Calibration | None
    pixels: Pixels
    to_frame: Homography
    to_mm: Homography
    mm_per_pixel: float
    edge_mm: float | None = None

    def sight_at(self, x_mm: float, y_mm: float) -> LineOfSight:
        """Return how the camera sees a place of the view."""
        if self.calibration is None:
            return UPRIGHT_PICTURE
        camera = camera_over(self.calibration)
        down = np.array(camera.eye_mm[:2]) - (x_mm, y_mm)
        return LineOfSight(camera.slant_at(x_mm, y_mm), down)


def scale_for(edge_mm: float) -> float:
    """Return the pixels per millimetre at which the finder sees dice of that edge well."""
    low, high = WELL_SEEN_PX
    return PIXELS_PER_MM if low <= edge_mm * PIXELS_PER_MM <= high else BEST_SEEN_PX / edge_mm


def rectify(
    frame: Frame, calibration: Calibration, pixels_per_mm: float = PIXELS_PER_MM, margin_mm: float = MARGIN_MM
) -> TrayView:
    """Return the marked rectangle with a margin, from straight above."""
    layout = calibration.layout
    width = round((layout.width_mm + 2 * margin_mm) * pixels_per_mm)
    height = round((layout.height_mm + 2 * margin_mm) * pixels_per_mm)
    mm = 1 / pixels_per_mm
    to_mm = np.array([[mm, 0, mm / 2 - margin_mm], [0, mm, mm / 2 - margin_mm], [0, 0, 1]])
    to_frame = np.linalg.inv(calibration.to_mm) @ to_mm
    pixels = _warp(frame.pixels, to_frame / to_frame[2, 2], (width, height))
    return TrayView(frame, calibration, pixels, to_frame / to_frame[2, 2], to_mm, mm)


def tray_outline(calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM) -> Points:
    """Return the corners of the marked rectangle with a narrow margin: float64, (4, 2), frame pixels, clockwise."""
    width, height = calibration.layout.width_mm, calibration.layout.height_mm
    low, across, down = -margin_mm, width + margin_mm, height + margin_mm
    corners = np.array([[[low, low], [across, low], [across, down], [low, down]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, np.linalg.inv(calibration.to_mm))[0], np.float64)


def crop_to_tray(
    pixels: Pixels, calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM
) -> tuple[Pixels, float, float]:
    """Return a frame (BGR) cut to the tray outline, and the cut's origin in the frame (x, y).

    Pixels of the cut outside the outline are GREY.
    """
    outline = tray_outline(calibration, margin_mm)
    most = pixels.shape[1], pixels.shape[0]
    left, top = (int(np.clip(np.floor(outline[:, k].min()), 0, most[k] - 1)) for k in (0, 1))
    right, bottom = (int(np.clip(np.ceil(outline[:, k].max()), 0, most[k] - 1)) for k in (0, 1))
    cut = pixels[top : bottom + 1, left : right + 1].copy()
    inside = np.zeros(cut.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(outline - (left, top)).astype(np.int32)], 255)
    cut[inside == 0] = GREY
    return cut, float(left), float(top)


def unrectified_view(frame: Frame, long_side: int | None = None) -> TrayView:
    """Return a view of a frame without markers, resized to a long side of `long_side` pixels unless that is None."""
    height, width = frame.pixels.shape[:2]
    scale = 1.0 if long_side is None else long_side / max(width, height)
    pixels = frame.pixels if scale == 1.0 else _resize(frame.pixels, scale)
    x, y = width / pixels.shape[1], height / pixels.shape[0]
    to_frame = np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
    return TrayView(frame, None, pixels, to_frame, to_frame, 1 / scale)


def _resize(pixels: Pixels, scale: float) -> Pixels:
    size = max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)


def _warp(pixels: Pixels, to_frame: Homography, size: tuple[int, int]) -> Pixels:
    """Return the view of size (width, height); `to_frame` maps its pixels to those of the frame."""
    if _frame_pixels_per_view_pixel(to_frame, size) > HALVE_FROM:
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        to_frame = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]]) @ to_frame
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(pixels, to_frame, size, flags=flags), np.uint8)


def _frame_pixels_per_view_pixel(to_frame: Homography, size: tuple[int, int]) -> float:
    """Return how many frame pixels a view pixel spans in the middle of the view."""
    x, y = size[0] / 2, size[1] / 2
    points = np.array([[[x, y], [x + 1, y]]], np.float64)
    here, there = cv2.perspectiveTransform(points, to_frame)[0]
    return float(np.hypot(*(there - here)))
