"""A camera in the network, read on a thread of its own: by HTTP, as a stream of parts, or by RTSP."""

from __future__ import annotations

import os
import socket
import ssl
import time
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPResponse, parse_headers
from typing import BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
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

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraAddress, CameraError, CameraLost, Contents, NoSuchCamera, StreamReader
from referee.sentences import say
from vision.frames import Frame, Pixels
from vision.image_io import SIGNATURES, BadPicture, TooManyPixels, decode_picture

# The parts of an endless `multipart/x-mixed-replace` answer, in which a camera sends one JPEG file after another


MOST_BYTES = 16_000_000
"""Bytes of a picture, and of what may stand before a boundary; a JPEG of 24 megapixels seldom has as many."""
LONGEST_LINE = 65_536
JPEG_END = b"\xff\xd9"
"""What a JPEG ends with. Some cameras write the boundary straight after it, or after zeros that fill it up."""


class TooLarge(ValueError):
    """A part has more than MOST_BYTES, or no boundary comes for as long."""


def parts(stream: BinaryIO, boundary: str, *, is_begun: bool = False) -> Iterator[bytes]:
    """Yield the contents of each part until the stream ends. Raises TooLarge, and what reading raises.

    is_begun: the first boundary was read already.

    Many cameras write a boundary's dashes into the header as well, or leave them out where they belong: dashes do not
    count. A part that tells its length is read at once; of another the end is looked for.
    """
    word = boundary.strip("-").encode("latin-1")
    is_open = is_begun or _ends_at_boundary(stream, word) is not None
    while is_open:
        length = parse_headers(stream).get("Content-Length", "")
        if length.isascii() and length.isdigit():
            contents = _exactly(stream, int(length))
            if len(contents) < int(length):
                return
            yield contents
            is_open = _ends_at_boundary(stream, word) is not None
        else:
            found = _ends_at_boundary(stream, word)
            is_open = found is not None
            if found is not None:
                yield found.removesuffix(b"\n").removesuffix(b"\r")


def _exactly(stream: BinaryIO, length: int) -> bytes:
    """Return so many bytes; fewer at the stream's end."""
    if length > MOST_BYTES:
        raise TooLarge
    return stream.read(length)


def _ends_at_boundary(stream: BinaryIO, word: bytes) -> bytes | None:
    """Return what stands before the next boundary, which is read too; None where the stream ends first."""
    found = bytearray()
    while line := stream.readline(LONGEST_LINE):
        before = _before_boundary(line, word)
        if before is not None:
            return None if line.rstrip().endswith(word + b"--") else bytes(found + before)
        found += line
        if len(found) > MOST_BYTES:
            raise TooLarge
    return None


def _before_boundary(line: bytes, word: bytes) -> bytes | None:
    """Return what stands before a boundary in its line, the end of a JPEG or nothing; None for another line."""
    text = line.rstrip().rstrip(b"-")
    before = text.removesuffix(word).rstrip(b"-")
    is_picture = before.rstrip(b"\0").endswith(JPEG_END)
    return before if text.endswith(word) and (is_picture or not before.strip()) else None


# What goes wrong with a camera in the network, each in one sentence. Of its address that has the host alone


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


# What the readers of all kinds of streams share: the newest picture that can be decoded, within a time


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
                number, unread = taken.number, too_large(self.name)
            except BadPicture:
                number, unread = taken.number, unreadable(self.name)
        raise unread or self.failure or silent(self.name, timeout)


