"""`vander capture` and `vander teach`: take pictures of dice, exchange them, and learn to read dice from them."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Annotated, NamedTuple

import cv2
import numpy as np
import typer
from typer import Argument, Option

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraError
from models.dataset import DatasetError, ExportResult, SampleStore, SaveFailed, export_dataset
from models.dataset.foreign_annotations import composed, plain_name
from models.dataset.import_export import import_dataset
from models.dataset.importing import STORED, UPRIGHT, ImportOptions, ImportResult, sighting_at
from models.dataset.samples import ExchangeError, Sample, quoted
from models.die_sets import USUAL_EDGE_MM, BadDieSet, DieSetCatalog, NoSuchDieSet, check_die_set, check_name
from referee.dice import DieKind, DieSet, Face, FaceName, KindName, Zone
from referee.games import NoSuchGame
from referee.phrases import counted
from referee.sentences import Refused
from vander.app.camera_loop import feed_report
from vander.app.composition import camera_name, lay_out_dice
from vander.cli import AsJson, CameraName, DataDir, command_app
from vander.learning.guided_capture import SURE_OF_A_DIE
from vander.learning.learning_service import LearningService
from vander.resources import game_catalog, models_and_stores
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load
from vision.classification import Reader
from vision.detection import Finder
from vision.frames import Frame, Pixels
from vision.model_file import BrokenModel
from vision.pipeline import Pipeline
from vision.rectification import RotatedSquare, rectify, rotation_in_frame, unrectified_view
from vision.tray_calibration import TrayLayout, locate
from web.schemas.learning_schemas import CaptureStatus, LessonSummary, NewKind


class LearningRefused(ValueError):
    """The learning service refused a request; the message is its sentence."""


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

app = command_app()
capture_app = command_app("capture", "Take pictures of dice, and exchange them with other programs.", runs_alone=True)
app.add_typer(capture_app)


# `vander capture`: take pictures of dice, and exchange them with other programs


@capture_app.callback()
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


@capture_app.command("export")
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
        store = models_and_stores.open_sample_store(settings)
        print_export(export_dataset(store, to, form, die_set, waiting), to, as_json)


@capture_app.command("import")
def capture_import(  # noqa: PLR0913, PLR0917  each is an option of the command
    path: Annotated[Path, Argument(help="a folder or a zip", metavar="FROM")],
    form: Annotated[str, Option(help="coco, yolo or faces")] = "coco",
    die_set: Annotated[str, Option("--set", help="whose dice they are, where the pictures do not say")] = "",
    faces: FacesOption = None,
    boxes: Annotated[
        BoxesDrawn | None, Option(help="on which pictures boxes were drawn that are stored turned")
    ] = None,
    as_labelled: AsLabelled = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Import pictures of dice that Vander or another program exported."""
    settings, seeing = load(data_dir=data_dir), models_and_stores.LoadedModels.load(threads=2)
    with data_folder.share(settings.data_dir):
        done = import_pictures(settings, seeing, path, form, die_set, faces=faces, boxes=boxes, as_labelled=as_labelled)
    print(json.dumps(asdict(done)) if as_json else done.sentence)


