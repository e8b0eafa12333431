"""Files about the camera: which was chosen, how large dice look, and the corners of a tray without markers."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Final, Literal

import cv2
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hardware.cameras import open_camera
from hardware.cameras.base import Adjustment, NoSuchCamera, address_of
from models.atomic_files import write_atomically
from referee.sentences import cause_of, say
from vander.storage.data_folder import CAMERA_FILE, Unwritten
from vander.storage.settings import Settings
from vision.die_size import TABLES_KEPT, DieSize
from vision.image_io import BadPicture, decode_picture
from vision.tray_calibration import TappedTray, TrayLayout
from vision.tray_edge import TrayEdge

# The file of the camera that was chosen on the page, and of how the pictures of each camera are put right


MOST_KNOWN = 12
"""Cameras that are remembered; of more the one that was used longest ago is forgotten."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptCameras:
    """What was chosen on the page.

    chosen: the camera's name, '' for none. instead_of: what the settings named then. known: the cameras that were
    chosen, the last one last, and how the pictures of each are put right.
    """

    chosen: str = ""
    instead_of: str = ""
    known: Mapping[str, Adjustment] = field(default_factory=dict)

    def adjustment(self, name: str) -> Adjustment:
        """Return how a camera's pictures are put right."""
        return self.known.get(name, Adjustment())

    def with_known(self, name: str, adjustment: Adjustment) -> KeptCameras:
        """Return what is kept after that camera was used, or its pictures were put right."""
        others = {known: each for known, each in self.known.items() if known != name}
        kept = [*others.items(), (name, adjustment)][-MOST_KNOWN:]
        return replace(self, known=dict(kept))

    def with_chosen(self, name: str, instead_of: str) -> KeptCameras:
        return replace(self.with_known(name, self.adjustment(name)), chosen=name, instead_of=instead_of)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The cameras in the network that were chosen, by their names."""
        return tuple(name for name in self.known if address_of(name) is not None)


class _Known(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    mirrored: bool = False
    turned: Literal[0, 90, 180, 270] = 0


class _CamerasWritten(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True)

    chosen: str = ""
    instead_of: str = ""
    cameras: tuple[_Known, ...] = ()


def read_cameras(folder: Path) -> KeptCameras:
    """Return what was chosen; nothing without a file. A damaged one is logged and left alone."""
    path = folder / CAMERA_FILE
    try:
        written = _CamerasWritten.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return KeptCameras()
    except (OSError, ValidationError) as error:
        _log.warning("the camera that was chosen is not used, %s cannot be read: %s", path, type(error).__name__)
        return KeptCameras()
    known = {each.name: Adjustment(each.mirrored, each.turned) for each in written.cameras}
    return KeptCameras(written.chosen, written.instead_of, known)


def write_cameras(folder: Path, kept: KeptCameras) -> None:
    """Keep what was chosen, for the program's own user alone. Raises Unwritten."""
    cameras = tuple(_Known(name=name, mirrored=how.mirrored, turned=how.turned) for name, how in kept.known.items())  # type: ignore[arg-type]  # a literal
    written = _CamerasWritten(chosen=kept.chosen, instead_of=kept.instead_of, cameras=cameras)
    path = folder / CAMERA_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, written.model_dump_json().encode())
    except OSError as error:
        raise Unwritten(
            say("the camera that was chosen cannot be kept in {path}: {cause}", path=path, cause=cause_of(error))
        ) from error


class CameraStore:
    """What was chosen, and its file. Any thread may read and keep it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self.kept = read_cameras(folder)

    def choose(self, name: str, instead_of: str) -> None:
        """Keep that this camera was chosen. Raises Unwritten, and goes by the choice all the same until the end."""
        with self._lock:
            self.kept = self.kept.with_chosen(name, instead_of)
            write_cameras(self._folder, self.kept)

    def adjust(self, name: str, adjustment: Adjustment) -> None:
        """Keep how a camera's pictures are put right. Raises Unwritten as `choose` does."""
        with self._lock:
            self.kept = self.kept.with_known(name, adjustment)
            write_cameras(self._folder, self.kept)


