"""What every camera offers, what can go wrong with one, and the words in which people read of it.

CameraError (OSError)
+-- NoSuchCamera (LookupError)      it cannot be opened
|   +-- CameraStuck                 its driver hangs, and may do so in a new process too
+-- CameraLost (ConnectionError)    it was open and gives no more frames
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, Protocol

from referee.sentences import say

if TYPE_CHECKING:  # a frame takes NumPy, which no command's help needs, and a virtual tray takes the drawing of dice
    from hardware.simulator.virtual_tray import VirtualTray
    from vision.frames import Frame


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
