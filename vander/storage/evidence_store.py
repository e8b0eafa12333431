"""What was seen and is kept on the disk, each kind within its quota: pictures of rulings, and films of throws."""

from __future__ import annotations

import errno
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal
from zlib import crc32

from pydantic import Field, TypeAdapter, ValidationError

from models import atomic_files
from referee.sentences import cause_of, say
from vander.storage.data_folder import DamagedFilm, PictureDeleted

# The pictures that are kept with the journal's entries


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The error numbers of a full disk, and of a used-up quota."""
AT_ONCE = 10
"""This many of the oldest pictures are deleted at once where there is no room: a write needs more than its bytes."""
MOST_ROUNDS = 3
"""How often AT_ONCE pictures are deleted for one write; a disk that is still full is full of something else."""
OPENING_BYTES = 2_000_000
"""What opening a journal may need: the log's index, and what is written until there is a picture to delete."""
NO_GAME = -1
_EVIDENCE = re.compile(r"game-(?P<game>[0-9]+)-entry-(?P<entry>[0-9]+)")


class EvidenceStore:
    """The pictures kept with entries: JPEG files in one folder, each whole or not there at all.

    On a full disk pictures are deleted, the oldest first; a picture never stops play. A picture's age is taken from its
    name, since the clock may be wrong. `spare_mb` megabytes of the disk are to stay free; `write` puts a file on disk,
    or raises OSError; `room` returns the free bytes. `give_way` deletes some of what is worth less than a picture, the
    films, and returns True if there was any.
    """

    def __init__(
        self,
        folder: Path,
        spare_mb: int = 0,
        *,
        write: Callable[[Path, bytes], None] = atomic_files.write_atomically,
        room: Callable[[Path], int] | None = None,
        give_way: Callable[[], bool] = lambda: False,
    ) -> None:
        self._folder = folder
        self._spare_bytes = spare_mb * 1_000_000
        self._write, self._room, self._give_way = write, room or free_bytes, give_way
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Return why the last picture could not be kept, and what helps; '' when it was kept."""
        return self._trouble

    def keep(self, name: str, jpeg: bytes) -> bool:
        """Put a picture on disk, deleting older ones where there is no room. Return True if it is on disk durably."""
        self.thin(self._spare_bytes + len(jpeg), under_way=game_of(name))
        try:
            self._keep_in_place_of_older(name, jpeg)
        except OSError as error:
            self._trouble = say(
                "The picture of the last entry could not be kept ({cause}). Play goes on without it: "
                "make room on the card.",
                cause=cause_of(error),
            )
            return False
        self._trouble = ""
        return True

    def thin(self, spare_bytes: int, under_way: int | None = None) -> int:
        """Delete the oldest pictures until this many bytes are free, and return how many were deleted. Never raises.

        Those of the game under way stay; that is the latest game that has pictures, unless given.
        """
        gone, free = 0, self._free()
        while free < spare_bytes and self._give_way():
            free = self._free()
        if free >= spare_bytes:
            return gone
        for path in self._older_than(under_way):
            size, went = atomic_files.file_size(path), delete_file(path)
            gone, free = gone + went, free + size * went
            if free >= spare_bytes and (free := self._free()) >= spare_bytes:
                break
        return gone

    def free_for_journal(self) -> None:
        """Delete the oldest pictures on a full disk before a journal is opened, which needs some room. Never raises.

        Those of the game under way are deleted only where nothing else makes room. What a power cut left of a picture
        is deleted at once.
        """
        for path in [path for path in self._pictures() if path.suffix == atomic_files.PART]:
            delete_file(path)
        self.thin(self._spare_bytes)
        self.thin(OPENING_BYTES, under_way=NO_GAME)

    def make_room(self) -> bool:
        """Delete some of the oldest films, else pictures, those of the game under way last. True if any was deleted."""
        if self._give_way():
            return True
        went = [delete_file(path) for path in sorted(self._pictures(), key=_age)[:AT_ONCE]]
        return any(went)

    def read(self, name: str) -> bytes:
        """Return a picture by its name. Raises LookupError, and PictureDeleted for one that may have been there."""
        try:
            return self._path(name).read_bytes()
        except (OSError, ValueError):
            raise (PictureDeleted if game_of(name) else LookupError)(f"there is no picture {name!r}") from None

    def highest_numbers(self) -> Mapping[int, int]:
        """Return for each game that has pictures the highest number in their names."""
        highest: dict[int, int] = {}
        for path in self._folder.glob("game-*.jpg"):
            game, number = place_of(path.stem)
            highest[game] = max(number, highest.get(game, 0))
        return highest

    def __contains__(self, name: str) -> bool:
        return name == Path(name).name and self._path(name).is_file()

    def _keep_in_place_of_older(self, name: str, jpeg: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for _ in range(MOST_ROUNDS):
            try:
                return self._write(self._path(name), jpeg)
            except OSError as error:
                if error.errno not in NO_ROOM or not self.make_room():
                    raise
        return self._write(self._path(name), jpeg)

    def _path(self, name: str) -> Path:
        if name != Path(name).name:
            raise ValueError(f"{name!r} is no picture's name")
        return self._folder / f"{name}.jpg"

    def _older_than(self, under_way: int | None) -> list[Path]:
        """The pictures of earlier games, the oldest first."""
        pictures = sorted(self._pictures(), key=_age)
        latest = under_way or max((game_of(path.stem) for path in pictures), default=0)
        return [path for path in pictures if game_of(path.stem) != latest]

    def _pictures(self) -> Iterator[Path]:
        """All pictures, and what a power cut left of one."""
        return (path for path in self._folder.glob("game-*") if path.suffix in (".jpg", atomic_files.PART))

    def _free(self) -> int:
        try:
            return self._room(self._folder if self._folder.is_dir() else self._folder.parent)
        except OSError:
            return sys.maxsize  # what cannot be measured is no reason to let pictures go


def free_bytes(folder: Path) -> int:
    """Return the free bytes of the disk that holds a folder. Raises OSError."""
    return shutil.disk_usage(folder).free


def evidence_name(game: int, entry: int) -> str:
    """Return the name of the picture of an entry."""
    return f"game-{game}-entry-{entry}"


def game_of(name: str) -> int:
    """Return the number of the game that a picture belongs to; 0 for a name that no evidence has."""
    return place_of(name)[0]


def place_of(name: str) -> tuple[int, int]:
    """Return the numbers of the game and the entry that a picture belongs to; zeros for a name that no evidence has."""
    found = _EVIDENCE.match(name)
    return (int(found["game"]), int(found["entry"])) if found else (0, 0)


def _age(path: Path) -> tuple[int, int]:
    """The sort key of pictures, the oldest first."""
    return place_of(path.name)


def delete_file(path: Path) -> bool:
    """Delete a file; True if it is gone."""
    try:
        path.unlink()
    except OSError:
        return False
    return True


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
    crc: Size = 0
    version: Literal[1] = 1


_INDEX = TypeAdapter(FilmIndex)


@dataclass(frozen=True)
class FilmFile:
    """A film that was read: its index, and the bytes of the whole file."""

    index: FilmIndex
    contents: bytes

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG of a picture, counted from 0; None where the film has none of that number."""
        return self._part(number) if 0 <= number < len(self.index.sizes) else None

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
