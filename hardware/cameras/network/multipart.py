"""The parts of an endless `multipart/x-mixed-replace` answer, in which a camera sends one JPEG file after another."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import parse_headers
from typing import BinaryIO

MOST_BYTES = 16_000_000
"""Bytes of a picture, and of what may stand before a boundary; a JPEG of 24 megapixels seldom has as many."""
LONGEST_LINE = 65_536


class TooLarge(ValueError):
    """A part has more than MOST_BYTES, or no boundary comes for as long."""


def parts(stream: BinaryIO, boundary: str, *, is_begun: bool = False) -> Iterator[bytes]:
    """Yield the contents of each part until the stream ends. Raises TooLarge, and what reading raises.

    is_begun: the first boundary was read already.

    Many cameras write a boundary's dashes into the header as well, or leave them out where they belong: dashes do not
    count. A part that tells its length is read at once; of another the end is looked for.
    """
    word = boundary.strip("-").encode("latin-1")
    is_open = is_begun or _ends_at_boundary(stream, word) is not None
    while is_open:
        length = parse_headers(stream).get("Content-Length", "")
        if length.isascii() and length.isdigit():
            contents = _exactly(stream, int(length))
            if len(contents) < int(length):
                return
            yield contents
            is_open = _ends_at_boundary(stream, word) is not None
        else:
            found = _ends_at_boundary(stream, word)
            is_open = found is not None
            if found is not None:
                yield found.removesuffix(b"\n").removesuffix(b"\r")


def _exactly(stream: BinaryIO, length: int) -> bytes:
    """Return so many bytes; fewer at the stream's end."""
    if length > MOST_BYTES:
        raise TooLarge
    return stream.read(length)


def _ends_at_boundary(stream: BinaryIO, word: bytes) -> bytes | None:
    """Return what stands before the next boundary, which is read too; None where the stream ends first."""
    found = bytearray()
    while line := stream.readline(LONGEST_LINE):
        if _is_boundary(line, word):
            return None if line.rstrip().endswith(word + b"--") else bytes(found)
        found += line
        if len(found) > MOST_BYTES:
            raise TooLarge
    return None


def _is_boundary(line: bytes, word: bytes) -> bool:
    return line.strip().strip(b"-") == word
