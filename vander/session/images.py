"""The pictures that the table shows: the whole view, single dice, and the evidence that is kept with entries."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from vander.storage.journal_store import Evidence
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.image_source import ImageSource
from vision.observations import Observation

CROPS_KEPT = 200
"""So many pictures of single dice stay at hand: those on the page, and those of pages that lag behind."""


class Album:
    """The pictures at hand, by name. It has no lock of its own: the table's is held by whoever calls."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._view: Pixels | None = None
        self._settled: Pixels | None = None
        self._crops: OrderedDict[str, bytes] = OrderedDict()
        self._crop_of: dict[int, str] = {}
        self._taken = 0  # a camera that is opened again may count its frames from one
        self._born = secrets.token_hex(4)  # so that no name comes again after a restart, whatever the clock says

    @property
    def crop_of(self) -> Mapping[int, str]:
        """For each die the name of its last picture."""
        return self._crop_of

    def crop_of_first(self, dice: Iterable[int]) -> str:
        """The name of the picture of the first of these dice that has one, or ''."""
        return next((self._crop_of[die] for die in dice if die in self._crop_of), "")

    def look(self, sight: ImageSource) -> None:
        """Take in the whole picture."""
        self._view, self._settled = sight.current_frame(), sight.settled_frame()

    def photograph(self, observation: Observation, sight: ImageSource) -> None:
        """Take a picture of every die that lies there."""
        self._taken += 1
        for die in observation.dice:
            name = f"die-{die.number}-{self._taken}-{self._born}"
            self._crops[name] = encode_jpeg(sight.die_image(die.number))
            self._crop_of[die.number] = name
        while len(self._crops) > CROPS_KEPT:
            self._crops.popitem(last=False)

    def at_hand(self, name: str) -> bytes | Pixels | None:
        """A die's JPEG, or the pixels of the `view`, or None where neither is at hand; quick enough for a lock."""
        return self._view if name == "view" else self._crops.get(name)

    def kept(self, name: str) -> bytes:
        """A kept piece of evidence, from the disk. Raises LookupError, NoLongerKept where it may have been there."""
        return self._evidence.read(name)

    def keep(self, name: str) -> str:
        """Put the picture that was last read on disk under that name, and give the name.

        '' where there is none, or none can be kept: then `trouble` says why. Nothing is refused for a picture's sake.
        """
        kept = self._settled is not None and self._evidence.keep(name, encode_jpeg(self._settled))
        return name if kept else ""

    @property
    def trouble(self) -> str:
        """Why the last picture could not be kept, '' when it was."""
        return self._evidence.trouble

    def make_room(self) -> bool:
        """Let some of the oldest evidence go. Say whether any went."""
        return self._evidence.make_room()
