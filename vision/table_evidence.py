"""Weigh what a table's own dice taught against the reader's network, per kind and face.

For each kind and face: log P(network) + clipped and tempered log-likelihood ratio of the die's embedding, that of the
face's examples against an unknown face (PLDA predictive, Ioffe 2006; see `vision.fewshot`). A face without examples
keeps the ratio 1, and so does "none of the set": what nobody taught is read as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from referee.dice import DieSet, FaceName, KindName
from vision.evidence_examples import CHOSEN, DieFeatures, EvidenceExample, EvidenceSettings, SuspectExample
from vision.evidence_fusion import FaceEvidence
from vision.face_drawings import CLASSES, all_faces, lookalikes
from vision.face_scatter import LEAST_WEIGHT, FaceScatter
from vision.fewshot import Floats, Lesson, PldaModel, unknown_share
from vision.kind_assignment import KindFace

DOUBTING_NETWORK = 0.01
"""Lower limit of the network's probability of a face where it weighs an answer: people see what it cannot."""


REWEIGHING_ROUNDS = 3
"""Rounds in which examples are weighed by one another."""


@dataclass(frozen=True, eq=False)
class TableEvidence:
    """The examples of one die set; changing them makes a new value.

    dice: the set, whose faces without examples are weighed when an answer is doubted; None weighs faces with examples
    only. temperature: divides log-likelihoods. accept_from: acceptance threshold of faces that no drawing knows; 0 for
    the PLDA model's own in both.
    """

    plda: PldaModel
    examples: tuple[EvidenceExample, ...] = ()
    dice: DieSet | None = None
    temperature: float = 0.0
    accept_from: float = 0.0
    settings: EvidenceSettings = CHOSEN

    @classmethod
    def from_lesson(cls, lesson: Lesson) -> TableEvidence:
        """Return what a lesson taught, each picture an answer, with its temperature and threshold."""
        nothing = np.empty(0, np.float32)
        examples = tuple(
            EvidenceExample(DieFeatures(np.asarray(row, np.float32), nothing, nothing), face, moment=f"taught {n}.{k}")
            for n, (face, rows) in enumerate(zip(lesson.faces, lesson.embeddings, strict=True))
            for k, row in enumerate(rows)
        )
        return cls(lesson.plda, examples, None, lesson.temperature, lesson.accept_from)

    def with_example(self, example: EvidenceExample) -> TableEvidence:
        """Return the evidence with one more example, which replaces those of its origin."""
        kept = self.without(example.origin) if example.origin else self
        return replace(kept, examples=(*kept.examples, example))

    def with_examples(self, examples: Iterable[EvidenceExample]) -> TableEvidence:
        """Return the evidence with more examples, none of which replaces another."""
        return replace(self, examples=(*self.examples, *examples))

    def without(self, origin: str) -> TableEvidence:
        """Return the evidence without what came from this die of a throw."""
        return replace(self, examples=tuple(one for one in self.examples if one.origin != origin))

    def without_moment(self, moment: str) -> TableEvidence:
        """Return the evidence without what was seen in one picture."""
        return replace(self, examples=tuple(one for one in self.examples if one.moment != moment))

    @property
    def faces(self) -> tuple[KindFace, ...]:
        """The faces that have examples which count."""
        return tuple(face for face, known in zip(self._labels, self._scatter.is_known, strict=True) if known)

    def of(self, embeddings: npt.ArrayLike, dice: DieSet | None) -> list[FaceEvidence]:
        """Return what the examples of faces that the dice have say of each embedding (n, dimensions)."""
        found = np.asarray(embeddings, np.float64).reshape(-1, len(self.plda.between_variance))
        ratios = self._scatter.log_ratios(found)
        weighed = np.tile(self._scatter.is_known, (len(found), 1))
        return [self._face_evidence(*row, dice) for row in zip(ratios, weighed, strict=True)]

    def left_out(self, dice: DieSet | None) -> list[FaceEvidence]:
        """Return what the examples say of each of themselves, without those of the same face and moment."""
        ratios, weighed = self._scatter.left_out(self._groups)
        return [self._face_evidence(*row, dice) for row in zip(ratios, weighed, strict=True)]

    def _face_evidence(self, ratios: Floats, weighed: npt.NDArray[np.bool_], dice: DieSet | None) -> FaceEvidence:
        """Return the evidence of one die by its log-likelihood ratios, of which those of faces with examples count."""
        columns = np.nonzero(weighed)[0]
        known = tuple(self._labels[n] for n in columns)
        alone = _posteriors(ratios[columns] / (self.temperature or self.plda.temperature), _unknown_share(known, dice))
        owned = all_faces(dice) or known
        kept = [n for n, face in enumerate(known) if face in owned]
        tempered = self._tempered(ratios[columns])
        pooled: dict[FaceName, float] = {}
        for n in kept:
            pooled[known[n][1]] = max(pooled.get(known[n][1], -np.inf), float(tempered[n]))
        return FaceEvidence(pooled, {known[n]: float(alone[n]) for n in kept}, self.settings)

    def suspects(self) -> tuple[SuspectExample, ...]:
        """Return the answers whose labels are doubted, the least probable first."""
        found = [
            SuspectExample(one, self._label_of(looks, one.label[0]), float(trust))
            for one, trust, looks in zip(self.examples, *self._trusted, strict=True)
            if one.is_answer and trust < self.settings.doubted_below and looks != one.label[1]
        ]
        return tuple(sorted(found, key=lambda suspect: suspect.probability))

    def _label_of(self, face: FaceName, kind: KindName) -> KindFace:
        """Return (kind, face); if the given kind lacks the face, use the first kind that has it."""
        having = [of for of, name in (*self._labels, *all_faces(self.dice)) if name == face]
        return (kind if kind in having else having[0]), face

    def _tempered(self, log_ratios: Floats) -> Floats:
        """Return log-likelihood ratios less the margin, divided by the temperature, within their limits."""
        of = self.settings
        scaled = (log_ratios - of.margin) / (of.temperature_factor * self.plda.temperature)
        return np.clip(scaled, of.min_log_ratio, of.max_log_ratio)

    @cached_property
    def _labels(self) -> tuple[KindFace, ...]:
        return tuple(dict.fromkeys(one.label for one in self.examples))

    @cached_property
    def _embeddings(self) -> Floats:
        rows = [one.features.embedding for one in self.examples]
        return np.asarray(rows, np.float64).reshape(-1, len(self.plda.between_variance))

    @cached_property
    def _groups(self) -> npt.NDArray[np.int64]:
        """The group of each example: those of one label and moment, which are too alike to confirm one another."""
        names = [f"{one.label} {one.moment or n}" for n, one in enumerate(self.examples)]
        return np.unique(names, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def _trusted(self) -> tuple[Floats, list[FaceName]]:
        """Return the probability that each label is true, and the face that each example looks like."""
        trust, looks = np.ones(len(self.examples)), [one.label[1] for one in self.examples]
        for _ in range(REWEIGHING_ROUNDS if self.examples else 0):
            trust, looks = self._reweighed(trust)
        return trust, looks

    @cached_property
    def _scatter(self) -> FaceScatter:
        return self._scatter_by(self._trusted[0])

    def _scatter_by(self, trust: Floats) -> FaceScatter:
        """Return the examples by face, each with its weight; readings that stood never outweigh the answers."""
        weights = np.array([one.weight for one in self.examples], np.float64)
        weights *= np.where(trust < self.settings.doubted_below, 0.0, trust)
        index = {face: n for n, face in enumerate(self._labels)}
        labels = np.array([index[one.label] for one in self.examples], np.int64)
        answers = np.array([one.is_answer for one in self.examples], np.bool_)
        strong = np.bincount(labels[answers], weights[answers], len(index))
        weak = np.bincount(labels[~answers], weights[~answers], len(index))
        bound = np.minimum(1.0, strong / np.maximum(weak, LEAST_WEIGHT))
        return FaceScatter(
            self.plda, self._labels, labels, np.where(answers, weights, weights * bound[labels]), self._embeddings
        )

    def _reweighed(self, trust: Floats) -> tuple[Floats, list[FaceName]]:
        """Return how far each example's label is true given the network and the others, and what it looks like.

        A false answer is any of the other faces, each as likely.
        """
        column = {face: n for n, face in enumerate(self._face_names)}
        tempered = self._tempered(self._scatter_by(trust).left_out(self._groups)[0])
        logits = np.log(self._network)
        ratios = np.full(logits.shape, -np.inf)
        for (_, face), of_label in zip(self._labels, tempered.T, strict=True):
            ratios[:, column[face]] = np.maximum(ratios[:, column[face]], of_label)
        logits += np.where(np.isfinite(ratios), ratios, 0.0)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        own = shares[np.arange(len(shares)), [column[one.label[1]] for one in self.examples]]
        true = (1.0 - self.settings.false_answers) * own
        false = self.settings.false_answers * (1.0 - own) / max(len(column) - 1, 1)
        return true / (true + false), [self._face_names[n] for n in shares.argmax(axis=1)]

    @cached_property
    def _face_names(self) -> tuple[FaceName, ...]:
        """The faces of the labels, and after them those of the set that have no examples."""
        return tuple(dict.fromkeys(face for _, face in (*self._labels, *all_faces(self.dice))))

    @cached_property
    def _network(self) -> Floats:
        """The network's probability of each of `_face_names` (examples, faces); equal where it says nothing."""
        of_class = _class_weights(self._face_names)
        neutral = np.full(len(self._face_names), 1 / max(len(self._face_names), 1))
        rows = [
            of_class @ one.features.class_probabilities if len(one.features.class_probabilities) else neutral
            for one in self.examples
        ]
        drawn = of_class.any(axis=1)
        return np.where(drawn, np.maximum(np.array(rows, np.float64), DOUBTING_NETWORK), neutral)


def joined(lesson: Lesson | None, played: TableEvidence | None) -> TableEvidence | None:
    """Return the evidence of a lesson and of play together; None without any example."""
    if lesson is None or not lesson.faces:
        return played if played and played.examples else None
    taught = TableEvidence.from_lesson(lesson)
    return replace(taught, examples=(*taught.examples, *played.examples), dice=played.dice) if played else taught


@lru_cache(maxsize=64)
def _unknown_share(known: tuple[KindFace, ...], dice: DieSet | None) -> float:
    return unknown_share(known, dice)


def _posteriors(log_ratios: Floats, unknown_prior: float) -> Floats:
    """Return the probability (faces,) of each face by the examples alone: they share 1 - `unknown_prior` equally."""
    logits = np.append(log_ratios + np.log((1 - unknown_prior) / max(len(log_ratios), 1)), np.log(unknown_prior))
    weights = np.exp(logits - logits.max())
    return np.asarray(weights[:-1] / weights.sum(), np.float64)


def _class_weights(faces: Sequence[FaceName]) -> Floats:
    """Return (faces, classes): 1 where a drawing may mean the face."""
    weights = np.zeros((len(faces), len(CLASSES)))
    for n, face in enumerate(faces):
        weights[n, [CLASSES.index(FaceName(drawing)) for drawing in lookalikes(face) if drawing in CLASSES]] = 1.0
    return weights
