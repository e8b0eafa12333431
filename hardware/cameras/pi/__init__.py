"""`picamera:0`: a Raspberry Pi camera. It locks its exposure and its colours, and its calls return in time."""

from __future__ import annotations

from hardware.cameras.base import NoSuchCamera
from hardware.cameras.pi.pi_camera import PiCamera
from referee.sentences import say

__all__ = ["PiCamera", "camera"]


def camera(place: str) -> PiCamera:
    """Return the Raspberry Pi camera of that number, by default the first. Raises NoSuchCamera for anything else."""
    if place and not (place.isascii() and place.isdigit()):
        raise NoSuchCamera(say("'picamera:{place}' names no camera; write picamera:0 for the first one", place=place))
    return PiCamera(int(place or 0))
