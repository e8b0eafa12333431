"""The file of a tray without markers: its four corners as people tapped them, its size, and the look of its edge."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

import cv2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.atomic_files import write_atomically
from referee.error_messages import cause_of
from referee.sentences import say
from vander.storage.storage_errors import Unwritten
from vision.image_io import BadPicture, decode_picture
from vision.tray_calibration import TappedTray, TrayLayout
from vision.tray_edge import TrayEdge

FILE: Final = "corners.json"
MOST_BYTES: Final = 2 << 20
"""Bytes of the file; it has some 200 KiB."""

_log = logging.getLogger(__name__)
_Share = Annotated[float, Field(ge=0, le=1)]
_Spot = tuple[_Share, _Share]
_Millimetres = Annotated[float, Field(gt=0, le=10_000)]


class _Written(BaseModel):
    """What the file holds. edge: a PNG, as base64."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    camera: str
    width_mm: _Millimetres
    height_mm: _Millimetres
    corners: tuple[_Spot, _Spot, _Spot, _Spot]
    size: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
    edge: str


@dataclass(frozen=True, eq=False)
class KeptCorners:
    """A tray without markers, seen by that camera, and its inner width and height in millimetres."""

    camera: str
    width_mm: float
    height_mm: float
    tapped: TappedTray

    @property
    def layout(self) -> TrayLayout:
        """Return the tray's layout."""
        return TrayLayout.by_taps(self.width_mm, self.height_mm, self.tapped)


def read_corners(folder: Path, camera: str) -> KeptCorners | None:
    """Return the corners that were kept for that camera; None without any. A damaged file is logged and left alone."""
    path = folder / FILE
    try:
        stand = path.stat()
    except OSError:
        return None
    kept = _read(path, stand.st_mtime_ns, stand.st_size)
    return kept if kept is not None and kept.camera == camera else None


def write_corners(folder: Path, kept: KeptCorners) -> None:
    """Keep corners in place of what was kept before. Raises Unwritten."""
    written = _Written(
        camera=kept.camera,
        width_mm=kept.width_mm,
        height_mm=kept.height_mm,
        corners=kept.tapped.corners,
        size=kept.tapped.size,
        edge=base64.b64encode(cv2.imencode(".png", kept.tapped.edge.grey)[1].tobytes()).decode("ascii"),
    )
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, written.model_dump_json().encode())
    except OSError as error:
        raise Unwritten(
            say("the corners cannot be kept in {path}: {cause}", path=path, cause=cause_of(error))
        ) from error


def forget_corners(folder: Path) -> None:
    """Delete the corners that were kept; harmless without any. Raises Unwritten."""
    path = folder / FILE
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Unwritten(say("{path} cannot be deleted: {cause}", path=path, cause=cause_of(error))) from error


@lru_cache(maxsize=2)
def _read(path: Path, changed_ns: int, size: int) -> KeptCorners | None:
    """Read a file that was last changed then; the same one is read once."""
    if size > MOST_BYTES:
        _log.warning("the tapped corners are not used, %s has %s bytes", path, size)
        return None
    try:
        written = _Written.model_validate(json.loads(path.read_bytes()))
        grey = decode_picture(base64.b64decode(written.edge, validate=True))[..., 0].copy()
        edge = TrayEdge.kept(grey, written.corners)
    except (OSError, ValueError, RecursionError, ValidationError, BadPicture) as error:
        _log.warning("the tapped corners are not used, %s cannot be read: %s", path, error)
        return None
    tapped = TappedTray(written.corners, written.size, edge)
    return KeptCorners(written.camera, written.width_mm, written.height_mm, tapped)
