"""The tray straight from above: a view in which a millimetre is everywhere the same number of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, Plane
from vision.frames import Frame, Pixels

Points = npt.NDArray[np.float64]

PIXELS_PER_MM = 1.0
"""Fine enough for dice of 10 mm and more: the finder knows dice from 9 pixels on. Finer views take longer to search."""
MARGIN_MM = 60.0
"""How much is seen beyond the marked rectangle on each side, for dice that left the tray."""
COARSE = 1.8
"""Frame pixels to a view pixel from which on the frame is halved first, so that fine patterns do not flicker."""

TRAY_MARGIN_MM = 12.0
"""How much is kept of a picture beyond the marked rectangle: its markers, and no more of the room."""
GREY = 118
"""What stands in a kept picture in place of the room."""


@dataclass(frozen=True, eq=False)
class TrayView:
    """A frame made ready for finding.

    pixels: blue-green-red, from straight above when calibrated. to_frame and to_mm (3x3) take view pixels to frame
    pixels and to millimetres; without a calibration `to_mm` gives frame pixels too, since nothing tells their size.
    mm_per_pixel: that unit for one view pixel.
    """

    frame: Frame
    calibration: Calibration | None
    pixels: Pixels
    to_frame: Plane
    to_mm: Plane
    mm_per_pixel: float


def rectify(
    frame: Frame, calibration: Calibration, pixels_per_mm: float = PIXELS_PER_MM, margin_mm: float = MARGIN_MM
) -> TrayView:
    """The marked rectangle and a margin around it, from straight above."""
    layout = calibration.layout
    width = round((layout.width_mm + 2 * margin_mm) * pixels_per_mm)
    height = round((layout.height_mm + 2 * margin_mm) * pixels_per_mm)
    mm = 1 / pixels_per_mm
    to_mm = np.array([[mm, 0, mm / 2 - margin_mm], [0, mm, mm / 2 - margin_mm], [0, 0, 1]])
    to_frame = np.linalg.inv(calibration.to_mm) @ to_mm
    pixels = _warp(frame.pixels, to_frame / to_frame[2, 2], (width, height))
    return TrayView(frame, calibration, pixels, to_frame / to_frame[2, 2], to_mm, mm)


def tray_outline(calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM) -> Points:
    """The corners, in pixels of the frame, of the marked rectangle with a narrow margin: 4 x 2, clockwise."""
    width, height = calibration.layout.width_mm, calibration.layout.height_mm
    low, across, down = -margin_mm, width + margin_mm, height + margin_mm
    corners = np.array([[[low, low], [across, low], [across, down], [low, down]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, np.linalg.inv(calibration.to_mm))[0], np.float64)


def crop_to_tray(
    pixels: Pixels, calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM
) -> tuple[Pixels, float, float]:
    """A frame's pixels cut to the marked rectangle and a narrow margin, and where its first pixel lies (x, y).

    What lies in the cut beyond that is GREY.
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
    """A frame without markers as it is, or made so small or large that its long side has `long_side` pixels."""
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


def _warp(pixels: Pixels, to_frame: Plane, size: tuple[int, int]) -> Pixels:
    """Draw the view. Each view pixel is looked up in the frame."""
    if _coarseness(to_frame, size) > COARSE:
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        to_frame = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]]) @ to_frame
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(pixels, to_frame, size, flags=flags), np.uint8)


def _coarseness(to_frame: Plane, size: tuple[int, int]) -> float:
    """Frame pixels to a view pixel in the middle of the view."""
    x, y = size[0] / 2, size[1] / 2
    points = np.array([[[x, y], [x + 1, y]]], np.float64)
    here, there = cv2.perspectiveTransform(points, to_frame)[0]
    return float(np.hypot(*(there - here)))
