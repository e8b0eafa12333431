"""What every camera offers, what can go wrong with one, and the words in which people read of it.

CameraError (OSError)
+-- NoSuchCamera (LookupError)      it cannot be opened
|   +-- CameraStuck                 its driver hangs, and may do so in a new process too
+-- CameraLost (ConnectionError)    it was open and gives no more frames

Many cameras want the password elsewhere: behind the `?`, or in the path (`/user=admin_password=1234_channel=1`). So
nothing behind the host is shown at all.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from referee.sentences import say

if TYPE_CHECKING:  # a frame takes NumPy, which no command's help needs, and a virtual tray takes the drawing of dice
    from hardware.simulator.virtual_tray import VirtualTray
    from vision.frames import Frame, Pixels


class CameraStatus(StrEnum):
    """What is known of the camera now. Every value but WORKING means that the dice cannot be read."""

    WORKING = "working"
    MISSING = "missing"
    """It cannot be opened: NoSuchCamera."""
    STUCK = "stuck"
    """It hangs in its driver: CameraStuck."""
    LOST = "lost"
    """It stopped giving frames: CameraLost."""
    ENDED = "ended"
    """The recording is over."""
    FAILED = "failed"
    """The program failed while it handled a frame, and starts with the camera again."""
    FROZEN = "frozen"
    """It sends the same frame again and again."""
    COVERED = "covered"
    """Its frames show no detail."""
    DARK = "dark"
    """Its frames are too dark to read dice."""
    NO_TRAY = "no tray"
    """Its frames are good but show no tray."""


SENTENCES: Mapping[CameraStatus, str] = {
    CameraStatus.WORKING: "",
    CameraStatus.MISSING: say("There is no camera: plug it in, or check its cable."),
    CameraStatus.STUCK: say("The camera hangs in its driver: check its cable, or restart the box."),
    CameraStatus.LOST: say("The camera is gone: plug it in, or check its cable."),
    CameraStatus.ENDED: say("The recording is over."),
    CameraStatus.FAILED: say("Reading the camera failed; Vander tries again."),
    CameraStatus.FROZEN: say("The picture is frozen: Vander restarts the camera. Meanwhile, give the dice by hand."),
    CameraStatus.COVERED: say("The lens is covered: the picture shows nothing at all."),
    CameraStatus.DARK: say("The lens is covered, or the room is too dark to read the dice."),
    CameraStatus.NO_TRAY: say("The tray's markers are not in sight."),
}
"""What people read of each status, where nobody knows more."""


@dataclass(frozen=True)
class CameraReport:
    """The camera's status, and what is known beyond it.

    `advice` is '' or a sentence that knows more than the status: an error's own message, the markers that are missing.
    """

    status: CameraStatus = CameraStatus.WORKING
    advice: str = ""

    @property
    def sentence(self) -> str:
        """Return the sentence for people: the advice, or else that of the status; '' while the camera works."""
        return self.advice or SENTENCES[self.status]

    @property
    def is_working(self) -> bool:
        return self.status is CameraStatus.WORKING


WORKING = CameraReport()


class CameraError(OSError):
    """The root of all errors of a camera. The message says what would help; `status` is what it means."""

    status = CameraStatus.LOST


class NoSuchCamera(CameraError, LookupError):
    """No camera of that name can be opened."""

    status = CameraStatus.MISSING


class CameraStuck(NoSuchCamera):
    """The camera's driver hangs: only a new process may open the camera again, or not even that."""

    status = CameraStatus.STUCK


class CameraLost(CameraError, ConnectionError):
    """The camera was open and gives no more frames. `Camera.open` may be called again."""

    status = CameraStatus.LOST


