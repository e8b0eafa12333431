"""What people are shown of a frame: the tray for everybody, the whole frame for whoever adjusts the camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Protocol

from vision.frames import Frame
from vision.image_io import add_comment, encode_jpeg, has_comment
from vision.rectification import MARGIN_MM, crop_to_tray
from vision.tray_calibration import MARKERS, Calibration, TrayLayout, locate

CUT_COMMENT: Final = b"Vander: cut to the tray"
"""Stands in each JPEG file that shows the tray alone: what lacks it may show a room, and people in it."""


def is_cut(jpeg: bytes) -> bool:
    """True if a JPEG file was cut to the tray."""
    return has_comment(jpeg, CUT_COMMENT)


class TrayPicture(Protocol):
    """A picture of the tray, or of what the camera saw in its place."""

    def tray_jpeg(self) -> bytes | None:
        """Return the tray as a JPEG file, and GREY in place of the room; None where the tray is not seen."""


@dataclass(frozen=True, eq=False)
class CameraPicture:
    """A frame, and where the tray was when the table was last read (`last`). Each file is made once.

    The tray is searched in this very frame, so that a camera that was pushed shows no part of the room.
    """

    frame: Frame
    layout: TrayLayout
    last: Calibration | None = None
    _lock: Lock = field(default_factory=Lock)
    _made: dict[str, bytes | None] = field(default_factory=dict)

    def whole_jpeg(self) -> bytes:
        """Return the frame as a JPEG file."""
        return self._once("whole", lambda: encode_jpeg(self.frame.pixels)) or b""

    def tray_jpeg(self) -> bytes | None:
        """Return the tray, with the margin in which dice are looked for; None unless a marker is in sight."""
        return self._once("tray", self._cut)

    def _cut(self) -> bytes | None:
        found, _ = locate(self.frame, self.layout, self.last)
        if found is None or found.hidden == MARKERS:
            return None
        cut, _, _ = crop_to_tray(self.frame.pixels, found, MARGIN_MM)
        return add_comment(encode_jpeg(cut), CUT_COMMENT)

    def _once(self, name: str, make: Callable[[], bytes | None]) -> bytes | None:
        """Return what was made under that name, or make it: a crowd that asks costs no more than one."""
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]
