"""The film of a throw as a file: JPEG pictures with their times, and what was read of the dice, in one piece.

A file is `MAGIC`, the length of the index (4 bytes, big-endian), its CRC-32 (4 bytes, big-endian), the index as JSON,
then the pictures and the crops of the dice, JPEG files one after another in the order of the index. A page plays it
picture by picture; no video format is needed that a browser or a build of OpenCV may lack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal
from zlib import crc32

from pydantic import Field, TypeAdapter, ValidationError

from referee.sentences import say
from vander.storage.storage_errors import DamagedFilm

MAGIC = b"VANDER FILM 1\n"
_HEAD = len(MAGIC) + 8
"""The bytes before the index."""

Fraction = Annotated[float, Field(ge=0, le=1)]
Size = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class FilmDie:
    """A die as it was read for a ruling.

    number: the tracker's. kind, face: as they were ruled on. confidence, runners_up: how sure the reader was, and which
    other faces were likely, with their probabilities. x, y, edge: where it lies, in pixels of the whole frame.
    thrown: True if the throw gave it its face. crop: the bytes of its picture, 0 for none.
    """

    number: int
    kind: str
    face: str
    confidence: Fraction
    runners_up: tuple[tuple[str, Fraction], ...] = ()
    x: float = 0.0
    y: float = 0.0
    edge: float = 0.0
    zone: str = ""
    thrown: bool = False
    handled: str = ""
    crop: Size = 0


@dataclass(frozen=True)
class FilmTimes:
    """A die that left the tray in the throw, and how it came back.

    moments: when it was last inside, crossed the edge, and was last seen or came back: seconds of the frames.
    """

    die: int
    home: str
    moments: tuple[float, float, float]


@dataclass(frozen=True)
class FilmIndex:
    """What a film file holds.

    entry_at: when its entry was made, which tells the film from one of another game under the same name. times: when
    each picture was taken, in seconds of the frames. resting: whether the table was at rest then. sizes: the bytes of
    each picture. before: the index of the picture that shows the table as it was last ruled on. left, top, width,
    height: the part of the frame that the pictures show, in its pixels; 0 without pictures. dice: as read for the
    ruling. lay: as they lay at the ruling before. crc: the CRC-32 of all that follows the index.
    """

    entry_at: str
    times: tuple[float, ...] = ()
    resting: tuple[bool, ...] = ()
    sizes: tuple[Size, ...] = ()
    before: Size = 0
    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    height: float = 0.0
    dice: tuple[FilmDie, ...] = ()
    lay: tuple[FilmDie, ...] = ()
    departures: tuple[FilmTimes, ...] = ()
    crc: Size = 0
    version: Literal[1] = 1

    def index_at(self, moment: float) -> int:
        """Return the index of the picture nearest to a moment in the seconds of the frames; 0 without pictures."""
        return min(range(len(self.times)), key=lambda index: abs(self.times[index] - moment), default=0)


_INDEX = TypeAdapter(FilmIndex)


@dataclass(frozen=True)
class FilmFile:
    """A film that was read: its index, and the bytes of the whole file."""

    index: FilmIndex
    contents: bytes

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG of a picture, counted from 0; None where the film has none of that number."""
        return self._part(number) if 0 <= number < len(self.index.sizes) else None

    def picture_at(self, moment: float) -> bytes | None:
        """Return the JPEG nearest to a moment; None without pictures."""
        return self.picture(self.index.index_at(moment))

    def crop(self, number: int) -> bytes | None:
        """Return the JPEG of the die of that number as it was read; None where none was kept."""
        places = [place for place, die in enumerate(self.index.dice) if die.number == number and die.crop]
        return self._part(len(self.index.sizes) + places[0]) if places else None

    def _part(self, place: int) -> bytes:
        sizes = list(_sizes(self.index))
        began = len(self.contents) - sum(sizes[place:])
        return self.contents[began : began + sizes[place]]


def film_bytes(index: FilmIndex, pictures: Sequence[bytes], crops: Sequence[bytes]) -> bytes:
    """Return the file of an index whose sizes are those of the pictures and crops; its CRC is filled in."""
    body = b"".join((*pictures, *crops))
    text = _INDEX.dump_json(replace(index, crc=crc32(body)))
    return b"".join((MAGIC, len(text).to_bytes(4), crc32(text).to_bytes(4), text, body))


def read_film(contents: bytes) -> FilmFile:
    """Return the film in a file's bytes. Raises DamagedFilm."""
    head = contents[:_HEAD]
    if len(head) < _HEAD or not head.startswith(MAGIC):
        raise DamagedFilm(say("the file is no film, or is cut short"))
    length, crc = (int.from_bytes(head[start : start + 4]) for start in (len(MAGIC), len(MAGIC) + 4))
    text, body = contents[_HEAD : _HEAD + length], contents[_HEAD + length :]
    if crc32(text) != crc:
        raise DamagedFilm(say("the film's index is damaged"))
    index = _index(text)
    if len(body) != sum(_sizes(index)) or crc32(body) != index.crc or not _is_even(index):
        raise DamagedFilm(say("the film's pictures are damaged, or cut short"))
    return FilmFile(index, contents)


def _index(text: bytes) -> FilmIndex:
    try:
        return _INDEX.validate_json(text)
    except ValidationError as error:
        raise DamagedFilm(say("the film's index cannot be read")) from error


def _is_even(index: FilmIndex) -> bool:
    return len(index.times) == len(index.sizes) == len(index.resting)


def _sizes(index: FilmIndex) -> Iterator[int]:
    """The bytes of each part, in the order of the file."""
    yield from index.sizes
    yield from (die.crop for die in index.dice)