class Camera(Protocol):
    """A source of frames: `open`, then `frame` again and again from one thread, then `close`.

    A camera class inherits from this protocol, and so gets `is_live`, `is_steady`, `notes`, `longest_pause_s` and
    `simulator` of an ordinary camera.
    """

    name: str
    """The camera's name for people, such as `usb:0`."""

    @property
    def is_live(self) -> bool:
        """True if frames are taken as they are asked for; False for a recording, whose frames may repeat."""
        return True

    @property
    def is_steady(self) -> bool:
        """True if frames come at one rate; False for a camera that sends few while nothing moves."""
        return True

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each thing that is wrong although frames come; () when nothing is."""
        return ()

    @property
    def longest_pause_s(self) -> float:
        """Return the most seconds to wait before the camera is opened again; inf where opening costs something."""
        return inf

    @property
    def simulator(self) -> VirtualTray | None:
        """Return the virtual tray that this camera sees; None for a camera that sees a real one."""
        return None

    def open(self) -> None:
        """Start. May be called again after CameraLost. Raises NoSuchCamera."""

    def frame(self, timeout: float = 1.0) -> Frame | None:
        """Return the next frame; None at the end of a recording. Raises CameraLost after `timeout` seconds."""

    def close(self) -> None:
        """Stop; harmless when not open."""


KIND = "url"
SCHEMES = ("http", "https", "rtsp", "rtsps")
FORM = "http://HOST:PORT/PATH"


@dataclass(frozen=True)
class CameraAddress:
    """An address without the name and the password for it, which stand apart, decoded; both are '' without any.

    scheme: one of SCHEMES. host: with its port, as in the address. rest: all that follows the host.
    """

    scheme: str
    host: str
    rest: str
    user: str = ""
    password: str = ""
    credentials: str = ""
    """Name and password as they stand in the address, encoded."""

    @classmethod
    def parse(cls, text: str) -> CameraAddress:
        """Return the address in a text. Raises NoSuchCamera, which never repeats the text."""
        try:
            parts = urlsplit(text)
            has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            has_host = False
        if not has_host or parts.scheme not in SCHEMES or not text.isprintable() or " " in text:
            raise NoSuchCamera(say("that is no address of a camera; write {form}", form=FORM))
        credentials, _, host = parts.netloc.rpartition("@")
        rest = text.partition("//")[2][len(parts.netloc) :]
        if "@" in rest or "@" in credentials:  # else a password with a slash would be shown as a part of the host
            raise NoSuchCamera(say("in the camera's address, write @ as %40, and in the password / as %2F"))
        user, _, password = credentials.partition(":")
        return cls(parts.scheme, host, rest, unquote(user), unquote(password), credentials)

    @property
    def shown(self) -> str:
        """Return what people may see: the scheme and the host."""
        return f"{self.scheme}://{self.host}"

    @property
    def bare(self) -> str:
        """Return the whole address but name and password."""
        return f"{self.shown}{self.rest}"

    @property
    def whole(self) -> str:
        """Return the whole address, with name and password."""
        return f"{self.scheme}://{self.credentials}@{self.host}{self.rest}" if self.credentials else self.bare

    @property
    def secrets(self) -> Iterator[str]:
        """Yield each text that must not be seen outside, encoded and decoded."""
        raw = self.credentials.partition(":")
        yield from filter(None, (self.user, self.password, raw[0], raw[2]))
        if "=" in self.rest:
            yield self.rest.strip("/")
        yield from (value for _, value in parse_qsl(urlsplit(self.bare).query))


def address_of(name: str) -> str | None:
    """Return the address in a camera's name, `url:http://...` or `rtsp://...`; None for any other camera."""
    kind, _, place = name.partition(":")
    if kind == KIND:
        return place
    return name if place.startswith("//") else None


def shown_name(name: str) -> str:
    """Return a camera's name as people may see it: of an address in the network, no more than the host."""
    address = address_of(name)
    if address is None:
        return name
    try:
        return CameraAddress.parse(address).shown
    except NoSuchCamera:
        return f"{KIND}:?"  # it may have a password where nobody looks for one


def secrets_in(name: str) -> tuple[str, ...]:
    """Return the texts of a camera's name that must not be seen: () but for a camera in the network."""
    address = address_of(name)
    if address is None:
        return ()
    try:
        return tuple(CameraAddress.parse(address).secrets)
    except NoSuchCamera:
        return (address,)


