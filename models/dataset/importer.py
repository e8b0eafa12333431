"""Dice that come in from elsewhere, prepared beside the collection."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import numpy as np

from models.dataset.archives import FileTree
from models.dataset.bounding_boxes import BoundingBox, box_of, place_of
from models.dataset.capture_sessions import FRAME_QUALITY, CaptureFolder
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_manifest import ManifestRow
from models.dataset.foreign_annotations import Annotation
from models.dataset.label_names import LabelNames
from models.dataset.sample_store import SampleStore, padded
from models.dataset.samples import CaptureSession, FaceLabel, Sample, format_line, normalized, quoted
from vision.die_crops import INPUT_EDGES, RotatedSquare, cut_with_surroundings
from vision.frames import Pixels
from vision.image_io import BadPicture, encode_jpeg, encode_png, load_picture
from vision.observations import DieSighting, Posture

LARGEST_ALONE = 256
"""Pixels a side of a picture that may be all one die, cut out REACH edges wide."""


@dataclass(frozen=True)
class ImportOptions:
    """How to take what other programs made: as dice of which set, and of which kind where no kind is told.

    `find` says where dice lie in a picture; without it a box is all that is known of a die's place, and a picture
    without boxes is all one die or none.
    """

    die_set: str = ""
    kind: str = "die"
    find: Callable[[Pixels], Sequence[RotatedSquare]] | None = None


NO_OPTIONS = ImportOptions()
"""No die set: only what Vander put out, which knows its own, can be taken in so."""


@dataclass(frozen=True)
class ImportResult:
    """What was taken in.

    `taken` dice from `pictures` pictures; `known` were here already, of which `relabelled` have a new label and the
    others stay as they are; `without_die` names the pictures in which no die was found; `faces` are (kind, face, title
    as it was written) of every class that was met; `met` are (die set, kind, face) of the dice that were taken in or
    have a new label; `sessions` are their names.
    """

    taken: int
    pictures: int
    known: int = 0
    relabelled: int = 0
    without_die: tuple[str, ...] = ()
    faces: tuple[tuple[str, str, str], ...] = ()
    met: tuple[tuple[str, str, str], ...] = ()
    sessions: tuple[str, ...] = ()
    die_sets: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it in words."""
        told = [f"{self.taken} dice were taken in from {self.pictures} pictures."]
        if self.known:
            told.append(f"{self.known} were here already{self._stay}.")
        if self.without_die:
            some = ", ".join(self.without_die[:5]) + (", ..." if len(self.without_die) > 5 else "")
            told.append(f"In {len(self.without_die)} pictures no die was found: {some}.")
        return " ".join(told)

    @property
    def _stay(self) -> str:
        return f"; {self.relabelled} of them have a new label" if self.relabelled else " and stay as they are"


@dataclass
class _Coming:
    """A session that is being prepared."""

    folder: CaptureFolder
    samples: list[Sample] = field(default_factory=list)


