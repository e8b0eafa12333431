"""`vander capture`: take pictures of dice, and exchange them with other programs."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer
from typer import Argument, Option

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraError
from models.dataset import DatasetError, ExportResult, SaveFailed, export_dataset
from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet, DieSetCatalog
from referee.games import NoSuchGame
from vander.app.camera_loop import feed_report
from vander.app.composition import camera_name, lay_out_dice
from vander.cli.command_options import AsJson, CameraName, DataDir, command_app
from vander.cli.dataset_import import BoxesDrawn, FacesOption, import_pictures
from vander.cli.learning_errors import LearningRefused, refusals_as_errors
from vander.learning.learning_service import LearningService
from vander.resources import data_stores, game_catalog, vision_models
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load
from vision.detection import Finder
from vision.model_file import BrokenModel
from vision.pipeline import Pipeline
from web.schemas.learning_schemas import CaptureStatus, NewKind

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    CameraError,
    BrokenModel,
    NoSuchDieSet,
    NoSuchGame,
    BadDieSet,
    DatasetError,
    SaveFailed,
    LearningRefused,
)

app = command_app("capture", "Take pictures of dice, and exchange them with other programs.", runs_alone=True)


@app.callback()
def capture(  # noqa: PLR0913, PLR0917  each is an option of the command
    context: typer.Context,
    die_set: Annotated[str, Option("--set", help="the dice: a game's, or a name for dice nobody has seen")] = "",
    face: Annotated[list[str] | None, Option(help="a face of new dice; give it once for each face")] = None,
    pictures: Annotated[int, Option(min=0, help="end after so many; 0: when every face has enough")] = 0,
    camera: CameraName = None,
    data_dir: DataDir = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Take pictures of dice: lay them with the face asked for upward; each is taken when the tray is at rest."""
    if context.invoked_subcommand is not None:
        return
    if not die_set:
        raise LearningRefused("name the dice with --set, such as --set intersection, or --set mine --face Moon ...")
    settings = load(data_dir=data_dir)
    with data_folder.hold(settings.data_dir):  # a running Vander has the camera, and learns in the same files
        take_pictures(with_chosen_camera(settings, camera), die_set, face or (), pictures, as_json)


@app.command("export")
def capture_export(  # noqa: PLR0913  each is an option of the command
    to: Annotated[Path, Argument(help="a new folder, or a new zip", metavar="TO")],
    form: Annotated[str, Option(help="coco, yolo or faces")] = "coco",
    die_set: Annotated[str, Option("--set", help="one die set; without it all")] = "",
    data_dir: DataDir = None,
    *,
    waiting: Annotated[bool, Option("--waiting", help="those without a label as well")] = False,
    as_json: AsJson = False,
) -> None:
    """Export captured dice for other programs."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        store = data_stores.open_sample_store(settings)
        print_export(export_dataset(store, to, form, die_set, waiting), to, as_json)


@app.command("import")
def capture_import(  # noqa: PLR0913, PLR0917  each is an option of the command
    path: Annotated[Path, Argument(help="a folder or a zip", metavar="FROM")],
    form: Annotated[str, Option(help="coco, yolo or faces")] = "coco",
    die_set: Annotated[str, Option("--set", help="whose dice they are, where the pictures do not say")] = "",
    faces: FacesOption = None,
    boxes: Annotated[
        BoxesDrawn | None, Option(help="on which pictures boxes were drawn that are stored turned")
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Import pictures of dice that Vander or another program exported."""
    settings, finder = load(data_dir=data_dir), Finder(vision_models.weights_path("finder"), threads=2)
    with data_folder.share(settings.data_dir):
        done = import_pictures(settings, finder, path, form, die_set, faces=faces, boxes=boxes)
    print(json.dumps(asdict(done)) if as_json else done.sentence)


