"""What a lesson's own pictures show by the network and the other pictures together."""

from __future__ import annotations

import numpy as np
from reader_outputs import shares
from shown_faces import a_plda, face_places, pictures_of

from models import die_sets
from vision.fewshot import fit_lesson
from vision.table_evidence import DieFeatures, fused_validation

D6, ACCEPT_FROM = die_sets.load("d6"), 0.93
SPREAD = (100.0,) * 40
NAMES = ["pip-1", "pip-2", "pip-3", "pip-4"]


def features(count: int, embeddings: list[np.ndarray], **by_network: float) -> list[DieFeatures]:
    return [
        DieFeatures(one.astype(np.float32), shares(**by_network), np.empty(0, np.float32)) for one in embeddings[:count]
    ]


def test_pictures_that_the_network_doubts_are_read_by_the_others() -> None:
    plda = a_plda(SPREAD, temperature=2.0)
    alone = fit_lesson(plda, pictures_of(face_places(4, 0, SPREAD), 4, names=NAMES))
    doubted = features(16, [one.embedding for one in alone.examples], pip_1=0.25, pip_2=0.25, pip_3=0.25, pip_4=0.25)
    fused = fused_validation(alone, doubted, D6, ACCEPT_FROM)
    assert fused.accepted.all()
    assert fused.correct.all()
    assert fused.confused_pairs() == ()
    assert np.allclose(fused.probabilities.sum(axis=1), 1.0)


def test_a_single_picture_of_a_face_is_read_by_the_network() -> None:
    plda = a_plda(SPREAD, temperature=2.0)
    alone = fit_lesson(plda, pictures_of(face_places(1, 0, SPREAD), 1, names=NAMES))
    places = [one.embedding for one in alone.examples]
    sure, unsure = (
        fused_validation(alone, features(1, places, **{"pip_1": share}), D6, ACCEPT_FROM) for share in (0.97, 0.6)
    )
    assert (sure.accepted.tolist(), unsure.accepted.tolist()) == ([True], [False])
    assert sure.correct.all()


def test_faces_that_no_drawing_knows_are_read_by_the_examples_alone() -> None:
    plda = a_plda(SPREAD, temperature=2.0)
    alone = fit_lesson(plda, pictures_of(face_places(3, 0, SPREAD), 4))
    described = features(12, [one.embedding for one in alone.examples], pip_1=1.0)
    fused = fused_validation(alone, described, D6, ACCEPT_FROM)
    assert (fused.probabilities == alone.probabilities).all()
    assert (fused.accepted == alone.accepted).all()
