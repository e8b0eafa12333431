"""The only place that decodes pictures from files and requests.

Pillow checks format, size and completeness before OpenCV decodes: the formats that OpenCV knows beyond FORMATS have
decoders with a history of memory errors (JPEG 2000 in OpenCV 4.10 and 4.11, CVE-2025-53644), and never see a byte.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from referee.sentences import cause_of, say
from vision.frames import Pixels

SHORTEST_SIDE = 32
"""Pixels; no die can be read in less."""
MOST_PIXELS = 50_000_000
MOST_BYTES = 200_000_000

JPEG_QUALITY = 85
"""JPEG quality of the pictures that pages show, and of the evidence that is kept with entries."""
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")

Image.MAX_IMAGE_PIXELS = None  # MOST_PIXELS is stricter than Pillow's own limit, and its refusal names the size


SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM")
THE_PICTURE = say("the picture")
_ORIENTATION = 0x0112
"""The EXIF tag that says how a picture is stored."""


class BadPicture(ValueError):
    """A file is no picture that can be read; the message is one sentence that names the file and the fault."""


class TooManyPixels(BadPicture):
    """A picture has more pixels than are read; it may be a good one."""


def load_picture(path: Path | str) -> Pixels:
    """Return the picture in a JPEG, PNG, WebP or BMP file, turned upright as its EXIF data says. Raises BadPicture.

    Format and size are checked before anything is decoded, so that a decompression bomb costs nothing.
    """
    path = Path(path)
    try:
        return _decode(_read(path), str(path), SHORTEST_SIDE, MOST_PIXELS)
    except OSError as error:
        raise BadPicture(say("{picture} cannot be opened: {cause}", picture=path, cause=cause_of(error))) from error


def decode_picture(contents: bytes, shortest_side: int = SHORTEST_SIDE, most_pixels: int = MOST_PIXELS) -> Pixels:
    """Return the picture in the contents of a JPEG, PNG, WebP or BMP file. Raises BadPicture.

    The checks are those of `load_picture`; `shortest_side` is the least width and height in pixels, `most_pixels` the
    most that width times height may be.
    """
    return _decode(contents, THE_PICTURE, shortest_side, most_pixels)


def _read(path: Path) -> bytes:
    if not path.exists():
        raise BadPicture(say("{picture} does not exist", picture=path))
    if not path.is_file():
        raise BadPicture(say("{picture} is no file; give the path of a picture", picture=path))
    if path.stat().st_size > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise BadPicture(
            say("{picture} has more than {most} megabytes; give a smaller picture", picture=path, most=most)
        )
    return path.read_bytes()


def _decode(contents: bytes, name: str, shortest_side: int, most_pixels: int) -> Pixels:
    orientation = _check(contents, name, shortest_side, most_pixels)
    # which formats OpenCV turns upright depends on its version
    pixels = cv2.imdecode(np.frombuffer(contents, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if pixels is None:
        raise _damaged(name)
    return _upright(np.asarray(pixels, np.uint8), orientation)


def stored_orientation(path: Path) -> int:
    """Return the EXIF orientation of a picture that `load_picture` loads: 1 for one that is stored upright, to 8."""
    with Image.open(path, formats=FORMATS) as image:
        return _orientation(image)


def _orientation(image: Image.Image) -> int:
    found = image.info.get("exif")
    exif = Image.Exif()
    try:
        exif.load(found or b"")
        orientation = int(exif.get(_ORIENTATION, 1))
    except Exception:  # as in _check; what is no orientation turns nothing
        return 1
    return orientation if orientation in range(1, 9) else 1


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """Turn a picture that is stored with an EXIF orientation."""
    if orientation >= 5:
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)


def _damaged(name: str) -> BadPicture:
    return BadPicture(say("{picture} is damaged or cut short, and cannot be decoded", picture=name))


def _check(contents: bytes, name: str, shortest_side: int, most_pixels: int) -> int:
    """Check a picture before it is decoded, and return its EXIF orientation. Raises BadPicture."""
    if not contents:
        raise BadPicture(say("{picture} is empty", picture=name))
    try:
        with Image.open(BytesIO(contents), formats=FORMATS) as image:
            _check_size(name, image.size, shortest_side, most_pixels)
            _check_whole(image)
            return _orientation(image)
    except BadPicture:
        raise
    except UnidentifiedImageError:
        unknown = BadPicture(say("{picture} is no JPEG, PNG, WebP or BMP picture", picture=name))
        raise (_damaged(name) if contents.startswith(SIGNATURES) else unknown) from None
    except Exception:  # a hostile file makes Pillow raise IndexError, struct.error, SyntaxError and others
        raise _damaged(name) from None


def _check_size(name: str, size: tuple[int, int], shortest_side: int, most_pixels: int) -> None:
    width, height = size
    if min(size) < shortest_side:
        raise BadPicture(
            say(
                "{picture} is {width} x {height} pixels; a picture needs at least {least} a side",
                picture=name,
                width=width,
                height=height,
                least=shortest_side,
            )
        )
    if width * height > most_pixels:
        raise TooManyPixels(
            say(
                "{picture} is {width} x {height} pixels; more than {most} megapixels are not read",
                picture=name,
                width=width,
                height=height,
                most=most_pixels // 1_000_000,
            )
        )


def _check_whole(image: Image.Image) -> None:
    """Raise what Pillow raises for a picture that is cut short. OpenCV fills what is missing with grey."""
    if image.format == "PNG":
        image.verify()
    else:
        image.draft("RGB", (1, 1))  # a JPEG is decoded at an eighth of its size: all of its data, little of the work
        image.load()


def encode_jpeg(pixels: Pixels, quality: int = JPEG_QUALITY) -> bytes:
    """Return a picture (height x width x 3, BGR, uint8) as a JPEG file of that quality, 1 to 100."""
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def add_comment(jpeg: bytes, comment: bytes) -> bytes:
    """Return a JPEG file of `encode_jpeg` with a comment, which stands behind the file's JFIF header."""
    end = _end_of_header(jpeg)
    return jpeg[:end] + _comment_segment(comment) + jpeg[end:]


def has_comment(jpeg: bytes, comment: bytes) -> bool:
    """True if `add_comment` put this comment into the file."""
    return jpeg.startswith(_comment_segment(comment), _end_of_header(jpeg))


def _end_of_header(jpeg: bytes) -> int:
    """Return where the first segment ends: two bytes of signature, two of the segment's name, then its length."""
    return 4 + int.from_bytes(jpeg[4:6])


def _comment_segment(comment: bytes) -> bytes:
    return b"\xff\xfe" + (len(comment) + 2).to_bytes(2) + comment


def encode_png(pixels: Pixels) -> bytes:
    """Return a picture (height x width x 3, BGR, uint8) as a PNG file."""
    return cv2.imencode(".png", pixels)[1].tobytes()