Contents = TypeVar("Contents")
"""What a picture is before it is needed: pixels, or a file's bytes that are still to be decoded."""


@dataclass(frozen=True, eq=False)
class Taken(Generic[Contents]):
    """A picture with its number, from 1, and the moment it came, in seconds of `time.monotonic`."""

    contents: Contents
    number: int
    taken_at: float


class StreamReader(threading.Thread, ABC, Generic[Contents]):
    """Read pictures until stopped, or until the source gives no more; `failure` then says why, if anything is known.

    A source that hangs keeps the thread for ever. It is a daemon, and ends with its process.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.failure: CameraError | None = None
        self._changed = threading.Condition()
        self._newest: Taken[Contents] | None = None
        self._ended = threading.Event()

    @abstractmethod
    def read_all(self) -> None:
        """Read until `is_stopped`, and `keep` each picture. May raise CameraError."""

    def run(self) -> None:
        """Read, and take note of why it ended."""
        try:
            self.read_all()
        except CameraError as error:
            self.failure = error
        except Exception as error:  # its message may hold the address with the password
            self.failure = CameraLost(say("{name} failed: {cause}", name=self.name, cause=type(error).__name__))
        finally:
            self.stop()

    @property
    def is_stopped(self) -> bool:
        """True if nobody wants another picture."""
        return self._ended.is_set()

    def wait(self, number: int, timeout: float) -> Taken[Contents] | None:
        """Return the newest picture as soon as its number is above `number`; None when it does not come in time."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_stopped or self._is_newer(number), timeout)
            return self._newest if self._is_newer(number) else None

    def keep(self, contents: Contents) -> None:
        """Put a picture in place of the one before."""
        with self._changed:
            number = self._newest.number + 1 if self._newest else 1
            self._newest = Taken(contents, number, time.monotonic())
            self._changed.notify_all()

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until stopped."""
        self._ended.wait(seconds)

    def stop(self) -> None:
        """End the thread as soon as its source returns, and whatever waits for a picture."""
        with self._changed:
            self._ended.set()
            self._changed.notify_all()

    def _is_newer(self, number: int) -> bool:
        return self._newest is not None and self._newest.number > number


# A camera whose pictures are put right at their source: not mirrored, and not lying on their side


@dataclass(frozen=True)
class Adjustment:
    """What is done to each picture: left and right change places if `mirrored`, then it is turned clockwise.

    turned: 0, 90, 180 or 270 degrees.
    """

    mirrored: bool = False
    turned: int = 0

    def adjusted(self, pixels: Pixels) -> Pixels:
        """Return a picture (BGR) as it should be."""
        import numpy as np  # noqa: PLC0415  no command's help needs it, and all load this module

        upright = pixels[:, ::-1] if self.mirrored else pixels
        return np.ascontiguousarray(np.rot90(upright, -self.turned // 90))


class AdjustedCamera(Camera):
    """Another camera, of which each picture is adjusted as `adjustment` says at that time."""

    def __init__(self, camera: Camera, adjustment: Callable[[], Adjustment]) -> None:
        self.name = camera.name
        self._camera, self._adjustment = camera, adjustment

    @property
    def is_live(self) -> bool:
        return self._camera.is_live

    @property
    def is_steady(self) -> bool:
        return self._camera.is_steady

    @property
    def notes(self) -> tuple[str, ...]:
        return self._camera.notes

    @property
    def longest_pause_s(self) -> float:
        return self._camera.longest_pause_s

    @property
    def simulator(self) -> VirtualTray | None:
        return self._camera.simulator

    def open(self) -> None:
        """Open the camera. Raises NoSuchCamera."""
        self._camera.open()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        """Return the camera's next frame, adjusted. Raises CameraLost."""
        frame, wanted = self._camera.frame(timeout), self._adjustment()
        if frame is None or wanted == Adjustment():
            return frame
        small = None if frame.small is None else wanted.adjusted(frame.small)
        return replace(frame, pixels=wanted.adjusted(frame.pixels), small=small)

    def close(self) -> None:
        self._camera.close()
