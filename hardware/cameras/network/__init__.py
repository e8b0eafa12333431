"""`url:http://...` and `rtsp://...`: a camera in the network, such as a phone's app or a camera for a house."""

from __future__ import annotations

from hardware.cameras.camera_address import CameraAddress
from hardware.cameras.network.network_camera import NetworkCamera

__all__ = ["NetworkCamera", "camera"]


def camera(place: str) -> NetworkCamera:
    """Return the camera at that address. Raises NoSuchCamera for what is none."""
    return NetworkCamera(CameraAddress.parse(place))
