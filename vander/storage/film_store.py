"""The films of throws: one file for each ruling, named as the picture of its entry, within a quota."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock

from models import atomic_files
from referee.error_messages import cause_of
from referee.sentences import say
from vander.storage.evidence_store import AT_ONCE, MOST_ROUNDS, NO_ROOM, delete_file, free_bytes, place_of
from vander.storage.film_file import FilmFile, read_film
from vander.storage.storage_errors import DamagedFilm, PictureDeleted

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
