"""Import of pictures that other programs made: find the dice, and map foreign names to the faces of a die set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from models.dataset import SampleStore
from models.dataset.import_export import import_dataset
from models.dataset.importing import ImportOptions, ImportResult
from models.dataset.label_names import plain_name
from models.dataset.samples import Sample, quoted
from models.die_sets.catalog import USUAL_EDGE_MM, BadDieSet, DieSetCatalog, check_die_set, check_name
from referee.dice import DieKind, DieSet, Face, FaceName, KindName, Zone
from vander.learning.guided_capture import SURE_OF_A_DIE
from vander.resources import data_stores, game_catalog
from vander.storage.settings import Settings
from vision.detection import Finder
from vision.frames import Frame, Pixels
from vision.rectification import INPUT_EDGES, RotatedSquare, rectify, rotation_in_frame, unrectified_view
from vision.tray_calibration import TrayLayout, locate

NARROW = 320
"""Pixels: a picture with shorter sides may be a single die."""


def import_pictures(settings: Settings, finder: Finder, path: Path, form: str, die_set: str) -> ImportResult:
    """Import pictures of dice; a die set that is not known is made from the names of its folders or classes.

    If the die set is known, folders and classes are called by a face's name or title. Raises DatasetError, SaveFailed,
    and BadDieSet if a name is no face or if there cannot be such dice; nothing is imported then.
    """
    catalog, store = game_catalog.open_die_sets(settings), data_stores.open_sample_store(settings)
    if die_set and die_set not in catalog.names():
        check_name(die_set)
    kind = catalog.load(die_set).kinds[0].name if die_set in catalog.names() else die_set or "die"
    made = _new_die_sets(catalog, _names_by_set(store, path, form, ImportOptions(die_set, kind, _whole_picture)))
    before = {sample.name: sample.label for sample in store.samples()}
    done = import_dataset(store, path, form, ImportOptions(die_set, kind, square_finder(finder)))
    new = [sample for sample in store.samples() if before.get(sample.name) != sample.label]
    _relabel(store, catalog, new, {(kind, face): title for kind, face, title in done.faces})
    for dice in made:
        if dice.name in done.die_sets:
            catalog.save(dice)
    return done


NamesBySet = dict[str, list[tuple[str, str, str]]]
"""The (kind, face, title as it was written) that an import has for each die set."""


def _names_by_set(store: SampleStore, path: Path, form: str, foreign: ImportOptions) -> NamesBySet:
    """Return the names that an import would give to new dice and labels, found by a trial in a temporary folder."""
    here, began = {sample.name for sample in store.samples()}, store.now()
    with TemporaryDirectory() as folder:
        trial = SampleStore(Path(folder), store.now)
        faces = import_dataset(trial, path, form, foreign).faces
        samples = trial.samples()
    labels = [(s.die_set, s.label) for s in samples if s.label and not (s.name in here and s.label.at < began)]
    found = {(die_set, label.kind, label.face) for die_set, label in labels}
    return {name: [row for row in faces if (name, *row[:2]) in found] for name in sorted({s.die_set for s in samples})}


def _whole_picture(pixels: Pixels) -> list[RotatedSquare]:
    """Return one die over the whole picture, so that a trial import needs no finder."""
    height, width = pixels.shape[:2]
    return [RotatedSquare(width / 2, height / 2, min(height, width) / INPUT_EDGES, 0.0)]


def _new_die_sets(catalog: DieSetCatalog, names: NamesBySet) -> list[DieSet]:
    """Return the die sets that an import would create. Raises BadDieSet for bad sets and for unknown names."""
    made = [_die_set_of(name, rows) for name, rows in names.items() if name not in catalog.names()]
    for dice in made:
        check_die_set(dice)
    for name, rows in names.items():
        if name in catalog.names():
            _check_names(catalog.load(name), rows)
    return made


def _check_names(dice: DieSet, rows: Sequence[tuple[str, str, str]]) -> None:
    strange = [quoted(title) for kind, face, title in rows if _find_face(dice, kind, face, title) is None]
    if strange:
        known = ", ".join(face for kind in dice.kinds for face in kind.faces)
        raise BadDieSet(
            f"nothing was taken in, since of the dice {dice.name} no face, or more than one, is called "
            f"{', '.join(strange)}; their faces are {known}"
        )


def _find_face(dice: DieSet, kind: str, face: str, title: str) -> tuple[str, str] | None:
    """Return the kind and face of a set that are meant, or None if none or several are. A face alone fits any kind."""
    named = [one for one in dice.kinds if kind in (one.name, plain_name(one.title))]
    alone = kind == dice.kinds[0].name
    return _find_among(named, face, title) or (_find_among(dice.kinds, face, title) if alone else None)


def _find_among(kinds: Sequence[DieKind], face: str, title: str) -> tuple[str, str] | None:
    """Find a face by its exact name, else by name or title ignoring case, else by its plain name."""
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


def _relabel(
    store: SampleStore, catalog: DieSetCatalog, samples: Sequence[Sample], titles: Mapping[tuple[str, str], str]
) -> None:
    """Give imported dice the kinds and faces of their sets. Raises SaveFailed."""
    called: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for sample in samples:
        if sample.label and sample.die_set in catalog.names():
            said = (sample.label.kind, sample.label.face)
            own = _find_face(catalog.load(sample.die_set), *said, titles.get(said, said[1]))
            if own is not None and own != said:
                called[(*own, sample.label.by)].append(sample.name)
    for (kind, face, by), names in called.items():
        store.label(names, kind, face, by)


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
    """Return the surest die."""
    rim = max(pixels.shape[:2]) // 2
    wide = cv2.copyMakeBorder(pixels, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    dice = finder.find(unrectified_view(Frame(np.asarray(wide, np.uint8), 0, 0.0)))
    places = [RotatedSquare(one.x - rim, one.y - rim, one.edge, one.turned_degrees) for one in dice]
    return [place for place, one in zip(places, dice, strict=True) if one.confidence >= SURE_OF_A_DIE][:1]
