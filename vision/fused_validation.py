"""Estimate how a lesson's own pictures are read by the network and the other pictures together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.dice import DieSet, FaceName
from vision.evidence_examples import DieFeatures, EvidenceExample
from vision.evidence_fusion import FaceEvidence, fuse_faces
from vision.face_drawings import drawn_faces, face_probabilities
from vision.fewshot import Floats
from vision.fewshot_eval import CrossValidation
from vision.kind_assignment import KindFace
from vision.reference_set import read_alone
from vision.table_evidence import TableEvidence


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