class Importer:
    """One import as it goes on: writes sessions into `place`, and nothing anywhere else."""

    def __init__(self, store: SampleStore, place: Path, tree: FileTree, by: str, foreign: ImportOptions) -> None:
        self._store, self._place, self._tree, self._by = store, place, tree, by
        self._die_set, self._find = foreign.die_set, foreign.find
        self._foreign_set = foreign.die_set
        self._now, self._names = store.now(), LabelNames(foreign.kind)
        self._last: tuple[str, Pixels] | None = None
        self._here = {sample.name: sample for sample in store.samples()}
        self._there = set(self._here)
        self._relabelled: list[Sample] = []
        self._expected: dict[str, list[ManifestRow]] = defaultdict(list)
        self._sessions: dict[str, CaptureSession] = {}
        self._coming: dict[str, _Coming] = {}
        self._faces: dict[tuple[str, str], str] = {}
        self._without: list[str] = []
        self._known = self._pictures = 0

    def expect(self, sessions: Iterable[CaptureSession], rows: Iterable[ManifestRow]) -> None:
        """What the list that goes along says of the pictures; a box that is new is then of the same dice."""
        self._sessions = {session.name: session for session in sessions}
        die_sets = {session.die_set for session in self._sessions.values()}
        if len(die_sets) == 1:
            self._foreign_set = self._die_set or die_sets.pop()
        for row in rows:
            self._expected[row.picture].append(row)
            self._expected[_file(row.crop)].append(row)  # whatever folder it was moved to

    def take(self, found: Sequence[Annotation]) -> None:
        """Take in what was found, picture by picture. Raises ExchangeError."""
        by_picture: dict[str, list[Annotation]] = defaultdict(list)
        for one in found:
            by_picture[one.picture].append(one)
        self._pictures = len(by_picture)
        for picture, dice in by_picture.items():
            self._take_picture(picture, dice)

    def over(self) -> ImportResult:
        """Write the lines and new labels, and say what was taken in. Raises OSError."""
        for coming in self._coming.values():
            _write_lines(coming.folder.dice, coming.samples)
        for session, relabelled in _by_session(self._relabelled).items():
            _write_lines(self._place / "labels" / session / "dice.jsonl", relabelled)
        shutil.rmtree(self._place / "archive", ignore_errors=True)
        samples = [sample for coming in self._coming.values() for sample in coming.samples]
        return ImportResult(
            taken=len(samples),
            pictures=self._pictures,
            known=self._known,
            relabelled=len(self._relabelled),
            without_die=tuple(self._without),
            faces=tuple((kind, face, title) for (kind, face), title in self._faces.items()),
            met=_met([*samples, *self._relabelled]),
            sessions=tuple(coming.folder.session.name for coming in self._coming.values()),
            die_sets=tuple(sorted({sample.die_set for sample in samples})),
        )

    def _take_picture(self, name: str, dice: Sequence[Annotation]) -> None:
        pixels = self._loaded(name)
        height, width = pixels.shape[:2]
        waiting = [*(self._expected.get(name) or self._expected.get(_file(name), []))]
        seen: Sequence[RotatedSquare] | None = None
        for die in dice:
            box = _checked_box(die, width, height)
            row = _same(waiting, box, width, height)
            if row is not None:
                waiting.remove(row)
                self._take_back(row, die, name, pixels)
            else:
                if seen is None:
                    seen = self._find(pixels) if self._find else ()
                self._take_foreign(die, box, name, pixels, seen)

    def _loaded(self, name: str) -> Pixels:
        if name not in self._tree.files:
            raise ExchangeError(f"the picture {quoted(name)} is not there")
        if self._last is None or self._last[0] != name:
            self._last = name, self._decoded(name)
        return self._last[1]

    def _decoded(self, name: str) -> Pixels:
        path = self._tree.files[name]
        try:
            return load_picture(path)
        except BadPicture as fault:
            raise ExchangeError(str(fault).replace(str(path), name, 1)) from None

    # ── what Vander put out ──────────────────────────────────────────────────────────────────────────────────────────

    def _take_back(self, row: ManifestRow, die: Annotation, name: str, pixels: Pixels) -> None:
        if row.sample.name in self._there:
            self._known += 1
            self._relabel(row, die)
            return
        self._there.add(row.sample.name)
        coming = self._session_for(row.sample)
        moved = _file(row.crop) == _file(name)
        crop = pixels if moved else self._loaded(row.crop)
        _check_inside(row.sample.place, crop, row.crop)
        self._copy(name if moved else row.crop, crop, coming.folder.crop(row.sample.name))
        sample = replace(
            row.sample,
            session=coming.folder.session.name,
            die_set=coming.folder.session.die_set,
            frame=self._frame_of(row, coming),
            label=self._label(die, row.sample.label),
        )
        coming.samples.append(sample if sample.frame else replace(sample, in_frame=None))

    def _relabel(self, row: ManifestRow, die: Annotation) -> None:
        """A die that is here already has the label given elsewhere, unless it had another one here meanwhile."""
        here, went = self._here.get(row.sample.name), row.sample.label
        new = self._label(die, went)
        if new and new is not went and here and _says(here.label) == _says(went):
            self._relabelled.append(replace(here, label=new))

    def _frame_of(self, row: ManifestRow, coming: _Coming) -> str:
        if not row.sample.frame or row.frame not in self._tree.files:
            return ""
        frame, to = self._loaded(row.frame), coming.folder.frame(row.sample.frame)
        if row.sample.in_frame:
            _check_inside(row.sample.in_frame, frame, row.frame)
        if not to.exists():
            self._copy(row.frame, frame, to)
        return row.sample.frame

    def _copy(self, name: str, pixels: Pixels, to: Path) -> None:
        """The file as it is where it is of the kind that its new name says, else the same pixels."""
        path = self._tree.files[name]
        with path.open("rb") as file:
            magic = file.read(3)
        if (to.suffix == ".png" and magic == b"\x89PN") or (to.suffix == ".jpg" and magic == b"\xff\xd8\xff"):
            shutil.copyfile(path, to)
        else:
            to.write_bytes(encode_png(pixels) if to.suffix == ".png" else encode_jpeg(pixels, FRAME_QUALITY))

    def _label(self, die: Annotation, before: FaceLabel | None) -> FaceLabel | None:
        kind, face = self._names.of(die.category)
        if not face:
            return None
        self._faces.setdefault((kind, face), self._names.titles[kind, face])
        if before and (before.kind, before.face) == (kind, face):
            return before
        return FaceLabel(kind, face, self._by, self._now)

    def _session_for(self, sample: Sample) -> _Coming:
        """The session that the die came from, or another of its kind where one of that name is here already."""
        if sample.session not in self._coming:
            session = self._sessions[sample.session]
            die_set, name = self._die_set or session.die_set, session.name
            if any(one.name == name for one in self._store.sessions()):
                name = self._store.start_session(die_set, "import")
            self._coming[sample.session] = self._begun(replace(session, name=name, die_set=die_set))
        return self._coming[sample.session]

    def _begun(self, session: CaptureSession) -> _Coming:
        coming = _Coming(CaptureFolder(self._place / "sessions" / session.name, session))
        coming.folder.make()
        return coming

    # ── what others made ─────────────────────────────────────────────────────────────────────────────────────────────

    def _take_foreign(
        self, die: Annotation, box: BoundingBox | None, name: str, pixels: Pixels, seen: Sequence[RotatedSquare]
    ) -> None:
        places = _places(die, box, pixels, seen)
        if not places:
            self._without.append(name)
        for place in places:
            self._keep(pixels, place, self._label(die, None))

    def _keep(self, pixels: Pixels, place: RotatedSquare, label: FaceLabel | None) -> None:
        part, near = cut_with_surroundings(pixels, _sighting(place), place.turned_degrees)
        coming = self._foreign_session()
        session = coming.folder.session
        sample = Sample(
            name=f"{session.name}-{len(coming.samples) + 1:05d}-1",
            session=session.name,
            die_set=session.die_set,
            how=session.how,
            taken_at=self._now,
            place=near,
            light=float(np.mean(part)) / 255,
            label=label,
        )
        coming.folder.crop(sample.name).write_bytes(encode_png(padded(part)))
        coming.samples.append(normalized(sample))

    def _foreign_session(self) -> _Coming:
        if "" not in self._coming:
            if not self._foreign_set:
                raise ExchangeError(f"{self._tree.name} does not say whose dice these are; name a die set for them")
            name = self._store.start_session(self._foreign_set, "import")
            self._coming[""] = self._begun(CaptureSession(name, self._foreign_set, "import", self._now))
        return self._coming[""]


