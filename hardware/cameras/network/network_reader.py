"""What the readers of all kinds of streams share: the newest picture that can be decoded, within a time."""

from __future__ import annotations

import time
from abc import abstractmethod

from hardware.cameras.base import CameraError
from hardware.cameras.camera_address import CameraAddress
from hardware.cameras.network import network_faults as faults
from hardware.cameras.stream_reader import Contents, StreamReader
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, TooManyPixels

MOST_PIXELS = 24_000_000
"""Pixels of a picture that is decoded."""


class NetworkReader(StreamReader[Contents]):
    """Read the camera at an address; its name is what may be shown of that."""

    may_repeat = False
    """True for a stream of video, in which two pictures may be equal."""

    def __init__(self, address: CameraAddress) -> None:
        super().__init__(address.shown)
        self.address = address

    @abstractmethod
    def decode(self, contents: Contents) -> Pixels:
        """Return the pixels of a picture. Raises BadPicture."""

    def newest(self, number: int, timeout: float) -> Frame:
        """Return the newest picture behind that number, skipping unreadable ones. Raises CameraError in `timeout` s."""
        unread: CameraError | None = None
        until = time.monotonic() + timeout
        while taken := self.wait(number, max(until - time.monotonic(), 0.0)):
            try:
                pixels = self.decode(taken.contents)
                return Frame(pixels, taken.number, taken.taken_at, may_repeat=self.may_repeat)
            except TooManyPixels:
                number, unread = taken.number, faults.too_large(self.name)
            except BadPicture:
                number, unread = taken.number, faults.unreadable(self.name)
        raise unread or self.failure or faults.silent(self.name, timeout)
