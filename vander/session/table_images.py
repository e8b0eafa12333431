"""The pictures that the table shows: the current frame, single dice, and the evidence that is kept with entries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from referee.refused import Reason, Refused
from vander.storage.evidence_store import EvidenceStore
from vander.storage.storage_errors import PictureDeleted
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.image_source import ImageSource

CROPS_KEPT = 200
"""So many pictures of single dice stay at hand: those on the page, and those of pages that lag behind."""


class TableImages:
    """The pictures at hand, by name. One thread at a time may change them; any thread may ask for one."""

    def __init__(self, evidence: EvidenceStore) -> None:
        self._evidence = evidence
        self._current: Pixels | None = None
        self._settled: Pixels | None = None
        self._crops: Mapping[str, bytes] = {}

    @property
    def trouble(self) -> str:
        """Return why the last piece of evidence could not be kept; '' when it was."""
        return self._evidence.trouble

    @property
    def has_evidence(self) -> bool:
        """True if there is a frame that can be kept as evidence."""
        return self._settled is not None

    def take_frames(self, images: ImageSource) -> None:
        """Take over the current frame, and the one that was read last."""
        self._current, self._settled = images.current_frame(), images.settled_frame()

    def add_crops(self, names: Mapping[int, str], images: ImageSource) -> None:
        """Picture these dice, by number, under these names. The oldest pictures give way."""
        crops = {**self._crops, **{name: encode_jpeg(images.die_image(number)) for number, name in names.items()}}
        self._crops = dict(islice(crops.items(), max(0, len(crops) - CROPS_KEPT), None))

    def keep_evidence(self, name: str) -> bool:
        """Put the frame that was read last on disk under that name; False where there is none, or it cannot be."""
        return self._settled is not None and self._evidence.keep(name, encode_jpeg(self._settled))

    def find(self, name: str) -> bytes:
        """Return a JPEG: `view` is the current frame; else a die's crop, or a piece of evidence. Raises Refused."""
        if name == "view" and (current := self._current) is not None:
            return encode_jpeg(current)
        if name in (crops := self._crops):
            return crops[name]
        try:
            return self._evidence.read(name)
        except PictureDeleted:
            raise Refused("That picture is no longer kept: it gave way to newer ones.", Reason.GONE) from None
        except LookupError:
            raise Refused("There is no picture of that name.", Reason.NOT_FOUND) from None
