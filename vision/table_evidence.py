"""What people taught a table of its dice: examples of faces and bodies, and how they weigh next to the reader."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.dice import DieKind, DieSet, FaceName, KindName
from referee.sentences import message_of, say
from vision.bodies import SCALES, BodyColour, BodyPrior, shift_of, told_bodies, variance_of
from vision.fewshot import (
    LEAST_WEIGHT,
    NPZ_ERRORS,
    CrossValidation,
    FaceScatter,
    Floats,
    Lesson,
    PldaModel,
    unknown_share,
)
from vision.kinds import CLASSES, KindFace, all_faces, drawn_faces, face_probabilities, lookalikes
from vision.model_file import BrokenModel, read_checked

# Examples

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True)
class EvidenceSettings:
    """How examples are weighed.

    margin: is taken off a log-likelihood ratio first, since faces of one design lie nearer to one another than faces of
    any dice do. temperature_factor: divides the rest, as a multiple of the PLDA model's temperature. min_log_ratio,
    max_log_ratio: limits of what results; with 0, a die unlike the examples of a face is read as before.
    min_probability: lower limit (0 to 1) of the network's probability of a face with examples: no network is that sure.
    false_answers: prior probability (0 to 1) that an answer is false. doubted_below: an example whose label
    is less probable than this does not count, and is named. contradicted_from: a log ratio of another face from which
    on one view of a die is not enough.
    """

    margin: float = 30.0
    temperature_factor: float = 0.5
    min_log_ratio: float = 0.0
    max_log_ratio: float = 10.0
    min_probability: float = 1e-3
    false_answers: float = 0.1
    doubted_below: float = 0.7
    contradicted_from: float = 3.0


CHOSEN = EvidenceSettings()
"""Chosen by `python -m models.training evidence`, on families of choosing art."""


@dataclass(frozen=True, eq=False)
class DieFeatures:
    """What is remembered of a die instead of its picture.

    embedding: float32, (dimensions,), from `PldaModel.project` of features averaged over four sides.
    class_probabilities: float32, of CLASSES, by the network; empty if they were not kept. body: float32, the body
    descriptor; may be empty.
    """

    embedding: Singles
    class_probabilities: Singles
    body: Singles


@dataclass(frozen=True, eq=False)
class EvidenceExample:
    """A labelled die of the table.

    weight: 1 if a person said it, less for a reading that stood and that the game bore out. origin: names the die of a
    throw that it came from; '' for a taught picture. session, moment: as in `vision.fewshot.Example`.
    """

    features: DieFeatures
    label: KindFace
    weight: float = 1.0
    origin: str = ""
    session: str = ""
    moment: str = ""

    @property
    def is_answer(self) -> bool:
        """True if a person said it."""
        return self.weight >= 1.0


@dataclass(frozen=True, eq=False)
class SuspectExample:
    """An example whose label is doubted, the face that it looks like, and the probability (0 to 1) of its label."""

    example: EvidenceExample
    looks_like: KindFace
    probability: float


# Fusing them with what the reader says


@dataclass(frozen=True, eq=False)
class FaceEvidence:
    """What the examples say of one die.

    log_ratios: tempered and clipped, of the faces about which somebody answered; a face that several kinds have is one
    face. alone: posterior probabilities (0 to 1) of the faces with
    examples, by the examples alone; what is missing to 1 is an unknown face.
    """

    log_ratios: Mapping[FaceName, float]
    alone: Mapping[KindFace, float]
    settings: EvidenceSettings = CHOSEN

    @property
    def unknown(self) -> float:
        """Probability that the die shows none of the faces with examples, by the examples alone."""
        return max(0.0, 1.0 - sum(self.alone.values()))

    def agrees(self, names: Sequence[str]) -> bool:
        """True if no face but one of these names has evidence for it."""
        return all(ratio <= self.settings.contradicted_from or name in names for name, ratio in self.log_ratios.items())


@dataclass(frozen=True, eq=False)
class FusedFaces:
    """Probabilities of kinds and faces by the network and the examples together.

    faces: those of the drawings, and those that only examples know. others: factor by which the probability of
    everything else shrank. by_examples: True if examples alone decided on some face.
    """

    faces: Mapping[KindFace, float]
    others: float = 1.0
    by_examples: bool = False


def fuse_faces(drawn: Mapping[KindFace, float], evidence: FaceEvidence | None) -> FusedFaces:
    """Return the network's probabilities, shared between kinds, fused with what the examples say.

    Faces with examples have at least `min_probability`, shared between their kinds as `drawn` is. The examples alone
    decide on a face that no drawing knows.
    """
    if evidence is None:
        return FusedFaces(drawn)
    taught = {face: probability for face, probability in evidence.alone.items() if face not in drawn}
    weighed = {
        face: share * float(np.exp(evidence.log_ratios.get(face[1], 0.0)))
        for face, share in _floored(drawn, evidence).items()
    }
    rest = max(1.0 - sum(drawn.values()), 0.0)
    left = (1.0 - sum(taught.values())) / max(sum(weighed.values()) + rest, 1e-12)
    return FusedFaces(taught | {face: left * share for face, share in weighed.items()}, left, bool(taught))


def _floored(faces: Mapping[KindFace, float], evidence: FaceEvidence) -> dict[KindFace, float]:
    """Return the probabilities with at least `min_probability` for each taught face, shared between its kinds."""
    totals: dict[FaceName, float] = {}
    for (_, name), probability in faces.items():
        totals[name] = totals.get(name, 0.0) + probability
    kinds, least = Counter(name for _, name in faces), evidence.settings.min_probability
    missing = {name: max(0.0, least - totals.get(name, 1.0)) / max(kinds[name], 1) for name in evidence.log_ratios}
    return {face: probability + missing.get(face[1], 0.0) for face, probability in faces.items()}


# What the table knows
#
# For each kind and face: log P(network) + clipped and tempered log-likelihood ratio of the die's embedding, that of the
# face's examples against an unknown face (PLDA predictive, Ioffe 2006; see `vision.fewshot`). A face without examples
# keeps the ratio 1, and so does "none of the set": what nobody taught is read as before.

DOUBTING_NETWORK = 0.01
"""Lower limit of the network's probability of a face where it weighs an answer: people see what it cannot."""


