"""Cameras by name. The virtual tray and the phone's camera are there once, since dice lie in one and a phone sends."""

from __future__ import annotations

from hardware.cameras import PHONES, kind_of, open_camera
from hardware.cameras.adjusted_camera import AdjustedCamera
from hardware.cameras.base import Camera, NoSuchCamera
from hardware.cameras.phone import PhoneCamera
from hardware.simulator.virtual_tray import VirtualTray
from models.die_sets import NoSuchDieSet
from referee.error_messages import message_of
from referee.sentences import say
from vander.storage.camera_file import CameraStore

VIRTUAL = "virtual"
USUAL_DICE = "intersection"


class CameraShelf:
    """The cameras of a table, each adjusted as `store` says at that time.

    name: the camera of the start; `virtual:rollers` puts out those dice. dice: the name of those that lie ready.
    Raises NoSuchCamera for dice that the virtual tray does not have.
    """

    def __init__(self, store: CameraStore, name: str, dice: str) -> None:
        self._store = store
        self.phone = PhoneCamera()
        kind, _, place = name.partition(":")
        asked = place if kind == VIRTUAL else ""
        self.tray = _tray_with(asked or (dice if VirtualTray.has(dice) else USUAL_DICE))

    def camera(self, name: str) -> Camera:
        """Return the camera of that name, not yet opened. Raises NoSuchCamera for a name that none can have."""
        return AdjustedCamera(self._plain(name), lambda: self._store.kept.adjustment(name))

    def _plain(self, name: str) -> Camera:
        kind = kind_of(name)
        if kind in PHONES and kind == name:
            return self.phone
        if kind != VIRTUAL:
            return open_camera(name)
        from hardware.cameras.virtual_camera import VirtualCamera  # noqa: PLC0415  it takes the drawing of dice

        return VirtualCamera(self.tray)


def _tray_with(dice: str) -> VirtualTray:
    try:
        return VirtualTray(dice)
    except NoSuchDieSet as error:
        raise NoSuchCamera(
            say("the virtual tray cannot put out {place}: {cause}", place=repr(dice), cause=message_of(error))
        ) from error
