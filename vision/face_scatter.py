"""Log-likelihood ratios of faces by weighted examples: PLDA predictive distributions (Ioffe 2006; `vision.fewshot`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.fewshot import Floats, PldaModel
from vision.kind_assignment import KindFace

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