REWEIGHING_ROUNDS = 3
"""Rounds in which examples are weighed by one another."""


@dataclass(frozen=True, eq=False)
class TableEvidence:
    """The examples of one die set; changing them makes a new value.

    dice: the set, whose faces without examples are weighed when an answer is doubted; None weighs faces with examples
    only. temperature: divides log-likelihoods. accept_from: acceptance threshold of faces that no drawing knows; 0 for
    the PLDA model's own in both. borne_out: share (0 to 1) of the reader's doubts that people's answers bore out.
    """

    plda: PldaModel
    examples: tuple[EvidenceExample, ...] = ()
    dice: DieSet | None = None
    temperature: float = 0.0
    accept_from: float = 0.0
    settings: EvidenceSettings = CHOSEN
    borne_out: float = 1.0

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

    def with_examples(self, examples: Iterable[EvidenceExample]) -> TableEvidence:
        """Return the evidence with more examples, none of which replaces another."""
        return replace(self, examples=(*self.examples, *examples))

    def without(self, origin: str) -> TableEvidence:
        """Return the evidence without what came from this die of a throw."""
        return replace(self, examples=tuple(one for one in self.examples if one.origin != origin))

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

    def believed(self, classes: Singles, found: Sequence[FaceEvidence | None]) -> Singles:
        """Return the reader's probabilities of CLASSES, (n, CLASSES), with less doubt whether a face is there at all.

        Less by the share that was borne out: only of dice whose likeliest face people named at this table.
        """
        named = [
            one is not None and any(name in one.log_ratios for name in lookalikes(CLASSES[best]))
            for one, best in zip(found, classes[:, :-1].argmax(axis=1), strict=True)
        ]
        believed = classes.copy()
        believed[named, -1] *= self.borne_out
        believed[named] /= believed[named].sum(axis=1, keepdims=True)
        return believed

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
    if played is None:
        return taught
    examples = (*taught.examples, *played.examples)
    return replace(taught, examples=examples, dice=played.dice, borne_out=played.borne_out)


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


