"""What can go wrong with what is kept on disk.

StorageError (RuntimeError, OSError)
+-- BrokenJournal                the journal's database cannot be read
+-- Unwritten                    something could not be put on disk
+-- PictureDeleted (LookupError) a picture was deleted to make room
+-- DamagedFilm (ValueError)     the file of a film cannot be read
"""

from __future__ import annotations


class StorageError(RuntimeError, OSError):
    """The root of all errors of storage. The message is one sentence that says what would help."""

    def __str__(self) -> str:
        return str(self.args[0])


class BrokenJournal(StorageError):
    """The journal's database cannot be read; it is left as it is."""


class Unwritten(StorageError):
    """Something could not be put on disk, so it did not happen. `no_room` is True if the disk is full."""

    def __init__(self, sentence: str, no_room: bool = False) -> None:
        super().__init__(sentence)
        self.no_room = no_room


class PictureDeleted(StorageError, LookupError):
    """A picture is not there any more: it was deleted to make room for newer ones."""


class DamagedFilm(StorageError, ValueError):
    """The file of a film is cut short or damaged; the throw itself stands in the journal."""
