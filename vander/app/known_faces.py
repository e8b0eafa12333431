"""What faces look like at this table: dice that people named in this game, else those that are kept to learn from."""

from __future__ import annotations

from dataclasses import dataclass

from models.dataset import SampleStore
from vander.session.session import Session
from vision.image_io import encode_jpeg
from vision.rectification import crop


@dataclass(frozen=True)
class KnownFaces:
    """The table's own pictures of faces, each cut to the die."""

    session: Session
    samples: SampleStore

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die of that set and kind that shows the face; None without one."""
        return self.session.face_picture(die_set, kind, face) or self._kept_picture(die_set, kind, face)

    def _kept_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """The last picture of the face that this table took to learn from, and that can be read."""
        own = (each for each in reversed(self.samples.samples(die_set)) if each.origin != "import")
        shown = (each for each in own if each.label and (each.label.kind, each.label.face) == (kind, face))
        found = next(self.samples.with_pixels(shown), None)
        return encode_jpeg(crop(found[1], found[0].place)) if found else None