# The references that ship


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """Labelled dice that ship, of looks that no table has: nothing that is learned may make them read worse.

    accept_from: the acceptance threshold of the reader that made their features. reader: leading hex digits of the
    SHA-256 of that reader's weights.
    """

    examples: tuple[EvidenceExample, ...]
    accept_from: float
    reader: str = ""

    def save(self, file: Path) -> None:
        """Write the set to an npz file: the arrays as float16."""
        told = {
            "accept_from": self.accept_from,
            "reader": self.reader,
            "labels": [list(one.label) for one in self.examples],
        }
        np.savez_compressed(
            file,
            told=np.frombuffer(json.dumps(told).encode(), np.uint8),
            embeddings=np.array([one.features.embedding for one in self.examples], np.float16),
            classes=np.array([one.features.class_probabilities for one in self.examples], np.float16),
        )

    @classmethod
    def load(cls, file: Path) -> ReferenceSet:
        """Read the set from an npz file and check it against the card next to it. Raises BrokenModel."""
        contents, _ = read_checked(file)
        try:
            with np.load(BytesIO(contents), allow_pickle=False) as npz:
                told = json.loads(bytes(npz["told"]))
                arrays = [np.asarray(npz[key], np.float32) for key in ("embeddings", "classes")]
                rows = zip(*arrays, told["labels"], strict=True)
                nothing = np.empty(0, np.float32)
                examples = tuple(
                    EvidenceExample(DieFeatures(embedding, classes, nothing), (KindName(kind), FaceName(face)))
                    for embedding, classes, (kind, face) in rows
                )
            return cls(examples, float(told["accept_from"]), str(told["reader"]))
        except NPZ_ERRORS as error:
            raise BrokenModel(
                say("the reference set {file} cannot be loaded: {cause}", file=file, cause=message_of(error))
            ) from error


@dataclass(frozen=True)
class Outcome:
    """How labelled dice are read: so many are asked about, and so many are silently wrong."""

    asked: int
    wrong: int


def is_no_worse(
    candidate: TableEvidence,
    in_use: TableEvidence,
    own: Sequence[EvidenceExample],
    reference: ReferenceSet,
    dice: DieSet,
) -> bool:
    """True if the candidate asks no more about own dice than what is in use, and errs no more on any.

    Own dice that are examples themselves are read by the others, without those of the same face and moment. Questions
    about the reference do not count: one about a die that no table has would keep a table from learning.
    """
    sources = (own, reference.examples)
    now, before = (
        [outcome(one, examples, dice, reference.accept_from) for examples in sources] for one in (candidate, in_use)
    )
    errs_more = any(one.wrong > other.wrong for one, other in zip(now, before, strict=True))
    return not errs_more and now[0].asked <= before[0].asked


def outcome(evidence: TableEvidence, examples: Sequence[EvidenceExample], dice: DieSet, accept_from: float) -> Outcome:
    """Return how labelled dice of the set are read, each alone; the kind does not count."""
    faces = {name for _, name in all_faces(dice)}
    known = [one for one in examples if one.label[1] in faces and len(one.features.class_probabilities)]
    readings = [
        read_alone(one.features, found, dice, accept_from)
        for one, found in zip(known, _seen_by(evidence, known, dice), strict=True)
    ]
    wrong = sum(accepted and face != one.label[1] for one, (face, accepted) in zip(known, readings, strict=True))
    return Outcome(sum(not accepted for _, accepted in readings), wrong)


def read_alone(features: DieFeatures, found: FaceEvidence, dice: DieSet, accept_from: float) -> tuple[FaceName, bool]:
    """Return the likeliest face of a die that lies alone, and whether it is accepted; see `Reader`."""
    drawn = face_probabilities(features.class_probabilities, dice)
    face, probability = _likeliest(fuse_faces(drawn, found).faces)
    if face in found.log_ratios:
        return face, probability >= accept_from
    return face, probability >= accept_from and _accepts(drawn, face, accept_from)