def with_chosen_camera(settings: Settings, named: str | None = None) -> Settings:
    """Return the settings with the camera that was decided on last.

    The one that the command line `named` wins. Else it is the one that was chosen on the page, unless another one was
    written into the settings since.
    """
    if named is not None:
        return with_camera(settings, named)
    kept = read_cameras(settings.data_dir)
    if not kept.chosen or kept.instead_of != settings.camera:
        return settings
    try:
        open_camera(kept.chosen)
    except NoSuchCamera as error:
        _log.warning("the camera that was chosen is not used: %s", error)
        return settings
    return with_camera(settings, kept.chosen)


def with_camera(settings: Settings, name: str) -> Settings:
    return settings.model_copy(update={"camera": name})


# The file of how large the dice of each set are under each camera, so that the first throw after a start knows it


DIE_SIZES_FILE: Final = "die-sizes.json"
MOST_BYTES_OF_SIZES: Final = 1 << 18
WRITTEN_AGAIN: Final = 0.01
"""Share by which an edge has to change to be written once more."""

_Edges = Annotated[list[Annotated[float, Field(gt=0, lt=1000)]], Field(max_length=TABLES_KEPT)]
_WRITTEN: Final = TypeAdapter(dict[str, dict[str, _Edges]])


class DieSizesFile:
    """Sizes by the camera, as people may see its name, and the die set: another camera sees another table.

    What the disk refuses is logged: the dice tell their size again.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / DIE_SIZES_FILE
        self._kept = _read_sizes(self._path)

    def of(self, camera: str, die_set: str) -> DieSize:
        """Return what is known of the size of a set's dice."""
        return self._kept.get((camera, die_set), DieSize())

    def keep(self, camera: str, die_set: str, size: DieSize) -> None:
        """Keep what is known of the size of a set's dice now."""
        before = self.of(camera, die_set).edge_mm
        if size.edge_mm is None or (before is not None and abs(size.edge_mm / before - 1) < WRITTEN_AGAIN):
            return
        self._kept[camera, die_set] = size
        written: dict[str, dict[str, list[float]]] = {}
        for (seen_by, name), one in self._kept.items():
            written.setdefault(seen_by, {})[name] = [round(edge, 3) for edge in one.edges_mm]
        try:
            write_atomically(self._path, json.dumps(written).encode())
        except OSError as error:
            _log.warning("the size of the dice is not kept: %s", error.strerror or error)


def _read_sizes(path: Path) -> dict[tuple[str, str], DieSize]:
    if not path.exists():
        return {}
    try:
        with path.open("rb") as file:
            written = _WRITTEN.validate_json(file.read(MOST_BYTES_OF_SIZES))  # a longer one is cut, and then damaged
    except (OSError, ValidationError) as error:
        _log.warning("the dice tell their size again, %s cannot be used: %s", path, type(error).__name__)
        return {}
    return {(camera, name): DieSize(tuple(edges)) for camera, sets in written.items() for name, edges in sets.items()}


# The file of a tray without markers: its four corners as people tapped them, its size, and the look of its edge


CORNERS_FILE: Final = "corners.json"
MOST_BYTES_OF_CORNERS: Final = 2 << 20
"""Bytes of the file; it has some 200 KiB."""

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
        return TrayLayout.by_taps(self.width_mm, self.height_mm, self.tapped)


def read_corners(folder: Path, camera: str) -> KeptCorners | None:
    """Return the corners that were kept for that camera; None without any. A damaged file is logged and left alone."""
    path = folder / CORNERS_FILE
    try:
        stand = path.stat()
    except OSError:
        return None
    kept = _read_corners(path, stand.st_mtime_ns, stand.st_size)
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
    path = folder / CORNERS_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, written.model_dump_json().encode())
    except OSError as error:
        raise Unwritten(
            say("the corners cannot be kept in {path}: {cause}", path=path, cause=cause_of(error))
        ) from error


def forget_corners(folder: Path) -> None:
    """Delete the corners that were kept; harmless without any. Raises Unwritten."""
    path = folder / CORNERS_FILE
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Unwritten(say("{path} cannot be deleted: {cause}", path=path, cause=cause_of(error))) from error


@lru_cache(maxsize=2)
def _read_corners(path: Path, changed_ns: int, size: int) -> KeptCorners | None:
    """Read a file that was last changed then; the same one is read once."""
    if size > MOST_BYTES_OF_CORNERS:
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
