"""Where acceptance begins: chosen by how much is silently wrong, and how much asked about, at every threshold.

It is chosen on pictures whose drawings, colours, surfaces and lamps were neither trained on nor are scored on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.scoring import Score

Floats = npt.NDArray[np.float64]

SILENT = 0.0005
"""The share of dice that a threshold may let through as what they are not: half of what the scoring allows, since the
choosing pictures are few."""

LEAST_ACCEPTANCE, MOST_ACCEPTANCE = 0.5, 0.999
"""Between these the threshold is chosen."""


@dataclass(frozen=True)
class Outcome:
    """What a threshold decides about one flat die: how sure the reader is, whether it is right.

    `readable` is False where it is asked about for another reason: it seems to lean, or hardly to be a die.
    """

    sure: float
    right: bool
    readable: bool


def outcomes(total: Score) -> list[Outcome]:
    """Every flat die that was found, of a score that was taken with a threshold of nought."""
    found = [(met, met.reading) for met in total.dice() if met.reading]
    return [Outcome(reading.confidence, met.right, reading.accepted) for met, reading in found]


def risk_and_coverage(found: Sequence[Outcome]) -> tuple[Floats, Floats, Floats]:
    """For every threshold, highest first: the shares of all dice that are silently wrong, and asked about.

    Geifman and El-Yaniv 2017 call the first the risk and what is not asked about the coverage.
    """
    ranked = sorted((one for one in found if one.readable), key=lambda one: -one.sure)
    wrong = np.cumsum([not one.right for one in ranked]) / len(found)
    asked = 1.0 - np.arange(1, len(ranked) + 1) / len(found)
    return np.array([one.sure for one in ranked]), wrong, asked


def choose_acceptance(found: Sequence[Outcome]) -> float:
    """The least probability, rounded up to a thousandth, from which on no more than SILENT are silently wrong."""
    thresholds, wrong, _ = risk_and_coverage(found)
    last_of_ties = np.append(thresholds[1:] < thresholds[:-1], True)[: len(thresholds)]
    good = np.nonzero((wrong <= SILENT) & last_of_ties)[0]
    chosen = float(thresholds[good[-1]]) if len(good) else MOST_ACCEPTANCE
    return float(np.clip(np.ceil(1000 * chosen) / 1000, LEAST_ACCEPTANCE, MOST_ACCEPTANCE))
