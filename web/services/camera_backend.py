"""What the pages need of the running program about cameras: the choice, a phone that is one, a tray without markers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from web.schemas.camera_schemas import CamerasResponse, CornersRequest, CornersResponse, CornersStill, PictureAnswer
from web.schemas.diagnostics_schemas import TraySight

# What the pages need of the running program to choose its camera


class CameraBackend(Protocol):
    """The cameras that are found, and the one that is on. Any thread may call any method; refusals are `Refused`.

    A choice that is refused leaves the camera on that was on. CONFLICT: somebody else chooses just now, or a throw
    waits for an answer. UNAVAILABLE: the camera gives no picture.
    """

    def cameras(self) -> CamerasResponse:
        """Return the cameras that can be chosen now."""

    def choose(self, key: str) -> CamerasResponse:
        """Go on with a camera; a phone is waited for. Raises Refused, also NOT_FOUND for one that is gone."""

    def choose_address(self, address: str) -> CamerasResponse:
        """Go on with a camera in the network. Raises Refused, also INVALID for what is no address."""

    def adjust(self, mirrored: bool | None, turned: int | None) -> CamerasResponse:
        """Put the pictures of the camera that is on right at their source. Raises Refused."""

    def picture(self, key: str) -> bytes | None:
        """Return a small JPEG of what a camera sees now, None before its first picture.

        A camera that is not on is open for it, and closed soon after nobody asks any more. Raises Refused: NOT_FOUND,
        UNAVAILABLE where it gives no picture.
        """


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


class PhoneCameraBackend(Protocol):
    """The camera that a phone is. Any thread may call any method; refusals are `Refused`."""

    @property
    def is_wanted(self) -> bool:
        """True if a phone is the camera, or waited for; else no picture is to be given."""

    @property
    def sender(self) -> Phone | None:
        """Return the phone that has sent a picture in the last seconds, or None."""

    def begin(self, phone: Phone) -> int:
        """Return the number of a new stream of pictures; the phone's earlier one ends.

        Raises Refused (CONFLICT) while another phone sends.
        """

    def take(self, phone: Phone, picture: SentPicture) -> PictureAnswer:
        """Take in the next picture of a stream.

        Raises Refused: GONE for a stream that is no longer open, NOT_ALLOWED where the phone sends another one, from
        another window; CONFLICT for a picture that comes late or again,
        INVALID for one that cannot be read.
        """

    def photograph(self, phone: Phone, jpeg: bytes) -> TraySight:
        """Take in a photograph of dice at rest, and return what is found in it.

        Raises Refused: CONFLICT while another phone sends, INVALID for one that cannot be read or lacks the tray.
        """


# What the pages need of the running program where a tray has no markers: a still, and its four corners


class TrayCornersBackend(Protocol):
    """The tapped corners of a tray without markers. Any thread may call any method; refusals are `Refused`.

    `phone` is the camera phone that asks, None for a keeper; a camera phone is answered about its own picture alone.
    """

    def now(self) -> CornersResponse:
        """Return what is kept, and whether it fits the present picture."""

    def take_still(self, phone: Phone | None) -> CornersStill:
        """Take a still of what the camera shows now. Raises Refused: UNAVAILABLE without a picture, NOT_ALLOWED."""

    def still_jpeg(self, phone: Phone | None, number: int) -> bytes:
        """Return a still as a JPEG. Raises Refused: GONE for another one than the last, NOT_ALLOWED."""

    def keep(self, phone: Phone | None, asked: CornersRequest) -> CornersResponse:
        """Keep the corners that were tapped in a still.

        Raises Refused: INVALID for corners of no tray, GONE for another still than the last, CONFLICT while a throw
        waits for an answer, UNAVAILABLE where nothing can be kept, NOT_ALLOWED.
        """

    def forget(self, phone: Phone | None) -> CornersResponse:
        """Take the corners away: the markers count again. Raises Refused as `keep` does."""
