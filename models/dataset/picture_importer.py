"""Import samples, picture by picture: those that Vander exported, and dice that other programs marked."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath

import numpy as np

from models.dataset.archives import FileTree
from models.dataset.bounding_boxes import BoundingBox, box_of, place_of
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_manifest import ManifestRow
from models.dataset.foreign_annotations import Annotation
from models.dataset.import_options import ImportOptions, ImportResult
from models.dataset.import_pictures import ImportPictures
from models.dataset.label_names import LabelNames
from models.dataset.sample_store import SampleStore
from models.dataset.samples import CaptureSession, FaceLabel, Sample, quoted
from models.dataset.staged_sessions import StagedSession, StagedSessions
from vision.frames import Pixels
from vision.observations import DieSighting, Posture
from vision.rectification import INPUT_EDGES, RotatedSquare, cut_with_surroundings

LARGEST_ALONE = 256
"""Pixels a side of the largest picture that may be all one die, cut out INPUT_EDGES edges wide."""


class Importer:
    """One import. It writes sessions into `place`, and nothing anywhere else; `by` is who gave the new labels."""

    def __init__(self, store: SampleStore, place: Path, tree: FileTree, by: str, options: ImportOptions) -> None:
        self._place, self._tree, self._options = place, tree, options
        self._now = store.now()
        self._pictures = ImportPictures(tree)
        self._staged = StagedSessions(store, place, self._now)
        self._labels = _Labels(options.kind, by, self._now)
        self._manifest = _Manifest(options.die_set)
        self._here = {sample.name: sample for sample in store.samples()}
        self._taken = set(self._here)
        self._without: list[str] = []
        self._counts: Counter[str] = Counter()

    def expect(self, sessions: Iterable[CaptureSession], rows: Iterable[ManifestRow]) -> None:
        """Take note of what the export's manifest says of the pictures."""
        self._manifest = _Manifest(self._options.die_set, sessions, rows)

    def add(self, annotations: Sequence[Annotation]) -> None:
        """Import annotated dice. Raises ExchangeError, BadSample and OSError."""
        by_picture: dict[str, list[Annotation]] = defaultdict(list)
        for annotation in annotations:
            by_picture[annotation.picture].append(annotation)
        self._counts["pictures"] = len(by_picture)
        for picture, dice in by_picture.items():
            self._add_picture(picture, dice)

    def finish(self) -> ImportResult:
        """Write the lines and new labels, and return what was imported. Raises OSError."""
        self._staged.write_lines()
        shutil.rmtree(self._place / "archive", ignore_errors=True)
        samples, relabelled = self._staged.samples, self._staged.relabelled
        return ImportResult(
            taken=len(samples),
            pictures=self._counts["pictures"],
            known=self._counts["known"],
            relabelled=len(relabelled),
            without_die=tuple(self._without),
            faces=self._labels.faces,
            met=_faces_of([*samples, *relabelled]),
            sessions=self._staged.names,
            die_sets=tuple(sorted({sample.die_set for sample in samples})),
        )

    def _add_picture(self, name: str, dice: Sequence[Annotation]) -> None:
        pixels = self._pictures.load(name)
        height, width = pixels.shape[:2]
        expected = self._manifest.rows(name)
        found: Sequence[RotatedSquare] | None = None
        for die in dice:
            box = _checked_box(die, width, height)
            row = _matching(expected, box, width, height)
            if row is not None:
                expected.remove(row)
                self._add_exported(row, die, name)
                continue
            if found is None:
                found = self._options.find(pixels) if self._options.find else ()
            self._add_foreign(die, _places(die, box, pixels, found), name, pixels)

    # ── what Vander exported ─────────────────────────────────────────────────────────────────────────────────────────

    def _add_exported(self, row: ManifestRow, die: Annotation, name: str) -> None:
        if row.sample.name in self._taken:
            self._counts["known"] += 1
            self._relabel(row, die)
            return
        self._taken.add(row.sample.name)
        session = self._manifest.session(row.sample.session)
        staged = self._staged.of_export(session)
        crop = name if _file(row.crop) == _file(name) else row.crop
        _check_inside(row.sample.place, self._pictures.load(crop), row.crop)
        self._pictures.copy(crop, staged.folder.crop(row.sample.name))
        frame = self._copy_frame(row, staged)
        sample = replace(
            row.sample,
            session=staged.session.name,
            die_set=staged.session.die_set,
            frame=frame,
            in_frame=row.sample.in_frame if frame else None,
            label=self._labels.label(die, row.sample.label),
        )
        staged.samples.append(sample)

    def _relabel(self, row: ManifestRow, die: Annotation) -> None:
        """Give a sample of the store the label given elsewhere, unless it got another one here since the export."""
        here, exported = self._here.get(row.sample.name), row.sample.label
        new = self._labels.label(die, exported)
        if new and new is not exported and here and _face_of(here.label) == _face_of(exported):
            self._staged.relabelled.append(replace(here, label=new))

    def _copy_frame(self, row: ManifestRow, staged: StagedSession) -> str:
        """Copy a sample's frame and return the frame's name, or '' where it is not there."""
        if not row.sample.frame or row.frame not in self._pictures:
            return ""
        if row.sample.in_frame:
            _check_inside(row.sample.in_frame, self._pictures.load(row.frame), row.frame)
        to = staged.folder.frame(row.sample.frame)
        if not to.exists():
            self._pictures.copy(row.frame, to)
        return row.sample.frame

    # ── what other programs made ─────────────────────────────────────────────────────────────────────────────────────

    def _add_foreign(self, die: Annotation, places: Sequence[RotatedSquare], name: str, pixels: Pixels) -> None:
        if not places:
            self._without.append(name)
        for place in places:
            crop, near = cut_with_surroundings(pixels, _sighting(place), place.turned_degrees)
            label = self._labels.label(die, None)
            if not self._manifest.die_set:
                raise ExchangeError(f"{self._tree.name} does not say whose dice these are; name a die set for them")
            self._staged.of_foreign(self._manifest.die_set).add_crop(crop, near, label, self._now)


