"""Import samples, picture by picture: those that Vander exported, and dice that other programs marked."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

import numpy as np

from models.dataset.export_plan import ManifestRow
from models.dataset.foreign_annotations import SAME_DIE, Annotation, BoundingBox, FileTree, LabelNames, box_of, place_of
from models.dataset.sample_store import SampleStore, padded
from models.dataset.samples import (
    FRAME_QUALITY,
    CaptureFolder,
    CaptureSession,
    ExchangeError,
    FaceLabel,
    Sample,
    format_line,
    normalized,
    quoted,
)
from referee.phrases import counted
from vision.frames import Pixels
from vision.image_io import BadPicture, encode_jpeg, encode_png, load_picture, stored_orientation
from vision.observations import DieSighting, Posture
from vision.rectification import INPUT_EDGES, RotatedSquare, cut_with_surroundings

# What an import is asked to do, and what it did


MOST_NAMED = 5
"""Pictures without a die that the sentence names."""


@dataclass(frozen=True)
class ImportOptions:
    """How to import what other programs made: as dice of this set, and of this kind where a label names none.

    `find` returns where dice lie in a picture. Without it a box is all that is known of a die's place, and a picture
    without boxes shows one die or none. `boxes` says on which pictures boxes were drawn, UPRIGHT or STORED, where the
    labels do not.
    """

    die_set: str = ""
    kind: str = "die"
    find: Callable[[Pixels], Sequence[RotatedSquare]] | None = None
    boxes: str = ""


UPRIGHT, STORED = "upright", "stored"
"""Boxes were drawn on pictures turned as their EXIF data says, or on pictures as they are stored."""

NO_OPTIONS = ImportOptions()
"""No die set: only what Vander exported, which names its own, can be imported."""


@dataclass(frozen=True)
class ImportResult:
    """What was imported: `taken` samples from `pictures` pictures.

    `known` samples were in the store already; of these `relabelled` have a new label. `without_die` names the pictures
    in which no die was found; `cut` counts boxes that reached beyond their pictures, `doubted` those in which not just
    one die was found: they may be of another picture. `contradicted` samples are surely read as another face than their
    label's, by whoever can read them. `faces` are (kind, face, title as it was written) of every
    class; `met` are (die set, kind, face) of the samples that are new or have a new label;
    `sessions` and `die_sets` are those of new samples.
    """

    taken: int
    pictures: int
    known: int = 0
    relabelled: int = 0
    without_die: tuple[str, ...] = ()
    cut: int = 0
    doubted: int = 0
    contradicted: int = 0
    faces: tuple[tuple[str, str, str], ...] = ()
    met: tuple[tuple[str, str, str], ...] = ()
    sessions: tuple[str, ...] = ()
    die_sets: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it in words."""
        words = [f"{counted(self.taken, 'die')} came in from {counted(self.pictures, 'picture')}."]
        if self.faces:
            words.append(f"They show: {', '.join(sorted({title for _, _, title in self.faces}))}.")
        if self.known:
            changed = counted(self.relabelled, "new label") if self.relabelled else "unchanged"
            words.append(f"Here already: {counted(self.known, 'die')}, {changed}.")
        if self.cut:
            words.append(f"Cut at the edge of its picture: {counted(self.cut, 'box')}.")
        if self.doubted:
            words.append(f"In {counted(self.doubted, 'box')} not just one die is seen; check where boxes lie.")
        if self.contradicted:
            words.append(f"Read as another face than labelled: {counted(self.contradicted, 'die')}; check the classes.")
        if self.without_die:
            words.append(f"In {counted(len(self.without_die), 'picture')} no die was found: {_some(self.without_die)}.")
        return " ".join(words)


def _some(pictures: Sequence[str]) -> str:
    return ", ".join(pictures[:MOST_NAMED]) + (", ..." if len(pictures) > MOST_NAMED else "")


# The pictures of an import, decoded once each, and copied under their new names


SIGNATURES = {".png": b"\x89PN", ".jpg": b"\xff\xd8\xff"}
"""The first three bytes of the two formats that a store holds."""


