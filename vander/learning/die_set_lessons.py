"""The lessons of die sets: fit one from samples, use an earlier one, and describe them for the page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock

import numpy as np

from models.dataset import DatasetError, NoSuchSample, Sample, SampleStore, SaveFailed
from models.die_sets import BadDieSet, DieSetCatalog, NoSuchDieSet
from referee.dice import DieSet, FaceName, KindName, NoSuchFace
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.learning import lesson_store, page_views
from vander.learning.accuracy import AccuracyLog
from vander.learning.guided_capture import meters
from vander.learning.page_views import doubted_dice
from vander.learning.play_evidence import PlayEvidence
from vander.storage.data_folder import StorageError
from vander.storage.preferences import PreferenceStore
from vision.classification import Reader
from vision.fewshot import CrossValidation, Example, Lesson, PldaModel, fit_lesson
from vision.frames import Pixels
from vision.kinds import KindFace
from vision.rectification import RotatedSquare
from vision.table_evidence import DieFeatures, fused_validation
from web.schemas.learning_schemas import DieSetSummary, LessonSummary, LessonVersion
from web.schemas.response_model import NameTitle

# Fit lessons from samples: embed their pictures once, learn, and report what to expect


CERTAIN_OTHER, HARDLY_OWN = 0.9, 0.05
"""A die looks like another face if that face is likelier than the first, and its own less likely than the second."""


class LessonTrainer:
    """Learns from the samples of a store. Any thread may call; learning blocks nobody but its caller."""

    def __init__(self, store: SampleStore, reader: Reader, plda: PldaModel) -> None:
        self._store, self._reader, self._plda = store, reader, plda
        self._lock = Lock()
        self._features: dict[str, DieFeatures] = {}

    @property
    def reader(self) -> Reader:
        return self._reader

    def fits(self, stored: lesson_store.StoredLesson) -> bool:
        return stored.report.reader == lesson_store.reader_id(self._reader, self._plda)

    def readable(self, samples: Sequence[Sample]) -> list[Sample]:
        """Return the samples whose pictures can be read, and describe each once; the store reports the others."""
        with self._lock:
            known = self._features.keys() & {sample.name for sample in samples}
        new = [*self._store.with_pixels(sample for sample in samples if sample.name not in known)]
        if new:
            found = lesson_store.describe_dice(
                self._reader, self._plda, [(pixels, sample.place) for sample, pixels in new]
            )
            with self._lock:
                self._features |= {sample.name: features for (sample, _), features in zip(new, found, strict=True)}
        with self._lock:
            return [sample for sample in samples if sample.name in self._features]

    def fit(self, dice: DieSet, samples: Sequence[Sample]) -> tuple[Lesson, lesson_store.LessonReport]:
        """Return a lesson from `readable` samples with labels, and its report."""
        examples = self._examples(samples)
        prior = Lesson.from_examples(self._plda, examples).unknown_prior(dice)
        alone = fit_lesson(self._plda, examples, prior)
        validation = fused_validation(alone, self._described(samples), dice, self._reader.accept_from)
        return validation.lesson, self._report(validation, samples)

    def other_face(
        self,
        dice: DieSet,
        samples: Sequence[Sample],
        pictured: Sequence[tuple[Pixels, RotatedSquare]],
        expected: KindFace,
    ) -> KindFace | None:
        """Return the face that one of the pictured dice surely shows instead of the expected one, or None.

        The samples are labelled ones of the die set.
        """
        examples = self._examples(self.readable(samples))
        if not any(example.label != expected for example in examples):
            return None
        lesson = Lesson.from_examples(self._plda, examples)
        own = lesson.faces.index(expected) if expected in lesson.faces else -1
        for row in lesson.probabilities_of(lesson_store.embed(self._reader, pictured), lesson.unknown_prior(dice)):
            best = int(row[:-1].argmax())
            if best != own and row[best] > CERTAIN_OTHER and (own < 0 or row[own] < HARDLY_OWN):
                return lesson.faces[best]
        return None

    def _described(self, samples: Sequence[Sample]) -> list[DieFeatures]:
        with self._lock:
            return [self._features[sample.name] for sample in samples if sample.label]

    def _examples(self, samples: Sequence[Sample]) -> list[Example]:
        labelled = [(sample, sample.label) for sample in samples if sample.label]
        return [
            Example(
                np.asarray(features.embedding, np.float64),
                (KindName(label.kind), FaceName(label.face)),
                sample.session,
                page_views.moment(sample),
            )
            for features, (sample, label) in zip(self._described(samples), labelled, strict=True)
        ]

    def _report(self, validation: CrossValidation, samples: Sequence[Sample]) -> lesson_store.LessonReport:
        accepted, right = validation.accepted, validation.correct
        return lesson_store.LessonReport(
            at=datetime.now(UTC).isoformat(),
            reader=lesson_store.reader_id(self._reader, self._plda),
            pictures=len(samples),
            sessions=len({sample.session for sample in samples}),
            hits=(int(np.sum(accepted & right)), int(np.sum(accepted)), len(samples)),
            by_session=validation.by_session,
            confused=tuple((*pair.face, *pair.other, pair.share) for pair in validation.confused_pairs()),
            suspects=tuple((samples[n].name, *face) for n, face in validation.suspected_mislabels()),
        )


# The lessons of die sets: learn one, use an earlier one, and describe them for the page


log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class LearningStores:
    """What learning reads and writes, each in the data folder."""

    samples: SampleStore
    die_sets: DieSetCatalog
    lessons: lesson_store.LessonStore
    preferences: PreferenceStore
    accuracy: AccuracyLog
    played: PlayEvidence


class DieSetLessons:
    """The lessons of all die sets. It has no lock of its own; the stores have theirs."""

    def __init__(self, stores: LearningStores, trainer: LessonTrainer) -> None:
        self._stores, self._trainer = stores, trainer

    def labelled(self, name: str) -> list[Sample]:
        """Return the samples that can be learned from: those labelled with a face that the set has."""
        known = _faces(self._stores.die_sets.load(name))
        found = self._stores.samples.samples(name)
        return [one for one in found if one.label and (one.label.kind, one.label.face) in known]

    def learn(self, name: str) -> None:
        """Learn from the samples of a die set, and use the new lesson. Raises Refused, SaveFailed and DatasetError."""
        dice, samples = self._stores.die_sets.load(name), self._trainer.readable(self.labelled(name))
        reason = page_views.too_little(dice, samples)
        if reason:
            raise Refused(reason, Reason.CONFLICT)
        self._stores.lessons.save(name, *self._trainer.fit(dice, page_views.learnable(samples)))

    def use(self, name: str, version: int) -> None:
        """Use an earlier lesson again; 0 for none. Raises Refused, BrokenLesson and SaveFailed."""
        dice, lessons = self._stores.die_sets.load(name), self._stores.lessons
        if version and version not in lessons.versions(name):
            sentence = say("There is no lesson {version} of the {dice}.", version=version, dice=dice.title)
            raise Refused(sentence, Reason.NOT_FOUND)
        if version and not self._trainer.fits(lessons.version(name, version)):
            sentence = say(
                "Lesson {version} was learned with an earlier reader; teach the dice again.", version=version
            )
            raise Refused(sentence, Reason.CONFLICT)
        lessons.use(name, version)

    def reader_version(self, name: str) -> str:
        """Return the version of the reader that reads a die set, followed by the lesson that it uses, if any."""
        stored, version = self._stores.lessons.in_use(name), self._trainer.reader.version
        return f"{version}/lesson {stored.version}" if stored and self._trainer.fits(stored) else version

    def other_face(
        self, name: str, pictured: Sequence[tuple[Pixels, RotatedSquare]], expected: KindFace
    ) -> KindFace | None:
        """Return the face that one of these dice of a set surely shows instead of the expected one, or None."""
        dice = self._stores.die_sets.load(name)
        return self._trainer.other_face(dice, self.labelled(name), pictured, expected)

    def describe(self, name: str) -> LessonSummary:
        """Return the lesson in use, or why there is none, and the versions that can be used again."""
        dice, lessons = self._stores.die_sets.load(name), self._stores.lessons
        versions = tuple(LessonVersion(number, *self._summary(name, number)) for number in lessons.versions(name))
        samples, stored = self.labelled(name), lessons.in_use(name)
        if stored is not None:
            return replace(page_views.lesson_view(dice, stored, samples), versions=versions)
        problem = lessons.problem(name)
        why = as_sentence(problem) if problem else page_views.too_little(dice, samples)
        return replace(page_views.missing_lesson_view(dice, why), versions=versions)

    def describe_die_set(self, dice: DieSet, samples: Sequence[Sample]) -> DieSetSummary:
        """Return a die set with its meters; `samples` may be those of other sets too."""
        known = _faces(dice)
        own = [s for s in samples if s.die_set == dice.name and s.label and (s.label.kind, s.label.face) in known]
        stored = self._stores.lessons.in_use(dice.name)
        return DieSetSummary(
            name=dice.name,
            title=dice.title,
            own=dice.name in self._stores.die_sets.own,
            kinds=tuple(NameTitle(kind.name, kind.title) for kind in dice.kinds),
            faces=meters(dice, own),
            sessions=len({sample.session for sample in own}),
            pictures=len(own),
            version=stored.version if stored else 0,
            answers=self._stores.played.lesson(dice.name).learned.answers,
            doubted=len(doubted_dice(dice, self._stores.played)),
            fresh=bool(own) and (stored is None or page_views.is_stale(stored, page_views.learnable(own))),
        )

    def relearn_outdated(self) -> None:
        """Learn again what was learned with another reader, or cannot be read any more, from its samples.

        A lesson that cannot be learned or saved now stays as it is, and its dice are asked about.
        """
        for name in self._stores.die_sets.names():
            stored, problem = self._stores.lessons.in_use(name), self._stores.lessons.problem(name)
            if problem or (stored and not self._trainer.fits(stored)):
                try:
                    with refusing():
                        self.learn(name)
                except Refused as refused:
                    log.warning("lessons: %s: not learned again: %s", name, refused)

    def _summary(self, name: str, version: int) -> tuple[str, str]:
        try:
            return page_views.version(self._stores.lessons.version(name, version).report)
        except lesson_store.BrokenLesson:
            return "", "cannot be read"


def _faces(dice: DieSet) -> set[tuple[str, str]]:
    return {(str(kind.name), str(face)) for kind in dice.kinds for face in kind.faces}


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what cannot be done into Refused, with one sentence."""
    try:
        yield
    except (NoSuchDieSet, NoSuchSample, NoSuchFace) as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None
    except BadDieSet as error:
        raise Refused(as_sentence(error)) from None
    except (DatasetError, SaveFailed, StorageError) as error:
        raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
