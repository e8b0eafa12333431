"""The Raspberry Pi's camera through picamera2, which this file alone imports, and only when it opens one."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import time
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware.cameras.base import Camera, CameraLost, CameraStuck, NoSuchCamera
from hardware.cameras.pi.call_with_timeout import Courier
from hardware.cameras.pi.exposure_lock import Steady
from hardware.cameras.pi.pixel_formats import Stream
from vision.frames import SMALL_LONG_SIDE, Frame, Pixels

log = logging.getLogger(__name__)

SIZE = (1280, 960)
RATE = 15.0
BUFFERS = 4
TRAY_DIOPTRES = 1.5
"""Where a lens that can be focused looks: one over the metres to a tray 65 cm below."""
LAMP_MICROSECONDS = 10_000
"""Lamps on mains of 50 Hz flicker so often. On 60 Hz each frame sees the same of it, at fifteen frames a second."""
LATE_SECONDS = 0.05
"""What a frame that comes just as it is given up may take to be handed over."""
OLDEST_SECONDS = 1.0
"""A frame that says it is older than this, or of the future, has a clock that is not ours."""


@dataclass(frozen=True)
class Patience:
    """How many seconds are waited for each of what may never come.

    A frame and the grace are less than two seconds together. The grace is for a driver that hangs and does not keep to
    the time that it was given.
    """

    opening: float = 10.0
    closing: float = 3.0
    frame: float = 1.5
    grace: float = 0.3


class PiCamera(Camera):
    """A camera on the Raspberry Pi's ribbon cable, kept in one video configuration as long as it is open.

    Each frame brings a small picture of the same moment where the camera can make one. Exposure, gain and colours are
    held once they have settled, a few seconds after it was opened, and measured anew in another light. Everything that
    is asked of the camera is asked in a thread of its own: `frame` tells within two seconds that it is lost, and `open`
    and `close` come back as well when it hangs.

    `load` gives picamera2's class Picamera2; tests give it another, and less patience.
    """

    def __init__(
        self,
        number: int,
        size: tuple[int, int] = SIZE,
        rate: float = RATE,
        load: Callable[[], Any] | None = None,
        patience: Patience = Patience(),
    ) -> None:
        self.name = f"picamera:{number}"
        self._which = number
        self._size = size
        self._rate = rate
        self._load = load or _picamera2
        self._patience = patience
        self._courier: Courier | None = None
        self._open = False
        self._device: Any = None
        self._main: Stream | None = None
        self._small: Stream | None = None
        self._steady = Steady(self.name, ())
        self._number = 0
        self._taken_at = float("-inf")

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not as it should be though frames come, a sentence each: values that the camera does not keep."""
        return (self._steady.note,) if self._steady.note else ()

    def open(self) -> None:
        """Start. Raises NoSuchCamera when picamera2 or the camera is missing, or in use; CameraStuck when it hangs."""
        self.close()
        if self._courier is not None:
            raise CameraStuck(f"{self.name} still hangs in its driver; start Vander anew, or else the Raspberry Pi")
        kind = self._load()
        self._courier = Courier(self.name)
        atexit.register(self.close)
        try:
            self._courier.fetch(lambda: self._begin(kind), self._patience.opening)
        except Exception as error:
            self.close()
            raise _unopened(self.name, error) from error
        self._open = True

    def frame(self, timeout: float = 1.0) -> Frame:
        """The next frame. Raises CameraLost after `timeout` seconds without one, or two seconds where that is less."""
        if self._courier is None or not self._open:
            raise CameraLost(f"{self.name} is not open; open it first")
        seconds = min(timeout, self._patience.frame)
        try:
            return self._courier.fetch(lambda: self._take(seconds), seconds + self._patience.grace)
        except CameraLost:
            raise
        except TimeoutError as error:
            raise CameraLost(f"{self.name} gave no frame for {seconds:g} s; look to its ribbon cable") from error
        except Exception as error:
            raise CameraLost(f"{self.name} gives no frames ({_words(error)}); look to its ribbon cable") from error

    def close(self) -> None:
        """Stop; harmless when not open. A camera that hangs is left behind with its thread."""
        self._open = False
        if self._courier is not None and self._courier.dismiss(self._end, self._patience.closing):
            self._courier = None
            atexit.unregister(self.close)

    def _begin(self, kind: Any) -> None:  # noqa: ANN401 - picamera2 has no types
        self._number = 0
        found = kind.global_camera_info()
        if self._which >= len(found):
            raise _not_found(self.name, len(found))
        # In two steps, since one that cannot be opened leaves a pipe behind, which is to be closed.
        device = self._device = kind.__new__(kind)
        device.__init__(self._which)
        # picamera2 would close the camera at the end of the program by itself, and wait for ever for one that hangs.
        atexit.unregister(device.close)
        self._configure(device)
        device.start()
        self._steady = Steady(self.name, device.camera_controls)

    def _configure(self, device: Any) -> None:  # noqa: ANN401 - picamera2 has no types
        """Ask for both streams, or for the large one alone of a camera that cannot make two at once."""
        small = {"size": _small(self._size), "format": "YUV420"}
        try:
            self._configure_with(device, small)
        except Exception as error:
            log.info("%s makes no small pictures (%s); they are made of the large ones", self.name, error)
            self._configure_with(device, None)
        reported = device.camera_configuration()
        self._main = Stream.reported("main", reported)
        self._small = Stream.reported("lores", reported) if reported.get("lores") else None

    def _configure_with(self, device: Any, small: dict[str, Any] | None) -> None:  # noqa: ANN401 - as above
        device.configure(
            device.create_video_configuration(
                main={"size": self._size, "format": "RGB888"},
                lores=small,
                buffer_count=BUFFERS,
                controls=advertised(controls(self._rate), device.camera_controls),
                sensor={"output_size": whole_view(device.sensor_resolution, self._size)},
            )
        )

    def _take(self, seconds: float) -> Frame:
        """Both streams of the camera's next request, which goes back to it whatever happens."""
        request = self._request(seconds)
        try:
            told = request.get_metadata()
            pixels, small = (self._pixels(request, stream) for stream in (self._main, self._small))
            if pixels is None:
                raise CameraLost(f"{self.name} is not open; open it first")
            self._taken_at = max(_taken_at(told), self._taken_at)
            self._keep_steady(told, pixels[::4, ::4] if small is None else small)
        finally:
            request.release()
        self._number += 1
        return Frame(pixels, self._number, self._taken_at, small)

    def _request(self, seconds: float) -> Any:  # noqa: ANN401 - picamera2 has no types
        job = self._device.capture_request(wait=False)
        try:
            return self._device.wait(job, timeout=seconds)
        except TimeoutError:
            self._device.cancel_all_and_flush()
            # A frame that came just then belongs to nobody, and the camera has only a few buffers.
            with suppress(Exception):
                self._device.wait(job, timeout=LATE_SECONDS).release()
            raise

    @staticmethod
    def _pixels(request: Any, stream: Stream | None) -> Pixels | None:  # noqa: ANN401 - picamera2 has no types
        return None if stream is None else stream.pixels(request.make_buffer(stream.name))

    def _keep_steady(self, told: Mapping[str, Any], small: Pixels) -> None:
        brightness = float(np.median(small[::4, ::4]))
        if wanted := self._steady.look(told, brightness, self._taken_at):
            self._device.set_controls(wanted)

    def _end(self) -> None:
        device, self._device, self._main, self._small = self._device, None, None, None
        if device is not None:
            # A camera that stopped answering may refuse to stop as well, and there is nothing else to be done about it.
            for stop in (_flush, _close, _close_pipe):
                with suppress(Exception):
                    stop(device)
            del device
            # picamera2's objects know each other, and keep pipes and buffers open until they are collected.
            gc.collect()