class ImportPictures:
    """The pictures of a tree by name. The one loaded last is remembered, since its dice come one after another."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._last: tuple[str, Pixels] | None = None

    def __contains__(self, name: str) -> bool:
        return name in self._tree.files

    def load(self, name: str) -> Pixels:
        """Return a picture (height x width x 3, BGR, uint8). Raises ExchangeError."""
        if name not in self:
            raise ExchangeError(f"the picture {quoted(name)} is not there")
        if self._last is None or self._last[0] != name:
            self._last = name, self._decode(name)
        return self._last[1]

    def orientation(self, name: str) -> int:
        """Return the EXIF orientation of a picture that was loaded: 1 to 8."""
        return stored_orientation(self._tree.files[name])

    def copy(self, name: str, to: Path) -> None:
        """Copy a picture to a .png or .jpg, byte for byte where it has that format. Raises ExchangeError, OSError."""
        path, pixels = self._tree.files[name], self.load(name)
        with path.open("rb") as file:
            signature = file.read(3)
        if signature == SIGNATURES[to.suffix]:
            shutil.copyfile(path, to)
        else:
            to.write_bytes(encode_png(pixels) if to.suffix == ".png" else encode_jpeg(pixels, FRAME_QUALITY))

    def _decode(self, name: str) -> Pixels:
        path = self._tree.files[name]
        try:
            return load_picture(path)
        except BadPicture as fault:
            raise ExchangeError(str(fault).replace(str(path), name, 1)) from None


# The sessions that an import prepares in the store's staging folder


@dataclass
class StagedSession:
    """A session that is being prepared, and its samples so far."""

    folder: CaptureFolder
    samples: list[Sample] = field(default_factory=list)

    @property
    def session(self) -> CaptureSession:
        return self.folder.session

    def add_crop(self, pixels: Pixels, place: RotatedSquare, label: FaceLabel | None, at: datetime) -> None:
        """Write a die's picture, with the die at `place` in it, and add its sample. Raises OSError and BadSample."""
        sample = Sample(
            name=f"{self.session.name}-{len(self.samples) + 1:05d}-1",
            session=self.session.name,
            die_set=self.session.die_set,
            origin=self.session.origin,
            taken_at=at,
            place=place,
            light=float(np.mean(pixels)) / 255,
            label=label,
        )
        self.folder.crop(sample.name).write_bytes(encode_png(padded(pixels)))
        self.samples.append(normalized(sample))


class StagedSessions:
    """All sessions of one import, and the new labels of samples that are in the store. Writes below `place` alone."""

    def __init__(self, store: SampleStore, place: Path, now: datetime) -> None:
        self._store, self._place, self._now = store, place, now
        self._by_source: dict[str, StagedSession] = {}
        self.relabelled: list[Sample] = []

    @property
    def samples(self) -> list[Sample]:
        return [sample for staged in self._by_source.values() for sample in staged.samples]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(staged.session.name for staged in self._by_source.values())

    def of_export(self, session: CaptureSession) -> StagedSession:
        """Return the session for samples that Vander exported; it has a new name where the store has its name."""
        if session.name not in self._by_source:
            name = session.name
            if any(one.name == name for one in self._store.sessions()):
                name = self._store.start_session(session.die_set, "import")
            self._by_source[session.name] = self._start(replace(session, name=name))
        return self._by_source[session.name]

    def of_foreign(self, die_set: str) -> StagedSession:
        """Return the session for samples of other programs. Raises OSError and BadSample."""
        if "" not in self._by_source:
            name = self._store.start_session(die_set, "import")
            self._by_source[""] = self._start(CaptureSession(name, die_set, "import", self._now))
        return self._by_source[""]

    def write_lines(self) -> None:
        """Write the lines of all new samples and new labels. Raises OSError."""
        for staged in self._by_source.values():
            _write_lines(staged.folder.lines, staged.samples)
        by_session: dict[str, list[Sample]] = defaultdict(list)
        for sample in self.relabelled:
            by_session[sample.session].append(sample)
        for session, samples in by_session.items():
            _write_lines(self._place / "labels" / session / "dice.jsonl", samples)

    def _start(self, session: CaptureSession) -> StagedSession:
        staged = StagedSession(CaptureFolder(self._place / "sessions" / session.name, session))
        staged.folder.make()
        return staged


