"""Pictures of the virtual tray, whose tray was found, for dice that are laid out by hand."""

from __future__ import annotations

from contextlib import closing

from laid_dice import StillPicture

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.frame_reader import CameraPicture
from vision.frames import Frame
from vision.tray_calibration import TrayLayout, calibrate


def _first_frame() -> Frame:
    with closing(VirtualCamera(VirtualTray("intersection", size=(640, 480)), paced=False, seed=1)) as camera:
        camera.open()
        return camera.frame()


FRAME = _first_frame()
"""The virtual tray at rest."""


class TrayPictures(StillPicture):
    """A sight of a tray that was found, where `calibration` is not None."""

    def __init__(self, frame: Frame) -> None:
        self.settled, self.calibration, self.now = frame, calibrate(frame, TrayLayout()), frame

    def current_picture(self) -> CameraPicture:
        return CameraPicture(self.now, TrayLayout(), self.calibration)

    def settled_picture(self) -> CameraPicture:
        return CameraPicture(self.settled, TrayLayout(), self.calibration)

    def at(self, taken_at: float) -> TrayPictures:
        """Let the camera see the same tray at another moment."""
        self.now = Frame(self.settled.pixels, self.now.number + 1, taken_at)
        return self
