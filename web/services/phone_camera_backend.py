"""What the pages need of the running program where a phone is the camera: who sends, and the pictures themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from web.schemas.diagnostics_schemas import TraySight
from web.schemas.phone_camera_schemas import PictureAnswer

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
