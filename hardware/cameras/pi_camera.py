"""The Raspberry Pi's camera, by picamera2: its formats, its exposure, and a driver that may hang."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import time
from collections.abc import Callable, Container, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from hardware.cameras.base import Camera, CameraLost, CameraStuck, NoSuchCamera
from referee.sentences import message_of, say
from vision.frames import SMALL_LONG_SIDE, Frame, Pixels

# The timeouts of driver calls, and the thread that runs them: a driver that hangs must not hang its caller


Result = TypeVar("Result")


@dataclass(frozen=True)
class CameraTimeouts:
    """How many seconds to wait for each thing that may never come.

    A frame and the grace are less than two seconds together. The grace is for a driver that hangs and does not keep to
    the timeout that it was given.
    """

    opening_s: float = 10.0
    closing_s: float = 3.0
    frame_s: float = 1.5
    grace_s: float = 0.3


DEFAULT_TIMEOUTS = CameraTimeouts()


class TimeoutWorker:
    """Run one call after another on a daemon thread of its own, until it is shut down."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._is_shut_down = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], Result], timeout_s: float) -> Result:
        """Return what the function returns, or raise what it raises. Raises TimeoutError after `timeout_s` seconds.

        A call that timed out is skipped if it has not begun; if it has, its result is dropped.
        """
        future = self._send(function)
        try:
            return future.result(timeout_s)
        finally:
            future.cancel()

    def shut_down(self, last: Callable[[], None], timeout_s: float) -> bool:
        """Make a last call, wait at most `timeout_s` seconds, and return True if the thread has ended.

        False means that the thread still hangs. Called again, it waits again, and makes no further call.
        """
        if not self._is_shut_down:
            self._is_shut_down = True
            self._send(last)
            self._calls.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _send(self, function: Callable[[], Result]) -> Future[Result]:
        future: Future[Result] = Future()
        self._calls.put((future, function))
        return future

    def _run(self) -> None:
        while (sent := self._calls.get()) is not None:
            future, function = sent
            if future.set_running_or_notify_cancel():
                _resolve(future, function)


def _resolve(future: Future[Any], function: Callable[[], Any]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:  # whatever a driver raises is the caller's to handle
        future.set_exception(error)


# Converting a camera's buffers into BGR pixels, by the format, size and stride that the camera reports


Buffer = npt.NDArray[np.uint8]
"""A flat buffer of bytes, or its rows."""

BGR_CONVERSIONS = {
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "BGR888": cv2.COLOR_RGB2BGR,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
}
"""OpenCV's conversion for each of libcamera's formats. RGB888 needs none: in memory it is blue, green, red."""
BYTES_PER_PIXEL = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4, "YUYV": 2, "UYVY": 2}
"""For the packed formats; the other formats have planes of different widths."""


@dataclass(frozen=True)
class CameraStream:
    """One of a camera's streams as the camera reports it: pixel format, (width, height), bytes a row."""

    name: str
    pixel_format: str
    size: tuple[int, int]
    stride: int

    @classmethod
    def from_configuration(cls, name: str, configuration: Mapping[str, Any]) -> CameraStream:
        """Return the stream of that name in picamera2's camera configuration, after it was configured."""
        stream = configuration[name]
        return cls(name, str(stream["format"]), tuple(stream["size"]), int(stream["stride"] or 0))

    def pixels(self, buffer: Buffer) -> Pixels:
        """Return a buffer of this stream as BGR pixels. Raises CameraLost as `to_pixels` does."""
        return to_pixels(buffer, self.pixel_format, self.size, self.stride)


def to_pixels(buffer: Buffer, pixel_format: str, size: tuple[int, int], stride: int) -> Pixels:
    """Return a flat buffer in one of libcamera's formats as BGR pixels; `size` is (width, height), `stride` in bytes.

    Raises CameraLost for an unknown format, a buffer that is too short, and a broken JPEG.
    """
    if pixel_format == "MJPEG":
        return _decoded(buffer)
    if pixel_format != "RGB888" and pixel_format not in BGR_CONVERSIONS:
        raise CameraLost(
            say(
                "the camera gives frames as {pixel_format}, which is not known here; RGB888 would help",
                pixel_format=pixel_format,
            )
        )
    rows = _rows(buffer, pixel_format, size, stride)
    if pixel_format == "RGB888":
        return rows
    return np.asarray(cv2.cvtColor(rows, BGR_CONVERSIONS[pixel_format]), np.uint8)[:, : size[0]]