def _flush(device: Any) -> None:  # noqa: ANN401 - picamera2 has no types
    device.cancel_all_and_flush()


def _close(device: Any) -> None:  # noqa: ANN401 - as above
    device.close()


def _close_pipe(device: Any) -> None:  # noqa: ANN401 - as above
    """Close what picamera2 leaves open of a camera that did not open; each attempt would cost a file otherwise."""
    if not device.notifymeread.closed:
        device.notifymeread.close()
        os.close(device.notifyme_w)


def controls(rate: float) -> dict[str, object]:
    """What we would set where the camera has it.

    So many frames a second, manual focus (mode 0) on the tray, exposures that are multiples of the lamp's flicker
    (mode 1) as long as those are short enough.
    """
    microseconds = round(1e6 / rate)
    return {
        "FrameDurationLimits": (microseconds, microseconds),
        "AfMode": 0,
        "LensPosition": TRAY_DIOPTRES,
        "AeFlickerMode": 1,
        "AeFlickerPeriod": LAMP_MICROSECONDS,
    }


def advertised(wanted: dict[str, object], offered: Container[str]) -> dict[str, object]:
    """Those of the wanted controls that the camera offers, since setting another is an error."""
    return {name: value for name, value in wanted.items() if name in offered}


def whole_view(sensor: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """The sensor's mode in which it sees all that its lens shows: half its pixels each way, which every sensor has.

    All of them where half is less than the picture needs. Left to itself, picamera2 takes the mode nearest in size,
    and with several sensors that is a cut-out of the middle (picamera2 issues 924 and 1233).
    """
    half = sensor[0] // 2, sensor[1] // 2
    return half if half[0] >= size[0] and half[1] >= size[1] else sensor


def _small(size: tuple[int, int]) -> tuple[int, int]:
    """The small picture's size, even as the camera needs it."""
    scale = SMALL_LONG_SIDE / max(size)
    return round(size[0] * scale / 2) * 2, round(size[1] * scale / 2) * 2


def _taken_at(told: Mapping[str, Any]) -> float:
    """When the sensor began the frame, in our own clock's seconds; now, where it does not say or has another clock."""
    now, stamp = time.monotonic(), float(told.get("SensorTimestamp") or 0) / 1e9
    return stamp if 0 <= now - stamp <= OLDEST_SECONDS else now


def _unopened(name: str, error: Exception) -> NoSuchCamera:
    """What to tell of a camera that did not open."""
    if isinstance(error, NoSuchCamera):
        return error
    if isinstance(error, TimeoutError):
        return CameraStuck(
            f"{name} hangs while it is opened; look to its ribbon cable, then start the Raspberry Pi anew"
        )
    reason = _words(_root(error))
    if "busy" in reason.lower():
        return NoSuchCamera(f"{name} is in use by another program ({reason}); close that one, or start the Pi anew")
    return NoSuchCamera(f"no camera answers at {name} ({reason}); look to its ribbon cable")


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _root(error: BaseException) -> BaseException:
    """What was wrong at first: picamera2 says only that it did not come through."""
    return error if error.__cause__ is None else _root(error.__cause__)


def _not_found(name: str, count: int) -> NoSuchCamera:
    if not count:
        return NoSuchCamera(
            f"there is no camera {name}, nor any other; switch the Raspberry Pi off and look to the ribbon cable's ends"
        )
    names = ", ".join(f"picamera:{number}" for number in range(count))
    return NoSuchCamera(f"there is no camera {name}; what there is: {names}")


def _picamera2() -> Any:  # noqa: ANN401 - picamera2 has no types
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only the Raspberry Pi has it
    except ImportError as error:
        raise NoSuchCamera(
            f"a picamera needs picamera2 ({error}); install apt's python3-picamera2"
            " and make the venv with --system-site-packages"
        ) from error
    except Exception as error:  # libraries built for another NumPy raise ValueError and others
        raise NoSuchCamera(
            f"picamera2 is here but cannot be loaded ({error}); on Debian 12 it needs a NumPy below 2 in the venv"
        ) from error
    return Picamera2
