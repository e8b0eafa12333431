"""Fit a lesson and estimate its accuracy by cross-validation on its own examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.fewshot import UNKNOWN_PRIOR, Example, Floats, Lesson, PldaModel
from vision.kind_assignment import KindFace

MAX_FOLDS = 200
"""Upper limit of folds, so that fitting a large lesson stays quick."""
TEMPERATURE_FACTORS = np.geomspace(0.5, 4.0, 13)
"""Temperatures that are tried, as multiples of the PLDA model's own."""
TEMPERATURE_PENALTY = 4.0
"""Weight of the log-normal prior on the temperature factor: a lesson of few examples keeps the PLDA model's own."""
MAX_THRESHOLD = 0.999
"""Upper limit of a lesson's acceptance threshold: with 1.0 nothing would ever be accepted."""
CONFUSED_FROM = 0.03
"""Mean probability that two faces give each other's examples, from which on the pair is reported as confused."""
MERGE_FROM = 0.25
"""The same, from which on the two had better be one face."""
MISLABELLED_BELOW, MISLABELLED_FROM = 0.05, 0.8
"""An example whose own label is less probable than the first, and another face more than the second, is suspect."""


@dataclass(frozen=True)
class ConfusedPair:
    """Two faces, and the mean probability (0 to 1) that each gives the examples of the other."""

    face: KindFace
    other: KindFace
    share: float

    @property
    def should_merge(self) -> bool:
        """True if the two had better be one face, or be captured again."""
        return self.share >= MERGE_FROM


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """A fitted lesson, and its examples as read by the lessons of the other folds.

    probabilities: float64, (examples, faces + 1), last the unknown face; a face that several kinds have has the sum of
    theirs, since bodies tell kinds apart (`vision.body_reading`). by_session: True if whole capture sessions
    were left out, which is the harder and more honest estimate; False if only the examples of one moment were.
    accepted: bool, (examples,), True if a lesson with the temperature and threshold of the *other* folds would accept
    the example, as whatever face.
    """

    lesson: Lesson
    examples: tuple[Example, ...]
    probabilities: Floats
    by_session: bool
    accepted: npt.NDArray[np.bool_]

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """For each example the index of its face in `lesson.faces`."""
        return _labels(self.lesson, self.examples)

    @property
    def correct(self) -> npt.NDArray[np.bool_]:
        """For each example True if its own face, of whatever kind, is the most probable one, accepted or not."""
        own = self.probabilities[np.arange(len(self.examples)), self.labels]
        return np.asarray((self.probabilities[:, :-1].max(axis=1) <= own + 1e-12) & (own > 0))

    def confused_pairs(self) -> tuple[ConfusedPair, ...]:
        """Return the pairs of faces that are taken for each other, the worst first."""
        labels, faces = self.labels, self.lesson.faces
        means = np.array([self.probabilities[labels == n, :-1].mean(axis=0) for n in range(len(faces))])
        mutual = (means + means.T) / 2
        differ = [(n, m) for n in range(len(faces)) for m in range(n) if faces[n][1] != faces[m][1]]
        pairs = [(n, m) for n, m in differ if mutual[n, m] >= CONFUSED_FROM]
        pairs.sort(key=lambda pair: -mutual[pair])
        return tuple(ConfusedPair(faces[m], faces[n], float(mutual[n, m])) for n, m in pairs)

    def suspected_mislabels(self) -> tuple[tuple[int, KindFace], ...]:
        """Return the indices of examples that look mislabelled, with the face each looks like, the worst first.

        Examples of two faces that should be merged are left out: their labels are not to blame.
        """
        own = self.probabilities[np.arange(len(self.examples)), self.labels]
        other = self.probabilities[:, :-1].argmax(axis=1)
        other_probability = self.probabilities[:, :-1].max(axis=1)
        found = np.nonzero((own < MISLABELLED_BELOW) & (other_probability > MISLABELLED_FROM))[0]
        merging = {frozenset((pair.face, pair.other)) for pair in self.confused_pairs() if pair.should_merge}
        suspects = [(int(n), self.lesson.faces[other[n]]) for n in found[np.argsort(own[found])]]
        return tuple((n, face) for n, face in suspects if frozenset((self.examples[n].label, face)) not in merging)