def take_pictures(settings: Settings, name: str, faces: Sequence[str], most: int, as_json: bool) -> None:
    """Take pictures of dice until every face has enough, `most` were taken, or Ctrl+C is pressed.

    A die set that is not known is created with these faces. Raises LearningRefused and CameraError.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts its background jobs with it ignored
    models = vision_models.LoadedModels.load()
    learning = data_stores.open_learning_service(settings, models)
    with refusals_as_errors():
        name = _find_or_create(learning, game_catalog.open_die_sets(settings), name, faces)
        camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
        camera.open()
        with closing(camera):
            learning.start_capture(name)
            run_capture(camera, _pipeline(settings, models, learning, camera), learning, most, as_json)
            learning.stop_capture()


def _find_or_create(learning: LearningService, catalog: DieSetCatalog, name: str, faces: Sequence[str]) -> str:
    if name in catalog.names():
        if faces:
            raise BadDieSet(
                f"the dice {name} are known already, with their faces; leave --face out, or name other dice"
            )
        return name
    if not faces:
        known = ", ".join(catalog.names())
        raise NoSuchDieSet(f"there are no dice {name!r}; name their faces with --face to make them; there are {known}")
    return learning.make_die_set(name, [NewKind(name, tuple(faces))]).name


def _pipeline(
    settings: Settings, models: vision_models.LoadedModels, learning: LearningService, camera: Camera
) -> Pipeline:
    dice = learning.showing
    if dice is not None and settings.camera == "virtual":
        lay_out_dice(dice, camera)
    return models.pipeline(dice, vision_models.tray_layout(settings), live=camera.is_live, reader=learning.reader())


def run_capture(camera: Camera, pipeline: Pipeline, learning: LearningService, most: int, as_json: bool) -> None:
    """Feed frames to the capture until it is complete or Ctrl+C is pressed, and print each new instruction.

    Raises Refused, SaveFailed and CameraError.
    """
    _press_by_enter(learning)
    with suppress(KeyboardInterrupt):
        _capture_frames(camera, pipeline, learning, most, _progress_printer(as_json))


def _capture_frames(
    camera: Camera, pipeline: Pipeline, learning: LearningService, most: int, tell: Callable[[CaptureStatus], None]
) -> None:
    while (frame := camera.frame()) is not None:
        learning.observe(pipeline.process(frame), pipeline)
        learning.report_trouble(feed_report(pipeline.fault).sentence)
        now = learning.capture_status()
        if now is None:
            return
        tell(now)
        if camera.simulator is not None and now.mood != "wait":
            camera.simulator.show(now.kind, now.face)  # nobody else can lay dice there
        if (most and now.taken >= most) or all(face.enough for face in learning.die_set(now.dice).faces):
            return


def _press_by_enter(learning: LearningService) -> None:
    """Take a picture at each press of Enter, if standard input is a terminal."""
    if not sys.stdin.isatty():
        return

    def listen() -> None:
        for _ in sys.stdin:
            learning.press_shutter()

    Thread(target=listen, daemon=True).start()


def _progress_printer(as_json: bool) -> Callable[[CaptureStatus], None]:
    """Return a function that prints the progress of a capture whenever it changes."""
    last: list[object] = []

    def tell(now: CaptureStatus) -> None:
        said = (now.says, now.face, now.taken)
        if last == [said]:
            return
        last[:] = [said]
        if as_json:
            print(json.dumps(asdict(now)), flush=True)
        else:
            print(f"{now.meter.title}, {now.meter.pictures} of {now.meter.wanted}: {now.says}", flush=True)

    return tell


def print_export(done: ExportResult, to: Path, as_json: bool) -> None:
    """Print what was exported."""
    print(json.dumps({"to": str(to), **asdict(done)}) if as_json else _export_line(done, to))


def _export_line(done: ExportResult, to: Path) -> str:
    shares = ", ".join(f"{count} to {split}" for split, count in done.splits.items())
    return " ".join((f"{done.dice} dice in {done.pictures} pictures are in {to} ({shares}).", *done.sentences))
