"""What the table's own dice teach, weighed against the network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from reader_outputs import shares
from shown_faces import a_plda, an_example, face_places

from models import die_sets
from referee.dice import FaceName, KindName
from vision.fewshot import Floats, Lesson, PldaModel
from vision.kinds import CLASSES, KindFace
from vision.table_evidence import (
    CHOSEN,
    DieFeatures,
    EvidenceExample,
    FaceEvidence,
    ReferenceSet,
    TableEvidence,
    fuse_faces,
    is_no_worse,
    joined,
    outcome,
)

D6 = die_sets.load("d6")
ACCEPT_FROM = 0.93


SPREAD = (100.0,) * 40


def the_plda() -> PldaModel:
    """A space in which faces lie far apart, and which is as cautious as the one that ships."""
    return a_plda(SPREAD, temperature=2.0)


def spots(count: int, seed: int = 0) -> Floats:
    return face_places(count, seed, SPREAD)


def pip(number: int) -> KindFace:
    return KindName("d6"), FaceName(f"pip-{number}")


def a_die(place: Floats, **by_network: float) -> DieFeatures:
    """A die whose embedding lies at a place, and what the network says of it."""
    return DieFeatures(place.astype(np.float32), shares(**by_network), np.empty(0, np.float32))


def an_answer(features: DieFeatures, number: int, weight: float = 1.0, origin: str = "") -> EvidenceExample:
    return EvidenceExample(features, pip(number), weight, origin)


def near(place: Floats, seed: int) -> Floats:
    return np.asarray(place + np.random.default_rng(seed).normal(size=len(place)))


def a_game(faces: Floats, each: int, **by_network: float) -> tuple[EvidenceExample, ...]:
    """So many right answers about each face, the first of which is pip-1."""
    return tuple(
        an_answer(a_die(near(place, 100 * n + k), **by_network), n + 1, origin=f"{n}.{k}")
        for n, place in enumerate(faces)
        for k in range(each)
    )


def test_a_face_without_examples_keeps_its_ratio_to_all_others() -> None:
    """What nobody taught is read as before: only faces with evidence rise."""
    drawn = {pip(1): 0.5, pip(2): 0.3, pip(3): 0.1}
    fused = fuse_faces(drawn, FaceEvidence({FaceName("pip-3"): 2.0}, {}))
    assert fused.faces[pip(1)] / fused.faces[pip(2)] == pytest.approx(5 / 3)
    assert fused.faces[pip(3)] / fused.faces[pip(1)] == pytest.approx(np.exp(2.0) / 5)
    assert sum(fused.faces.values()) + fused.others * 0.1 == pytest.approx(1.0)


def test_whether_a_face_is_there_is_doubted_less_where_people_named_it_and_the_doubts_were_not_borne_out() -> None:
    classes = np.array([shares(pip_1=0.6, pip_2=0.1, none=0.3)] * 2 + [shares(pip_5=0.6, none=0.4)], np.float32)
    named = FaceEvidence({FaceName("pip-1"): 0.0}, {})
    table = TableEvidence(the_plda(), borne_out=0.1)
    known, unlooked_at, another = table.believed(classes, [named, None, named])
    assert known[CLASSES.index("none")] == pytest.approx(0.03 / 0.73)
    assert known[CLASSES.index("pip-1")] / known[CLASSES.index("pip-2")] == pytest.approx(6)
    assert [unlooked_at, another] == [pytest.approx(classes[1]), pytest.approx(classes[2])]
    assert replace(table, borne_out=1.0).believed(classes, [named] * 3) == pytest.approx(classes)


def test_a_lesson_next_to_what_was_learned_in_play_keeps_what_was_borne_out() -> None:
    lesson = Lesson.from_examples(the_plda(), [an_example(place, "pip-1") for place in spots(3)])
    played = TableEvidence(the_plda(), a_game(spots(2), 2), D6, borne_out=0.4)
    assert joined(lesson, played).borne_out == joined(None, played).borne_out == 0.4
    assert joined(lesson, None).borne_out == 1


def test_without_evidence_nothing_changes() -> None:
    drawn = {pip(1): 0.5, pip(2): 0.3}
    assert fuse_faces(drawn, None).faces == drawn
    assert fuse_faces(drawn, TableEvidence(the_plda()).of(np.zeros((1, 40)), D6)[0]).faces == pytest.approx(drawn)


def test_a_face_that_the_network_excludes_can_still_be_taught() -> None:
    fused = fuse_faces({pip(1): 0.0, pip(2): 1.0}, FaceEvidence({FaceName("pip-1"): 10.0}, {}))
    lifted = CHOSEN.min_probability * np.exp(10.0)
    assert fused.faces[pip(1)] == pytest.approx(lifted / (lifted + 1.0))


def test_evidence_of_a_face_is_shared_by_its_kinds_as_before() -> None:
    purple, black = (KindName("rollers-purple"), FaceName("pip-3")), (KindName("rollers-black"), FaceName("pip-3"))
    place = spots(1)[0]
    (found,) = TableEvidence(the_plda(), (EvidenceExample(a_die(place), purple),)).of(place, die_sets.load("rollers"))
    fused = fuse_faces({purple: 0.1, black: 0.3}, found)
    assert fused.faces[black] / fused.faces[purple] == pytest.approx(3.0)
    assert fused.faces[black] + fused.faces[purple] > 0.95


def test_examples_alone_decide_on_faces_that_no_drawing_knows() -> None:
    odd = KindName("odd"), FaceName("sun")
    fused = fuse_faces({pip(1): 0.8}, FaceEvidence({FaceName("sun"): 9.0}, {odd: 0.75}))
    assert fused.faces == pytest.approx({odd: 0.75, pip(1): 0.25 * 0.8})
    assert fused.by_examples


def test_what_came_from_a_die_of_a_throw_can_be_taken_back() -> None:
    place = spots(1)[0]
    first, taught = an_answer(a_die(place), 1, origin="7/2"), an_answer(a_die(place), 3)
    evidence = TableEvidence(the_plda()).with_examples([taught, taught, first])
    assert evidence.without("7/2").examples == (taught, taught)
    assert evidence.examples == (taught, taught, first)


def test_readings_that_stood_are_no_evidence_without_an_answer() -> None:
    place = spots(1)[0]
    weak = TableEvidence(the_plda(), tuple(an_answer(a_die(place), 1, 0.5) for _ in range(50)))
    (found,) = weak.of(place, D6)
    assert (dict(found.log_ratios), found.unknown) == ({}, 1.0)


def test_readings_that_stood_count_no_more_than_the_answers() -> None:
    one, far = spots(2)
    answer, weak = an_answer(a_die(one), 1), [an_answer(a_die(far), 1, 0.5) for _ in range(50)]
    many, few = (TableEvidence(the_plda(), (answer, *weak[:count])) for count in (50, 2))
    assert many.of(one, D6)[0].log_ratios == pytest.approx(few.of(one, D6)[0].log_ratios)


def test_a_false_answer_among_true_ones_is_named_and_does_not_count() -> None:
    faces = spots(4)
    true = a_game(faces, 3, pip_1=0.25, pip_2=0.25, pip_3=0.25, pip_4=0.25)
    false = an_answer(a_die(near(faces[0], 999), pip_1=0.5, pip_2=0.5), 2, origin="false")
    evidence = TableEvidence(the_plda(), (*true, false))
    (suspect,) = evidence.suspects()
    assert (suspect.example, suspect.looks_like) == (false, pip(1))
    assert suspect.probability < 0.5
    assert evidence.of(faces[0], D6)[0].log_ratios == pytest.approx(
        TableEvidence(the_plda(), true).of(faces[0], D6)[0].log_ratios
    )


def test_true_answers_are_not_suspected() -> None:
    assert TableEvidence(the_plda(), a_game(spots(6), 4, pip_1=0.4, pip_5=0.4)).suspects() == ()


def test_a_lesson_is_evidence_of_answers() -> None:
    faces = spots(3)
    lesson = Lesson.from_examples(
        the_plda(), [an_example(near(place, n), f"face-{n}") for n, place in enumerate(faces)]
    )
    lesson = replace(lesson, temperature=3.0, accept_from=0.7)
    evidence = TableEvidence.from_lesson(lesson)
    assert evidence.faces == lesson.faces
    assert (evidence.temperature, evidence.accept_from) == (3.0, 0.7)
    found = [[*one.alone.values(), one.unknown] for one in evidence.of(faces, None)]
    assert np.array(found) == pytest.approx(lesson.probabilities(faces), abs=1e-3)


def test_a_lesson_and_what_was_learned_in_play_are_one_evidence() -> None:
    faces = spots(2)
    lesson = Lesson.from_examples(the_plda(), [an_example(faces[0], "pip-1")])
    played = TableEvidence(the_plda(), (an_answer(a_die(faces[1]), 2),))
    both = joined(lesson, played)
    assert both is not None
    assert both.faces == (pip(1), pip(2))
    assert joined(None, played) is played
    assert joined(None, TableEvidence(the_plda())) is None
    assert joined(None, None) is None


def test_the_more_the_same_is_shown_the_more_the_same_is_expected() -> None:
    place = spots(1)[0]
    plda = a_plda(SPREAD, temperature=40.0)
    ratios = [
        TableEvidence(plda, tuple(an_answer(a_die(place), 1) for _ in range(count))).of(place, D6)[0].log_ratios
        for count in (1, 2, 4)
    ]
    assert [one[FaceName("pip-1")] for one in ratios] == sorted(one[FaceName("pip-1")] for one in ratios)


# ── never worse ──────────────────────────────────────────────────────────────────────────────────────────────────────


def a_reference(faces: Floats) -> ReferenceSet:
    """Dice of other looks that the network reads well."""
    known = [an_answer(a_die(place, **{f"pip_{n + 1}": 0.97}), n + 1) for n, place in enumerate(faces)]
    return ReferenceSet(tuple(known), ACCEPT_FROM)


def test_right_answers_are_no_worse_than_none_and_ask_less() -> None:
    faces, reference = spots(6, 1), a_reference(spots(6, 2))
    own = a_game(faces, 3, pip_1=0.3, pip_2=0.3)
    nothing, taught = TableEvidence(the_plda()), TableEvidence(the_plda(), own)
    assert is_no_worse(taught, nothing, own, reference, D6)
    assert not is_no_worse(nothing, taught, own, reference, D6)
    assert outcome(nothing, own, D6, ACCEPT_FROM).asked == len(own)


def test_each_die_is_read_by_what_the_others_teach() -> None:
    own = a_game(spots(6, 1), 1, pip_1=0.3, pip_2=0.3)
    assert outcome(TableEvidence(the_plda(), own), own, D6, ACCEPT_FROM).asked == len(own)


def test_what_makes_the_shipped_dice_read_worse_is_refused() -> None:
    faces = spots(6, 2)
    own = tuple(an_answer(a_die(near(faces[0], k), pip_2=1.0), 2) for k in range(3))
    nothing = TableEvidence(the_plda())
    assert is_no_worse(TableEvidence(the_plda(), own), nothing, own, a_reference(spots(6, 3)), D6)
    assert not is_no_worse(TableEvidence(the_plda(), own), nothing, own, a_reference(faces), D6)


def test_a_question_more_about_a_shipped_die_keeps_no_table_from_learning() -> None:
    faces = spots(6, 2)
    own = (an_answer(a_die(near(faces[0], 1), pip_2=1.0), 2),)
    unlike = ReferenceSet((an_answer(a_die(faces[0], pip_1=0.94, pip_2=0.05), 1),), ACCEPT_FROM)
    settings = replace(CHOSEN, max_log_ratio=1.0)
    nothing, taught = TableEvidence(the_plda(), settings=settings), TableEvidence(the_plda(), own, settings=settings)
    before, now = (outcome(one, unlike.examples, D6, ACCEPT_FROM) for one in (nothing, taught))
    assert ((before.asked, before.wrong), (now.asked, now.wrong)) == ((0, 0), (1, 0))
    assert is_no_worse(taught, nothing, own, unlike, D6)


def test_a_die_without_the_networks_probabilities_or_of_another_set_is_not_counted() -> None:
    place = spots(1)[0]
    unread = EvidenceExample(
        DieFeatures(place.astype(np.float32), np.empty(0, np.float32), np.empty(0, np.float32)), pip(1)
    )
    foreign = EvidenceExample(a_die(place, pip_1=1.0), (KindName("odd"), FaceName("sun")))
    found = outcome(TableEvidence(the_plda()), (unread, foreign), D6, ACCEPT_FROM)
    assert (found.asked, found.wrong) == (0, 0)
