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
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load
from vision.frames import Frame
from vision.tray_calibration import Calibration, locate
from vision.tray_markers import MARKER_MM

TIMEOUT_S = 3.0
"""How long the markers are searched for: a camera needs a moment to find its exposure."""

EXPECTED_ERRORS = (SettingError, StorageError, CameraError, NoSuchGame, NoSuchDieSet)

app = command_app()


@app.command()
def calibrate(camera: CameraName = None, data_dir: DataDir = None) -> None:
    """Say whether the camera sees the tray's markers, and at what scale."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        raise typer.Exit(print_calibration(with_chosen_camera(settings, camera)))


def print_calibration(settings: Settings) -> int:
    """Print what the camera sees; return the exit status, 1 if the tray is not found. Raises CameraError."""
    camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
    camera.open()
    try:
        frame, tray, doubt = _find_tray(camera, settings)
    finally:
        camera.close()
    if frame is None:
        print("The camera gives no picture.")
        return FAILED
    print(describe_tray(frame, tray) if tray else doubt)
    return 0 if tray else FAILED


def _find_tray(camera: Camera, settings: Settings) -> tuple[Frame | None, Calibration | None, str]:
    """Return the last frame, the calibration found in it, and what is in doubt; None for what there is not."""
    frame, tray, doubt, until = None, None, "", time.monotonic() + TIMEOUT_S
    while tray is None and time.monotonic() < until:
        following = camera.frame()
        if following is None:
            break
        frame = following
        tray, doubt = locate(frame, vision_models.tray_layout(settings))
    return frame, tray, doubt


def describe_tray(frame: Frame, tray: Calibration) -> str:
    """Return what is known of the tray: which mat, its size, the scale in its middle, and what is in doubt."""
    height, width = frame.pixels.shape[:2]
    middle = np.array([[[tray.layout.width_mm / 2, tray.layout.height_mm / 2]]])
    ahead = middle + np.array([[[10.0, 0.0]]])
    points = cv2.perspectiveTransform(np.concatenate([middle, ahead]), np.linalg.inv(tray.to_mm))
    scale = float(np.linalg.norm(points[1] - points[0])) / 10
    mat = f"the mat for {tray.of.paper} paper, " if tray.of.paper else ""
    return " ".join(
        [
            f"All four markers are seen in a picture of {width} x {height}: {mat}{tray.layout.width_mm:.0f} x "
            f"{tray.layout.height_mm:.0f} mm{'' if tray.of.paper else f' if the markers are {MARKER_MM:g} mm wide'}.",
            f"A millimetre is {scale:.2f} pixels; a die of 16 mm is {16 * scale:.0f} pixels wide.",
            *filter(None, [tray.doubt]),
        ]
    )
