"""The pictures that are kept with the journal's entries."""

from __future__ import annotations

import errno
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from models import atomic_files
from referee.sentences import cause_of, say
from vander.storage.data_folder import PictureDeleted

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
