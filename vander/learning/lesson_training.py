"""Fit lessons from samples: embed their pictures once, learn, and report what to expect."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Lock

import numpy as np

from models.dataset import Sample, SampleStore
from referee.dice import DieSet, FaceName, KindName
from vander.learning import page_views
from vander.learning.lesson_store import LessonReport, StoredLesson, describe_dice, embed, reader_id
from vision.classification import Reader
from vision.fewshot import CrossValidation, Example, Lesson, PldaModel, fit_lesson
from vision.frames import Pixels
from vision.kinds import KindFace
from vision.rectification import RotatedSquare
from vision.table_evidence import DieFeatures, fused_validation

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
        """The reader whose features are learned from."""
        return self._reader

    def fits(self, stored: StoredLesson) -> bool:
        """True if a lesson was learned with this reader."""
        return stored.report.reader == reader_id(self._reader, self._plda)

    def readable(self, samples: Sequence[Sample]) -> list[Sample]:
        """Return the samples whose pictures can be read, and describe each once; the store reports the others."""
        with self._lock:
            known = self._features.keys() & {sample.name for sample in samples}
        new = [*self._store.with_pixels(sample for sample in samples if sample.name not in known)]
        if new:
            found = describe_dice(self._reader, self._plda, [(pixels, sample.place) for sample, pixels in new])
            with self._lock:
                self._features |= {sample.name: features for (sample, _), features in zip(new, found, strict=True)}
        with self._lock:
            return [sample for sample in samples if sample.name in self._features]

    def fit(self, dice: DieSet, samples: Sequence[Sample]) -> tuple[Lesson, LessonReport]:
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
        for row in lesson.probabilities_of(embed(self._reader, pictured), lesson.unknown_prior(dice)):
            best = int(row[:-1].argmax())
            if best != own and row[best] > CERTAIN_OTHER and (own < 0 or row[own] < HARDLY_OWN):
                return lesson.faces[best]
        return None

    def _described(self, samples: Sequence[Sample]) -> list[DieFeatures]:
        """Return the features of the samples with labels."""
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
