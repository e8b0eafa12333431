"""Pictures from files, checked before they are decoded: whole, of a known kind, and of a size that can be read."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Pixels

SHORTEST_SIDE = 32
"""Pixels; no die can be read in less."""
MOST_PIXELS = 50_000_000
MOST_BYTES = 200_000_000

Size = tuple[int, int]
"""Width and height as the file's heading has them, before any turning."""


class BadPicture(ValueError):
    """A file is no picture that can be read; the message is one sentence that names the file and the fault."""


class _Broken(ValueError):
    """What is wrong, to be put behind the file's name."""


def load_picture(path: Path | str) -> Pixels:
    """The picture in a JPEG, PNG, WebP or BMP file, turned upright as the file says. Raises BadPicture.

    Size and wholeness are checked in the file's own bytes, so that a huge picture is refused undecoded.
    """
    path = Path(path)
    try:
        return _decode(_contents(path))
    except _Broken as fault:
        raise BadPicture(f"{path} {fault}") from None
    except OSError as error:
        raise BadPicture(f"{path} cannot be opened: {error.strerror or error}") from error


def _contents(path: Path) -> bytes:
    if not path.exists():
        raise _Broken("does not exist")
    if not path.is_file():
        raise _Broken("is no file; give the path of a picture")
    if path.stat().st_size > MOST_BYTES:
        raise _Broken(f"has more than {MOST_BYTES // 1_000_000} megabytes; give a smaller picture")
    return path.read_bytes()


def _decode(contents: bytes) -> Pixels:
    _check_size(_size(contents))
    pixels = cv2.imdecode(np.frombuffer(contents, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise _Broken("is damaged and cannot be decoded")
    return np.asarray(pixels, np.uint8)


def _check_size(size: Size) -> None:
    width, height = size
    if min(size) < SHORTEST_SIDE:
        raise _Broken(f"is {width} x {height} pixels; a picture needs at least {SHORTEST_SIDE} a side")
    if width * height > MOST_PIXELS:
        raise _Broken(f"is {width} x {height} pixels; more than {MOST_PIXELS // 1_000_000} megapixels are not read")


def _size(contents: bytes) -> Size:
    for magic, size_of in _KINDS:
        if contents.startswith(magic):
            return _measured(size_of, contents)
    raise _Broken("is no JPEG, PNG, WebP or BMP picture" if contents else "is empty")


def _measured(size_of: Callable[[bytes], Size], contents: bytes) -> Size:
    try:
        return size_of(contents)
    except (struct.error, IndexError):
        raise _Broken("is cut short") from None


def _whole(fits: bool) -> None:
    if not fits:
        raise _Broken("is cut short")


def _jpeg_size(contents: bytes) -> Size:
    """Walk the segments (ITU T.81, annex B) to the frame header and the scan, then look for the end of the image."""
    at, size = 2, None
    while size is None or contents[at + 1] != 0xDA:
        if contents[at] != 0xFF:
            raise _Broken("is damaged and cannot be decoded")
        marker = contents[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", contents, at + 5)
            size = width, height
        at += _jpeg_step(marker, contents, at)
    _whole(contents.find(b"\xff\xd9", at) >= 0)
    return size


def _jpeg_step(marker: int, contents: bytes, at: int) -> int:
    """How far it is to the next marker: a fill byte, a marker without a segment, or a segment of stated length."""
    if marker == 0xFF:
        return 1
    if marker == 0x01 or 0xD0 <= marker <= 0xD8:
        return 2
    return 2 + int(struct.unpack_from(">H", contents, at + 2)[0])


def _png_size(contents: bytes) -> Size:
    width, height = struct.unpack_from(">II", contents, 16)
    _whole(b"IEND\xae\x42\x60\x82" in contents[-64:])
    return width, height


def _bmp_size(contents: bytes) -> Size:
    start, heading, width, height, _planes, bits, packing = struct.unpack_from("<I I i i H H I", contents, 10)
    if heading < 40:
        raise _Broken("is a BMP of a kind that is not read; save it as PNG")
    width, height = abs(width), abs(height)
    if packing == 0:
        _whole(len(contents) >= start + (width * bits + 31) // 32 * 4 * height)
    return width, height


def _webp_size(contents: bytes) -> Size:
    """The three kinds of WebP heading (RFC 9649): VP8X, lossless VP8L, lossy VP8."""
    if contents[8:12] != b"WEBP":
        raise _Broken("is no JPEG, PNG, WebP or BMP picture")
    _whole(len(contents) >= 8 + int(struct.unpack_from("<I", contents, 4)[0]))
    kind = contents[12:16]
    if kind == b"VP8X":
        return _little(contents, 24) + 1, _little(contents, 27) + 1
    if kind == b"VP8L":
        packed = struct.unpack_from("<I", contents, 21)[0]
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", contents, 26)
    return width & 0x3FFF, height & 0x3FFF


def _little(contents: bytes, at: int) -> int:
    low, middle, high = contents[at], contents[at + 1], contents[at + 2]
    return low | middle << 8 | high << 16


_KINDS: tuple[tuple[bytes, Callable[[bytes], Size]], ...] = (
    (b"\xff\xd8\xff", _jpeg_size),
    (b"\x89PNG\r\n\x1a\n", _png_size),
    (b"RIFF", _webp_size),
    (b"BM", _bmp_size),
)
