"""One session with picamera2: a camera opened, configured for video, read and closed. Every call may block.

picamera2 has no types, and is passed in: only `hardware.cameras.pi.pi_camera` imports it.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import time
from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from hardware.cameras.base import CameraLost, NoSuchCamera
from hardware.cameras.pi.exposure_lock import ExposureLock
from hardware.cameras.pi.pixel_formats import CameraStream
from referee.sentences import say
from vision.frames import SMALL_LONG_SIDE, Frame, Pixels

log = logging.getLogger(__name__)

BUFFERS = 4
TRAY_DIOPTRES = 1.5
"""Focus of a lens that can be focused: one over the metres to a tray 65 cm below."""
LAMP_MICROSECONDS = 10_000
"""The flicker period of lamps on 50 Hz mains. On 60 Hz, at 20 frames a second, each frame has the same share of it."""
LATE_SECONDS = 0.05
"""Seconds to wait for a frame that comes just as it is given up."""
OLDEST_SECONDS = 1.0
"""A frame whose timestamp is older than this, or in the future, was stamped by another clock than ours."""


class VideoSession:
    """A picamera2 camera in one video configuration; `begin` once, `next_frame` again and again, `end` once.

    size: (width, height) of the frames in pixels. rate: frames a second.
    """

    def __init__(self, name: str, size: tuple[int, int], rate: float) -> None:
        self._name = name
        self._size = size
        self._rate = rate
        self._device: Any = None
        self._main: CameraStream | None = None
        self._small: CameraStream | None = None
        self._exposure = ExposureLock(name, ())
        self._number = 0
        self._taken_at = float("-inf")

    @property
    def note(self) -> str:
        """Return one sentence on values that the camera does not keep; '' for none."""
        return self._exposure.note

    def begin(self, picamera2: Any, index: int) -> None:  # noqa: ANN401 - picamera2 has no types
        """Open, configure and start camera number `index` with the class Picamera2. Raises NoSuchCamera, and others."""
        found = picamera2.global_camera_info()
        if index >= len(found):
            raise _not_found(self._name, len(found))
        # In two steps: a camera that cannot be opened leaves a pipe behind, which `end` has to close.
        device = self._device = picamera2.__new__(picamera2)
        device.__init__(index)
        # picamera2 would close the camera at the end of the program by itself, and wait for ever for one that hangs.
        atexit.unregister(device.close)
        self._configure(device)
        device.start()
        self._exposure = ExposureLock(self._name, device.camera_controls)

    def next_frame(self, timeout_s: float) -> Frame:
        """Return both streams of the next request, which goes back to the camera in any case. Raises TimeoutError."""
        request = self._request(timeout_s)
        try:
            metadata = request.get_metadata()
            pixels, small = (_pixels(request, stream) for stream in (self._main, self._small))
            if pixels is None:
                raise CameraLost(say("{name} is not open; open it first", name=self._name))
            self._taken_at = max(taken_at(metadata), self._taken_at)
            self._lock_exposure(metadata, pixels[::4, ::4] if small is None else small)
        finally:
            request.release()
        self._number += 1
        return Frame(pixels, self._number, self._taken_at, small)

    def end(self) -> None:
        """Close the camera, as far as it lets itself be closed."""
        device, self._device, self._main, self._small = self._device, None, None, None
        if device is not None:
            # A camera that stopped answering may refuse to stop as well, and nothing else can be done about it.
            for stop in (_flush, _close, _close_pipe):
                with suppress(Exception):
                    stop(device)
            del device
            # picamera2's objects refer to one another, and keep pipes and buffers open until they are collected.
            gc.collect()

    def _configure(self, device: Any) -> None:  # noqa: ANN401 - picamera2 has no types
        """Ask for both streams, or for the large one alone of a camera that cannot make two at once."""
        small = {"size": small_size(self._size), "format": "YUV420"}
        try:
            self._configure_with(device, small)
        except Exception as error:
            log.info("%s: no small stream, scaling the large one: %s", self._name, error)
            self._configure_with(device, None)
        reported = device.camera_configuration()
        self._main = CameraStream.from_configuration("main", reported)
        self._small = CameraStream.from_configuration("lores", reported) if reported.get("lores") else None

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

    def _request(self, timeout_s: float) -> Any:  # noqa: ANN401 - picamera2 has no types
        job = self._device.capture_request(wait=False)
        try:
            return self._device.wait(job, timeout=timeout_s)
        except TimeoutError:
            self._device.cancel_all_and_flush()
            # Nobody owns a frame that came just then, and the camera has only a few buffers.
            with suppress(Exception):
                self._device.wait(job, timeout=LATE_SECONDS).release()
            raise

    def _lock_exposure(self, metadata: Mapping[str, Any], small: Pixels) -> None:
        brightness = float(np.median(small[::4, ::4]))
        if wanted := self._exposure.update(metadata, brightness, self._taken_at):
            self._device.set_controls(wanted)


def controls(rate: float) -> dict[str, object]:
    """Return the controls to set where the camera has them, for that many frames a second.

    Manual focus (mode 0) on the tray, and exposures that are multiples of the lamp's flicker (mode 1) as long as those
    are short enough.
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
    """Return those of the wanted controls that the camera offers, since setting another is an error."""
    return {name: value for name, value in wanted.items() if name in offered}


def whole_view(sensor: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Return the sensor's mode, as (width, height), in which it sees all that its lens shows.

    That is half its pixels each way, which every sensor has, or all of them where half is less than `size`. Left to
    itself, picamera2 takes the mode nearest in size, and with several sensors that is a cut-out of the middle
    (picamera2 issues 924 and 1233).
    """
    half = sensor[0] // 2, sensor[1] // 2
    return half if half[0] >= size[0] and half[1] >= size[1] else sensor


def small_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the small picture, SMALL_LONG_SIDE long, in even numbers as the camera needs them."""
    scale = SMALL_LONG_SIDE / max(size)
    return round(size[0] * scale / 2) * 2, round(size[1] * scale / 2) * 2


def taken_at(metadata: Mapping[str, Any]) -> float:
    """Return when the sensor began the frame, in seconds of `time.monotonic`; now, if its clock is not ours."""
    now, stamp = time.monotonic(), float(metadata.get("SensorTimestamp") or 0) / 1e9
    return stamp if 0 <= now - stamp <= OLDEST_SECONDS else now


def _pixels(request: Any, stream: CameraStream | None) -> Pixels | None:  # noqa: ANN401 - picamera2 has no types
    return None if stream is None else stream.pixels(request.make_buffer(stream.name))


def _flush(device: Any) -> None:  # noqa: ANN401 - picamera2 has no types
    device.cancel_all_and_flush()


def _close(device: Any) -> None:  # noqa: ANN401 - as above
    device.close()


def _close_pipe(device: Any) -> None:  # noqa: ANN401 - as above
    """Close the pipe that picamera2 leaves open of a camera that did not open; each attempt would leak a file."""
    if not device.notifymeread.closed:
        device.notifymeread.close()
        os.close(device.notifyme_w)


def _not_found(name: str, count: int) -> NoSuchCamera:
    if not count:
        return NoSuchCamera(
            say(
                "there is no camera {name}, nor any other; "
                "switch the Raspberry Pi off and check the ribbon cable's ends",
                name=name,
            )
        )
    names = ", ".join(f"picamera:{number}" for number in range(count))
    return NoSuchCamera(say("there is no camera {name}; what there is: {names}", name=name, names=names))
