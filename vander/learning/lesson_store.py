"""Lessons on disk: every version of what was learned of a die set, and which one is in use.

`lessons/NAME/0001.npz` is a version: the embeddings of its samples, and its report as JSON. `lessons/NAME/in-use` holds
the number of the version in use, 0 for none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from models import atomic_files
from models.dataset import SaveFailed
from referee.dice import DieSet, FaceName, KindName
from referee.sentences import say
from vander.storage.data_folder import StorageError
from vision.classification import Reader
from vision.fewshot import NPZ_ERRORS, Floats, Lesson, PldaModel
from vision.frames import Pixels
from vision.kinds import KindFace
from vision.observations import DieReading, DieSighting
from vision.rectification import RotatedSquare, TrayView, crop
from vision.table_evidence import DieFeatures, TableEvidence

FORMAT = 1
"""The format of the files, which each states."""
BATCH = 32
"""Crops embedded at once; more would only take more memory."""


class BrokenLesson(StorageError):
    """A lesson's file cannot be read; the message names it."""


@dataclass(frozen=True)
class LessonReport:
    """How well a lesson reads its own samples, each read by what the others teach.

    `hits` counts the samples accepted and right, the accepted ones, and all. `confused` are (kind, face, other kind,
    other face, share), `suspects` (sample, kind, face that it looks like); `reader` is the `reader_id`.
    """

    at: str
    reader: str
    pictures: int
    sessions: int
    hits: tuple[int, int, int]
    by_session: bool
    confused: tuple[tuple[str, str, str, str, float], ...] = ()
    suspects: tuple[tuple[str, str, str], ...] = ()

    @property
    def made_at(self) -> datetime:
        return datetime.fromisoformat(self.at)


@dataclass(frozen=True, eq=False)
class StoredLesson:
    """A version of a lesson, with its report."""

    version: int
    lesson: Lesson
    report: LessonReport


class LessonStore:
    """The lessons in a folder. Any thread may call; nobody who asks which lesson is in use waits for a write."""

    def __init__(self, folder: Path, plda: PldaModel) -> None:
        self._folder, self._plda = folder, plda
        self._write_lock, self._lock = RLock(), RLock()  # who holds both took the writers' lock first
        self._in_use: dict[str, StoredLesson | None] = {}
        self._problems: dict[str, str] = {}

    def in_use(self, name: str) -> StoredLesson | None:
        """Return the lesson in use for a die set; None where there is none, or `problem` says why."""
        with self._lock:
            if name not in self._in_use:
                self._in_use[name] = self._found_in_use(name)
            return self._in_use[name]

    def problem(self, name: str) -> str:
        """Return why the lesson in use cannot be read, in one sentence, or ''."""
        with self._lock:
            self.in_use(name)
            return self._problems.get(name, "")

    def versions(self, name: str) -> tuple[int, ...]:
        """Return the numbers of all versions, newest first; some may be unreadable."""
        stems = [path.stem for path in self._of(name).glob("[0-9]*.npz")]
        return tuple(
            sorted((int(stem) for stem in stems if re.fullmatch("[0-9]{4}|[1-9][0-9]{4,8}", stem)), reverse=True)
        )

    def version(self, name: str, number: int) -> StoredLesson:
        """Return a version. Raises BrokenLesson, also where there is none."""
        path = self._path(name, number)
        try:
            with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored:
                header = json.loads(bytes(stored["told"]))
                places, owners = np.asarray(stored["places"], np.float64), np.asarray(stored["owners"])
            return StoredLesson(number, _lesson(self._plda, header, places, owners), _report(header["report"]))
        except (OSError, *NPZ_ERRORS) as error:
            sentence = say(
                "the lesson {path} cannot be read ({error}); teach the dice again", path=str(path), error=str(error)
            )
            raise BrokenLesson(sentence) from error

    def save(self, name: str, lesson: Lesson, report: LessonReport) -> StoredLesson:
        """Save a new version and use it. Raises SaveFailed."""
        with self._write_lock:
            number = max(self.versions(name), default=0) + 1
            with atomic_files.saving(say("the lesson of {dice}", dice=name)):
                self._of(name).mkdir(parents=True, exist_ok=True)
                atomic_files.write_atomically(self._path(name, number), _packed(lesson, report))
            try:
                self.use(name, number)
            except SaveFailed:
                atomic_files.remove(self._path(name, number))
                raise
            return StoredLesson(number, lesson, report)

    def use(self, name: str, number: int) -> None:
        """Use a version, 0 for none. Raises BrokenLesson and SaveFailed."""
        with self._write_lock:
            stored = self.version(name, number) if number else None
            with atomic_files.saving(say("which lesson of {dice} is in use", dice=name)):
                self._of(name).mkdir(parents=True, exist_ok=True)
                atomic_files.write_atomically(self._of(name) / "in-use", f"{number}\n".encode())
            with self._lock:
                self._in_use[name] = stored
                self._problems.pop(name, None)

    def delete(self, name: str) -> None:
        with self._write_lock:
            atomic_files.remove(self._of(name))
            with self._lock:
                self._in_use.pop(name, None)
                self._problems.pop(name, None)

    def _found_in_use(self, name: str) -> StoredLesson | None:
        try:
            version = self._version_in_use(name)
            return self.version(name, version) if version else None
        except BrokenLesson as broken:
            self._problems[name] = str(broken)
            return None

    def _of(self, name: str) -> Path:
        return self._folder / name

    def _path(self, name: str, number: int) -> Path:
        return self._of(name) / f"{number:04d}.npz"

    def _version_in_use(self, name: str) -> int:
        path = self._of(name) / "in-use"
        try:
            return int(path.read_text("ascii"))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError) as error:
            sentence = say("{path} cannot be read ({error}); teach the dice again", path=str(path), error=str(error))
            raise BrokenLesson(sentence) from error