def take_pictures(settings: Settings, name: str, faces: Sequence[str], most: int, as_json: bool) -> None:
    """Take pictures of dice until every face has enough, `most` were taken, or Ctrl+C is pressed.

    A die set that is not known is created with these faces. Raises LearningRefused and CameraError.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts its background jobs with it ignored
    models = models_and_stores.LoadedModels.load()
    learning = models_and_stores.open_learning_service(settings, models)
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
    settings: Settings, models: models_and_stores.LoadedModels, learning: LearningService, camera: Camera
) -> Pipeline:
    dice = learning.showing
    if dice is not None and settings.camera == "virtual":
        lay_out_dice(dice, camera)
    return models.pipeline(dice, models_and_stores.tray_layout(settings), live=camera.is_live, reader=learning.reader())


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
    print(json.dumps({"to": str(to), **asdict(done)}) if as_json else _export_line(done, to))


def _export_line(done: ExportResult, to: Path) -> str:
    shares = ", ".join(f"{count} to {split}" for split, count in done.splits.items())
    held = f"{to} holds {counted(done.dice, 'die')} in {counted(done.pictures, 'picture')} ({shares})."
    return " ".join((held, *done.sentences))


# Import of pictures that other programs made: find the dice, and map foreign names to the faces of a die set


ANY_KIND = "any-kind"
"""The kind of a face that is named without its kind, of dice of several kinds."""
NARROW = 320
"""Pixels: a picture with shorter sides may be a single die."""
TOO_MANY = 3
"""From so many dice on an import is refused if most that can be read are labelled as another face."""
FindDice = Callable[[Pixels], list[RotatedSquare]]


class NumberStyle(StrEnum):
    """How dice show the numbers that pictures are called by."""

    PIPS = "pips"
    DIGITS = "digits"


class BoxesDrawn(StrEnum):
    """On which pictures boxes were drawn: turned as their EXIF data says, or as they are stored."""

    UPRIGHT = UPRIGHT
    STORED = STORED


AsLabelled = Annotated[bool, Option("--as-labelled", help="believe labels, also where most dice are read otherwise")]
FacesOption = Annotated[NumberStyle | None, Option("--faces", help="what numbers are, where the dice may have both")]


def import_pictures(  # noqa: PLR0913  each is an option of the command
    settings: Settings,
    seeing: models_and_stores.LoadedModels,
    path: Path,
    form: str,
    die_set: str,
    *,
    faces: NumberStyle | None = None,
    boxes: BoxesDrawn | None = None,
    as_labelled: bool = False,
) -> ImportResult:
    """Import pictures of dice; a die set that is not known is made from the names of its folders or classes.

    If the die set is known, folders and classes are called by a face's name or title; `faces` says which faces of that
    title. Where most dice that can be read are labelled as another face nothing is imported, unless `as_labelled`.
    Raises DatasetError, SaveFailed, and BadDieSet if a name is no face or if there cannot be such dice; nothing is
    imported then.
    """
    catalog, store = game_catalog.open_die_sets(settings), models_and_stores.open_sample_store(settings)
    if die_set and die_set not in catalog.names():
        check_name(die_set)
    kinds = [one.name for one in catalog.load(die_set).kinds] if die_set in catalog.names() else [die_set or "die"]
    kind = kinds[0] if len(kinds) == 1 else ANY_KIND
    options = ImportOptions(die_set, kind, _once_for_each(square_finder(seeing.finder)), boxes or "")
    here, began = {sample.name for sample in store.samples()}, store.now()
    with TemporaryDirectory() as folder:
        trial = SampleStore(Path(folder), store.now)
        tried = import_dataset(trial, path, form, options)
        new = [one for one in trial.samples() if one.label and not (one.name in here and one.label.at < began)]
        made = _new_die_sets(catalog, _names_by_set(tried.faces, trial.samples(), new), faces)
        _relabel(trial, catalog, new, tried.faces, faces)
        sets = {dice.name: dice for dice in made}
        contradicted = _contradicted(trial, lambda name: sets.get(name) or catalog.load(name), seeing.reader, new)
    if contradicted.are_most and not as_labelled:
        raise ExchangeError(
            f"nothing was taken in: of {counted(contradicted.read, 'die')} that can be read {contradicted.otherwise} "
            "are labelled as another face; check the classes and boxes, or give --as-labelled"
        )
    before = {sample.name: sample.label for sample in store.samples()}
    done = import_dataset(store, path, form, options)
    _relabel(store, catalog, [one for one in store.samples() if before.get(one.name) != one.label], done.faces, faces)
    for dice in made:
        if dice.name in done.die_sets:
            catalog.save(dice)
    return replace(done, contradicted=contradicted.otherwise)


def _once_for_each(find: FindDice) -> FindDice:
    """Return a function that finds the dice of each picture once, since an import is tried before it is kept."""
    known: dict[bytes, list[RotatedSquare]] = {}

    def places(pixels: Pixels) -> list[RotatedSquare]:
        key = blake2b(pixels.tobytes(), digest_size=16).digest()
        if key not in known:
            known[key] = find(pixels)
        return known[key]

    return places


NamesBySet = dict[str, list[tuple[str, str, str]]]
"""The (kind, face, title as it was written) that an import has for each die set."""


def _names_by_set(
    faces: Sequence[tuple[str, str, str]], samples: Sequence[Sample], new: Sequence[Sample]
) -> NamesBySet:
    """Return the names that an import gives to new dice and labels."""
    found = {(one.die_set, one.label.kind, one.label.face) for one in new if one.label}
    return {name: [row for row in faces if (name, *row[:2]) in found] for name in sorted({s.die_set for s in samples})}


def _new_die_sets(catalog: DieSetCatalog, names: NamesBySet, style: NumberStyle | None) -> list[DieSet]:
    """Return the die sets that an import would create. Raises BadDieSet for bad sets and for unknown names."""
    made = [_die_set_of(name, rows) for name, rows in names.items() if name not in catalog.names()]
    for dice in made:
        check_die_set(dice)
        for kind in dice.kinds:
            if len(kind.faces) == 1:  # a folder or class that names no face
                raise BadDieSet(
                    f"nothing was taken in, since dice of one face, {quoted(kind.sides[0].title)}, are none"
                )
    for name, rows in names.items():
        if name in catalog.names():
            _check_names(catalog.load(name), rows, style)
    return made


def _check_names(dice: DieSet, rows: Sequence[tuple[str, str, str]], style: NumberStyle | None) -> None:
    """Check that each name is that of one face. Raises BadDieSet."""
    meant = [(quoted(title), _find_faces(dice, kind, face, title, style)) for kind, face, title in rows]
    strange = [title for title, faces in meant if not faces]
    several = {title: faces for title, faces in meant if len(faces) > 1}
    none_came, called = f"nothing was taken in, since of the dice {dice.name}", ", ".join(strange or several)
    if strange:
        known = ", ".join(face for kind in dice.kinds for face in kind.faces)
        raise BadDieSet(f"{none_came} no face is called {called}; their faces are {known}")
    if {_style(face) for faces in several.values() for _, face in faces} == set(NumberStyle):
        raise BadDieSet(f"{none_came} pips and digits are called {called}; give --faces pips, or --faces digits")
    if several:
        kind, face = min(next(iter(several.values())))
        raise BadDieSet(f"{none_came} several faces are called {called}; name the kind as well, such as {kind}/{face}")


def _find_faces(
    dice: DieSet, kind: str, face: str, title: str, style: NumberStyle | None
) -> frozenset[tuple[str, str]]:
    """Return the kinds and faces of a set that may be meant, of that style if there are. A face alone fits any kind."""
    named = [one for one in dice.kinds if kind in (ANY_KIND, one.name, plain_name(one.title))]
    fits = _find_among(named, face, title)
    return frozenset(one for one in fits if style and _style(one[1]) is style) or fits


def _style(face: str) -> NumberStyle | None:
    """Return how a face shows its number, or None for one that shows none."""
    return next((style for style in NumberStyle if face.startswith(f"{style.removesuffix('s')}-")), None)


def _find_among(kinds: Sequence[DieKind], face: str, title: str) -> frozenset[tuple[str, str]]:
    """Find faces by their exact name, else by name or title ignoring case, else by their plain name."""
    folded = title.casefold()
    sides = [(str(kind.name), side) for kind in kinds for side in kind.sides]
    by_likeness = (
        {(kind, str(side.name)) for kind, side in sides if side.name == title},
        {
            (kind, str(side.name))
            for kind, side in sides
            if folded in (side.name.casefold(), composed(side.title).casefold())
        },
        {(kind, str(side.name)) for kind, side in sides if side.name == face},
    )
    return frozenset(next(filter(None, by_likeness), ()))


def _relabel(
    store: SampleStore,
    catalog: DieSetCatalog,
    samples: Sequence[Sample],
    faces: Sequence[tuple[str, str, str]],
    style: NumberStyle | None,
) -> None:
    """Give imported dice the kinds and faces of their sets. Raises SaveFailed."""
    titles = {(kind, face): title for kind, face, title in faces}
    called: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for sample in samples:
        if sample.label and sample.die_set in catalog.names():
            said = (sample.label.kind, sample.label.face)
            own = next(iter(_find_faces(catalog.load(sample.die_set), *said, titles.get(said, said[1]), style)), said)
            if own != said:
                called[(*own, sample.label.by)].append(sample.name)
    for (kind, face, by), names in called.items():
        store.label(names, kind, face, by)


class Contradicted(NamedTuple):
    """How many labelled dice the reader surely reads, and how many of them as another face."""

    read: int
    otherwise: int

    @property
    def are_most(self) -> bool:
        """True if the labels can hardly be those of the dice; a few dice may be drawn in a way that deceives."""
        return self.otherwise >= TOO_MANY and 2 * self.otherwise > self.read


def _contradicted(
    store: SampleStore, load_set: Callable[[str], DieSet], reader: Reader, samples: Sequence[Sample]
) -> Contradicted:
    """Hold labels against what the reader, without lessons, surely reads.

    A list of classes that is off by one, or of another order, is found by nothing else.
    """
    agree = list[bool]()
    for sample, pixels in store.with_pixels(store.sample(one.name) for one in samples):
        view, dice = unrectified_view(Frame(pixels, 0, 0.0)), load_set(sample.die_set)
        readings = reader.read(view, [sighting_at(sample.place)], dice)
        agree += [one.face == sample.label.face for one in readings if one.accepted and sample.label]
    return Contradicted(len(agree), agree.count(False))


def _die_set_of(name: str, faces: Sequence[tuple[str, str, str]]) -> DieSet:
    """Return a die set of the kinds and faces that were found."""
    kinds = dict.fromkeys(kind for kind, _, _ in faces)
    sides = {kind: tuple(Face(FaceName(f), title) for k, f, title in faces if k == kind) for kind in kinds}
    counts = tuple((DieKind(KindName(kind), kind.replace("-", " ").capitalize(), sides[kind]), 6) for kind in kinds)
    return DieSet(name, name.replace("-", " ").capitalize(), counts, USUAL_EDGE_MM)


def square_finder(finder: Finder) -> Callable[[Pixels], list[RotatedSquare]]:
    """Return a function that finds dice in a foreign picture: inside the tray, if its markers are seen.

    A picture under NARROW pixels may be a single die, so it is searched with its border extended.
    """

    def find(pixels: Pixels) -> list[RotatedSquare]:
        small = max(pixels.shape[:2]) < NARROW
        places = _find_with_border(finder, pixels) if small else _find_on_tray(finder, pixels)
        height, width = pixels.shape[:2]
        return [place for place in places if 0 <= place.x < width and 0 <= place.y < height]

    return find


def _find_on_tray(finder: Finder, pixels: Pixels) -> list[RotatedSquare]:
    frame = Frame(pixels, 0, 0.0)
    tray, _ = locate(frame, TrayLayout())
    view = unrectified_view(frame) if tray is None else rectify(frame, tray)
    sure = [one for one in finder.find(view) if one.confidence >= SURE_OF_A_DIE]
    inside = [one for one in sure if tray is None or tray.layout.zone_of(one.x_mm, one.y_mm) is not Zone.OUT]
    return [RotatedSquare(one.x, one.y, one.edge, rotation_in_frame(one, view)) for one in inside]


def _find_with_border(finder: Finder, pixels: Pixels) -> list[RotatedSquare]:
    rim = max(pixels.shape[:2]) // 2
    wide = cv2.copyMakeBorder(pixels, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    dice = finder.find(unrectified_view(Frame(np.asarray(wide, np.uint8), 0, 0.0)))
    places = [RotatedSquare(one.x - rim, one.y - rim, one.edge, one.turned_degrees) for one in dice]
    return [place for place, one in zip(places, dice, strict=True) if one.confidence >= SURE_OF_A_DIE][:1]


# `vander teach`: learn to read dice from their pictures


@app.command()
def teach(  # noqa: PLR0913, PLR0917  each is an option of the command
    name: Annotated[str, Argument(help="the die set", metavar="NAME")],
    pictures: Annotated[Path | None, Argument(help="a folder with a folder of pictures for each face")] = None,
    back_to: Annotated[int | None, Option(min=0, help="use this earlier lesson again; 0: none")] = None,
    faces: FacesOption = None,
    as_labelled: AsLabelled = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Learn to read dice from their pictures."""
    settings = load(data_dir=data_dir)
    with data_folder.hold(settings.data_dir):  # a running Vander learns in the same files
        learn(settings, name, pictures, back_to, as_json, faces, as_labelled=as_labelled)


