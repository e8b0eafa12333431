"""Converting a camera's buffers into BGR pixels, by the format, size and stride that the camera reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.cameras.base import CameraLost
from referee.sentences import say
from vision.frames import Pixels

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
