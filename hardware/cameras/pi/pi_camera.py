"""The Raspberry Pi's camera through picamera2, which this file alone imports, and only when it opens one."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from typing import Any

from hardware.cameras.base import Camera, CameraLost, CameraStuck, NoSuchCamera
from hardware.cameras.pi.driver_timeouts import DEFAULT_TIMEOUTS, CameraTimeouts, TimeoutWorker
from hardware.cameras.pi.video_session import VideoSession
from referee.error_messages import message_of
from referee.sentences import say
from vision.frames import Frame

SIZE = (1280, 960)
"""Width and height of the frames, in pixels."""
RATE = 20.0
"""Frames a second. Three pictures take 0.1 s then, the time after which a still table may have settled."""


class PiCamera(Camera):
    """A camera on the Raspberry Pi's ribbon cable, in one video configuration while it is open.

    Each frame has a small picture of the same moment where the camera can make one. Exposure, gain and colours are
    locked once they have settled, a few seconds after the opening, and measured again in another light. Every call of
    picamera2 runs on a worker thread: `frame` raises CameraLost within two seconds, and `open` and `close` return as
    well when the camera hangs.

    `load` returns picamera2's class Picamera2; tests give another, and shorter timeouts.
    """

    def __init__(
        self,
        index: int,
        size: tuple[int, int] = SIZE,
        rate: float = RATE,
        load: Callable[[], Any] | None = None,
        timeouts: CameraTimeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        self.name = f"picamera:{index}"
        self._index = index
        self._size = size
        self._rate = rate
        self._load = load or _load_picamera2
        self._timeouts = timeouts
        self._worker: TimeoutWorker | None = None
        self._session = VideoSession(self.name, size, rate)
        self._is_open = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence on values that the camera does not keep although frames come; () for none."""
        return (self._session.note,) if self._session.note else ()

    def open(self) -> None:
        """Start. Raises NoSuchCamera when picamera2 or the camera is missing, or in use; CameraStuck when it hangs."""
        self.close()
        if self._worker is not None:
            raise CameraStuck(
                say("{name} still hangs in its driver; restart Vander, or else the Raspberry Pi", name=self.name)
            )
        picamera2 = self._load()
        session = self._session = VideoSession(self.name, self._size, self._rate)
        self._worker = TimeoutWorker(self.name)
        atexit.register(self.close)
        try:
            self._worker.call(lambda: session.begin(picamera2, self._index), self._timeouts.opening_s)
        except Exception as error:
            self.close()
            raise _not_opened(self.name, error) from error
        self._is_open = True

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the next frame. Raises CameraLost after `timeout` seconds, or two seconds where that is less."""
        if self._worker is None or not self._is_open:
            raise CameraLost(say("{name} is not open; open it first", name=self.name))
        seconds = min(timeout, self._timeouts.frame_s)
        try:
            return self._worker.call(lambda: self._session.next_frame(seconds), seconds + self._timeouts.grace_s)
        except CameraLost:
            raise
        except TimeoutError as error:
            raise CameraLost(
                say(
                    "{name} gave no frame for {seconds} s; check its ribbon cable",
                    name=self.name,
                    seconds=f"{seconds:g}",
                )
            ) from error
        except Exception as error:
            raise CameraLost(
                say("{name} gives no frames ({reason}); check its ribbon cable", name=self.name, reason=_words(error))
            ) from error

    def close(self) -> None:
        """Stop; harmless when not open. A camera that hangs is abandoned together with its thread."""
        self._is_open = False
        if self._worker is not None and self._worker.shut_down(self._session.end, self._timeouts.closing_s):
            self._worker = None
            atexit.unregister(self.close)


def _not_opened(name: str, error: Exception) -> NoSuchCamera:
    """Return what to say of a camera that did not open."""
    if isinstance(error, NoSuchCamera):
        return error
    if isinstance(error, TimeoutError):
        return CameraStuck(
            say("{name} hangs while it is opened; check its ribbon cable, then restart the Raspberry Pi", name=name)
        )
    reason = _words(_root(error))
    if "busy" in reason.lower():
        return NoSuchCamera(
            say(
                "{name} is in use by another program ({reason}); close that one, or restart the Pi",
                name=name,
                reason=reason,
            )
        )
    return NoSuchCamera(say("no camera answers at {name} ({reason}); check its ribbon cable", name=name, reason=reason))


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _root(error: BaseException) -> BaseException:
    """Return the first error of the chain: picamera2's last one says only that the camera did not open."""
    return error if error.__cause__ is None else _root(error.__cause__)


def _load_picamera2() -> Any:  # noqa: ANN401 - picamera2 has no types
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only the Raspberry Pi has it
    except ImportError as error:
        raise NoSuchCamera(
            say(
                "a picamera needs picamera2 ({cause}); install apt's python3-picamera2 "
                "and make the venv with --system-site-packages",
                cause=message_of(error),
            )
        ) from error
    except Exception as error:  # libraries built for another NumPy raise ValueError and others
        raise NoSuchCamera(
            say(
                "picamera2 is here but cannot be loaded ({cause}); on Debian 12 it needs a NumPy below 2 in the venv",
                cause=message_of(error),
            )
        ) from error
    return Picamera2
