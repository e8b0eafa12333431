"""What goes wrong with a camera in the network, each in one sentence. Of its address that has the host alone."""

from __future__ import annotations

import socket
import ssl

from hardware.cameras.base import CameraLost, NoSuchCamera
from hardware.cameras.camera_address import CameraAddress
from referee.sentences import say

UNAUTHORIZED, FORBIDDEN, NOT_FOUND = 401, 403, 404


def silent(name: str, seconds: float) -> CameraLost:
    """Return the error of a camera that gives no picture any more."""
    told = say(
        "The camera {name} gave no picture for {seconds} s: look whether it is on, and in the same network.",
        name=name,
        seconds=f"{seconds:g}",
    )
    return CameraLost(told)


def not_begun(name: str) -> NoSuchCamera:
    """Return the error of a camera that answers, and then gives no picture."""
    return NoSuchCamera(say("The camera {name} answers but gives no picture: restart it.", name=name))


def ended(name: str) -> CameraLost:
    """Return the error of a camera that closes its stream."""
    return CameraLost(say("The camera {name} ended its stream; Vander asks it for another.", name=name))


def unreadable(name: str) -> CameraLost:
    """Return the error of a camera that sends something else than pictures."""
    return CameraLost(say("What the camera {name} sends is no picture, or a damaged one: restart it.", name=name))


def too_large(name: str) -> NoSuchCamera:
    """Return the error of a camera whose pictures are larger than is read."""
    told = say(
        "The pictures of the camera {name} are too large: choose 1920 x 1080 or less in its settings.", name=name
    )
    return NoSuchCamera(told)


def behind(name: str) -> CameraLost:
    """Return the error of a camera whose pictures are decoded slower than they come."""
    told = say(
        "The camera {name} sends more than can be read in time: choose a smaller picture in its settings.", name=name
    )
    return CameraLost(told)


def is_page(name: str) -> NoSuchCamera:
    """Return the error of an address that shows a page."""
    told = say(
        "At {name} there is a page and no picture: give the address of the picture itself, such as /video.", name=name
    )
    return NoSuchCamera(told)


def refused(address: CameraAddress, status: int) -> NoSuchCamera:
    """Return the error of a camera that answers with that status of HTTP or RTSP."""
    name = address.shown
    if status in (UNAUTHORIZED, FORBIDDEN) and not address.credentials:
        told = say(
            "The camera {name} wants a name and a password: write NAME:PASSWORD@ before the host in its address.",
            name=name,
        )
    elif status in (UNAUTHORIZED, FORBIDDEN):
        told = say("The camera {name} refuses the name and the password in its address.", name=name)
    elif status == NOT_FOUND:
        told = say("The camera {name} has no picture at that path: its app or manual names the right one.", name=name)
    elif 300 <= status < 400:
        told = say("The camera {name} sends from one address to the next: give the last one.", name=name)
    else:
        told = say("The camera {name} answers with error {status}: restart it.", name=name, status=status)
    return NoSuchCamera(told)


def unreachable(name: str, error: OSError) -> NoSuchCamera:
    """Return the error of a camera with which no connection is made."""
    if isinstance(error, ssl.SSLError):
        told = say("The certificate of {name} is not trusted here: use its http address at home.", name=name)
    elif isinstance(error, socket.gaierror):
        told = say("There is no {name} in this network: write the camera's address in numbers.", name=name)
    else:
        told = say("Nobody answers at {name}: start the camera or its app, in the same network.", name=name)
    return NoSuchCamera(told)
