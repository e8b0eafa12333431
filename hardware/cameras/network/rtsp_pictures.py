"""Pictures over RTSP, through the FFmpeg that OpenCV has.

PyAV would say why a camera refuses; its wheels have x264 in them and so are under the GPL, and weigh 30 MB. OpenCV is
here anyway, and what it does not say is asked of the camera in its own protocol. It hangs at times in spite of its
timeouts (issues 4506, 4528 and 22677 of OpenCV): it runs in a process that can be ended.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import cv2
import numpy as np

from hardware.cameras.base import NoSuchCamera
from hardware.cameras.camera_address import CameraAddress
from hardware.cameras.network import network_faults as faults
from hardware.cameras.network.network_reader import MOST_PIXELS, NetworkReader
from vision.frames import Pixels

OPTIONS = (
    "rtsp_flags;prefer_tcp"  # over UDP a lost packet is a torn picture; some cameras know UDP alone
    "|fflags;nobuffer|max_delay;100000|timeout;4000000"
    "|protocol_whitelist;rtsp,rtsps,rtp,srtp,tcp,tls,udp,crypto"
)
OPENING_MS, READING_MS = 8000, 2000
MOST_BEHIND_S = 0.7
"""Seconds by which pictures may come late, against the first ones: more means that they wait in a buffer."""
RTSP_PORT, RTSPS_PORT = 554, 322
ANSWER_S = 2.0


@dataclass
class StreamDelay:
    """How long pictures wait before they are decoded, by the stream's own clock against this machine's."""

    least_s: float | None = None
    last_position_s: float = 0.0

    def seconds(self, position_s: float, now: float) -> float:
        """Return by how much this picture is later than the quickest one; 0 for a stream without a clock."""
        offset = now - position_s
        has_jumped = not 0 < position_s - self.last_position_s < MOST_BEHIND_S
        self.last_position_s = position_s
        if self.least_s is None or has_jumped:
            self.least_s = offset
        self.least_s = min(self.least_s, offset)
        return offset - self.least_s


class RtspPictures(NetworkReader[Pixels]):
    """Decode each picture of a camera, and keep the newest."""

    may_repeat = True

    def decode(self, contents: Pixels) -> Pixels:
        """Return the picture, which is decoded already."""
        return contents

    def read_all(self) -> None:
        """Open the stream and read it to its end. Raises CameraError."""
        # FFmpeg and OpenCV write what they dislike to standard error, the address included.
        os.environ.update(OPENCV_FFMPEG_CAPTURE_OPTIONS=OPTIONS, OPENCV_FFMPEG_LOGLEVEL="-8")
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        stream = cv2.VideoCapture()
        try:
            self._open(stream)
            self._read(stream)
        finally:
            stream.release()

    def _open(self, stream: cv2.VideoCapture) -> None:
        # Each thread of the decoder holds a picture back.
        wanted = (
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING_MS),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, READING_MS),
            *(cv2.CAP_PROP_N_THREADS, 1),
        )
        if not stream.open(self.address.whole, cv2.CAP_FFMPEG, wanted):
            raise why_not(self.address)
        if stream.get(cv2.CAP_PROP_FRAME_WIDTH) * stream.get(cv2.CAP_PROP_FRAME_HEIGHT) > MOST_PIXELS:
            raise faults.too_large(self.name)

    def _read(self, stream: cv2.VideoCapture) -> None:
        delay = StreamDelay()
        while not self.is_stopped:
            good, pixels = stream.read()
            if not good:
                raise faults.ended(self.name)
            if delay.seconds(stream.get(cv2.CAP_PROP_POS_MSEC) / 1000, time.monotonic()) > MOST_BEHIND_S:
                raise faults.behind(self.name)
            self.keep(np.asarray(pixels, np.uint8))


def why_not(address: CameraAddress) -> NoSuchCamera:
    """Return why a stream cannot be opened, by what the camera answers to a plain question for it."""
    try:
        status = _ask(address)
    except TimeoutError:
        return faults.not_begun(address.shown)
    except OSError as error:
        return faults.unreachable(address.shown, error)
    except ValueError:
        return NoSuchCamera(*faults.unreadable(address.shown).args)
    return faults.refused(address, status) if status >= 300 else faults.not_begun(address.shown)


def _ask(address: CameraAddress) -> int:
    """Return the status of the camera's answer to DESCRIBE. Raises OSError, and ValueError for what is no RTSP."""
    place = urlsplit(address.bare)
    port = place.port or (RTSPS_PORT if address.scheme == "rtsps" else RTSP_PORT)
    with socket.create_connection((place.hostname, port), ANSWER_S) as plain:
        if address.scheme == "rtsps":
            with ssl.create_default_context().wrap_socket(plain, server_hostname=place.hostname) as secure:
                return _describe(secure, address)
        return _describe(plain, address)


def _describe(connection: socket.socket, address: CameraAddress) -> int:
    connection.sendall(f"DESCRIBE {address.bare} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
    version, status, *_ = connection.recv(200).decode("latin-1").split(maxsplit=2)
    if not version.startswith("RTSP/"):
        raise ValueError
    return int(status)
