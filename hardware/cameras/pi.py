"""`picamera:0`: a Raspberry Pi camera through picamera2, which this file alone imports, and only when it opens one."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import CameraLost, Frame, NoSuchCamera, Pixels

SIZE = (1280, 960)
RATE = 15.0
BUFFERS = 4
TRAY_DIOPTRES = 1.5
"""Where a lens that can be focused looks: one over the metres to a tray 65 cm below."""

COLOURS = {
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
"""libcamera's formats and OpenCV's way from each; RGB888 lies in memory as blue, green, red and needs none."""
PIXEL_BYTES = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4, "YUYV": 2, "UYVY": 2}
"""Bytes a pixel of the packed formats; the others have planes of different widths."""

_BROKEN = (RuntimeError, IndexError, OSError)
"""What picamera2 raises for a missing camera, one in use by another program, and one that stopped answering."""


def camera(place: str) -> PiCamera:
    """The Raspberry Pi camera of that number, the first when `place` is empty. Raises NoSuchCamera for no number."""
    if place and not place.isdigit():
        raise NoSuchCamera(f"'picamera:{place}' names no camera; write picamera:0 for the first one")
    return PiCamera(int(place or 0))


class PiCamera:
    """A camera on the Raspberry Pi's ribbon cable, kept in one video configuration as long as it is open."""

    def __init__(self, number: int, size: tuple[int, int] = SIZE, rate: float = RATE) -> None:
        self.name = f"picamera:{number}"
        self._which = number
        self._size = size
        self._rate = rate
        self._device: Any = None
        self._number = 0

    def open(self) -> None:
        """Start. Raises NoSuchCamera when picamera2 is missing, or the camera is missing or in use."""
        self.close()
        picamera2 = _picamera2()
        try:
            self._device = picamera2(self._which)
            self._start()
        except _BROKEN as error:
            self.close()
            raise NoSuchCamera(
                f"no camera answers at {self.name} ({error}); look to its ribbon cable, or close what else uses it"
            ) from error
        self._number = 0

    def frame(self, timeout: float = 1.0) -> Frame:
        """The next frame. Raises CameraLost after `timeout` seconds without one."""
        if self._device is None:
            raise CameraLost(f"{self.name} is not open; open it first")
        try:
            pixels = self._capture(timeout)
        except (TimeoutError, *_BROKEN) as error:
            self._flush()
            raise CameraLost(f"{self.name} gave no frame for {timeout:g} s; look to its ribbon cable") from error
        self._number += 1
        return Frame(pixels, self._number, time.monotonic())

    def close(self) -> None:
        """Stop; harmless when not open."""
        device, self._device = self._device, None
        if device is not None:
            # A camera that stopped answering may refuse to stop as well, and there is nothing else to be done about it.
            with suppress(*_BROKEN):
                device.stop()
            with suppress(*_BROKEN):
                device.close()

    def _start(self) -> None:
        device = self._device
        main = {"size": self._size, "format": "RGB888"}
        device.configure(device.create_video_configuration(main=main, buffer_count=BUFFERS))
        device.set_controls(advertised(controls(self._rate), device.camera_controls))
        device.start()

    def _capture(self, timeout: float) -> Pixels:
        job = self._device.capture_request(wait=False)
        request = self._device.wait(job, timeout=timeout)
        try:
            main = self._device.camera_configuration()["main"]
            return to_pixels(request.make_buffer("main"), main["format"], main["size"], main["stride"])
        finally:
            request.release()

    def _flush(self) -> None:
        with suppress(*_BROKEN):
            self._device.cancel_all_and_flush()


def controls(rate: float) -> dict[str, object]:
    """What we would set where the camera has it: frames a second, and manual focus (mode 0) on the tray."""
    microseconds = round(1e6 / rate)
    return {"FrameDurationLimits": (microseconds, microseconds), "AfMode": 0, "LensPosition": TRAY_DIOPTRES}


def advertised(wanted: dict[str, object], offered: Any) -> dict[str, object]:  # noqa: ANN401 - picamera2 has no types
    """Those of the wanted controls that the camera offers, since setting another is an error."""
    return {name: value for name, value in wanted.items() if name in offered}


def to_pixels(buffer: npt.NDArray[np.uint8], layout: str, size: tuple[int, int], stride: int) -> Pixels:
    """A frame from a flat buffer in one of libcamera's formats, `stride` bytes a row, `size` width and height.

    Raises CameraLost for a format that is not known here.
    """
    if layout == "MJPEG":
        return _decoded(buffer)
    if layout != "RGB888" and layout not in COLOURS:
        raise CameraLost(f"the camera gives frames as {layout}, which is not known here; RGB888 would help")
    rows = _rows(buffer, layout, size, stride)
    return rows if layout == "RGB888" else np.asarray(cv2.cvtColor(rows, COLOURS[layout]), np.uint8)[:, : size[0]]


def _rows(buffer: npt.NDArray[np.uint8], layout: str, size: tuple[int, int], stride: int) -> npt.NDArray[np.uint8]:
    width, height = size
    if layout in PIXEL_BYTES:
        depth = PIXEL_BYTES[layout]
        rows = buffer[: height * stride].reshape(height, stride)[:, : width * depth]
        return np.ascontiguousarray(rows).reshape(height, width, depth)
    # Planes: half as many rows again hold the colours. The padding goes after the conversion, which needs it in place.
    return buffer[: height * 3 // 2 * stride].reshape(height * 3 // 2, stride)


def _decoded(buffer: npt.NDArray[np.uint8]) -> Pixels:
    pixels = cv2.imdecode(buffer, cv2.IMREAD_COLOR)
    if pixels is None:
        raise CameraLost("the camera gave a broken JPEG; look to its cable")
    return np.asarray(pixels, np.uint8)


def _picamera2() -> Any:  # noqa: ANN401 - picamera2 has no types
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only the Raspberry Pi has it
    except ImportError as error:
        raise NoSuchCamera(
            f"a picamera needs picamera2 ({error}); install apt's python3-picamera2"
            " and make the venv with --system-site-packages"
        ) from error
    return Picamera2