def _accepts(drawn: Mapping[KindFace, float], face: FaceName, accept_from: float) -> bool:
    """True if the network alone accepts the face."""
    first, probability = _likeliest(drawn)
    return first == face and probability >= accept_from


def _likeliest(faces: Mapping[KindFace, float]) -> tuple[FaceName, float]:
    """Return the likeliest face, whatever its kind, and its probability; '' and 0 if there is none."""
    totals: dict[FaceName, float] = {}
    for (_, face), probability in faces.items():
        totals[face] = totals.get(face, 0.0) + probability
    return max(totals.items(), key=lambda item: item[1], default=(FaceName(""), 0.0))


def _seen_by(evidence: TableEvidence, examples: Sequence[EvidenceExample], dice: DieSet) -> list[FaceEvidence]:
    """Return what the evidence says of each example; one that is part of it is left out."""
    own = {one.features.embedding.tobytes(): n for n, one in enumerate(evidence.examples)}
    keys = [one.features.embedding.tobytes() for one in examples]
    left_out = evidence.left_out(dice) if any(key in own for key in keys) else []
    others = iter(
        evidence.of([one.features.embedding for one, key in zip(examples, keys, strict=True) if key not in own], dice)
    )
    return [left_out[own[key]] if key in own else next(others) for key in keys]


# How well it does


def fused_validation(
    validation: CrossValidation, features: Sequence[DieFeatures], dice: DieSet, accept_from: float
) -> CrossValidation:
    """Return the validation with the fused readings of the pictures whose faces the network has drawings of.

    features: of each example. accept_from: the reader's acceptance threshold. The examples alone read the others.
    """
    left_out = _evidence(validation, features, dice).left_out(dice)
    probabilities, accepted = validation.probabilities.copy(), validation.accepted.copy()
    for n, (example, of, found) in enumerate(zip(validation.examples, features, left_out, strict=True)):
        if example.label in drawn_faces(dice):
            probabilities[n] = _row(validation, of, found, dice)
            accepted[n] = read_alone(of, found, dice, accept_from)[1]
    return replace(validation, probabilities=probabilities, accepted=accepted)


def _evidence(validation: CrossValidation, features: Sequence[DieFeatures], dice: DieSet) -> TableEvidence:
    """Return the examples as evidence, of which whole sessions or moments are left out, as in the validation."""
    examples = tuple(
        EvidenceExample(of, one.label, moment=one.session if validation.by_session else one.moment)
        for one, of in zip(validation.examples, features, strict=True)
    )
    return TableEvidence(validation.lesson.plda, examples, dice)


def _row(validation: CrossValidation, features: DieFeatures, found: FaceEvidence, dice: DieSet) -> Floats:
    """Return the probabilities of the lesson's faces and, last, of any other."""
    fused = fuse_faces(face_probabilities(features.class_probabilities, dice), found).faces
    totals = _totals(fused)
    known = [totals.get(face, 0.0) for _, face in validation.lesson.faces]
    taught = sum(totals.get(face, 0.0) for face in {face for _, face in validation.lesson.faces})
    return np.array([*known, max(0.0, 1.0 - taught)], np.float64)


def _totals(faces: Mapping[KindFace, float]) -> dict[FaceName, float]:
    totals: dict[FaceName, float] = {}
    for (_, face), probability in faces.items():
        totals[face] = totals.get(face, 0.0) + probability
    return totals


# Bodies
#
# The means of the kinds are updated as by a Kalman filter, so that what was learned is again a `BodyPrior`. An answer
# that contradicts the others counts little: each is weighed by how well it fits (expectation maximisation).

FALSE_ANSWERS = 0.1
"""Prior probability that a person named a wrong kind."""
ROUNDS = 2
"""How often the answers are weighed by one another."""
MOST_THROWS = 40
"""Throws that are learned from at most, the newest: so that learning stays within a few milliseconds."""


