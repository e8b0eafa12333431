"""`vander capture` and `vander teach`: dice shown, exchanged and learned from the command line."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import cv2
import numpy as np

from hardware.cameras import open_camera
from hardware.cameras.base import Camera
from models.dataset import SampleStore
from models.dataset.import_export import ExportResult, import_dataset
from models.dataset.importer import ImportOptions, ImportResult
from models.dataset.label_names import plain_name
from models.dataset.samples import Sample, quoted
from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet, DieSetCatalog, check_die_set, check_name
from referee.dice import DieKind, DieSet, Face, FaceName, KindName, Zone
from referee.refused import Refused
from vander.app.camera_loop import feed_report
from vander.app.composition import camera_name, put_out
from vander.learning.guided_capture import SURE_OF_A_DIE
from vander.learning.learning_service import LearningService
from vander.resources import data_stores, game_catalog, vision_models
from vander.storage.settings import Settings
from vision.calibration import TrayLayout, locate
from vision.detection import Finder
from vision.die_crops import INPUT_EDGES, RotatedSquare, rotation_in_frame
from vision.frames import Frame, Pixels
from vision.pipeline import Pipeline
from vision.rectification import rectify, unrectified_view
from web.schemas.learning_schemas import Learned, NewKind, Sitting

NARROW = 320
"""A picture with fewer pixels a side may be a single die: it is looked at with its border drawn out."""
EDGE_MM = 16.0


class LearningRefused(ValueError):
    """What the teacher's desk turned down, as the command line says it."""


@contextmanager
def _said() -> Iterator[None]:
    """What is turned down at the desk is one sentence on the command line."""
    try:
        yield
    except Refused as refused:
        raise LearningRefused(str(refused)) from None


# Showing dice


