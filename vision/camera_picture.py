"""What people are shown of a frame: the tray for everybody, the whole frame for whoever adjusts the camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Protocol

from vision.frames import Frame
from vision.image_io import add_comment, encode_jpeg, has_comment
from vision.rectification import MARGIN_MM, TRAY_MARGIN_MM, crop_to_tray, rectify
from vision.tray_calibration import Calibration, TrayLayout, locate
from vision.tray_markers import MARKERS

CUT_COMMENT: Final = b"Vander: cut to the tray"
"""Stands in each JPEG file that shows the tray alone: what lacks it may show a room, and people in it."""


UPRIGHT_WIDTH: Final = 800
"""Width in pixels of the picture of the tray from straight above."""


def upright_size(tray_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height in millimetres that the picture from straight above shows of a marked rectangle."""
    return tray_mm[0] + 2 * TRAY_MARGIN_MM, tray_mm[1] + 2 * TRAY_MARGIN_MM


def upright_place(tray_mm: tuple[float, float], x_mm: float, y_mm: float) -> tuple[float, float] | None:
    """Return where a point of the tray lies in the picture from straight above, as fractions; None beyond it."""
    width, height = upright_size(tray_mm)
    x, y = (x_mm + TRAY_MARGIN_MM) / width, (y_mm + TRAY_MARGIN_MM) / height
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 else None


def is_cut(jpeg: bytes) -> bool:
    """True if a JPEG file was cut to the tray."""
    return has_comment(jpeg, CUT_COMMENT)


class TrayPicture(Protocol):
    """A picture of the tray, or of what the camera saw in its place."""

    def tray_jpeg(self) -> bytes | None:
        """Return the tray as a JPEG file, and GREY in place of the room; None where the tray is not seen."""

    def upright_jpeg(self) -> bytes | None:
        """Return the tray alone from straight above as a JPEG file; None where the tray is not seen."""


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

    def upright_jpeg(self) -> bytes | None:
        """Return the tray from straight above, with a margin that shows no more of the room than its markers need."""
        return self._once("upright", self._straighten)

    def _located(self) -> Calibration | None:
        found, _ = locate(self.frame, self.layout, self.last)
        return None if found is None or found.hidden == MARKERS else found

    def _straighten(self) -> bytes | None:
        found = self._located()
        if found is None:
            return None
        width, _ = upright_size(found.layout.size_mm)
        view = rectify(self.frame, found, UPRIGHT_WIDTH / width, TRAY_MARGIN_MM)
        return add_comment(encode_jpeg(view.pixels), CUT_COMMENT)

    def _cut(self) -> bytes | None:
        found = self._located()
        if found is None:
            return None
        cut, _, _ = crop_to_tray(self.frame.pixels, found, MARGIN_MM)
        return add_comment(encode_jpeg(cut), CUT_COMMENT)

    def _once(self, name: str, make: Callable[[], bytes | None]) -> bytes | None:
        """Return what was made under that name, or make it: a crowd that asks costs no more than one."""
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]
