"""What lies in a camera's buffers, made into pixels by the format, the size and the stride that the camera reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.cameras.base import CameraLost
from vision.frames import Pixels

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


@dataclass(frozen=True)
class Stream:
    """One of a camera's streams as the camera reports it: format, width and height, bytes a row."""

    name: str
    layout: str
    size: tuple[int, int]
    stride: int

    @classmethod
    def reported(cls, name: str, configuration: Mapping[str, Any]) -> Stream:
        """The stream of that name in picamera2's camera configuration, as it stands once it is configured."""
        stream = configuration[name]
        return cls(name, str(stream["format"]), tuple(stream["size"]), int(stream["stride"] or 0))

    def pixels(self, buffer: npt.NDArray[np.uint8]) -> Pixels:
        """A buffer of this stream as a picture. Raises CameraLost for a format unknown here and for a broken one."""
        return to_pixels(buffer, self.layout, self.size, self.stride)


def to_pixels(buffer: npt.NDArray[np.uint8], layout: str, size: tuple[int, int], stride: int) -> Pixels:
    """A frame from a flat buffer in one of libcamera's formats, `stride` bytes a row, `size` width and height.

    Raises CameraLost for a format that is not known here, and for a buffer that is too short or no JPEG.
    """
    if layout == "MJPEG":
        return _decoded(buffer)
    if layout != "RGB888" and layout not in COLOURS:
        raise CameraLost(f"the camera gives frames as {layout}, which is not known here; RGB888 would help")
    rows = _rows(buffer, layout, size, stride)
    return rows if layout == "RGB888" else np.asarray(cv2.cvtColor(rows, COLOURS[layout]), np.uint8)[:, : size[0]]


def _rows(buffer: npt.NDArray[np.uint8], layout: str, size: tuple[int, int], stride: int) -> npt.NDArray[np.uint8]:
    width, height = size
    depth = PIXEL_BYTES.get(layout)
    # Planes: half as many rows again hold the colours. The padding goes after the conversion, which needs it in place.
    rows = height if depth else height * 3 // 2
    if buffer.size < rows * stride:
        raise CameraLost(f"the camera gave {buffer.size} bytes where {rows * stride} are due; look to its cable")
    lines = buffer[: rows * stride].reshape(rows, stride)
    if depth is None:
        return lines
    return np.ascontiguousarray(lines[:, : width * depth]).reshape(height, width, depth)


def _decoded(buffer: npt.NDArray[np.uint8]) -> Pixels:
    pixels = cv2.imdecode(buffer, cv2.IMREAD_COLOR)
    if pixels is None:
        raise CameraLost("the camera gave a broken JPEG; look to its cable")
    return np.asarray(pixels, np.uint8)
