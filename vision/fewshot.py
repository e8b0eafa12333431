"""Few-shot classification: read dice from a few pictures a face, with probabilistic LDA over the reader's features.

The model is the PLDA of Ioffe, "Probabilistic Linear Discriminant Analysis" (ECCV 2006): embeddings of one face are
normally distributed about the face's class mean (within-class covariance), class means about a common mean
(between-class covariance). Both covariances are estimated once, from drawings that the reader was not trained on, and
kept as a `PldaModel`. A `Lesson` adds the embeddings of a die set's example pictures.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.dice import DieSet
from referee.error_messages import message_of
from referee.sentences import say
from vision.kind_assignment import KindFace
from vision.model_file import BrokenModel, read_checked

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
