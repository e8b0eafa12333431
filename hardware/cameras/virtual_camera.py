"""`virtual`: the virtual tray as a camera. `virtual:rollers` puts out other dice, `virtual:strange` some of no game."""

from __future__ import annotations

from hardware.simulator.simulated_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models.die_sets import NoSuchDieSet
from vision.frames import NoSuchCamera


def camera(place: str) -> VirtualCamera:
    """A camera over a new virtual tray; the tray is its `tray`. Raises NoSuchCamera for an unknown die set."""
    try:
        return VirtualCamera(VirtualTray(place or "intersection"))
    except NoSuchDieSet as error:
        raise NoSuchCamera(f"the virtual tray cannot put out {place!r}: {error}") from error
