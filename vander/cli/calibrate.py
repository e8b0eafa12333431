"""`vander calibrate`: whether the camera sees the tray's markers, and at what scale."""

from __future__ import annotations

import time

import cv2
import numpy as np

from hardware.cameras import open_camera
from hardware.cameras.base import Camera
from vander.app.composition import camera_name
from vander.resources import game_catalog, vision_models
from vander.storage.settings import Settings
from vision.calibration import MARKERS, Calibration, find_marker_centres, name_markers
from vision.calibration import calibrate as find_tray
from vision.frames import Frame

PATIENCE_S = 3.0
"""How long the markers are looked for: a camera needs a moment to find its exposure."""


def calibrate(settings: Settings) -> int:
    """Print what is seen: 0 when the tray is found, 1 when it is not. Raises CameraError."""
    camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
    camera.open()
    try:
        frame, tray = _look(camera, settings)
    finally:
        camera.close()
    if frame is None:
        print("The camera gives no picture.")
        return 1
    print(found(frame, tray) if tray else missing(frame))
    return 0 if tray else 1


def _look(camera: Camera, settings: Settings) -> tuple[Frame | None, Calibration | None]:
    """The last frame looked at, and the tray in it."""
    frame, tray, until = None, None, time.monotonic() + PATIENCE_S
    while tray is None and time.monotonic() < until:
        following = camera.frame()
        if following is None:
            break
        frame = following
        tray = find_tray(frame, vision_models.tray_layout(settings))
    return frame, tray


def found(frame: Frame, tray: Calibration) -> str:
    """The scale in the middle of the tray, and how many pixels a common die has there."""
    height, width = frame.pixels.shape[:2]
    middle = np.array([[[tray.layout.width_mm / 2, tray.layout.height_mm / 2]]])
    ahead = middle + np.array([[[10.0, 0.0]]])
    points = cv2.perspectiveTransform(np.concatenate([middle, ahead]), np.linalg.inv(tray.to_mm))
    scale = float(np.linalg.norm(points[1] - points[0])) / 10
    return (
        f"All four markers are seen in a picture of {width} x {height}. "
        f"A millimetre is {scale:.2f} pixels; a die of 16 mm is {16 * scale:.0f} pixels wide."
    )


def missing(frame: Frame) -> str:
    """Which markers are not seen, and what would help."""
    seen = find_marker_centres(frame.pixels)
    hidden = tuple(number for number in MARKERS if number not in seen)
    if not hidden:
        return "All four markers are seen, but not clockwise from the top left: 0, 1, 2, 3."
    return f"{name_markers(hidden)} cannot be seen; all four must be in the picture, whole, flat and uncovered."
