"""What the pages ask of the cameras, a phone as one, and the tray's corners, and its JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from referee.sentences import say
from web.schemas.access_schemas import TraySight
from web.schemas.response_model import FIELD, Count, Digits, Line, Needs, RequestModel, Whole, YesNo

# JSON of the choice of the camera: those that are found, the one that is on, and how its pictures are put right


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
class ListedCamera:
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
class CamerasResponse:
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


# JSON of the phone that is the camera: where its pictures belong, and what the box finds in them


def camera_url(url: str, code: Sequence[int]) -> str:
    """Return the address that a phone scans to become the camera; the six faces of a code let it in at once.

    The code is in the fragment, which no browser sends: it gets into no server's log.
    """
    return f"{url}/camera#{''.join(map(str, code))}" if code else f"{url}/camera"


class PictureQuery(RequestModel):
    """Where a picture belongs: its stream, its number there, and when it was taken."""

    stream: Annotated[Whole, Digits]
    number: Annotated[Whole, Digits]
    taken_ms: Annotated[Whole, Digits]
    """Milliseconds of the phone's own clock."""
    small_bytes: Annotated[Whole, Digits]
    """How many bytes the small picture has; behind them stand those of the full one, where it is sent too."""
    pace: Annotated[
        Literal["moving", "resting"], Needs(say("The request needs {field}: moving or resting.", field=FIELD))
    ] = "moving"


@dataclass(frozen=True)
class PictureAnswer:
    """A picture was taken in."""

    needs_full: bool
    """True while the box needs a full picture of what lies still now."""
    guide: TraySight | None
    """What was found in the last full picture; null before one."""


@dataclass(frozen=True)
class StreamResponse:
    """A new stream of pictures."""

    stream: Count


@dataclass(frozen=True)
class PhoneCameraResponse:
    """The phone that is the camera now."""

    sends: bool
    name: str
    """What the phone is called, '' for none."""
    urls: tuple[str, ...]
    """The addresses of the camera's page, the one of the QR code first; empty where only the box itself reaches it."""
    is_secure: bool
    """True if the first address lets a phone show a live picture: browsers allow that over https alone."""


# JSON of a tray without markers: a still of the camera, and the tray's four corners in it


SHORTEST_MM, LONGEST_MM = 60, 3000
"""The least and the most inner width or height of a tray, in millimetres."""

Spot = Annotated[
    list[Annotated[float, Field(ge=0, le=1)]],
    Field(min_length=2, max_length=2),
    Needs(say("Each corner needs two numbers from 0 to 1: its place across and down in the picture.")),
]
Corners = Annotated[
    list[Spot], Field(min_length=4, max_length=4), Needs(say("The request needs {field}: four corners.", field=FIELD))
]
Millimetres = Annotated[
    float,
    Field(ge=SHORTEST_MM, le=LONGEST_MM),
    Needs(
        say(
            "The request needs {field} as millimetres from {least} to {most}.",
            field=FIELD,
            least=SHORTEST_MM,
            most=LONGEST_MM,
        )
    ),
]


class CornersRequest(RequestModel):
    """The tray's four inner corners in a still, clockwise from the top left, and its inner size."""

    example: ClassVar = {
        "still": 1,
        "corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]],
        "width_mm": 300,
        "height_mm": 225,
    }

    still: Whole
    """The number of the still."""
    corners: Corners
    """(x, y) as fractions of the still."""
    width_mm: Millimetres
    height_mm: Millimetres


@dataclass(frozen=True)
class CornersResponse:
    """The tray without markers as it is kept."""

    kept: bool
    fits: bool
    """True if the kept corners fit the present picture."""
    told: str
    """A sentence about the kept corners, or about what is noticed with them; '' without any."""
    outline: tuple[tuple[float, float], ...]
    """The corners where they are now, as fractions of the picture; empty where they are not known."""
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class CornersStill:
    """A still of what the camera shows, in which corners are tapped."""

    number: Count
    width: Count
    height: Count
    """Pixels."""
    corners: tuple[tuple[float, float], ...]
    """Where to begin, clockwise from the top left, as fractions: the kept corners, or a guess."""
    is_seen: bool
    """True if an edge was seen there; else the corners stand anywhere."""
    width_mm: float
    height_mm: float
    """The tray's inner size, as kept; a usual one before."""


# What the pages need of the running program where a phone is the camera: who sends, and the pictures themselves


LARGEST_PICTURE = 400 * 1024
"""Bytes of a picture, small and full together. As phones send them they have 60 to 200 KiB."""


@dataclass(frozen=True)
class Phone:
    """A device that sends pictures. `number` is that of the paired tablet, 0 for a browser on the box itself."""

    number: int
    name: str


@dataclass(frozen=True)
class SentPicture:
    """A picture as it arrives: its place in a stream, milliseconds of the phone's own clock, and one or two JPEGs.

    `full` is the same picture with the detail that dice are read by, b"" where only the small one was sent.
    `is_resting`: the phone sees nothing move, and sends few.
    """

    stream: int
    number: int
    taken_ms: int
    is_resting: bool
    small: bytes
    full: bytes = b""
