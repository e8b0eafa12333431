"""`vander calibrate`: say whether the camera sees the tray's markers, and at what scale."""

from __future__ import annotations

import time

import cv2
import numpy as np
import typer

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraError
from models.die_sets import NoSuchDieSet
from referee.games import NoSuchGame
from vander.app.composition import camera_name
from vander.cli.command_options import FAILED, CameraName, DataDir, command_app
from vander.resources import game_catalog, vision_models
from vander.storage.settings import SettingError, Settings, load
from vision.frames import Frame
from vision.tray_calibration import MARKERS, Calibration, find_marker_centres, name_markers
from vision.tray_calibration import calibrate as find_tray

TIMEOUT_S = 3.0
"""How long the markers are searched for: a camera needs a moment to find its exposure."""

EXPECTED_ERRORS = (SettingError, CameraError, NoSuchGame, NoSuchDieSet)

app = command_app()


@app.command()
def calibrate(camera: CameraName = None, data_dir: DataDir = None) -> None:
    """Say whether the camera sees the tray's markers, and at what scale."""
    raise typer.Exit(print_calibration(load(camera=camera, data_dir=data_dir)))


def print_calibration(settings: Settings) -> int:
    """Print what the camera sees; return the exit status, 1 if the tray is not found. Raises CameraError."""
    camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
    camera.open()
    try:
        frame, tray = _find_tray(camera, settings)
    finally:
        camera.close()
    if frame is None:
        print("The camera gives no picture.")
        return FAILED
    print(describe_tray(frame, tray) if tray else describe_missing(frame))
    return 0 if tray else FAILED


def _find_tray(camera: Camera, settings: Settings) -> tuple[Frame | None, Calibration | None]:
    """Return the last frame, and the calibration found in it; None for what there is not."""
    frame, tray, until = None, None, time.monotonic() + TIMEOUT_S
    while tray is None and time.monotonic() < until:
        following = camera.frame()
        if following is None:
            break
        frame = following
        tray = find_tray(frame, vision_models.tray_layout(settings))
    return frame, tray


def describe_tray(frame: Frame, tray: Calibration) -> str:
    """Return a sentence with the scale in the middle of the tray, and the width in pixels of a die of 16 mm there."""
    height, width = frame.pixels.shape[:2]
    middle = np.array([[[tray.layout.width_mm / 2, tray.layout.height_mm / 2]]])
    ahead = middle + np.array([[[10.0, 0.0]]])
    points = cv2.perspectiveTransform(np.concatenate([middle, ahead]), np.linalg.inv(tray.to_mm))
    scale = float(np.linalg.norm(points[1] - points[0])) / 10
    return (
        f"All four markers are seen in a picture of {width} x {height}. "
        f"A millimetre is {scale:.2f} pixels; a die of 16 mm is {16 * scale:.0f} pixels wide."
    )


def describe_missing(frame: Frame) -> str:
    """Return a sentence that names the markers not seen, and what would help."""
    seen = find_marker_centres(frame.pixels)
    hidden = tuple(number for number in MARKERS if number not in seen)
    if not hidden:
        return "All four markers are seen, but not clockwise from the top left: 0, 1, 2, 3."
    return f"{name_markers(hidden)} cannot be seen; all four must be in the picture, whole, flat and uncovered."