class _Manifest:
    """What an export says of its pictures. `die_set` is what boxes without a row belong to, '' for unknown."""

    def __init__(self, die_set: str, sessions: Iterable[CaptureSession] = (), rows: Iterable[ManifestRow] = ()) -> None:
        self._sessions = {one.name: replace(one, die_set=die_set or one.die_set) for one in sessions}
        die_sets = {session.die_set for session in self._sessions.values()}
        self.die_set = die_set or (die_sets.pop() if len(die_sets) == 1 else "")
        self._rows: dict[str, list[ManifestRow]] = defaultdict(list)
        for row in rows:
            self._rows[row.picture].append(row)
            self._rows[_file(row.crop)].append(row)  # whatever folder it was moved to

    def session(self, name: str) -> CaptureSession:
        return self._sessions[name]

    def rows(self, picture: str) -> list[ManifestRow]:
        """Return the rows of a picture, a list of the caller's own."""
        return [*(self._rows.get(picture) or self._rows.get(_file(picture), []))]


class _Labels:
    """Turns categories into labels, and remembers the faces that were met."""

    def __init__(self, kind: str, by: str, now: datetime) -> None:
        self._names, self._by, self._now = LabelNames(kind), by, now
        self._met: dict[tuple[str, str], str] = {}

    def label(self, die: Annotation, before: FaceLabel | None) -> FaceLabel | None:
        """Return an annotation's label, `before` itself where it says the same, or None where it has none."""
        kind, face = self._names.of(die.category)
        if not face:
            return None
        self._met.setdefault((kind, face), self._names.titles[kind, face])
        return before if _face_of(before) == (kind, face) else FaceLabel(kind, face, self._by, self._now)

    @property
    def faces(self) -> tuple[tuple[str, str, str], ...]:
        """The kinds and faces that were met, each with its title as it was written first."""
        return tuple((kind, face, title) for (kind, face), title in self._met.items())


def _faces_of(samples: Iterable[Sample]) -> tuple[tuple[str, str, str], ...]:
    return tuple(sorted({(one.die_set, one.label.kind, one.label.face) for one in samples if one.label}))


def _face_of(label: FaceLabel | None) -> tuple[str, str]:
    return (label.kind, label.face) if label else ("", "")


def _file(name: str) -> str:
    return PurePosixPath(name).name


def _checked_box(die: Annotation, width: int, height: int) -> BoundingBox | None:
    if die.box is None:
        return None
    box = die.box.to_pixels(width, height) if die.in_shares else die.box
    if not box.is_valid:
        raise ExchangeError(f"{quoted(die.picture)} has a box that is none: {quoted(str(die.box))}")
    if not box.lies_in(width, height):
        raise ExchangeError(
            f"{quoted(die.picture)} has a box beyond its {width} x {height} pixels: {quoted(str(die.box))}"
        )
    return box


def _matching(rows: Sequence[ManifestRow], box: BoundingBox | None, width: int, height: int) -> ManifestRow | None:
    """Return the row of the sample that was exported with that box; without boxes, the first row."""
    for row in rows:
        place = row.sample.place if row.crop == row.picture else row.sample.in_frame
        if box is None or (place is not None and box_of(place, width, height).is_same(box)):
            return row
    return None


def _check_inside(place: RotatedSquare, pixels: Pixels, name: str) -> None:
    height, width = pixels.shape[:2]
    if not (-1 < place.x < width and -1 < place.y < height) or place.edge > 4 * max(width, height):
        raise ExchangeError(f"{quoted(name)} has {width} x {height} pixels, and its die is stated to lie beyond")


def _places(
    die: Annotation, box: BoundingBox | None, pixels: Pixels, found: Sequence[RotatedSquare]
) -> list[RotatedSquare]:
    """Return where dice lie: as found, in the box if there is one; else by the box; else all of a small picture."""
    if box is not None:
        inside = [place for place in found if box.holds(place)]
        stated = place_of(box, die.edge, die.turned_degrees)
        return [min(inside, key=lambda place: np.hypot(place.x - stated.x, place.y - stated.y), default=stated)]
    height, width = pixels.shape[:2]
    if found or max(width, height) > LARGEST_ALONE:
        return list(found)
    return [RotatedSquare((width - 1) / 2, (height - 1) / 2, min(width, height) / INPUT_EDGES, 0.0)]


def _sighting(place: RotatedSquare) -> DieSighting:
    x, y, edge, turned = place.x, place.y, place.edge, place.turned_degrees
    return DieSighting(x, y, edge, turned, Posture.FLAT, 1.0, x, y, edge)
