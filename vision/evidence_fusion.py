"""Fuse what the examples of a table say of a die with the probabilities of the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.dice import FaceName
from vision.evidence_examples import CHOSEN, EvidenceSettings
from vision.kind_assignment import KindFace


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
