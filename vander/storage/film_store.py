"""The films of throws: one file for each ruling, JPEG pictures with what was read of the dice, within a quota."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal
from zlib import crc32

from pydantic import Field, TypeAdapter, ValidationError

from models import atomic_files
from referee.sentences import cause_of, say
from vander.storage.data_folder import DamagedFilm, PictureDeleted
from vander.storage.evidence_store import AT_ONCE, MOST_ROUNDS, NO_ROOM, delete_file, free_bytes, place_of

# The film of a throw as a file: JPEG pictures with their times, and what was read of the dice, in one piece
#
# A file is `MAGIC`, the length of the index (4 bytes, big-endian), its CRC-32 (4 bytes, big-endian), the index as
# JSON, then the pictures and the crops of the dice, JPEG files one after another in the order of the index. A page
# plays it picture by picture; no video format is needed that a browser or a build of OpenCV may lack.


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


# The films of throws: one file for each ruling, named as the picture of its entry, within a quota


MEGABYTE = 1_000_000
SUFFIX = ".film"


class FilmStore:
    """Films in one folder, each whole or not there at all; the oldest go first. Any thread may call it.

    `quota_mb` megabytes hold all films, 0 for none; `spare_mb` of the disk stay free. `write` puts a file on disk, or
    raises OSError; `room` returns the free bytes.
    """

    def __init__(
        self,
        folder: Path,
        quota_mb: int,
        spare_mb: int = 0,
        *,
        write: Callable[[Path, bytes], None] = atomic_files.write_atomically,
        room: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._folder = folder
        self._quota, self._spare = quota_mb * MEGABYTE, spare_mb * MEGABYTE
        self._write, self._room = write, room
        self._lock = Lock()
        self._trouble = ""

    @property
    def is_on(self) -> bool:
        """True if films are kept at all."""
        return self._quota > 0

    @property
    def trouble(self) -> str:
        """Return why the last film could not be kept, and what helps; '' when it was kept."""
        return self._trouble

    def keep(self, name: str, contents: bytes) -> bool:
        """Put a film on disk, deleting older ones where they take too much room. Return True if it is on disk.

        Without films (a quota of 0) nothing is kept, and nothing is said.
        """
        with self._lock:
            if not self.is_on:
                return False
            try:
                self._keep(name, contents)
            except OSError as error:
                self._trouble = say(
                    "The film of the last throw could not be kept ({cause}). Play goes on without it: "
                    "make room on the card.",
                    cause=cause_of(error),
                )
                return False
            self._trouble = ""
            return True

    def read(self, name: str) -> FilmFile:
        """Return a film. Raises LookupError, PictureDeleted for one that may have been there, and DamagedFilm."""
        if name != Path(name).name or not place_of(name)[0]:
            raise LookupError(say("{name} is no film's name", name=repr(name)))
        try:
            return read_film(self._path(name).read_bytes())
        except FileNotFoundError:
            raise PictureDeleted(say("there is no film {name}", name=repr(name))) from None
        except OSError as error:
            raise DamagedFilm(
                say("the film {name} cannot be read: {cause}", name=repr(name), cause=cause_of(error))
            ) from error

    def make_room(self) -> bool:
        """Delete some of the oldest films. Return True if any was deleted."""
        with self._lock:
            return self._make_room()

    def clean_up(self) -> None:
        """Delete what a power cut left of a film, and the oldest films beyond the quota. Never raises."""
        with self._lock:
            for path in self._folder.glob(f"*{SUFFIX}{atomic_files.PART}"):
                delete_file(path)
            self._shrink_to(self._quota)

    def _keep(self, name: str, contents: bytes) -> None:
        """Write a film. Raises OSError."""
        self._shrink_to(self._quota - len(contents))
        self._folder.mkdir(parents=True, exist_ok=True)
        while self._room(self._folder) < self._spare + len(contents):
            if not self._make_room():
                raise OSError(say("the card is nearly full"))
        for _ in range(MOST_ROUNDS):
            try:
                return self._write(self._path(name), contents)
            except OSError as error:
                if error.errno not in NO_ROOM or not self._make_room():
                    raise
        return self._write(self._path(name), contents)

    def _make_room(self) -> bool:
        went = [delete_file(path) for path in self._oldest_first()[:AT_ONCE]]
        return any(went)

    def _shrink_to(self, most: int) -> None:
        """Delete the oldest films until the others take at most so many bytes."""
        sizes = {path: atomic_files.file_size(path) for path in self._oldest_first()}
        taken = sum(sizes.values())
        for path, size in sizes.items():
            if taken <= most:
                return
            taken -= size * delete_file(path)

    def _oldest_first(self) -> list[Path]:
        return sorted(self._films(), key=lambda path: place_of(path.name))

    def _films(self) -> Iterator[Path]:
        return (path for path in self._folder.glob(f"game-*{SUFFIX}") if place_of(path.stem)[0])

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{SUFFIX}"
