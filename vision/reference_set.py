"""Tell if new evidence reads labelled dice worse: the table's own, and a reference set that ships."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from referee.dice import DieSet, FaceName, KindName
from referee.error_messages import message_of
from referee.sentences import say
from vision.evidence_examples import DieFeatures, EvidenceExample
from vision.evidence_fusion import FaceEvidence, fuse_faces
from vision.face_drawings import all_faces, face_probabilities
from vision.fewshot import NPZ_ERRORS
from vision.kind_assignment import KindFace
from vision.model_file import BrokenModel, read_checked
from vision.table_evidence import TableEvidence


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """Labelled dice that ship, of looks that no table has: nothing that is learned may make them read worse.

    accept_from: the acceptance threshold of the reader that made their features. reader: leading hex digits of the
    SHA-256 of that reader's weights.
    """

    examples: tuple[EvidenceExample, ...]
    accept_from: float
    reader: str = ""

    def save(self, file: Path) -> None:
        """Write the set to an npz file: the arrays as float16."""
        told = {
            "accept_from": self.accept_from,
            "reader": self.reader,
            "labels": [list(one.label) for one in self.examples],
        }
        np.savez_compressed(
            file,
            told=np.frombuffer(json.dumps(told).encode(), np.uint8),
            embeddings=np.array([one.features.embedding for one in self.examples], np.float16),
            classes=np.array([one.features.class_probabilities for one in self.examples], np.float16),
        )

    @classmethod
    def load(cls, file: Path) -> ReferenceSet:
        """Read the set from an npz file and check it against the card next to it. Raises BrokenModel."""
        contents, _ = read_checked(file)
        try:
            with np.load(BytesIO(contents), allow_pickle=False) as npz:
                told = json.loads(bytes(npz["told"]))
                arrays = [np.asarray(npz[key], np.float32) for key in ("embeddings", "classes")]
                rows = zip(*arrays, told["labels"], strict=True)
                nothing = np.empty(0, np.float32)
                examples = tuple(
                    EvidenceExample(DieFeatures(embedding, classes, nothing), (KindName(kind), FaceName(face)))
                    for embedding, classes, (kind, face) in rows
                )
            return cls(examples, float(told["accept_from"]), str(told["reader"]))
        except NPZ_ERRORS as error:
            raise BrokenModel(
                say("the reference set {file} cannot be loaded: {cause}", file=file, cause=message_of(error))
            ) from error


@dataclass(frozen=True)
class Outcome:
    """How labelled dice are read: so many are asked about, and so many are silently wrong."""

    asked: int
    wrong: int

    def is_no_worse_than(self, other: Outcome) -> bool:
        """True if no more are asked about, and no more are wrong."""
        return self.asked <= other.asked and self.wrong <= other.wrong


def is_no_worse(
    candidate: TableEvidence,
    in_use: TableEvidence,
    own: Sequence[EvidenceExample],
    reference: ReferenceSet,
    dice: DieSet,
) -> bool:
    """True if the candidate asks no more and errs no more than what is in use, on own dice and on the reference.

    Own dice that are examples themselves are read by the others, without those of the same face and moment.
    """
    return all(
        outcome(candidate, examples, dice, reference.accept_from).is_no_worse_than(
            outcome(in_use, examples, dice, reference.accept_from)
        )
        for examples in (own, reference.examples)
    )


def outcome(evidence: TableEvidence, examples: Sequence[EvidenceExample], dice: DieSet, accept_from: float) -> Outcome:
    """Return how labelled dice of the set are read, each alone; the kind does not count."""
    faces = {name for _, name in all_faces(dice)}
    known = [one for one in examples if one.label[1] in faces and len(one.features.class_probabilities)]
    readings = [
        read_alone(one.features, found, dice, accept_from)
        for one, found in zip(known, _seen_by(evidence, known, dice), strict=True)
    ]
    wrong = sum(accepted and face != one.label[1] for one, (face, accepted) in zip(known, readings, strict=True))
    return Outcome(sum(not accepted for _, accepted in readings), wrong)


def read_alone(features: DieFeatures, found: FaceEvidence, dice: DieSet, accept_from: float) -> tuple[FaceName, bool]:
    """Return the likeliest face of a die that lies alone, and whether it is accepted; see `Reader`."""
    drawn = face_probabilities(features.class_probabilities, dice)
    face, probability = _likeliest(fuse_faces(drawn, found).faces)
    if face in found.log_ratios:
        return face, probability >= accept_from
    return face, probability >= accept_from and _accepts(drawn, face, accept_from)


def _accepts(drawn: Mapping[KindFace, float], face: FaceName, accept_from: float) -> bool:
    """True if the network alone accepts the face."""
    first, probability = _likeliest(drawn)
    return first == face and probability >= accept_from


def _likeliest(faces: Mapping[KindFace, float]) -> tuple[FaceName, float]:
    """Return the likeliest face, whatever its kind, and its probability; '' and 0 if there is none."""
    totals: dict[FaceName, float] = {}
    for (_, face), probability in faces.items():
        totals[face] = totals.get(face, 0.0) + probability
    return max(totals.items(), key=lambda item: item[1], default=(FaceName(""), 0.0))


def _seen_by(evidence: TableEvidence, examples: Sequence[EvidenceExample], dice: DieSet) -> list[FaceEvidence]:
    """Return what the evidence says of each example; one that is part of it is left out."""
    own = {one.features.embedding.tobytes(): n for n, one in enumerate(evidence.examples)}
    keys = [one.features.embedding.tobytes() for one in examples]
    left_out = evidence.left_out(dice) if any(key in own for key in keys) else []
    others = iter(
        evidence.of([one.features.embedding for one, key in zip(examples, keys, strict=True) if key not in own], dice)
    )
    return [left_out[own[key]] if key in own else next(others) for key in keys]