def learn(  # noqa: PLR0913, PLR0917  each is an option of the command
    settings: Settings,
    name: str,
    pictures: Path | None,
    back_to: int | None,
    as_json: bool,
    faces: NumberStyle | None = None,
    *,
    as_labelled: bool = False,
) -> None:
    """Learn a die set from its pictures, after importing those of a folder, or use an earlier lesson again.

    Raises LearningRefused, DatasetError, BadDieSet.
    """
    models = models_and_stores.LoadedModels.load(threads=2)
    if pictures is not None:
        imported = import_pictures(settings, models, pictures, "faces", name, faces=faces, as_labelled=as_labelled)
        print(imported.sentence, file=sys.stderr)
    learning = models_and_stores.open_learning_service(settings, models)
    began = time.perf_counter()
    with refusals_as_errors():
        learned = learning.teach(name) if back_to is None else learning.use_lesson(name, back_to)
    took = time.perf_counter() - began
    print(json.dumps(asdict(learned)) if as_json else _describe(learned, took))


def _describe(learned: LessonSummary, took: float) -> str:
    if not learned.version:
        return learned.sentence
    lines = [f"Lesson {learned.version} of the {learned.title}, in {took:.1f} s: {learned.sentence}"]
    lines += [f"Found out by this: {learned.checked_by}."] if learned.checked_by else []
    lines += [pair.sentence for pair in learned.pairs]
    for one in learned.suspects:
        said = one.said.title if one.said else ""
        lines.append(f"{one.picture} is called {said} and looks like {one.likely[0].title}.")
    return "\n".join(lines)


# Refusals of the learning service, as errors of the command line


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Raise LearningRefused for each Refused."""
    try:
        yield
    except Refused as refused:
        raise LearningRefused(str(refused)) from None
