"""A phone made of Python: what a camera sees, as the JPEGs that a phone's page sends of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Pixels
from web.services.phone_camera_backend import Phone, SentPicture

SMALL_LONG_SIDE = 480
SMALL_QUALITY, FULL_QUALITY = 55, 80
PHONE = Phone(7, "Ann's phone")


def jpeg(pixels: Pixels, quality: int = FULL_QUALITY) -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def small_jpeg(pixels: Pixels) -> bytes:
    share = SMALL_LONG_SIDE / max(pixels.shape)
    small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, np.uint8), SMALL_QUALITY)


def sent(stream: int, number: int, pixels: Pixels, *, full: bool = True, taken_ms: int = 0) -> SentPicture:
    taken = taken_ms or number * 66
    return SentPicture(stream, number, taken, False, small_jpeg(pixels), jpeg(pixels) if full else b"")
