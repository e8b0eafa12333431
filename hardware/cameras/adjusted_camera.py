"""A camera whose pictures are put right at their source: not mirrored, and not lying on their side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from hardware.cameras.base import Camera
from vision.frames import Frame, Pixels

if TYPE_CHECKING:  # as in base
    from hardware.simulator.virtual_tray import VirtualTray

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True)
class Adjustment:
    """What is done to each picture: left and right change places if `mirrored`, then it is turned clockwise.

    turned: 0, 90, 180 or 270 degrees.
    """

    mirrored: bool = False
    turned: int = 0

    def adjusted(self, pixels: Pixels) -> Pixels:
        """Return a picture (BGR) as it should be."""
        if self.mirrored:
            pixels = np.asarray(cv2.flip(pixels, 1), np.uint8)
        return np.asarray(cv2.rotate(pixels, TURNS[self.turned]), np.uint8) if self.turned else pixels


class AdjustedCamera(Camera):
    """Another camera, of which each picture is adjusted as `adjustment` says at that time."""

    def __init__(self, camera: Camera, adjustment: Callable[[], Adjustment]) -> None:
        self.name = camera.name
        self._camera, self._adjustment = camera, adjustment

    @property
    def is_live(self) -> bool:
        return self._camera.is_live

    @property
    def is_steady(self) -> bool:
        return self._camera.is_steady

    @property
    def notes(self) -> tuple[str, ...]:
        return self._camera.notes

    @property
    def longest_pause_s(self) -> float:
        return self._camera.longest_pause_s

    @property
    def simulator(self) -> VirtualTray | None:
        return self._camera.simulator

    def open(self) -> None:
        """Open the camera. Raises NoSuchCamera."""
        self._camera.open()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        """Return the camera's next frame, adjusted. Raises CameraLost."""
        frame, wanted = self._camera.frame(timeout), self._adjustment()
        if frame is None or wanted == Adjustment():
            return frame
        small = None if frame.small is None else wanted.adjusted(frame.small)
        return replace(frame, pixels=wanted.adjusted(frame.pixels), small=small)

    def close(self) -> None:
        self._camera.close()
