"""Dice that a table has learned from, made by hand: their features are numbers that a seed gives."""

from __future__ import annotations

import numpy as np
from showing import WEIGHTS

from models.dataset.samples import LabelSource
from referee.dice import FaceName, KindName
from vander.learning.learned_dice import STOOD, WEAK_WEIGHT, FeatureSizes, LearnedDice, LearnedDie
from vision.fewshot import PldaModel
from vision.kinds import CLASSES, KindFace
from vision.table_evidence import DieFeatures, EvidenceExample

PLDA = PldaModel.load(WEIGHTS / "space.npz")
SIZES = FeatureSizes(len(PLDA.between_variance), len(CLASSES))


def shows(face: str, kind: str = "traffic") -> KindFace:
    return KindName(kind), FaceName(face)


def some_features(number: int, look: str) -> DieFeatures:
    """Features like no others, near those of dice that look alike; the network knows nothing of them."""
    chance, of_look = np.random.default_rng(number), np.random.default_rng(sum(map(ord, look)))
    middle = of_look.normal(size=SIZES.embedding) * np.sqrt(PLDA.between_variance)
    embedding, classes = middle + 0.3 * chance.normal(size=SIZES.embedding), np.full(SIZES.classes, 1 / SIZES.classes)
    return DieFeatures(*(np.asarray(row, np.float32) for row in (embedding, classes, chance.normal(size=7))))


def learned(
    number: int, face: str = "sad", *, stood: bool = False, hardness: float = 1.0, kind: str = "traffic", look: str = ""
) -> LearnedDie:
    """A die that somebody answered for, or whose reading stood. It looks like its face, or like another."""
    weight = WEAK_WEIGHT if stood else 1.0
    features, moment = some_features(number, look or face), f"run-{number}"
    example = EvidenceExample(features, shows(face, kind), weight, f"run-1-{number}-1", "run", moment)
    by = STOOD if stood else str(LabelSource.ANSWERED)
    return LearnedDie(example, f"2026-11-22T15:{number // 60 % 60:02d}:{number % 60:02d}+00:00", by, hardness)


def all_of(*dice: LearnedDie) -> LearnedDice:
    """What was learned, die by die."""
    found = LearnedDice()
    for die in dice:
        found = found.with_die(die)
    return found
