"""`vander support`: write the support bundle."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from hardware.cameras.base import CameraError
from models import atomic_files
from vander.backup.creation import STDIO
from vander.cli.command_options import CameraName, DataDir, command_app
from vander.cli.doctor import examine
from vander.doctor import support_bundle
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load


class BundleNotWritten(StorageError):
    """The file cannot be written; the message says why."""


EXPECTED_ERRORS = (SettingError, CameraError, StorageError)

app = command_app()


@app.command()
def support(
    path: Annotated[Path, Argument(help="the zip to write, or - for standard output")],
    camera: CameraName = None,
    data_dir: DataDir = None,
    *,
    pictures: Annotated[bool, Option("--pictures", help="pack the last pictures of the tray as well")] = False,
) -> None:
    """Pack log, settings and findings, without secrets, into one file for support."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        write_bundle(with_chosen_camera(settings, camera), path, pictures)


def write_bundle(settings: Settings, path: Path, pictures: bool = False) -> None:
    """Write the support bundle to `path`, or to standard output for `-`. Raises BundleNotWritten."""
    if path != STDIO:
        _check_free(path)
    seen, findings = examine(settings)
    contents = support_bundle.build_bundle(
        settings, findings, pictures=pictures, view=seen.pixels if pictures else None
    )
    try:
        _write(path, contents)
    except OSError as error:
        raise _unwritten(path, error) from error
    said = f"{path} is packed ({len(contents) / 1000:.0f} kB). Look through it before you send it: it is plain text."
    print(said, file=sys.stderr if path == STDIO else sys.stdout)


def _write(path: Path, contents: bytes) -> None:
    if path == STDIO:
        sys.stdout.buffer.write(contents)
    else:
        atomic_files.write_atomically(path, contents)


def _check_free(path: Path) -> None:
    try:
        is_there = path.exists()
    except OSError as error:
        raise _unwritten(path, error) from error
    if is_there:
        raise BundleNotWritten(f"{path} is there already; name a new file, or move that one away")


def _unwritten(path: Path, error: OSError) -> BundleNotWritten:
    why = error.strerror or error
    return BundleNotWritten(f"{path} cannot be written: {why}; name another place, or - for standard output")