def _write_lines(path: Path, samples: Iterable[Sample]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{format_line(sample)}\n" for sample in samples), "utf-8")


def _by_session(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    sessions: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        sessions[sample.session].append(sample)
    return sessions


def _met(samples: Iterable[Sample]) -> tuple[tuple[str, str, str], ...]:
    return tuple(sorted({(sample.die_set, sample.label.kind, sample.label.face) for sample in samples if sample.label}))


def _says(label: FaceLabel | None) -> tuple[str, str]:
    return (label.kind, label.face) if label else ("", "")


def _file(name: str) -> str:
    return PurePosixPath(name).name


def _checked_box(die: Annotation, width: int, height: int) -> BoundingBox | None:
    if die.box is None:
        return None
    box = die.box.scaled(width, height) if die.in_shares else die.box
    if not box.can_be:
        raise ExchangeError(f"{quoted(die.picture)} has a box that is none: {quoted(str(die.box))}")
    if not box.lies_in(width, height):
        raise ExchangeError(
            f"{quoted(die.picture)} has a box beyond its {width} x {height} pixels: {quoted(str(die.box))}"
        )
    return box


def _same(rows: Sequence[ManifestRow], box: BoundingBox | None, width: int, height: int) -> ManifestRow | None:
    """The die that was put out with that box; without boxes, the only one there."""
    for row in rows:
        place = row.sample.place if row.crop == row.picture else row.sample.in_frame
        if box is None or (place is not None and box_of(place, width, height).is_same(box)):
            return row
    return None


def _check_inside(place: RotatedSquare, pixels: Pixels, name: str) -> None:
    height, width = pixels.shape[:2]
    if not (-1 < place.x < width and -1 < place.y < height) or place.edge > 4 * max(width, height):
        raise ExchangeError(f"{quoted(name)} has {width} x {height} pixels, and its die is said to lie beyond")


def _places(
    die: Annotation, box: BoundingBox | None, pixels: Pixels, seen: Sequence[RotatedSquare]
) -> list[RotatedSquare]:
    """Where the dice are: what was found, in the box if there is one; else the box; else all of a small picture."""
    if box is not None:
        inside = [place for place in seen if box.holds(place)]
        told = place_of(box, die.edge, die.turned_degrees)
        return [min(inside, key=lambda place: np.hypot(place.x - told.x, place.y - told.y), default=told)]
    height, width = pixels.shape[:2]
    if seen or max(width, height) > LARGEST_ALONE:
        return list(seen)
    return [RotatedSquare((width - 1) / 2, (height - 1) / 2, min(width, height) / INPUT_EDGES, 0.0)]


def _sighting(place: RotatedSquare) -> DieSighting:
    x, y, edge, turned = place.x, place.y, place.edge, place.turned_degrees
    return DieSighting(x, y, edge, turned, Posture.FLAT, 1.0, x, y, edge)
