"""Learn faces from a few pictures each: the embedding space, how well faces are told apart, and how they scatter."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.dice import DieSet
from referee.sentences import message_of, say
from vision.kinds import KindFace
from vision.model_file import BrokenModel, read_checked

# The model
#
# The model is the PLDA of Ioffe, "Probabilistic Linear Discriminant Analysis" (ECCV 2006): embeddings of one face are
# normally distributed about the face's class mean (within-class covariance), class means about a common mean (between-
# class covariance). Both covariances are estimated once, from drawings that the reader was not trained on, and kept as
# a `PldaModel`. A `Lesson` adds the embeddings of a die set's example pictures.

Floats = npt.NDArray[np.float64]

ARRAY_KEYS = {"mean": "middle", "projection": "towards", "between_variance": "spread"}
"""Fields of PldaModel that are arrays, and their keys in the npz file."""
SETTING_KEYS = ("temperature", "accept_from", "reader")
"""Fields of PldaModel that the file keeps as JSON, under the key `told`."""

NPZ_ERRORS = (ValueError, LookupError, TypeError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What NumPy and zipfile raise on a damaged npz file."""

UNKNOWN_PRIOR = 0.02
"""Prior probability (0 to 1) that a die shows none of the learned faces."""


@dataclass(frozen=True, eq=False)
class PldaModel:
    """The PLDA projection and covariances, with the calibration of its probabilities.

    mean: float64, (features,); projection: float64, (features, dimensions), such that embeddings of one face have the
    identity as within-class covariance; between_variance: float64, (dimensions,), the diagonal of the between-class
    covariance. temperature: divides log-likelihoods, since real embeddings are less regular than a normal distribution
    (temperature scaling, Guo et al. 2017). accept_from: lowest acceptance threshold of a lesson, 0 to 1.
    reader: leading hex digits of the SHA-256 of the reader whose features the model was fitted to.
    """

    mean: Floats
    projection: Floats
    between_variance: Floats
    temperature: float
    accept_from: float
    reader: str

    def project(self, features: npt.ArrayLike) -> Floats:
        """Return the embeddings (n, dimensions) of features (n, features)."""
        return np.asarray((np.asarray(features, np.float64) - self.mean) @ self.projection, np.float64)

    def log_likelihoods(self, embeddings: Floats, examples: Sequence[Floats]) -> Floats:
        """Return log-likelihoods (n, k + 1) of n embeddings under each of k faces and, last, under an unknown face.

        `examples` holds the example embeddings of each face, (m, dimensions). A face without examples gets -inf.
        """
        known = [
            self._log_likelihood(embeddings, face) if len(face) else np.full(len(embeddings), -np.inf)
            for face in examples
        ]
        unknown = self._log_likelihood(embeddings, np.empty((0, len(self.between_variance))))
        return np.stack([*known, unknown], axis=1)

    @staticmethod
    def probabilities(log_likelihoods: Floats, temperature: float, unknown_prior: float = UNKNOWN_PRIOR) -> Floats:
        """Return posterior probabilities (n, k + 1) from what `log_likelihoods` returns; the last is the unknown face.

        Faces with examples share 1 - `unknown_prior` equally as prior.
        """
        known = np.isfinite(log_likelihoods)
        known[:, -1] = False
        each = (1 - unknown_prior) / np.maximum(known.sum(axis=1, keepdims=True), 1)
        logits = log_likelihoods / temperature + np.log(np.where(known, each, unknown_prior))
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True), np.float64)

    def _log_likelihood(self, embeddings: Floats, examples: Floats) -> Floats:
        """Return the log-likelihood (n,) of each embedding given the examples (m, dimensions) of one face.

        Ioffe 2006, eq. 5 and 6: with m examples of mean x and between-class variance s, the predictive distribution in
        one dimension is normal with mean m s / (m s + 1) x and variance 1 + s / (m s + 1).
        """
        count = len(examples)
        shrinkage = count * self.between_variance / (count * self.between_variance + 1)
        mean = shrinkage * examples.mean(axis=0) if count else np.zeros_like(self.between_variance)
        variance = 1 + self.between_variance / (count * self.between_variance + 1)
        squares = ((embeddings - mean) ** 2 / variance).sum(axis=1)
        return np.asarray(-0.5 * (squares + np.log(variance).sum()), np.float64)

    @property
    def version(self) -> str:
        """Leading 8 hex digits of the SHA-256 of the arrays, as float16."""
        arrays = (getattr(self, name) for name in ARRAY_KEYS)
        return hashlib.sha256(b"".join(array.astype(np.float16).tobytes() for array in arrays)).hexdigest()[:8]

    def save(self, file: Path) -> None:
        """Write the model to an npz file: `projection` as float16, the other arrays as float32."""
        settings = json.dumps({name: getattr(self, name) for name in SETTING_KEYS}).encode()
        arrays = {
            key: getattr(self, name).astype(np.float16 if name == "projection" else np.float32)
            for name, key in ARRAY_KEYS.items()
        }
        np.savez(file, told=np.frombuffer(settings, np.uint8), **arrays)

    @classmethod
    def load(cls, file: Path) -> PldaModel:
        """Read the model from an npz file and check it against the card next to it. Raises BrokenModel."""
        contents, _ = read_checked(file)
        try:
            with np.load(BytesIO(contents), allow_pickle=False) as npz:
                settings = json.loads(bytes(npz["told"]))
                mean, projection, variance = (np.asarray(npz[key], np.float64) for key in ARRAY_KEYS.values())
            return cls(mean, projection, variance, *(settings[name] for name in SETTING_KEYS))
        except NPZ_ERRORS as error:
            raise BrokenModel(
                say("the model {file} cannot be loaded: {cause}", file=file, cause=message_of(error))
            ) from error


