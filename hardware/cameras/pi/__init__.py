"""`picamera:0`: a Raspberry Pi camera. It holds its exposure and its colours, and never hangs who asks it."""

from __future__ import annotations

from hardware.cameras.base import NoSuchCamera
from hardware.cameras.pi.pi_camera import PiCamera

__all__ = ["PiCamera", "camera"]


def camera(place: str) -> PiCamera:
    """The Raspberry Pi camera of that number, the first when `place` is empty. Raises NoSuchCamera for no number."""
    if place and not (place.isascii() and place.isdigit()):
        raise NoSuchCamera(f"'picamera:{place}' names no camera; write picamera:0 for the first one")
    return PiCamera(int(place or 0))