# Pictures over HTTP: a stream of JPEG files, or one file that is asked for again and again


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
            raise refused(self.address, error.code) from None
        except URLError as error:
            reason = error.reason if isinstance(error.reason, OSError) else OSError()
            raise unreachable(self.name, reason) from None
        except OSError as error:
            raise unreachable(self.name, error) from None
        except ValueError:  # what urllib makes of a way to give a password that it does not know
            raise refused(self.address, UNAUTHORIZED) from None
        except HTTPException:
            raise unreadable(self.name) from None
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
            raise too_large(self.name) from None
        except TimeoutError:
            raise silent(self.name, ANSWER_S) from None
        except (OSError, HTTPException, ValueError) as error:
            raise error if isinstance(error, CameraError) else ended(self.name) from None

    def _read_stream(self, answer: HTTPResponse, boundary: str, *, is_begun: bool = False) -> None:
        for contents in parts(answer, boundary, is_begun=is_begun):
            if self.is_stopped:
                return
            if contents:
                self.keep(contents)
        raise ended(self.name)

    def _read_one(self, answer: HTTPResponse) -> None:
        kind = answer.headers.get_content_type()
        if kind == "text/html":
            raise is_page(self.name)
        if not kind.startswith("image/") and kind not in ("application/octet-stream", "text/plain"):
            raise unreadable(self.name)
        begin = answer.read(4)
        if begin.startswith(b"--"):  # ffmpeg serves a stream and calls it a file
            boundary = begin + answer.readline(LONGEST_LINE)
            self._read_stream(answer, boundary.decode("latin-1").strip(), is_begun=True)
        if not _begins_picture(begin):
            raise unreadable(self.name)
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


# Pictures over RTSP, through the FFmpeg that OpenCV has
#
# PyAV would say why a camera refuses; its wheels have x264 in them and so are under the GPL, and weigh 30 MB. OpenCV
# is here anyway, and what it does not say is asked of the camera in its own protocol. It hangs at times in spite of
# its timeouts (issues 4506, 4528 and 22677 of OpenCV): it runs in a process that can be ended.


OPTIONS = (
    "rtsp_flags;prefer_tcp"  # over UDP a lost packet is a torn picture; some cameras know UDP alone
    "|fflags;nobuffer|max_delay;100000|timeout;4000000"
    "|protocol_whitelist;rtsp,rtsps,rtp,srtp,tcp,tls,udp,crypto"
)
OPENING_MS, READING_MS = 8000, 2000
MOST_BEHIND_S = 0.7
"""Seconds by which pictures may come late, against the first ones: more means that they wait in a buffer."""
RTSP_PORT, RTSPS_PORT = 554, 322
RTSP_ANSWER_S = 2.0


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
            raise too_large(self.name)

    def _read(self, stream: cv2.VideoCapture) -> None:
        delay = StreamDelay()
        while not self.is_stopped:
            good, pixels = stream.read()
            if not good:
                raise ended(self.name)
            if delay.seconds(stream.get(cv2.CAP_PROP_POS_MSEC) / 1000, time.monotonic()) > MOST_BEHIND_S:
                raise behind(self.name)
            self.keep(np.asarray(pixels, np.uint8))


def why_not(address: CameraAddress) -> NoSuchCamera:
    """Return why a stream cannot be opened, by what the camera answers to a plain question for it."""
    try:
        status = _ask(address)
    except TimeoutError:
        return not_begun(address.shown)
    except OSError as error:
        return unreachable(address.shown, error)
    except ValueError:
        return NoSuchCamera(*unreadable(address.shown).args)
    return refused(address, status) if status >= 300 else not_begun(address.shown)


def _ask(address: CameraAddress) -> int:
    """Return the status of the camera's answer to DESCRIBE. Raises OSError, and ValueError for what is no RTSP."""
    place = urlsplit(address.bare)
    port = place.port or (RTSPS_PORT if address.scheme == "rtsps" else RTSP_PORT)
    with socket.create_connection((place.hostname, port), RTSP_ANSWER_S) as plain:
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


# A camera in the network: its newest picture, never an old one, and one sentence for whatever goes wrong


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


def camera(place: str) -> NetworkCamera:
    """Return the camera at that address. Raises NoSuchCamera for what is none."""
    return NetworkCamera(CameraAddress.parse(place))
