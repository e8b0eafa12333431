"""A phone made of Python: what a camera sees, as the JPEGs that a phone's page sends of it."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Pixels
from web.schemas.camera_schemas import Phone, SentPicture

PAGE = Path(__file__).parents[2] / "web" / "static" / "phone_camera" / "own_camera.js"
FULL_QUALITY = 80
PHONE = Phone(7, "Ann's phone")


def jpeg(pixels: Pixels, quality: int = FULL_QUALITY) -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def small_form() -> tuple[int, int]:
    """The longer side of a small picture in pixels, and its JPEG quality of 100, as the page has them."""
    found = re.search(r"SMALL = \{ side: (\d+), quality: ([\d.]+) \}", PAGE.read_text())
    assert found
    return int(found[1]), round(100 * float(found[2]))


def small_jpeg(pixels: Pixels) -> bytes:
    side, quality = small_form()
    share = side / max(pixels.shape)
    small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, np.uint8), quality)


def sent(stream: int, number: int, pixels: Pixels, *, full: bool = True, taken_ms: int = 0) -> SentPicture:
    taken = taken_ms or number * 66
    return SentPicture(stream, number, taken, False, small_jpeg(pixels), jpeg(pixels) if full else b"")