@dataclass(frozen=True, eq=False)
class Example:
    """A labelled picture of a die.

    embedding: float64, (dimensions,), from `PldaModel.project`; label: the kind and face that a person gave;
    session: the capture session; moment: the picture of the whole tray it was cut from. Examples of one moment, and to
    a lesser degree of one session, are too alike to validate one another (see `fewshot_eval`).
    """

    embedding: Floats
    label: KindFace
    session: str
    moment: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """The learned faces of a die set.

    embeddings: for each of `faces` those of its examples, float64, (m, dimensions). temperature: as in PldaModel.
    accept_from: a reading of a learned face is accepted from this probability on (0 to 1).
    """

    plda: PldaModel
    faces: tuple[KindFace, ...]
    embeddings: tuple[Floats, ...]
    temperature: float
    accept_from: float

    @classmethod
    def from_examples(cls, plda: PldaModel, examples: Sequence[Example]) -> Lesson:
        """Return the lesson of some examples, with the temperature and threshold of the PLDA model."""
        faces = tuple(dict.fromkeys(example.label for example in examples))
        embeddings = tuple(np.array([one.embedding for one in examples if one.label == face]) for face in faces)
        return cls(plda, faces, embeddings, plda.temperature, plda.accept_from)

    def probabilities(self, embeddings: Floats, unknown_prior: float = UNKNOWN_PRIOR) -> Floats:
        """Return the probabilities (n, faces + 1) of each of `faces` and, last, of an unknown face.

        `unknown_prior` is the prior probability of an unknown face.
        """
        log_likelihoods = self.plda.log_likelihoods(embeddings, self.embeddings)
        return self.plda.probabilities(log_likelihoods, self.temperature, unknown_prior)

    def probabilities_of(self, features: npt.ArrayLike, unknown_prior: float = UNKNOWN_PRIOR) -> Floats:
        """Return the same for the reader's features (n, features)."""
        return self.probabilities(self.plda.project(features), unknown_prior)

    def unknown_prior(self, dice: DieSet) -> float:
        """Return the share of the set's sides that this lesson does not know, within UNKNOWN_PRIOR of 0 and 1."""
        return unknown_share(self.faces, dice)


def unknown_share(faces: Collection[KindFace], dice: DieSet | None) -> float:
    """Return the share of the set's sides that are not among `faces`, within UNKNOWN_PRIOR of 0 and 1."""
    if dice is None:
        return UNKNOWN_PRIOR
    sides = [((kind.name, side.name), count) for kind, count in dice.counts for side in kind.sides]
    unknown = sum(count for kind_face, count in sides if kind_face not in faces)
    return float(np.clip(unknown / max(sum(count for _, count in sides), 1), UNKNOWN_PRIOR, 1 - UNKNOWN_PRIOR))


