"""Select the acceptance threshold by the risk-coverage curve (Geifman and El-Yaniv 2017).

It is selected on pictures whose drawings, colours, surfaces and lights are neither trained nor scored on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.reading_scores import ReadingScore

Floats = npt.NDArray[np.float64]

MAX_SILENT_ERRORS = 0.0005
"""Share of dice that a threshold may accept with a wrong face: half of the goal, since the pictures are few."""

MIN_THRESHOLD, MAX_THRESHOLD = 0.5, 0.999
"""Limits of the threshold."""


@dataclass(frozen=True)
class ReadingOutcome:
    """The reading of one flat die.

    confidence: 0 to 1. correct: True if the face is right; the kind has a threshold of its own. readable: False if the
    die is asked about whatever the threshold, since it seems to lean or hardly to be a die.
    """

    confidence: float
    correct: bool
    readable: bool


def outcomes(total: ReadingScore) -> list[ReadingOutcome]:
    """Return the outcomes of all flat dice found, of a score taken with threshold 0."""
    found = [(met, met.reading) for met in total.dice() if met.reading]
    return [ReadingOutcome(reading.confidence, met.right_face, reading.accepted) for met, reading in found]


def risk_and_coverage(found: Sequence[ReadingOutcome]) -> tuple[Floats, Floats, Floats]:
    """Return thresholds, highest first, and for each the shares of all dice silently wrong and asked about, each (n,).

    In Geifman and El-Yaniv 2017 the first share is the risk, and 1 minus the second is the coverage.
    """
    ranked = sorted((one for one in found if one.readable), key=lambda one: -one.confidence)
    wrong = np.cumsum([not one.correct for one in ranked]) / len(found)
    asked = 1.0 - np.arange(1, len(ranked) + 1) / len(found)
    return np.array([one.confidence for one in ranked]), wrong, asked


def choose_threshold(found: Sequence[ReadingOutcome]) -> float:
    """Return the lowest threshold, rounded up to 0.001, with at most MAX_SILENT_ERRORS silently wrong."""
    thresholds, wrong, _ = risk_and_coverage(found)
    last_of_ties = np.append(thresholds[1:] < thresholds[:-1], True)[: len(thresholds)]
    good = np.nonzero((wrong <= MAX_SILENT_ERRORS) & last_of_ties)[0]
    chosen = float(thresholds[good[-1]]) if len(good) else MAX_THRESHOLD
    return float(np.clip(np.ceil(1000 * chosen) / 1000, MIN_THRESHOLD, MAX_THRESHOLD))