def capture(settings: Settings, name: str, faces: Sequence[str], most: int, as_json: bool) -> None:
    """Take pictures of dice until every face is enough, `most` were taken, or Ctrl+C is pressed.

    Dice that are not known are made, with these faces. Raises LearningRefused and what hinders a camera.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts its background jobs with it ignored
    models = vision_models.LoadedModels.load()
    desk = data_stores.open_learning_service(settings, models)
    with _said():
        name = _known_or_made(desk, game_catalog.open_die_sets(settings), name, faces)
        camera = open_camera(camera_name(settings, game_catalog.initial_dice(settings).name))
        camera.open()
        with closing(camera):
            desk.sit(name)
            watch(camera, _pipeline(settings, models, desk, camera), desk, most, as_json)
            desk.rise()


def _known_or_made(desk: LearningService, shelf: DieSetCatalog, name: str, faces: Sequence[str]) -> str:
    if name in shelf.names():
        if faces:
            raise BadDieSet(
                f"the dice {name} are known already, with their faces; leave --face out, or name other dice"
            )
        return name
    if not faces:
        known = ", ".join(shelf.names())
        raise NoSuchDieSet(f"there are no dice {name!r}; name their faces with --face to make them; there are {known}")
    return desk.make(name, [NewKind(name, tuple(faces))], EDGE_MM).name


def _pipeline(
    settings: Settings, models: vision_models.LoadedModels, desk: LearningService, camera: Camera
) -> Pipeline:
    dice = desk.showing
    if dice is not None and settings.camera == "virtual":
        put_out(dice, camera)
    return models.pipeline(dice, vision_models.tray_layout(settings), live=camera.is_live, reader=desk.reads())


def watch(camera: Camera, pipeline: Pipeline, desk: LearningService, most: int, as_json: bool) -> None:
    """Look until it is enough, and say what is to be done whenever that changes; Ctrl+C ends it, wherever it strikes.

    Raises Refused, SaveFailed, and what hinders a camera.
    """
    _press_by_enter(desk)
    with suppress(KeyboardInterrupt):
        _look_on(camera, pipeline, desk, most, _teller(as_json))


def _look_on(
    camera: Camera, pipeline: Pipeline, desk: LearningService, most: int, tell: Callable[[Sitting], None]
) -> None:
    while (frame := camera.frame()) is not None:
        desk.look(pipeline.process(frame), pipeline)
        desk.trouble(feed_report(pipeline.fault).sentence)
        now = desk.sitting()
        if now is None:
            return
        tell(now)
        if (most and now.taken >= most) or all(face.enough for face in desk.dice(now.dice).faces):
            return


def _press_by_enter(desk: LearningService) -> None:
    """The Enter key is the shutter, where a person sits at the keyboard."""
    if not sys.stdin.isatty():
        return

    def listen() -> None:
        for _ in sys.stdin:
            desk.press()

    Thread(target=listen, daemon=True).start()


def _teller(as_json: bool) -> Callable[[Sitting], None]:
    """Says how the sitting stands, each thing once."""
    last: list[object] = []

    def tell(now: Sitting) -> None:
        said = (now.says, now.face, now.taken)
        if last == [said]:
            return
        last[:] = [said]
        if as_json:
            print(json.dumps(asdict(now)), flush=True)
        else:
            print(f"{now.meter.title}, {now.meter.pictures} of {now.meter.wanted}: {now.says}", flush=True)

    return tell


# Exchange


def tell_exported(done: ExportResult, to: Path, as_json: bool) -> None:
    """Print what was put out."""
    print(json.dumps({"to": str(to), **asdict(done)}) if as_json else _exported(done, to))


def _exported(done: ExportResult, to: Path) -> str:
    shares = ", ".join(f"{count} to {split}" for split, count in done.splits.items())
    return " ".join((f"{done.dice} dice in {done.pictures} pictures are in {to} ({shares}).", *done.sentences))


def take_in(settings: Settings, path: Path, form: str, die_set: str, as_json: bool) -> None:
    """Import pictures of dice; dice that are not known are made from what their folders or classes are called.

    Where the dice are known, folders and classes are called by a face's name or title. Raises DatasetError, and
    BadDieSet where they are not, or where there cannot be such dice; nothing is taken in then.
    """
    done = _taken_in(settings, Finder(vision_models.weights_path("finder"), threads=2), path, form, die_set)
    print(json.dumps(asdict(done)) if as_json else done.sentence)


def _taken_in(settings: Settings, finder: Finder, path: Path, form: str, die_set: str) -> ImportResult:
    shelf, store = game_catalog.open_die_sets(settings), data_stores.open_sample_store(settings)
    if die_set and die_set not in shelf.names():
        check_name(die_set)
    kind = shelf.load(die_set).kinds[0].name if die_set in shelf.names() else die_set or "die"
    made = _made_of(shelf, _words(store, path, form, ImportOptions(die_set, kind, _in_the_middle)))
    before = {sample.name: sample.label for sample in store.samples()}
    done = import_dataset(store, path, form, ImportOptions(die_set, kind, finding(finder)))
    new = [sample for sample in store.samples() if before.get(sample.name) != sample.label]
    _call_by_their_own(store, shelf, new, {(kind, face): title for kind, face, title in done.faces})
    for dice in made:
        if dice.name in done.die_sets:
            shelf.save(dice)
    return done


Words = dict[str, list[tuple[str, str, str]]]
"""The (kind, face, title as it was written) that an import has for each die set."""


def _words(store: SampleStore, path: Path, form: str, foreign: ImportOptions) -> Words:
    """What an import would call the dice that are new or have a new label, tried where it does no harm."""
    here, began = {sample.name for sample in store.samples()}, store.now()
    with TemporaryDirectory() as folder:
        trial = SampleStore(Path(folder), store.now)
        faces = import_dataset(trial, path, form, foreign).faces
        samples = trial.samples()
    told = [(s.die_set, s.label) for s in samples if s.label and not (s.name in here and s.label.at < began)]
    met = {(die_set, label.kind, label.face) for die_set, label in told}
    return {name: [row for row in faces if (name, *row[:2]) in met] for name in sorted({s.die_set for s in samples})}


def _in_the_middle(pixels: Pixels) -> list[RotatedSquare]:
    """A die in every picture, so that what the picture is called by counts."""
    height, width = pixels.shape[:2]
    return [RotatedSquare(width / 2, height / 2, min(height, width) / INPUT_EDGES, 0.0)]


def _made_of(shelf: DieSetCatalog, words: Words) -> list[DieSet]:
    """The die sets that an import brings along. Raises BadDieSet for those, and for words, that cannot be."""
    made = [_set_of(name, rows) for name, rows in words.items() if name not in shelf.names()]
    for dice in made:
        check_die_set(dice)
    for name, rows in words.items():
        if name in shelf.names():
            _check_words(shelf.load(name), rows)
    return made


def _check_words(dice: DieSet, rows: Sequence[tuple[str, str, str]]) -> None:
    strange = [quoted(title) for kind, face, title in rows if _meant(dice, kind, face, title) is None]
    if strange:
        known = ", ".join(face for kind in dice.kinds for face in kind.faces)
        raise BadDieSet(
            f"nothing was taken in, since of the dice {dice.name} no face, or more than one, is called "
            f"{', '.join(strange)}; their faces are {known}"
        )


def _meant(dice: DieSet, kind: str, face: str, title: str) -> tuple[str, str] | None:
    """The kind and face of a set that are meant, or None where that is not one. A face alone is of any kind."""
    named = [one for one in dice.kinds if kind in (one.name, plain_name(one.title))]
    alone = kind == dice.kinds[0].name
    return _among(named, face, title) or (_among(dice.kinds, face, title) if alone else None)


def _among(kinds: Sequence[DieKind], face: str, title: str) -> tuple[str, str] | None:
    """By the face's name as it is, else by its name or title in letters of any size, else as it would be spelt."""
    folded = title.casefold()
    sides = [(str(kind.name), side) for kind in kinds for side in kind.sides]
    for fits in (
        {(kind, str(side.name)) for kind, side in sides if side.name == title},
        {(kind, str(side.name)) for kind, side in sides if folded in (side.name.casefold(), side.title.casefold())},
        {(kind, str(side.name)) for kind, side in sides if side.name == face},
    ):
        if fits:
            return fits.pop() if len(fits) == 1 else None
    return None


