"""A camera in the network: its newest picture, never an old one, and one sentence for whatever goes wrong."""

from __future__ import annotations

from hardware.cameras.base import Camera, CameraError, CameraLost, NoSuchCamera
from hardware.cameras.camera_address import CameraAddress
from hardware.cameras.network.http_pictures import HttpPictures
from hardware.cameras.network.rtsp_pictures import RtspPictures
from referee.sentences import say
from vision.frames import Frame

OPENING_S = 10.0
"""Seconds to wait for the first picture: a camera may send a whole one every few seconds alone."""
CLOSING_S = 0.5
HTTP = ("http", "https")


class NetworkCamera(Camera):
    """The camera at an address. It is read by a thread of its own, which may hang."""

    def __init__(self, address: CameraAddress, opening_s: float = OPENING_S) -> None:
        self.name = address.shown
        self._opening_s = opening_s
        self._address = address
        self._reader: HttpPictures | RtspPictures | None = None
        self._number = 0

    def open(self) -> None:
        """Start reading. Raises NoSuchCamera when no good picture comes within `opening_s`."""
        self.close()
        self._reader = HttpPictures(self._address) if self._address.scheme in HTTP else RtspPictures(self._address)
        self._reader.start()
        try:
            self._reader.newest(0, self._opening_s)
        except CameraError as error:
            self.close()
            raise error if isinstance(error, NoSuchCamera) else NoSuchCamera(*error.args) from error

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the newest picture not returned before. Raises CameraLost after `timeout` seconds without one."""
        if self._reader is None:
            raise CameraLost(say("{name} is not open; open it first", name=self.name))
        newest = self._reader.newest(self._number, timeout)
        self._number = newest.number
        return newest

    def close(self) -> None:
        """Stop; harmless when not open. A reader that hangs is abandoned together with its thread."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.join(CLOSING_S)
        self._reader, self._number = None, 0
