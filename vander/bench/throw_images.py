"""The pictures of one photographed throw, as those who learn from it need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vision.frame_reader import CameraPicture, TrayPicture
from vision.frames import Frame, Pixels
from vision.observations import DieSighting, Observation
from vision.rectification import (
    RotatedSquare,
    TrayView,
    cut_for_display,
    cut_with_surroundings,
    rectify,
    rotation_in_frame,
    unrectified_view,
)
from vision.tray_calibration import TrayLayout, locate


def view_of(pixels: Pixels) -> TrayView:
    """Return a photograph (BGR) as the reader sees it: from straight above if all markers are in sight."""
    frame = Frame(pixels, 1, 0.0)
    calibration, _ = locate(frame, TrayLayout(), None)
    return unrectified_view(frame) if calibration is None else rectify(frame, calibration)


@dataclass(frozen=True)
class ThrowImages:
    """The pictures of the dice of one observation; an `ImageSource` that keeps no tray."""

    pixels: Pixels
    observation: Observation

    @cached_property
    def view(self) -> TrayView:
        """The photograph as the reader saw it."""
        return view_of(self.pixels)

    def die_image(self, number: int) -> Pixels:
        """Return the picture of one die."""
        return cut_for_display(self.pixels, self._sighting(number))

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """Return one die with what lies around it, and its place in that picture."""
        sighting = self._sighting(number)
        return cut_with_surroundings(self.pixels, sighting, rotation_in_frame(sighting, self.view))

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return None: nobody keeps the tray."""
        return None

    def current_picture(self) -> CameraPicture | None:
        """Return None: nobody watches."""
        return None

    def settled_picture(self) -> TrayPicture | None:
        """Return None: no evidence is kept."""
        return None

    def _sighting(self, number: int) -> DieSighting:
        return next(die.reading.sighting for die in self.observation.dice if die.number == number)