def _call_by_their_own(
    store: SampleStore, shelf: DieSetCatalog, samples: Sequence[Sample], titles: Mapping[tuple[str, str], str]
) -> None:
    """Call the faces of dice that came in as their sets do. Raises SaveFailed."""
    called: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for sample in samples:
        if sample.label and sample.die_set in shelf.names():
            said = (sample.label.kind, sample.label.face)
            own = _meant(shelf.load(sample.die_set), *said, titles.get(said, said[1]))
            if own is not None and own != said:
                called[(*own, sample.label.by)].append(sample.name)
    for (kind, face, by), names in called.items():
        store.label(names, kind, face, by)


def _set_of(name: str, faces: Sequence[tuple[str, str, str]]) -> DieSet:
    """A set of the kinds and faces that were met."""
    kinds = dict.fromkeys(kind for kind, _, _ in faces)
    sides = {kind: tuple(Face(FaceName(f), title) for k, f, title in faces if k == kind) for kind in kinds}
    counts = tuple((DieKind(KindName(kind), kind.replace("-", " ").capitalize(), sides[kind]), 6) for kind in kinds)
    return DieSet(name, name.replace("-", " ").capitalize(), counts, EDGE_MM)


def finding(finder: Finder) -> Callable[[Pixels], list[RotatedSquare]]:
    """Where dice lie in a picture that others made: on the tray, where its markers are seen.

    A small picture may be a single die: it is looked at with its border drawn out.
    """

    def find(pixels: Pixels) -> list[RotatedSquare]:
        small = max(pixels.shape[:2]) < NARROW
        places = _in_a_rim(finder, pixels) if small else _on_the_table(finder, pixels)
        height, width = pixels.shape[:2]
        return [place for place in places if 0 <= place.x < width and 0 <= place.y < height]

    return find


def _on_the_table(finder: Finder, pixels: Pixels) -> list[RotatedSquare]:
    frame = Frame(pixels, 0, 0.0)
    tray, _ = locate(frame, TrayLayout())
    view = unrectified_view(frame) if tray is None else rectify(frame, tray)
    sure = [one for one in finder.find(view) if one.confidence >= SURE_OF_A_DIE]
    inside = [one for one in sure if tray is None or tray.layout.zone_of(one.x_mm, one.y_mm) is not Zone.OUT]
    return [RotatedSquare(one.x, one.y, one.edge, rotation_in_frame(one, view)) for one in inside]


def _in_a_rim(finder: Finder, pixels: Pixels) -> list[RotatedSquare]:
    """The surest die."""
    rim = max(pixels.shape[:2]) // 2
    wide = cv2.copyMakeBorder(pixels, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    dice = finder.find(unrectified_view(Frame(np.asarray(wide, np.uint8), 0, 0.0)))
    places = [RotatedSquare(one.x - rim, one.y - rim, one.edge, one.turned_degrees) for one in dice]
    return [place for place, one in zip(places, dice, strict=True) if one.confidence >= SURE_OF_A_DIE][:1]


# Learning


def teach(settings: Settings, name: str, pictures: Path | None, back_to: int | None, as_json: bool) -> None:
    """Learn from the pictures of a die set, after taking in those of a folder, or go back to an earlier lesson.

    Raises LearningRefused, DatasetError, BadDieSet.
    """
    models = vision_models.LoadedModels.load(threads=2)
    if pictures is not None:
        told = _taken_in(settings, models.finder, pictures, "faces", name)
        print(told.sentence, file=sys.stderr)
    desk = data_stores.open_learning_service(settings, models)
    began = time.perf_counter()
    with _said():
        learned = desk.teach(name) if back_to is None else desk.go_back(name, back_to)
    took = time.perf_counter() - began
    print(json.dumps(asdict(learned)) if as_json else _in_words(learned, took))


def _in_words(learned: Learned, took: float) -> str:
    if not learned.version:
        return learned.sentence
    lines = [f"Lesson {learned.version} of the {learned.title}, in {took:.1f} s: {learned.sentence}"]
    lines += [f"Found out by this: {learned.checked_by}."] if learned.checked_by else []
    lines += [pair.sentence for pair in learned.pairs]
    for one in learned.suspects:
        lines.append(f"{one.picture} is called {one.said[2]} and looks like {one.likely[0][2]}.")
    return "\n".join(lines)
