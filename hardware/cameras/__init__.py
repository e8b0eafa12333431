"""Cameras by name: `open_camera("usb:0")`. Each kind is a module of this package, imported only when named.

A camera's name is its kind and, after a colon, which one:

    virtual             the virtual tray with the Intersection dice; `virtual:rollers` with another die set
    replay:PATH         a folder of pictures, one picture, or a video file
    usb:0               a webcam by its number, or `usb:/dev/v4l/by-id/...` by its path
    picamera:0          a Raspberry Pi camera by its number
    phone               a phone in a browser, which sends its pictures to the page /camera
    browser             the same in a browser on this machine, for which nothing is opened to the network
    url:http://...      a camera in the network that sends JPEG pictures: a stream of them, or one by one
    rtsp://...          a camera in the network with a video stream; `url:rtsp://...` is the same
"""

from __future__ import annotations

import sys
from importlib import import_module

from hardware.cameras.base import KIND, Camera, NoSuchCamera, address_of
from referee.sentences import say

KINDS = {"virtual": "virtual_camera", "replay": "replay", "usb": "usb", "picamera": "pi_camera", "phone": "phone"}
KINDS |= {"browser": "phone", KIND: "network_camera"}
"""The module of each kind of camera. It has `camera(place)`; `place` is what follows the colon."""
NAMES = "virtual, replay:PATH, usb:NUMBER, picamera:NUMBER, phone, browser, url:http://ADDRESS, url:rtsp://ADDRESS"
"""What people can write as a camera's name."""
DRIVEN = frozenset({"usb", "picamera", KIND})
"""The kinds that may hang, in a driver or a stream: on Linux each camera of them runs in a process of its own."""


PHONES = frozenset({"phone", "browser"})
"""The kinds whose pictures a page sends."""


def kind_of(name: str) -> str:
    """Return the kind of a camera's name, as in KINDS if there is one."""
    return KIND if address_of(name) is not None else name.partition(":")[0]


def open_camera(spec: str) -> Camera:
    """Return the camera of that name, not yet opened. Raises NoSuchCamera for a name that no camera can have."""
    kind, address = kind_of(spec), address_of(spec)
    place = spec.partition(":")[2] if address is None else address
    if kind not in KINDS:
        # An address may hold a password.
        told = kind if "@" in place or "//" in place else spec
        raise NoSuchCamera(say("there is no camera {spec}; name {names}", spec=repr(told), names=NAMES))
    module = f"{__name__}.{KINDS[kind]}"
    camera: Camera = import_module(module).camera(place)
    if kind not in DRIVEN or sys.platform != "linux":
        return camera
    # Linux alone has what it needs.
    from hardware.cameras.camera_process import CHECK_NETWORK, NETWORK_TIMEOUTS, CameraProcess  # noqa: PLC0415

    if kind == KIND:
        return CameraProcess(camera.name, f"{module}:camera", place, timeouts=NETWORK_TIMEOUTS, remedy=CHECK_NETWORK)
    return CameraProcess(camera.name, f"{module}:camera", place)