class TaughtReader:
    """The reader with the lesson that is in use, at the moment of reading, for the dice that are read.

    `played` returns the evidence that was learned of a die set in play and is in use, None for none.
    """

    def __init__(
        self, reader: Reader, lessons: LessonStore, played: Callable[[str], TableEvidence | None] = lambda _: None
    ) -> None:
        self._reader, self._lessons, self._played = reader, lessons, played

    @property
    def accept_from(self) -> float:
        """The probability from which a doubtful face is accepted."""
        return self._reader.accept_from

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        return self.for_dice(dice).read(view, sightings, dice)

    def for_dice(self, dice: DieSet | None) -> Reader:
        """Return the reader for these dice. A lesson that was learned with another reader is not used."""
        stored = self._lessons.in_use(dice.name) if dice else None
        fits = stored is not None and stored.report.reader == reader_id(self._reader, stored.lesson.plda)
        taught = self._reader.with_lesson(stored.lesson if stored and fits else None)
        return taught.with_evidence(self._played(dice.name) if dice else None)


def reader_id(reader: Reader, plda: PldaModel) -> str:
    """Return what a lesson depends on: the reader's version, and the version of the model of its features."""
    return f"{reader.version}-{plda.version}"


def describe_dice(reader: Reader, plda: PldaModel, dice: Sequence[tuple[Pixels, RotatedSquare]]) -> list[DieFeatures]:
    """Return what is remembered of dice that are cut out with their surroundings."""
    cuts = [crop(pixels, place) for pixels, place in dice]
    return [one for n in range(0, len(cuts), BATCH) for one in reader.describe(cuts[n : n + BATCH], plda)]


def embed(reader: Reader, dice: Sequence[tuple[Pixels, RotatedSquare]]) -> Floats:
    """Return the reader's features (n x size, float64) of dice that are cut out with their surroundings."""
    cuts = [crop(pixels, place) for pixels, place in dice]
    parts = [reader.features(cuts[n : n + BATCH]) for n in range(0, len(cuts), BATCH)]
    return np.concatenate(parts).astype(np.float64)


def _packed(lesson: Lesson, report: LessonReport) -> bytes:
    header = {
        "form": FORMAT,
        "faces": [list(face) for face in lesson.faces],
        "temperature": lesson.temperature,
        "accept_from": lesson.accept_from,
        "report": vars(report),
    }
    file = BytesIO()
    np.savez(
        file,
        told=np.frombuffer(json.dumps(header).encode(), np.uint8),
        places=np.concatenate(lesson.embeddings).astype(np.float32),
        owners=np.repeat(np.arange(len(lesson.faces)), [len(places) for places in lesson.embeddings]).astype(np.int32),
    )
    return file.getvalue()


def _lesson(plda: PldaModel, header: dict[str, Any], places: Floats, owners: np.ndarray[Any, Any]) -> Lesson:
    if header["form"] != FORMAT or owners.ndim != 1 or places.shape != (len(owners), len(plda.between_variance)):
        raise ValueError("it is of another form")
    faces: tuple[KindFace, ...] = tuple((KindName(str(kind)), FaceName(str(face))) for kind, face in header["faces"])
    shown = tuple(places[owners == n] for n in range(len(faces)))
    lesson = Lesson(plda, faces, shown, float(header["temperature"]), float(header["accept_from"]))
    if not (all(map(len, shown)) and np.isfinite(places).all() and 0 < lesson.temperature < np.inf):
        raise ValueError("it lacks something")
    return lesson


def _report(header: dict[str, Any]) -> LessonReport:
    right, accepted, pictures = header["hits"]
    confused = tuple((str(a), str(b), str(c), str(d), float(share)) for a, b, c, d, share in header["confused"])
    suspects = tuple((str(picture), str(kind), str(face)) for picture, kind, face in header["suspects"])
    listed = {"hits": (int(right), int(accepted), int(pictures)), "confused": confused, "suspects": suspects}
    report = LessonReport(**{**header, **listed})
    if report.made_at.tzinfo is None:
        raise ValueError("its time lacks its zone")
    return report
