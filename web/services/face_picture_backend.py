"""What the table page needs of the running program to show what faces look like at this table."""

from __future__ import annotations

from typing import Protocol


class FacePictureBackend(Protocol):
    """The table's own pictures of faces: dice that people said show them, cut to the die. Any thread may ask."""

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die of that set and kind that shows the face; None without one."""
