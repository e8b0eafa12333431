"""Pictures over HTTP: a stream of JPEG files, or one file that is asked for again and again."""

from __future__ import annotations

import ssl
import time
from email.message import Message
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.request import (
    HTTPBasicAuthHandler,
    HTTPDefaultErrorHandler,
    HTTPDigestAuthHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

from hardware.cameras.base import CameraError
from hardware.cameras.camera_address import CameraAddress
from hardware.cameras.network import network_faults as faults
from hardware.cameras.network.multipart import LONGEST_LINE, MOST_BYTES, TooLarge, parts
from hardware.cameras.network.network_reader import MOST_PIXELS, NetworkReader
from vision.frames import Pixels
from vision.image_io import SIGNATURES, decode_picture

ANSWER_S = 4.0
"""Seconds within which a camera must answer, and between two of its packets."""
PACE_S = 0.1
"""Seconds from one question for a single picture to the next."""


class HttpPictures(NetworkReader[bytes]):
    """Keep the newest JPEG file of a camera. It is decoded when somebody wants it, so that no time goes into others."""

    def __init__(self, address: CameraAddress) -> None:
        super().__init__(address)
        self._opener = _opener(address)

    def decode(self, contents: bytes) -> Pixels:
        """Return the picture. Raises BadPicture."""
        return decode_picture(contents, most_pixels=MOST_PIXELS)

    def read_all(self) -> None:
        """Read the stream to its end; ask again and again for a single picture."""
        while not self.is_stopped:
            asked_at = time.monotonic()
            with self._ask() as answer:
                self._read(answer)
            self.pause(asked_at + PACE_S - time.monotonic())

    def _ask(self) -> HTTPResponse:
        """Return the camera's answer, its headers read. Raises NoSuchCamera."""
        try:
            answer: HTTPResponse = self._opener.open(Request(self.address.bare), timeout=ANSWER_S)  # noqa: S310
        except HTTPError as error:
            error.close()
            raise faults.refused(self.address, error.code) from None
        except URLError as error:
            reason = error.reason if isinstance(error.reason, OSError) else OSError()
            raise faults.unreachable(self.name, reason) from None
        except OSError as error:
            raise faults.unreachable(self.name, error) from None
        except ValueError:  # what urllib makes of a way to give a password that it does not know
            raise faults.refused(self.address, faults.UNAUTHORIZED) from None
        except HTTPException:
            raise faults.unreadable(self.name) from None
        return answer

    def _read(self, answer: HTTPResponse) -> None:
        """Keep the pictures of an answer. Raises CameraError."""
        try:
            boundary = _boundary(answer.headers)
            if boundary:
                self._read_stream(answer, boundary)
            else:
                self._read_one(answer)
        except TooLarge:
            raise faults.too_large(self.name) from None
        except TimeoutError:
            raise faults.silent(self.name, ANSWER_S) from None
        except (OSError, HTTPException, ValueError) as error:
            raise error if isinstance(error, CameraError) else faults.ended(self.name) from None

    def _read_stream(self, answer: HTTPResponse, boundary: str, *, is_begun: bool = False) -> None:
        for contents in parts(answer, boundary, is_begun=is_begun):
            if self.is_stopped:
                return
            if contents:
                self.keep(contents)
        raise faults.ended(self.name)

    def _read_one(self, answer: HTTPResponse) -> None:
        kind = answer.headers.get_content_type()
        if kind == "text/html":
            raise faults.is_page(self.name)
        if not kind.startswith("image/") and kind not in ("application/octet-stream", "text/plain"):
            raise faults.unreadable(self.name)
        begin = answer.read(4)
        if begin.startswith(b"--"):  # ffmpeg serves a stream and calls it a file
            boundary = begin + answer.readline(LONGEST_LINE)
            self._read_stream(answer, boundary.decode("latin-1").strip(), is_begun=True)
        if not _begins_picture(begin):
            raise faults.unreadable(self.name)
        contents = begin + answer.read(MOST_BYTES)
        if len(contents) > MOST_BYTES:
            raise TooLarge
        self.keep(contents)


def _begins_picture(begin: bytes) -> bool:
    """True if a file with these first bytes may be a picture; a signature may be longer than they are."""
    return bool(begin) and any(each.startswith(begin[: len(each)]) for each in SIGNATURES)


def _boundary(headers: Message) -> str:
    """Return what stands between the parts of an answer; '' for an answer of one piece."""
    return (headers.get_boundary() or "") if headers.get_content_maintype() == "multipart" else ""


def _opener(address: CameraAddress) -> OpenerDirector:
    """Return a URL opener that follows redirects, sends the password to this host only, and uses no proxy."""
    passwords = HTTPPasswordMgrWithDefaultRealm()
    if address.credentials:
        passwords.add_password(None, address.bare, address.user, address.password)
    opener = OpenerDirector()
    for handler in (
        HTTPHandler(),
        HTTPSHandler(context=ssl.create_default_context()),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        HTTPRedirectHandler(),
        HTTPDigestAuthHandler(passwords),
        HTTPBasicAuthHandler(passwords),
    ):
        opener.add_handler(handler)
    return opener
