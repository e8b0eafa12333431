"""The pictures that the table shows: the current frame, single dice, and the evidence that is kept with entries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from referee.refused import Reason, Refused
from referee.sentences import say
from vander.storage.evidence_store import EvidenceStore
from vander.storage.storage_errors import PictureDeleted
from vision.camera_picture import CameraPicture, TrayPicture, is_cut
from vision.image_io import encode_jpeg
from vision.image_source import ImageSource

NO_TRAY_SEEN = say("The camera does not see the tray now, so there is no picture of it.")
NO_FRAME = say("The camera gives no picture.")
UNCUT = say("An older Vander kept this picture with the room in it; only a keeper may see it.")
CROPS_KEPT = 200
"""Die pictures kept in memory: those on the page, and those of pages that lag behind."""


TRAYS_KEPT = 3
"""So many pictures of the whole tray stay at hand, each with its frame: the one shown, and those before it."""


class TableImages:
    """The pictures at hand, by name. One thread at a time may change them; any thread may ask for one."""

    def __init__(self, evidence: EvidenceStore) -> None:
        self._evidence = evidence
        self._current: CameraPicture | None = None
        self._settled: TrayPicture | None = None
        self._crops: Mapping[str, bytes] = {}
        self._trays: Mapping[str, TrayPicture] = {}

    @property
    def trouble(self) -> str:
        """Return why the last piece of evidence could not be kept; '' when it was."""
        return self._evidence.trouble

    @property
    def has_evidence(self) -> bool:
        """True if there is a frame that may be kept as evidence."""
        return self._settled is not None

    def take_frames(self, images: ImageSource) -> None:
        """Take over the current frame, and the one that was read last."""
        self._current, self._settled = images.current_picture() or self._current, images.settled_picture()

    def take_current(self, images: ImageSource) -> None:
        """Take over the current frame alone: what was read last stays what is kept as evidence."""
        self._current = images.current_picture() or self._current

    def add_crops(self, names: Mapping[int, str], images: ImageSource) -> None:
        """Picture these dice, by number, under these names. The oldest pictures give way."""
        crops = {**self._crops, **{name: encode_jpeg(images.die_image(number)) for number, name in names.items()}}
        self._crops = dict(islice(crops.items(), max(0, len(crops) - CROPS_KEPT), None))

    def add_tray(self, name: str, images: ImageSource, ruled: str = "") -> None:
        """Keep the picture of the tray that was read last under this name; '' keeps nothing. The oldest give way.

        That of the last ruling, under the name `ruled`, does not: people look at it while they answer.
        """
        settled = images.settled_picture() if name else None
        if settled is not None:
            others = {known: picture for known, picture in self._trays.items() if known != ruled}
            last = {ruled: self._trays[ruled]} if ruled in self._trays else {}
            trays = {**others, **last, name: settled}
            self._trays = dict(islice(trays.items(), max(0, len(trays) - TRAYS_KEPT), None))

    def crop(self, name: str) -> bytes | None:
        """Return the JPEG of a single die that is at hand; None where it is not."""
        return self._crops.get(name)

    def keep_evidence(self, name: str) -> bool:
        """Put the tray of the frame that was read last on disk under that name; False if it is not seen, or cannot be.

        A frame without a tray is not kept: it would show the room.
        """
        jpeg = self._settled.tray_jpeg() if self._settled is not None else None
        return jpeg is not None and self._evidence.keep(name, jpeg)

    def tray(self) -> bytes:
        """Return a JPEG of the tray as it is now. Raises Refused where the camera does not see it."""
        current = self._current
        jpeg = current.tray_jpeg() if current is not None else None
        if jpeg is None:
            raise Refused(NO_TRAY_SEEN, Reason.NOT_FOUND)
        return jpeg

    def frame(self) -> bytes:
        """Return a JPEG of all that the camera sees now. Raises Refused where there is no frame."""
        if (current := self._current) is None:
            raise Refused(NO_FRAME, Reason.NOT_FOUND)
        return current.whole_jpeg()

    def find(self, name: str, *, uncut: bool = False) -> bytes:
        """Return a JPEG: a die's crop, the tray from above, or a piece of evidence. Raises Refused.

        Evidence that an older Vander kept may show the room: it is refused (NOT_ALLOWED) unless `uncut` is True.
        """
        if name in (crops := self._crops):
            return crops[name]
        if (tray := self._trays.get(name)) is not None and (upright := tray.upright_jpeg()) is not None:
            return upright
        jpeg = self._read(name)
        if not uncut and not is_cut(jpeg):
            raise Refused(UNCUT, Reason.NOT_ALLOWED)
        return jpeg

    def _read(self, name: str) -> bytes:
        try:
            return self._evidence.read(name)
        except PictureDeleted:
            raise Refused(say("That picture is no longer kept: it gave way to newer ones."), Reason.GONE) from None
        except LookupError:
            raise Refused(say("There is no picture of that name."), Reason.NOT_FOUND) from None
