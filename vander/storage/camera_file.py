"""The file of the camera that was chosen on the page, and of how the pictures of each camera are put right."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from hardware.cameras import open_camera
from hardware.cameras.adjusted_camera import Adjustment
from hardware.cameras.base import NoSuchCamera
from hardware.cameras.camera_address import address_of
from models.atomic_files import write_atomically
from referee.error_messages import cause_of
from referee.sentences import say
from vander.storage.data_folder_names import CAMERA_FILE
from vander.storage.settings import Settings
from vander.storage.storage_errors import Unwritten

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
        """Return what is kept after that camera was chosen."""
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
    """Return the settings with another camera."""
    return settings.model_copy(update={"camera": name})
