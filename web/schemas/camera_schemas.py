"""JSON of the choice of the camera: those that are found, the one that is on, and how its pictures are put right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from referee.sentences import say
from web.schemas.request_model import FIELD, Line, Needs, RequestModel, YesNo
from web.schemas.response_model import Count, ResponseModel

LONGEST_ADDRESS = 300
LONGEST_KEY = 32


class CameraKind(StrEnum):
    """What a camera is."""

    PI = "picamera"
    WEBCAM = "usb"
    NETWORK = "url"
    PHONE = "phone"
    BROWSER = "browser"
    """A browser on the machine that Vander runs on."""
    FILM = "replay"
    VIRTUAL = "virtual"


@dataclass(frozen=True)
class ListedCamera(ResponseModel):
    """A camera that can be chosen."""

    key: str
    """What names it to the API, until Vander is started again."""
    kind: CameraKind
    title: str
    """What people call it; of an address in the network no more than the host."""
    is_on: bool
    """True for the camera that reads the dice now."""
    waits: bool
    """True if it was chosen, and its first picture is waited for."""
    has_picture: bool
    """True if `/cameras/KEY.jpg` shows what it sees; a phone has a picture only while it is on."""
    trouble: str
    """Why it gives no picture, in one sentence; '' where nothing is wrong, or nobody has looked through it."""


@dataclass(frozen=True)
class CamerasResponse(ResponseModel):
    """The cameras that can be chosen, those that are plugged in first."""

    cameras: tuple[ListedCamera, ...]
    told: str
    """What has become of the last choice, where people did not decide that; else ''."""
    mirrored: bool
    """True if the pictures of the camera that is on are mirrored back."""
    turned: Count
    """By how many degrees they are turned clockwise: 0, 90, 180 or 270."""
    recordings: str
    """The folder of films that can be chosen."""


class ChooseCameraRequest(RequestModel):
    """The camera to go on with."""

    example: ClassVar = {"key": "0f3a"}

    key: Annotated[str, Line(LONGEST_KEY)]


class CameraAddressRequest(RequestModel):
    """The address of a camera in the network."""

    example: ClassVar = {"address": "http://192.168.1.20:8080/video"}

    address: Annotated[str, Line(LONGEST_ADDRESS)]


class AdjustCameraRequest(RequestModel):
    """How the pictures of the camera that is on are put right at their source; what is not named stays."""

    example: ClassVar = {"mirrored": True}

    mirrored: YesNo | None = None
    """True to mirror them back."""
    turned: (
        Annotated[
            Literal[0, 90, 180, 270], Needs(say("The request needs {field}: 0, 90, 180 or 270 degrees.", field=FIELD))
        ]
        | None
    ) = None
    """By how many degrees to turn them clockwise."""