def _write_lines(path: Path, samples: Iterable[Sample]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{format_line(sample)}\n" for sample in samples), "utf-8")


# Import samples, picture by picture: those that Vander exported, and dice that other programs marked


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
        """Import annotated dice, each once. Raises ExchangeError, BadSample and OSError."""
        by_picture: dict[str, list[Annotation]] = defaultdict(list)
        for annotation in annotations:
            by_picture[annotation.picture].append(annotation)
        self._counts["pictures"] = len(by_picture)
        for picture, dice in by_picture.items():
            self._add_picture(picture, _each_once(dice))

    def finish(self) -> ImportResult:
        """Write the lines and new labels, and return what was imported. Raises OSError.

        Raises ExchangeError where no die came.
        """
        samples, relabelled = self._staged.samples, self._staged.relabelled
        if not samples and not self._counts["known"]:
            why = f"in its pictures no die was found: {_some(self._without)}" if self._without else "it marks no die"
            raise ExchangeError(f"nothing was taken in from {self._tree.name}: {why}")
        self._staged.write_lines()
        shutil.rmtree(self._place / "archive", ignore_errors=True)
        return ImportResult(
            taken=len(samples),
            pictures=self._counts["pictures"],
            known=self._counts["known"],
            relabelled=len(relabelled),
            without_die=tuple(self._without),
            cut=self._counts["cut"],
            doubted=self._counts["doubted"],
            faces=self._labels.faces,
            met=_faces_of([*samples, *relabelled]),
            sessions=self._staged.names,
            die_sets=tuple(sorted({sample.die_set for sample in samples})),
        )

    def _add_picture(self, name: str, dice: Sequence[Annotation]) -> None:
        pixels = self._pictures.load(name)
        height, width = pixels.shape[:2]
        orientation = self._pictures.orientation(name)
        expected = self._manifest.rows(name)
        found: Sequence[RotatedSquare] | None = None
        for die in dice:
            box = self._box(die, orientation, (width, height))
            row = _matching(expected, box, width, height)
            if row is not None:
                expected.remove(row)
                self._add_exported(row, die, name)
                continue
            if found is None:
                found = self._options.find(pixels) if self._options.find else ()
            if box and self._options.find:
                self._counts["doubted"] += sum(map(box.holds, found)) != 1
            self._add_foreign(die, _places(die, box, pixels, found), name, pixels)

    def _box(self, die: Annotation, orientation: int, upright: tuple[int, int]) -> BoundingBox | None:
        """Return a die's box in the pixels of its upright picture, cut to it; None where it has none."""
        if die.box is None:
            return None
        width, height = upright
        box, stored = die.box, _stored(orientation, upright)
        on_stored = self._is_drawn_on_stored(die, orientation, upright)
        if die.in_shares:
            box = box.to_pixels(*(stored if on_stored else upright))
        if on_stored:
            box = box.turned_upright(orientation, width, height)
        if not box.is_valid:
            raise ExchangeError(f"{quoted(die.picture)} has a box that is none: {quoted(str(die.box))}")
        part = box.cut_to(width, height)
        if part is None:
            raise ExchangeError(
                f"{quoted(die.picture)} has a box beyond its {width} x {height} pixels: {quoted(str(die.box))}"
            )
        self._counts["cut"] += box.reaches_beyond(width, height)
        return part

    def _is_drawn_on_stored(self, die: Annotation, orientation: int, upright: tuple[int, int]) -> bool:
        """True if a box was drawn on a picture as it is stored, and not turned upright. Raises ExchangeError."""
        stored = _stored(orientation, upright)
        if die.drawn_on and die.drawn_on not in (stored, upright):
            sizes = [f"{width} x {height}" for width, height in (upright, die.drawn_on)]
            raise ExchangeError(f"{quoted(die.picture)} has {sizes[0]} pixels, and its labels are for {sizes[1]}")
        if orientation == 1:
            return False
        if die.drawn_on and stored != upright:
            return die.drawn_on == stored
        if not self._options.boxes:
            raise ExchangeError(
                f"{quoted(die.picture)} is stored turned, and its labels do not say whether boxes were drawn on it "
                f"turned upright; give --boxes {UPRIGHT}, or --boxes {STORED}"
            )
        return self._options.boxes == STORED

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
            crop, near = cut_with_surroundings(pixels, sighting_at(place), place.turned_degrees)
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


def _each_once(dice: Sequence[Annotation]) -> list[Annotation]:
    """Return the dice of a picture, each once however often it was marked.

    Raises ExchangeError where one has two names.
    """
    kept: list[Annotation] = []
    for die in dict.fromkeys(dice):
        again = [one for one in kept if die.box and one.box and die.box.overlap(one.box) > SAME_DIE]
        for one in again:
            if one.category != die.category:
                called = f"{quoted(one.category)} and {quoted(die.category)}"
                raise ExchangeError(f"{quoted(die.picture)} has a die that is called {called}")
        if not again:
            kept.append(die)
    return kept


def _stored(orientation: int, upright: tuple[int, int]) -> tuple[int, int]:
    """Return the width and height of a picture as it is stored with an EXIF orientation."""
    return upright[::-1] if orientation >= 5 else upright


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


def sighting_at(place: RotatedSquare) -> DieSighting:
    """Return a die that lies flat at a place of a picture as it was taken."""
    x, y, edge, turned = place.x, place.y, place.edge, place.turned_degrees
    return DieSighting(x, y, edge, turned, Posture.FLAT, 1.0, x, y, edge)