# How well it tells faces apart

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
    theirs, since bodies tell kinds apart (`vision.bodies`). by_session: True if whole capture sessions
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


# How the pictures of a face scatter

MAX_WEIGHT = 8.0
"""Total weight of a face's examples from which on more of them no longer narrow it: they are not independent."""

LEAST_WEIGHT = 1e-6
"""A face whose examples weigh no more than this is unknown."""


@dataclass(frozen=True, eq=False)
class FaceScatter:
    """Weighted examples by face.

    labels: for each example the index of its face; weights: (examples,); embeddings: (examples, dimensions).
    """

    plda: PldaModel
    faces: tuple[KindFace, ...]
    labels: npt.NDArray[np.int64]
    weights: Floats
    embeddings: Floats

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """The total weight (faces,) and the weighted sum (faces, dimensions) of each face."""
        totals = np.bincount(self.labels, self.weights, len(self.faces)).astype(np.float64)
        sums = np.zeros((len(self.faces), self.embeddings.shape[1]))
        np.add.at(sums, self.labels, self.weights[:, None] * self.embeddings)
        return totals, sums

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        """For each face True if its examples have a weight."""
        return np.asarray(self._sums[0] > LEAST_WEIGHT)

    @cached_property
    def _predictive(self) -> tuple[Floats, Floats, Floats]:
        """The mean and precision (faces, dimensions) of each face's predictive distribution, and its log term."""
        totals, sums = self._sums
        mean, variance = _predictive_distribution(self.plda, totals[:, None], sums)
        return mean, 1 / variance, np.log(variance / (1 + self.plda.between_variance)).sum(axis=1)

    def log_ratios(self, embeddings: Floats) -> Floats:
        """Return the log-likelihood ratio (n, faces) of each face against an unknown one, 0 without weight."""
        mean, precision, constant = self._predictive
        squares = embeddings**2
        quadratic = squares @ precision.T - 2 * embeddings @ (mean * precision).T + (mean**2 * precision).sum(axis=1)
        return np.asarray(-0.5 * (quadratic - squares @ (1 / (1 + self.plda.between_variance))[:, None] + constant))

    def left_out(self, groups: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return the same of the examples themselves, each without those of its group, which share one label.

        The second array (examples, faces) tells which faces have a weight then.
        """
        (totals, sums), count = self._sums, int(groups.max(initial=-1)) + 1
        gone = np.bincount(groups, self.weights, count)
        gone_sums = np.zeros((count, self.embeddings.shape[1]))
        np.add.at(gone_sums, groups, self.weights[:, None] * self.embeddings)
        rest = totals[self.labels] - gone[groups]
        own = np.arange(len(self.labels)), self.labels
        ratios, weighed = self.log_ratios(self.embeddings), np.tile(self.is_known, (len(self.labels), 1))
        ratios[own] = _log_ratio(self.plda, self.embeddings, rest[:, None], sums[self.labels] - gone_sums[groups])
        weighed[own] = rest > LEAST_WEIGHT
        return ratios, weighed


def _predictive_distribution(plda: PldaModel, totals: Floats, weighted_sums: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a face's next die, by the total weight (n, 1) and weighted sum of its examples.

    Ioffe 2006, eq. 5 and 6, with the total weight (MAX_WEIGHT at most) in place of the number of examples.
    """
    spread = plda.between_variance
    count = np.where(totals > LEAST_WEIGHT, np.minimum(totals, MAX_WEIGHT), 0.0)
    mean = count * spread / (count * spread + 1) * weighted_sums / np.maximum(totals, LEAST_WEIGHT)
    return mean, 1 + spread / (count * spread + 1)


def _log_ratio(plda: PldaModel, embeddings: Floats, totals: Floats, weighted_sums: Floats) -> Floats:
    """Return log p(e | examples) - log p(e | unknown) (n,) of each embedding with examples of its own."""
    mean, variance = _predictive_distribution(plda, totals, weighted_sums)
    unknown = 1 + plda.between_variance
    squares = (embeddings - mean) ** 2 / variance - embeddings**2 / unknown
    return np.asarray(-0.5 * (squares + np.log(variance / unknown)).sum(axis=1), np.float64)