@dataclass(frozen=True, eq=False)
class KnownBody:
    """Body colour of a die of known kind. weight, in (0, 1]: 1 if a person named the kind, less for a mere reading."""

    colour: BodyColour
    kind: KindName
    weight: float = 1.0


@lru_cache(maxsize=4)
def table_bodies(evidence: TableEvidence, kinds: tuple[DieKind, ...]) -> BodyPrior:
    """Return what is known of the bodies of kinds by their die set and by the examples of a table."""
    names = {kind.name for kind in kinds}
    throws: dict[str, list[KnownBody]] = {}
    for n, one in enumerate(evidence.examples):
        colour = BodyColour.from_numbers(one.features.body.tolist())
        if colour is not None and one.label[0] in names:
            throws.setdefault(one.moment or str(n), []).append(KnownBody(colour, one.label[0], one.weight))
    return learned_bodies(told_bodies(kinds), list(throws.values()))


def learned_bodies(prior: BodyPrior, throws: Sequence[Sequence[KnownBody]]) -> BodyPrior:
    """Return the prior sharpened by dice of known kinds, throw by throw."""
    newest = throws[-MOST_THROWS:]
    learned = _learned(prior, newest)
    for _ in range(ROUNDS if newest else 0):
        learned = _learned(prior, [_weighed(learned, throw) for throw in newest])
    return learned


def _learned(prior: BodyPrior, throws: Sequence[Sequence[KnownBody]]) -> BodyPrior:
    for throw in throws:
        prior = _after_throw(prior, throw)
    return prior


def _after_throw(prior: BodyPrior, throw: Sequence[KnownBody]) -> BodyPrior:
    """Return the prior after the dice of one throw (the update of a Kalman filter, each dimension alone)."""
    of = np.array([prior.kinds.index(one.kind) for one in throw])
    values = np.array([one.colour.values for one in throw]).T
    own = np.array([_variance(one) for one in throw]).T[..., None] * np.eye(len(throw))
    among = prior.in_a_throw(shift_of([one.colour for one in throw]))[:, :, of][..., of] + own
    residuals = values - prior.means[..., of]
    gains = np.linalg.solve(among, prior.covariances[:, :, of]).swapaxes(-1, -2)
    squares = (residuals * np.linalg.solve(among, residuals[..., None])[..., 0]).sum(axis=-1)
    logs = -0.5 * (squares + np.linalg.slogdet(among)[1]).sum(axis=-1)
    weights = prior.log_weights + logs
    return replace(
        prior,
        log_weights=weights - weights.max() - np.log(np.exp(weights - weights.max()).sum()),
        means=prior.means + (gains @ residuals[..., None])[..., 0],
        covariances=prior.covariances - gains @ prior.covariances[:, :, of],
    )


def _variance(one: KnownBody) -> Floats:
    return np.asarray(variance_of(one.colour) * SCALES[1] ** 2 / one.weight)


def _weighed(learned: BodyPrior, throw: Sequence[KnownBody]) -> list[KnownBody]:
    """Return the dice with weights by how likely their kinds are, given what was learned and the light of the throw."""
    means = learned.means[learned.log_weights.argmax()]
    of = np.array([learned.kinds.index(one.kind) for one in throw])
    values = np.array([one.colour.values for one in throw])
    variances = np.array([variance_of(one.colour) * SCALES[1] ** 2 for one in throw])
    shift = np.median(values - means[:, of].T, axis=0) if len(throw) > 2 else np.zeros(values.shape[1])
    squares = ((values[..., None] - shift[:, None] - means) ** 2 / variances[..., None]).sum(axis=1)
    likely = np.exp(-0.5 * (squares - squares.min(axis=1, keepdims=True)))
    prior = np.full(likely.shape, FALSE_ANSWERS / max(likely.shape[1] - 1, 1))
    prior[np.arange(len(throw)), of] = 1.0 - FALSE_ANSWERS
    trust = (likely * prior)[np.arange(len(throw)), of] / (likely * prior).sum(axis=1)
    return [replace(one, weight=max(one.weight * float(share), 1e-6)) for one, share in zip(throw, trust, strict=True)]
