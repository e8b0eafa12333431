"""The pictures of the frame that was processed last, as whoever shows or keeps pictures needs them."""

from __future__ import annotations

from typing import Protocol

from vision.camera_picture import CameraPicture, TrayPicture
from vision.die_crops import RotatedSquare
from vision.frames import Pixels


class ImageSource(Protocol):
    """The pictures that belong to the last observation. Pixels are BGR, uint8."""

    def die_image(self, number: int) -> Pixels:
        """Return the picture of one die of the last observation."""

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """Return one die of the last observation with what lies around it, and the die's place in that picture."""

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return the frame that was read last, cut to the tray, and the cut's corner (x, y) in the frame, or None."""

    def current_picture(self) -> CameraPicture | None:
        """Return the last frame; None before the first, and where only what was read is at hand."""

    def settled_picture(self) -> TrayPicture | None:
        """Return the frame that was read last: the evidence of what was read. None before the first."""
