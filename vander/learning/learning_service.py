"""The school: where dice are shown to Vander, and learned. It is the teacher's desk of `web.services`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import RLock

import numpy as np

from models.dataset import DatasetError, NoSuchSample, Sample, SampleStore, SaveFailed
from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet, DieSetCatalog, build_die_set
from referee.dice import DieSet, FaceName, KindName, NoSuchFace
from referee.refused import Reason, Refused
from referee.text import as_sentence
from vander.learning import presentation
from vander.learning.accuracy import AccuracyLog
from vander.learning.coverage import meters
from vander.learning.guided_capture import GuidedCapture
from vander.learning.lesson_store import (
    BrokenLesson,
    LessonReport,
    LessonStore,
    StoredLesson,
    TaughtReader,
    embed,
    reader_id,
)
from vander.storage.preferences import PreferenceStore
from vander.storage.storage_errors import StorageError
from vision.assignment import KindFace
from vision.classification import Reader
from vision.die_crops import RotatedSquare
from vision.fewshot import Example, Floats, Lesson, PldaModel
from vision.fewshot_eval import CrossValidation, fit_lesson
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.image_source import ImageSource
from vision.observations import Observation
from web.schemas import learning_schemas as page

log = logging.getLogger(__name__)

CERTAIN_OTHER, HARDLY_OWN = 0.9, 0.05
"""A die that looks so likely like another face, and so little like its own, is asked about before it is pictured."""


@dataclass(frozen=True, eq=False)
class LearningStores:
    """What the school works with, each in the data folder."""

    store: SampleStore
    shelf: DieSetCatalog
    lessons: LessonStore
    choices: PreferenceStore
    certificates: AccuracyLog


@dataclass(frozen=True)
class LearningHooks:
    """What goes on beside the school, as far as it must know or be known there; nobody plays unless told otherwise.

    `changed` is called, outside the school's lock, when the tray begins (True) or ceases to be used for showing dice.
    `in_play` names the dice of a game that is going on, '' for none. `play_trouble` says why pictures from play cannot
    be kept, '' when they can; `quota_chosen` is called when there may be less room for them.
    """

    changed: Callable[[bool], None] = lambda _on: None
    in_play: Callable[[], str] = lambda: ""
    play_trouble: Callable[[], str] = lambda: ""
    quota_chosen: Callable[[], None] = lambda: None


class LearningService:
    """Shows, labels, learns. Any thread may call; `look` is called by the watch while a sitting is on."""

    def __init__(
        self, rooms: LearningStores, reader: Reader, plda: PldaModel, beside: LearningHooks | None = None
    ) -> None:
        self._rooms, self._reader, self._plda = rooms, reader, plda
        self._beside = beside or LearningHooks()
        self._lock = RLock()
        self._capture: GuidedCapture | None = None
        self._known: dict[str, Floats] = {}  # where each picture lies, so that it is embedded once
        self._catch_up()

    # For the watch

    @property
    def showing(self) -> DieSet | None:
        """The dice that are being shown, or None while the tray is for playing."""
        capture = self._capture  # without the lock: whoever looks at the tray does not wait for a lesson
        return capture.dice if capture else None

    def look(self, observation: Observation, sight: ImageSource) -> None:
        """What the pipeline sees while a sitting is on. Raises SaveFailed when a picture cannot be kept."""
        with self._lock:
            if self._capture:
                self._capture.look(observation, sight)

    def press(self) -> None:
        """The button on the box was pressed: the shutter, while dice are shown. What hinders it is said on the page."""
        with self._lock:
            if self._capture is None:
                return
            try:
                self._capture.shutter()
            except (Refused, DatasetError, SaveFailed) as error:
                self._capture.trouble(as_sentence(error))

    def trouble(self, words: str) -> None:
        """What is wrong with the camera while a sitting is on."""
        with self._lock:
            if self._capture:
                self._capture.trouble(words)

    def reads(self) -> TaughtReader:
        """The reader for what the tray is used for now: by the lesson in use, and leaving out nothing that is shown."""
        reader = self._reader if self.showing is None else self._reader.without_rejection()
        return TaughtReader(reader, self._rooms.lessons)

    def model(self, name: str) -> str:
        """Which reader reads a die set, and by which lesson."""
        kept = self._rooms.lessons.in_use(name)
        return f"{self._reader.version}/lesson {kept.version}" if kept and self._fits(kept) else self._reader.version

    # What there is

    def overview(self) -> page.Overview:
        """The die sets, what is going on, and what was chosen."""
        with self._hearing():
            store = self._rooms.store
            samples = store.samples()
            return page.Overview(
                dice=tuple(
                    self._dice_shown(self._rooms.shelf.load(name), samples) for name in self._rooms.shelf.names()
                ),
                sitting=self._capture.shown() if self._capture else None,
                choices=self._rooms.choices.now,
                queued=sum(sample.label is None for sample in samples),
                used_mb=round(store.bytes_used_by("play") / 1e6, 1),
                trouble=" ".join(filter(None, (self._beside.play_trouble(), *store.problems))),
            )

    def dice(self, name: str) -> page.DiceShown:
        """One die set with its meters."""
        with self._hearing():
            return self._dice_shown(self._rooms.shelf.load(name), self._rooms.store.samples())

    def make(self, title: str, kinds: Sequence[page.NewKind], edge_mm: float) -> page.DiceShown:
        """Make a die set for dice that nobody has seen."""
        with self._hearing():
            name = self._rooms.shelf.free_name(title)
            dice = build_die_set(name, title, [(kind.title, kind.count, kind.faces) for kind in kinds], edge_mm)
            self._rooms.shelf.save(dice)
            return self._dice_shown(dice, ())

    def drop(self, name: str) -> None:
        """Drop a die set that was made here, with its pictures and lessons."""
        with self._hearing():
            if self._capture and self._capture.dice.name == name:
                raise Refused("These dice are being shown just now; end that first.", Reason.CONFLICT)
            self._must_not_be_played_with(name)
            if name in self._rooms.shelf.own:  # the set goes last, so that no other can come by its pictures
                self._rooms.store.delete_die_set(name)
                self._rooms.lessons.delete(name)
            self._rooms.shelf.delete(name)

    # Showing dice

    def sit(self, name: str, kind: str = "", face: str = "") -> page.Sitting:
        """Begin a guided capture, or go on to another face."""
        with self._hearing():
            dice = self._rooms.shelf.load(name)
            begins = self._capture is None
            if self._capture is None or self._capture.dice.name != name:
                self._capture = self._begun(dice)
            if kind or face:
                self._capture.go_to(KindName(kind), FaceName(face))
            told_now = self._capture.shown()
        if begins:
            self._beside.changed(True)
        return told_now

    def sitting(self) -> page.Sitting | None:
        """How the capture stands."""
        with self._hearing():
            return self._capture.shown() if self._capture else None

    def shutter(self) -> page.Sitting:
        """Take a picture now."""
        with self._hearing():
            capture = self._showing_now()
            capture.shutter()
            return capture.shown()

    def by_itself(self, on: bool) -> page.Sitting:
        """Whether pictures are taken by themselves."""
        with self._hearing():
            capture = self._showing_now()
            capture.by_itself(on)
            return capture.shown()

    def rise(self) -> None:
        """End the guided capture."""
        with self._hearing():
            ended, self._capture = self._capture, None
        if ended:
            self._beside.changed(False)

    # The pictures

    def captured(self, name: str, kind: str = "", face: str = "") -> Sequence[page.Captured]:
        """The labelled pictures of a die set, newest first."""
        with self._hearing():
            dice = self._rooms.shelf.load(name)
            found = [sample for sample in self._rooms.store.samples(name) if sample.label]
            wanted = [s for s in found if s.label and kind in ("", s.label.kind) and face in ("", s.label.face)]
            return [presentation.captured(dice, sample) for sample in reversed(wanted)]

    def queue(self, most: int = 60) -> Sequence[page.Captured]:
        """The pictures that wait for a label, most doubtful first."""
        with self._hearing():
            waiting = [sample for sample in self._rooms.store.samples() if sample.label is None]
            waiting.sort(key=presentation.doubt, reverse=True)
            return [presentation.captured(self._set_or_none(sample.die_set), sample) for sample in waiting[:most]]

    def label(self, pictures: Sequence[str], kind: str, face: str) -> None:
        """Say what these pictures show."""
        with self._hearing():
            samples = [self._rooms.store.sample(name) for name in pictures]
            for name in {sample.die_set for sample in samples}:
                self._rooms.shelf.load(name).kind(KindName(kind)).title_of(FaceName(face))
            by = "moved on the page" if all(sample.label for sample in samples) else "labelled from the queue"
            self._rooms.store.label(pictures, kind, face, by)

    def discard(self, pictures: Sequence[str]) -> None:
        """Throw these pictures away."""
        with self._hearing():
            self._rooms.store.delete(pictures)
            if self._capture:
                self._capture.discard(pictures)

    def shown(self, picture: str) -> bytes:
        """A picture of a die, as a JPEG."""
        with self._hearing():
            pixels = self._rooms.store.pixels(picture)
        return encode_jpeg(pixels)

    # Learning

    def teach(self, name: str) -> page.Learned:
        """Learn from the pictures of a die set; the new lesson is in use at once."""
        with self._hearing():
            dice, samples = self._rooms.shelf.load(name), self._legible(self._labelled(name))
            reason = presentation.too_little(dice, samples)
            if reason:
                raise Refused(reason, Reason.CONFLICT)
            enough = presentation.learnable(samples)
            validation = self._fit_lesson(dice, enough)
            self._rooms.lessons.save(name, validation.lesson, self._report(validation, enough))
            return self._learned(dice)

    def learned(self, name: str) -> page.Learned:
        """The lesson in use."""
        with self._hearing():
            return self._learned(self._rooms.shelf.load(name))

    def go_back(self, name: str, version: int) -> page.Learned:
        """Use an earlier lesson again; 0: none."""
        with self._hearing():
            dice = self._rooms.shelf.load(name)
            if version and version not in self._rooms.lessons.versions(name):
                raise Refused(f"There is no lesson {version} of the {dice.title}.", Reason.NOT_FOUND)
            if version and not self._fits(self._rooms.lessons.version(name, version)):
                raise Refused(
                    f"Lesson {version} was learned with an earlier reader; teach the dice again.", Reason.CONFLICT
                )
            self._rooms.lessons.use(name, version)
            return self._learned(dice)

    def merge(self, name: str, kind: str, face: str, other: str) -> page.DiceShown:
        """Make one face of two; of a set made here the other face goes, and of a game's dice only its pictures move."""
        with self._hearing():
            dice = self._rooms.shelf.load(name)
            for one in (face, other):
                dice.kind(KindName(kind)).title_of(FaceName(one))
            if face == other:
                raise Refused("That is one face already.")
            self._must_not_be_played_with(name)
            self._rooms.store.rename_face(name, kind, other, face)
            if name in self._rooms.shelf.own:
                dice = presentation.merged(dice, KindName(kind), FaceName(face), FaceName(other))
                self._rooms.shelf.save(dice)
            if self._capture and self._capture.dice.name == name:
                self._capture = self._begun(dice)
            return self._dice_shown(dice, self._rooms.store.samples())

    # What the table chose, and how well it is read

    def certificate(self) -> page.Certificate:
        """The table's certificate."""
        return self._rooms.certificates.certificate()

    def choose(self, choices: page.Choices) -> page.Choices:
        """Keep what the table has chosen."""
        with self._hearing():
            chosen = self._rooms.choices.choose(choices)
        self._beside.quota_chosen()
        return chosen

    # Within

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        """The lock, held while somebody is heard; what cannot be is Refused, with one sentence."""
        with self._lock:
            try:
                yield
            except (NoSuchDieSet, NoSuchSample, NoSuchFace) as error:
                raise Refused(as_sentence(error), Reason.NOT_FOUND) from None
            except BadDieSet as error:
                raise Refused(as_sentence(error)) from None
            except (DatasetError, SaveFailed, StorageError) as error:
                raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error

    def _begun(self, dice: DieSet) -> GuidedCapture:
        return GuidedCapture(dice, self._rooms.store, self.model(dice.name), self._otherwise)

    def _must_not_be_played_with(self, name: str) -> None:
        if self._beside.in_play() == name:
            raise Refused("A game with these dice is going on; end it first.", Reason.CONFLICT)

    def _showing_now(self) -> GuidedCapture:
        if self._capture is None:
            raise Refused("No dice are being shown; begin that first.", Reason.CONFLICT)
        return self._capture

    def _set_or_none(self, name: str) -> DieSet | None:
        return self._rooms.shelf.load(name) if name in self._rooms.shelf.names() else None

    def _labelled(self, name: str) -> list[Sample]:
        """The pictures that can be learned from: labelled with a face that the set has."""
        dice = self._rooms.shelf.load(name)
        known = {(kind.name, face) for kind in dice.kinds for face in kind.faces}
        return [s for s in self._rooms.store.samples(name) if s.label and (s.label.kind, s.label.face) in known]

    def _dice_shown(self, dice: DieSet, samples: Sequence[Sample]) -> page.DiceShown:
        known = {(str(kind.name), str(face)) for kind in dice.kinds for face in kind.faces}
        own = [s for s in samples if s.die_set == dice.name and s.label and (s.label.kind, s.label.face) in known]
        kept = self._rooms.lessons.in_use(dice.name)
        return page.DiceShown(
            name=dice.name,
            title=dice.title,
            own=dice.name in self._rooms.shelf.own,
            kinds=tuple((str(kind.name), kind.title) for kind in dice.kinds),
            faces=meters(dice, own),
            sessions=len({sample.session for sample in own}),
            pictures=len(own),
            version=kept.version if kept else 0,
            fresh=bool(own) and (kept is None or presentation.is_stale(kept, presentation.learnable(own))),
        )

    def _examples(self, samples: Sequence[Sample]) -> list[Example]:
        places = self._places(samples)
        return [
            Example(
                place,
                (KindName(sample.label.kind), FaceName(sample.label.face)),
                sample.session,
                presentation.moment(sample),
            )
            for place, sample in zip(places, samples, strict=True)
            if sample.label
        ]

    def _places(self, samples: Sequence[Sample]) -> list[Floats]:
        return [self._known[sample.name] for sample in samples]

    def _legible(self, samples: Sequence[Sample]) -> list[Sample]:
        """The shots whose pictures can be read, each of them embedded; the collection says which cannot."""
        new = list(self._rooms.store.with_pixels(sample for sample in samples if sample.name not in self._known))
        if new:
            places = self._plda.project(embed(self._reader, [(pixels, sample.place) for sample, pixels in new]))
            self._known |= {sample.name: place for (sample, _), place in zip(new, places, strict=True)}
        return [sample for sample in samples if sample.name in self._known]

    def _fit_lesson(self, dice: DieSet, samples: Sequence[Sample]) -> CrossValidation:
        examples = self._examples(samples)
        return fit_lesson(self._plda, examples, Lesson.from_examples(self._plda, examples).unknown_prior(dice))

    def _report(self, validation: CrossValidation, samples: Sequence[Sample]) -> LessonReport:
        accepted, right = validation.accepted, validation.correct
        return LessonReport(
            at=datetime.now(UTC).isoformat(),
            reader=reader_id(self._reader, self._plda),
            pictures=len(samples),
            sessions=len({sample.session for sample in samples}),
            hits=(int(np.sum(accepted & right)), int(np.sum(accepted)), len(samples)),
            by_session=validation.by_session,
            confused=tuple((*pair.face, *pair.other, pair.share) for pair in validation.confused_pairs()),
            suspects=tuple((samples[n].name, *face) for n, face in validation.suspected_mislabels()),
        )

    def _learned(self, dice: DieSet) -> page.Learned:
        kept = self._rooms.lessons.in_use(dice.name)
        versions = self._rooms.lessons.versions(dice.name)
        earlier = tuple((n, *self._told_of(dice.name, n)) for n in versions)
        samples = self._labelled(dice.name)
        if kept is None:
            doubt = self._rooms.lessons.problem(dice.name)
            why = as_sentence(doubt) if doubt else presentation.too_little(dice, samples)
            return replace(presentation.nothing_learned(dice, why), versions=earlier)
        return replace(presentation.learned(dice, kept, samples), versions=earlier)

    def _fits(self, kept: StoredLesson) -> bool:
        """Whether a lesson was learned with this reader."""
        return kept.report.reader == reader_id(self._reader, self._plda)

    def _told_of(self, name: str, version: int) -> tuple[str, str]:
        try:
            return presentation.version(self._rooms.lessons.version(name, version).report)
        except BrokenLesson:
            return "", "cannot be read"

    def _otherwise(self, dice: Sequence[tuple[Pixels, RotatedSquare]], said: KindFace) -> KindFace | None:
        """Another face that was shown and that any of these dice surely looks like rather than what is said."""
        owned = self._showing_now().dice
        examples = self._examples(self._legible(self._labelled(owned.name)))
        if not any(example.label != said for example in examples):
            return None
        lesson = Lesson.from_examples(self._plda, examples)
        likely = lesson.probabilities_of(embed(self._reader, dice), lesson.unknown_prior(owned))
        own = lesson.faces.index(said) if said in lesson.faces else -1
        for row in likely:
            best = int(row[:-1].argmax())
            if best != own and row[best] > CERTAIN_OTHER and (own < 0 or row[own] < HARDLY_OWN):
                return lesson.faces[best]
        return None

    def _catch_up(self) -> None:
        """Learn anew what was learned with another reader, or can no longer be read: its pictures are still there.

        What cannot be learned or kept now stays as it is, and is asked about; play goes on.
        """
        for name in self._rooms.shelf.names():
            kept, doubt = self._rooms.lessons.in_use(name), self._rooms.lessons.problem(name)
            if doubt or (kept and not self._fits(kept)):
                try:
                    self.teach(name)
                except Refused as refused:
                    log.warning("the lesson of %s stays as it is: %s", name, refused)
