"""The labelled dice of a table, as features, and how they are weighed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.kind_assignment import KindFace

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