def _rows(buffer: Buffer, pixel_format: str, size: tuple[int, int], stride: int) -> Buffer:
    width, height = size
    depth = BYTES_PER_PIXEL.get(pixel_format)
    # Planar formats have half as many rows again for the colours. Their padding is cut off after the conversion, which
    # needs it in place.
    rows = height if depth else height * 3 // 2
    if buffer.size < rows * stride:
        raise CameraLost(
            say(
                "the camera gave {size} bytes where {due} are due; check its cable", size=buffer.size, due=rows * stride
            )
        )
    lines = buffer[: rows * stride].reshape(rows, stride)
    if depth is None:
        return lines
    return np.ascontiguousarray(lines[:, : width * depth]).reshape(height, width, depth)


def _decoded(buffer: Buffer) -> Pixels:
    pixels = cv2.imdecode(buffer, cv2.IMREAD_COLOR)
    if pixels is None:
        raise CameraLost(say("the camera gave a broken JPEG; check its cable"))
    return np.asarray(pixels, np.uint8)


# Locking exposure, gain and colours at the values that the camera's own automatics found in the present light
#
# Dice are read by their colours, and motion is seen as change: a camera that keeps adjusting itself looks like one in
# a flickering room. The values are set explicitly and compared with what the camera reports of later frames, since
# switching the automatics off does not guarantee that values stay where they were.


log = logging.getLogger(__name__)

Values: TypeAlias = dict[str, tuple[float, ...]]
"""The values of controls by their names; the colour gains are two numbers, all others one."""

LOCKED = {"ExposureTime": "exposure, in microseconds,", "AnalogueGain": "gain", "ColourGains": "colour gains"}
"""The controls that are locked, and what a person calls each."""
AUTOMATIC = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0}
"""The controls that switch the automatics on; some cameras need the zeros besides the switches."""

LEAST_SECONDS = 1.0
"""The least seconds for the automatics: their first frames may still have the values that were locked before."""
STEADY_SECONDS = 0.7
"""Seconds without a change after which the automatics have settled."""
MOST_SECONDS = 4.0
"""Seconds after which the values are locked as they are."""
STEADY = 0.03
"""The share by which values may vary while the automatics have settled."""
EFFECT_SECONDS = 1.0
"""The most seconds until a value that was set is reported with a frame."""
TOLERANCE = 0.05
"""The share by which a value may differ from the one that was set: sensors have steps."""
TRIES = 3
"""How often values are set that the camera does not keep, before it is reported."""
LASTING_SECONDS = 4.0
"""Seconds after which a change of light has come to stay; a hand is gone by then."""
FAR_SHARE, LEAST_LEVELS, FAR_LEVELS = 0.4, 5.0, 40.0
"""The light has changed when the brightness is off by this share plus the least levels, or by the far levels."""


class ExposureLock:
    """Decide which controls to set on a camera, frame by frame. `note` is '' or one sentence on values not kept.

    Only those of the controls in LOCKED that the camera offers are locked.
    """

    def __init__(self, camera: str, offered: Container[str]) -> None:
        self.note = ""
        self._camera = camera
        self._names = [name for name in LOCKED if name in offered]
        self._automatic = {name: value for name, value in AUTOMATIC.items() if name in offered}
        self._first_at: float | None = None
        self._start_measuring()

    def update(self, metadata: Mapping[str, Any], brightness: float, taken_at: float) -> dict[str, object]:
        """Return the controls to set after a frame; mostly none.

        metadata: what the camera reports of the frame. brightness: the median of its pixels, 0 to 255. taken_at: when
        it was taken, in seconds.
        """
        values = _reported(metadata, self._names)
        if not values:
            self._wait_for_values(taken_at)
            return {}
        if not self._locked:
            return self._lock(values, taken_at) if self._settling.has_settled(values, taken_at) else {}
        if taken_at - self._locked_at < EFFECT_SECONDS:
            return {}
        return self._verify(values, taken_at) or self._follow_light(brightness, taken_at)

    def _start_measuring(self) -> None:
        """Forget what was locked, and wait until the automatics settle."""
        self._settling = _Settling()
        self._light = _LightLevel()
        self._locked: Values = {}
        self._locked_at = float("nan")
        self._tries = 0

    def _lock(self, values: Values, at: float) -> dict[str, object]:
        self._locked, self._locked_at = values, at
        self._tries += 1
        return {name: _as_control(name, value) for name, value in values.items()}

    def _verify(self, values: Values, at: float) -> dict[str, object]:
        """Set again what is not kept, and report it when setting does not help."""
        kept = {name: value for name, value in values.items() if name in self._locked}
        strays = _strays(kept, self._locked, TOLERANCE)
        if strays and self._tries < TRIES:
            return self._lock(self._locked, at)
        if not strays:
            self._tries = 1
        self._report(self._not_kept(strays[0], values) if strays else self._not_reported())
        return {}

    def _wait_for_values(self, at: float) -> None:
        """Report that nothing can be locked, once the camera has reported nothing for MOST_SECONDS."""
        if self._first_at is None:
            self._first_at = at
        if not self._locked and not self._settling.has_begun and at - self._first_at >= MOST_SECONDS:
            self._report(self._not_reported())

    def _follow_light(self, brightness: float, at: float) -> dict[str, object]:
        """Switch the automatics on again once the light has been another for a while."""
        if not self._light.has_changed(brightness, at):
            return {}
        log.info("%s: light changed, measuring exposure and colours again", self._camera)
        self._start_measuring()
        return dict(self._automatic)

    def _not_kept(self, name: str, values: Values) -> str:
        wanted, got = (" and ".join(f"{one:g}" for one in told[name]) for told in (self._locked, values))
        return (
            f"The camera {self._camera} does not keep its {LOCKED[name]} at {wanted} but has {got};"
            " its pictures may change without the light."
        )

    def _not_reported(self) -> str:
        """Return a sentence on the controls that are offered and never reported, and so not locked; '' for none."""
        names = [LOCKED[name].partition(",")[0] for name in self._names if name not in self._locked]
        if not names:
            return ""
        return (
            f"The camera {self._camera} says nothing of its {' and its '.join(names)}."
            " Its pictures may change although the light does not."
        )

    def _report(self, note: str) -> None:
        if note and not self.note:
            log.warning("%s", note)
        self.note = note