def fit_lesson(plda: PldaModel, examples: Sequence[Example], unknown_prior: float = UNKNOWN_PRIOR) -> CrossValidation:
    """Fit a lesson, calibrate it on examples that were left out, and return it with the cross-validation.

    The temperature minimises the negative log-likelihood of the left-out examples plus a penalty for leaving the PLDA
    model's own (temperature scaling, Guo et al. 2017). The threshold is the lowest with which no left-out example
    would have been accepted as a wrong face. `accepted` takes both from the other folds: an example must not take part
    in choosing the threshold it is measured with. `unknown_prior` is the prior probability of an unknown face.
    """
    lesson = Lesson.from_examples(plda, examples)
    folds, by_session = _folds(examples)
    labels = _labels(lesson, examples)
    log_likelihoods = _left_out(lesson, np.array([example.embedding for example in examples]), labels, folds)
    temperatures = plda.temperature * TEMPERATURE_FACTORS
    probabilities = np.array(
        [
            _pooled_by_face(lesson, plda.probabilities(log_likelihoods, temperature, unknown_prior))
            for temperature in temperatures
        ]
    )
    losses = -np.log(np.maximum(probabilities[:, np.arange(len(labels)), labels], 1e-12))
    best = _best_temperature(losses)
    validation = CrossValidation(
        lesson, tuple(examples), probabilities[best], by_session, np.zeros(len(labels), np.bool_)
    )
    suspect = np.zeros(len(labels), np.bool_)
    suspect[[n for n, _ in validation.suspected_mislabels()]] = True
    harmless = validation.correct | suspect
    accepted = np.zeros(len(labels), np.bool_)
    for fold in folds:
        others = np.ones(len(labels), np.bool_)
        others[fold] = False
        chosen = probabilities[_best_temperature(losses[:, others])]
        accepted[fold] = chosen[fold, :-1].max(axis=1) >= _threshold(plda, chosen, harmless | ~others)
    calibrated = replace(
        lesson,
        temperature=float(temperatures[best]),
        accept_from=_threshold(plda, probabilities[best], harmless),
    )
    return replace(validation, lesson=calibrated, accepted=accepted)


def _pooled_by_face(lesson: Lesson, probabilities: Floats) -> Floats:
    """Return probabilities (examples, faces + 1) in which a face that several kinds have has the sum of theirs."""
    names = np.array([face for _, face in lesson.faces])
    same = np.asarray(names[:, None] == names, np.float64)
    return np.hstack([probabilities[:, :-1] @ same, probabilities[:, -1:]])


def _labels(lesson: Lesson, examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """Return for each example the index of its face in the lesson."""
    index = {face: n for n, face in enumerate(lesson.faces)}
    return np.array([index[example.label] for example in examples], np.int64)


def _best_temperature(losses: Floats) -> int:
    """Return the index of the best of TEMPERATURE_FACTORS; `losses` are (temperatures, examples)."""
    return int(np.argmin(losses.sum(axis=1) + TEMPERATURE_PENALTY * np.log(TEMPERATURE_FACTORS) ** 2))


def _folds(examples: Sequence[Example]) -> tuple[list[npt.NDArray[np.int64]], bool]:
    """Return the folds as indices of examples, and whether a fold is a session (else a moment).

    Sessions are left out whole where every face was captured in two of them.
    """
    sessions_of: dict[KindFace, set[str]] = {}
    for example in examples:
        sessions_of.setdefault(example.label, set()).add(example.session)
    by_session = all(len(sessions) > 1 for sessions in sessions_of.values())
    groups = [example.session if by_session else example.moment for example in examples]
    fold_of_group = {group: n % MAX_FOLDS for n, group in enumerate(dict.fromkeys(groups))}
    fold_of = np.array([fold_of_group[group] for group in groups])
    return [np.nonzero(fold_of == fold)[0] for fold in np.unique(fold_of)], by_session


def _left_out(
    lesson: Lesson, embeddings: Floats, labels: npt.NDArray[np.int64], folds: Sequence[npt.NDArray[np.int64]]
) -> Floats:
    """Return the log-likelihoods (examples, faces + 1) of each fold under the examples of the other folds.

    A face all of whose examples are in one fold cannot be recognised there: the right answer is the unknown face.
    """
    log_likelihoods = np.empty((len(embeddings), len(lesson.faces) + 1))
    for fold in folds:
        others = np.ones(len(embeddings), np.bool_)
        others[fold] = False
        known = [embeddings[others & (labels == n)] for n in range(len(lesson.faces))]
        log_likelihoods[fold] = lesson.plda.log_likelihoods(embeddings[fold], known)
    return log_likelihoods


def _threshold(plda: PldaModel, probabilities: Floats, harmless: npt.NDArray[np.bool_]) -> float:
    """Return the lowest threshold that accepts no example as a wrong face, except the `harmless` ones.

    Harmless are examples that are read correctly or look mislabelled.
    """
    wrong = probabilities[~harmless, :-1].max(axis=1, initial=0.0)
    highest = float(wrong.max()) + 1e-3 if len(wrong) else 0.0
    return min(max(plda.accept_from, highest), MAX_THRESHOLD)
