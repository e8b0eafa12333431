"""Commands for the tray: read photographs of it, calibrate its camera, print its mat."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from typer import Argument, Option

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraError
from hardware.mat import MatError, write_mat
from models.die_sets import BadDieSet, NoSuchDieSet
from referee.games import NoSuchGame
from vander.app.composition import camera_name
from vander.cli import BAD_INPUT, FAILED, AsJson, CameraName, DataDir, command_app
from vander.learning.lesson_store import LessonStore, TaughtReader, reader_id
from vander.resources import game_catalog, models_and_stores
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load
from vision.classification import Reader
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, load_picture
from vision.model_file import BrokenModel
from vision.observations import Observation, TrackedDie
from vision.pipeline import read_photograph
from vision.tray_calibration import Calibration, locate
from vision.tray_markers import MARKER_MM

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    NoSuchDieSet,
    BadDieSet,
    BrokenModel,
    BadPicture,
    CameraError,
    NoSuchGame,
    MatError,
)

app = command_app()


# `vander read`: read the dice in photographs, in words or as JSON


@app.command()
def read(
    photos: Annotated[list[Path], Argument(help="photographs of dice", metavar="PHOTO...", show_default=False)],
    as_json: AsJson = False,
    die_set: Annotated[str | None, Option("--set", help="the dice, such as d6 or intersection")] = None,
    data_dir: DataDir = None,
) -> None:
    """Read the dice in photographs."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        raise typer.Exit(0 if read_photos(photos, die_set, as_json, settings) else BAD_INPUT)


def read_photos(photos: Sequence[Path], die_set: str | None, as_json: bool, settings: Settings) -> bool:
    """Print what each photograph shows; return True if all could be read.

    What is in doubt about one, and which could not be read, stands on standard error.

    A learned die set is read by its lesson; a lesson that cannot be used is named on standard error and left out.
    Raises NoSuchDieSet, BadDieSet and BrokenModel.
    """
    dice = game_catalog.open_die_sets(settings).load(die_set) if die_set is not None else None
    models = models_and_stores.LoadedModels.load(threads=2)
    lessons = models_and_stores.open_lesson_store(settings, models)
    doubt = _why_unusable(lessons, models.reader, dice.name) if dice else ""
    if doubt:
        print(f"vander: {doubt}", file=sys.stderr)
    reader = TaughtReader(models.reader, lessons)
    layout, all_read = models_and_stores.tray_layout(settings), True
    for photo in photos:
        try:
            pixels = load_picture(photo)
        except BadPicture as error:
            print(f"vander: {error}", file=sys.stderr)
            all_read = False
            continue
        seen = read_photograph(pixels, models.finder, reader, dice, layout)
        print(json.dumps(_as_dict(photo, pixels, seen)) if as_json else _as_line(photo, seen), flush=True)
        for doubt in () if as_json else seen.doubts:
            print(f"vander: {photo}: {doubt}", file=sys.stderr)
    return all_read


def _why_unusable(lessons: LessonStore, reader: Reader, name: str) -> str:
    """Return why the lesson of these dice cannot be used, as one sentence; '' if it can, or if there is none."""
    kept = lessons.in_use(name)
    if kept is not None and kept.report.reader != reader_id(reader, kept.lesson.plda):
        return f"the lesson of {name} was learned with another reader and is not used; teach it again"
    return lessons.problem(name)


def _as_dict(photo: Path, pixels: Pixels, seen: Observation) -> dict[str, Any]:
    """Return a photograph's readings as JSON; x, y and edge in pixels of the photograph."""
    height, width = pixels.shape[:2]
    return {
        "photo": str(photo),
        "size": [width, height],
        "calibrated": seen.calibrated,
        "doubts": list(seen.doubts),
        "dice": [_die(die) for die in seen.dice],
    }


def _die(die: TrackedDie) -> dict[str, Any]:
    reading, sighting = die.reading, die.reading.sighting
    return {
        "kind": reading.kind,
        "face": reading.face,
        "confidence": round(reading.confidence, 4),
        "accepted": reading.accepted,
        "x": round(sighting.x, 1),
        "y": round(sighting.y, 1),
        "edge": round(sighting.edge, 1),
        "turned": round(sighting.turned_degrees, 1),
        "posture": str(sighting.posture),
        "zone": str(die.zone),
        "runners_up": [[face, round(share, 4)] for face, share in reading.runners_up],
    }


def _as_line(photo: Path, seen: Observation) -> str:
    """Return the faces as one line, with a question mark after those that a game would ask about."""
    faces = " ".join(f"{die.reading.face}{'' if die.reading.accepted else '?'}" for die in seen.dice)
    return f"{photo}: {faces or 'no dice'}"


# `vander calibrate`: say whether the camera sees the tray's markers, and at what scale


TIMEOUT_S = 3.0
"""How long the markers are searched for: a camera needs a moment to find its exposure."""


@app.command()
def calibrate(camera: CameraName = None, data_dir: DataDir = None) -> None:
    """Say whether the camera sees the tray's markers, and at what scale."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        raise typer.Exit(print_calibration(with_chosen_camera(settings, camera)))


def print_calibration(settings: Settings) -> int:
    """Print what the camera sees; return the exit status, 1 if the tray is not found. Raises CameraError."""
    camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
    camera.open()
    try:
        frame, tray, doubt = _find_tray(camera, settings)
    finally:
        camera.close()
    if frame is None:
        print("The camera gives no picture.")
        return FAILED
    print(describe_tray(frame, tray) if tray else doubt)
    return 0 if tray else FAILED


def _find_tray(camera: Camera, settings: Settings) -> tuple[Frame | None, Calibration | None, str]:
    """Return the last frame, the calibration found in it, and what is in doubt; None for what there is not."""
    frame, tray, doubt, until = None, None, "", time.monotonic() + TIMEOUT_S
    while tray is None and time.monotonic() < until:
        following = camera.frame()
        if following is None:
            break
        frame = following
        tray, doubt = locate(frame, models_and_stores.tray_layout(settings))
    return frame, tray, doubt


def describe_tray(frame: Frame, tray: Calibration) -> str:
    """Return what is known of the tray: which mat, its size, the scale in its middle, and what is in doubt."""
    height, width = frame.pixels.shape[:2]
    middle = np.array([[[tray.layout.width_mm / 2, tray.layout.height_mm / 2]]])
    ahead = middle + np.array([[[10.0, 0.0]]])
    points = cv2.perspectiveTransform(np.concatenate([middle, ahead]), np.linalg.inv(tray.to_mm))
    scale = float(np.linalg.norm(points[1] - points[0])) / 10
    mat = f"the mat for {tray.of.paper} paper, " if tray.of.paper else ""
    return " ".join(
        [
            f"All four markers are seen in a picture of {width} x {height}: {mat}{tray.layout.width_mm:.0f} x "
            f"{tray.layout.height_mm:.0f} mm{'' if tray.of.paper else f' if the markers are {MARKER_MM:g} mm wide'}.",
            f"A millimetre is {scale:.2f} pixels; a die of 16 mm is {16 * scale:.0f} pixels wide.",
            *filter(None, [tray.doubt]),
        ]
    )


# `vander mat`: make a printable mat


@app.command()
def mat(
    path: Annotated[Path, Argument(help="the PDF to write")],
    paper: Annotated[str, Option(help="a3, a4 or letter; markers: four to cut out, for a tray of any size")] = "a3",
) -> None:
    """Make a printable mat with the tray's markers and zones, or markers to cut out."""
    typer.echo(f"{path} is made: {write_mat(path, paper)}")