class _Settling:
    """Watch the automatics until their values stay the same."""

    def __init__(self) -> None:
        self._last: Values = {}
        self._began_at = self._same_since = float("nan")

    @property
    def has_begun(self) -> bool:
        """True if values were reported."""
        return bool(self._last)

    def has_settled(self, values: Values, at: float) -> bool:
        """Take in the values of a frame. Return True if they have stayed the same, or have had the most seconds."""
        if not self._last:
            self._began_at = at
        if _strays(values, self._last, STEADY):
            self._last, self._same_since = values, at
        seconds = at - self._began_at
        return seconds >= MOST_SECONDS or (seconds >= LEAST_SECONDS and at - self._same_since >= STEADY_SECONDS)


class _LightLevel:
    """Compare the brightness with that of the first frame."""

    def __init__(self) -> None:
        self._level: float | None = None
        self._off_since: float | None = None

    def has_changed(self, brightness: float, at: float) -> bool:
        """Take in the brightness of a frame. Return True if it has been far from the first for LASTING_SECONDS."""
        if self._level is None:
            self._level = brightness
        if abs(brightness - self._level) <= min(FAR_LEVELS, FAR_SHARE * self._level + LEAST_LEVELS):
            self._off_since = None
            return False
        if self._off_since is None:
            self._off_since = at
            return False
        return at - self._off_since >= LASTING_SECONDS


def _reported(metadata: Mapping[str, Any], names: list[str]) -> Values:
    """Return those of the controls that the camera reports, as numbers; zero or nothing means that it does not."""
    values = {name: _numbers(metadata[name]) for name in names if metadata.get(name)}
    return {name: value for name, value in values.items() if all(one > 0 for one in value)}


def _numbers(value: Any) -> tuple[float, ...]:  # noqa: ANN401 - picamera2 has no types
    return tuple(float(one) for one in value) if isinstance(value, tuple | list) else (float(value),)


def _strays(values: Values, wanted: Values, share: float) -> list[str]:
    return [name for name, value in values.items() if not _alike(value, wanted.get(name, ()), share)]


def _alike(value: tuple[float, ...], wanted: tuple[float, ...], share: float) -> bool:
    return len(value) == len(wanted) and all(abs(a - b) <= share * b for a, b in zip(value, wanted, strict=True))


def _as_control(name: str, value: tuple[float, ...]) -> object:
    if name == "ExposureTime":
        return round(value[0])
    return value if len(value) > 1 else value[0]


# One session with picamera2: a camera opened, configured for video, read and closed. Every call may block
#
# picamera2 has no types, and is passed in: only `hardware.cameras.pi_camera` imports it.


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


# The Raspberry Pi's camera through picamera2, which this file alone imports, and only when it opens one


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


def camera(place: str) -> PiCamera:
    """Return the Raspberry Pi camera of that number, by default the first. Raises NoSuchCamera for anything else."""
    if place and not (place.isascii() and place.isdigit()):
        raise NoSuchCamera(say("'picamera:{place}' names no camera; write picamera:0 for the first one", place=place))
    return PiCamera(int(place or 0))
