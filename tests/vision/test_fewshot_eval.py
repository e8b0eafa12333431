"""What a lesson's own pictures tell of it: each is read by what the others taught, and never by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown_faces import a_plda, an_example, face_places, likely, pictures_of

from referee.dice import KindName
from vision import fewshot
from vision.fewshot import MAX_FOLDS, MAX_THRESHOLD, CrossValidation, Example, Floats, PldaModel, fit_lesson


def alone(plda: PldaModel, validation: CrossValidation, seen: Example, others: Sequence[Example]) -> Floats:
    """How an example is read by what these others taught, at the lesson's temperature."""
    shown = [np.array([one.embedding for one in others if one.label == face]) for face in validation.lesson.faces]
    return likely(plda, seen.embedding[None], shown, validation.lesson.temperature)[0]


@given(st.data(), st.integers(2, 5), st.integers(1, 6), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_no_picture_is_read_by_what_it_was_taken_together_with(
    data: st.DataObject, faces: int, each: int, seed: int
) -> None:
    plda = a_plda((40.0, 20.0, 5.0))
    told = pictures_of(face_places(faces, seed, plda.between_variance), each, seed=seed)
    when = st.tuples(st.sampled_from("ab"), st.sampled_from("123"))
    at = data.draw(st.lists(when, min_size=len(told), max_size=len(told)))
    examples = [replace(one, session=day, moment=f"{day}{n}") for one, (day, n) in zip(told, at, strict=True)]
    validation = fit_lesson(plda, examples)
    days = {face: {one.session for one in examples if one.label == face} for face in validation.lesson.faces}
    assert validation.by_session == all(len(found) == 2 for found in days.values())
    for row, seen in zip(validation.probabilities, examples, strict=True):
        together = (lambda one: one.session) if validation.by_session else (lambda one: one.moment)
        others = [one for one in examples if together(one) != together(seen)]
        assert row == pytest.approx(alone(plda, validation, seen, others), abs=1e-9)


def test_of_more_moments_than_parts_some_are_left_out_together() -> None:
    plda = a_plda((40.0, 20.0, 5.0))
    examples = pictures_of(face_places(2, 3, plda.between_variance), MAX_FOLDS // 2 + 20)
    validation = fit_lesson(plda, examples)
    for number in (0, 7, 19, 150):
        together = {number, number + MAX_FOLDS}
        others = [one for n, one in enumerate(examples) if n not in together]
        assert validation.probabilities[number] == pytest.approx(
            alone(plda, validation, examples[number], others), abs=1e-9
        )


@given(st.randoms(use_true_random=False), st.integers(0, 50))
@settings(max_examples=20, deadline=None)
def test_the_order_of_examples_does_not_matter(chance: Random, seed: int) -> None:
    examples = pictures_of(face_places(4, seed, (9.0, 4.0, 2.0)), 4, sessions=2, seed=seed)
    shuffled = chance.sample(examples, len(examples))
    one, other = (fit_lesson(a_plda((9.0, 4.0, 2.0)), found) for found in (examples, shuffled))
    assert one.lesson.temperature == pytest.approx(other.lesson.temperature)
    assert one.lesson.accept_from == pytest.approx(other.lesson.accept_from)
    assert (one.accepted.sum(), one.correct.sum()) == (other.accepted.sum(), other.correct.sum())
    assert {frozenset((pair.face, pair.other)) for pair in one.confused_pairs()} == {
        frozenset((pair.face, pair.other)) for pair in other.confused_pairs()
    }


def test_faces_that_lie_apart_are_all_read_right_and_nothing_is_suspected() -> None:
    validation = fit_lesson(a_plda(), pictures_of(face_places(6), 6))
    assert validation.accepted.all()
    assert validation.correct.all()
    assert validation.confused_pairs() == ()
    assert validation.suspected_mislabels() == ()
    assert validation.lesson.accept_from == 0.5


def test_a_face_that_was_pictured_at_one_moment_only_cannot_be_proved() -> None:
    told = pictures_of(face_places(4), 3)
    examples = [replace(one, moment="all at once") if one.label[1] == "face-0" else one for one in told]
    validation = fit_lesson(a_plda(), examples)
    assert not validation.accepted[:3].any()
    assert not validation.correct[:3].any()
    assert validation.probabilities[:3, 0].tolist() == [0.0, 0.0, 0.0]
    assert validation.accepted[3:].all()
    assert validation.correct[3:].all()


@pytest.mark.parametrize("each", [1, 2])
def test_faces_with_one_or_two_pictures_can_be_learned(each: int) -> None:
    faces = face_places(5)
    validation = fit_lesson(a_plda(), pictures_of(faces, each))
    assert np.isfinite(validation.probabilities).all()
    assert validation.accepted.all() == (each == 2)
    assert validation.lesson.probabilities(faces).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


def test_a_single_picture_is_not_read_right_by_itself() -> None:
    validation = fit_lesson(a_plda(), [an_example(face_places(1)[0], "sun")])
    assert (validation.accepted.sum(), validation.correct.sum()) == (0, 0)
    assert validation.confused_pairs() == validation.suspected_mislabels() == ()


def test_two_identical_pictures_are_learned_from() -> None:
    sun, moon = face_places(2)
    examples = [an_example(sun, "sun", moment="a"), an_example(sun, "sun", moment="b"), an_example(moon, "moon")]
    validation = fit_lesson(a_plda(), examples)
    assert np.isfinite(validation.probabilities).all()
    assert validation.correct.tolist() == [True, True, False]


def test_twenty_faces_in_five_thousand_pictures_are_learned() -> None:
    validation = fit_lesson(a_plda(), pictures_of(face_places(20, seed=4), 250, sessions=5))
    assert validation.by_session
    assert len(validation.lesson.faces) == 20
    assert validation.correct.mean() > 0.95


@given(st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_the_threshold_is_the_least_that_lets_nothing_wrong_through(seed: int) -> None:
    plda = a_plda((6.0, 4.0, 2.0), accept_from=0.4)
    validation = fit_lesson(plda, pictures_of(face_places(5, seed, plda.between_variance), 5, seed=seed))
    doubted = {n for n, _ in validation.suspected_mislabels()}
    honest = np.array([n not in doubted for n in range(len(validation.examples))])
    sure, least = validation.probabilities[:, :-1].max(axis=1), validation.lesson.accept_from
    wrong = sure[~validation.correct & honest]
    assert plda.accept_from <= least <= MAX_THRESHOLD
    assert not (wrong >= least).any() or least == MAX_THRESHOLD
    assert least == plda.accept_from or wrong.max() >= least - 2e-3


@given(st.integers(0, 40), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_one_wrong_label_is_found_with_the_face_it_should_be(which: int, seed: int) -> None:
    examples = pictures_of(face_places(6, 2), 8, seed=seed)
    right = examples[which].label
    wrong = examples[(which + 8) % len(examples)].label
    examples[which] = replace(examples[which], label=wrong)
    validation = fit_lesson(a_plda(), examples)
    assert validation.suspected_mislabels() == ((which, right),)
    assert validation.lesson.accept_from < MAX_THRESHOLD


def test_the_most_certainly_wrong_is_suspected_first() -> None:
    plda = a_plda((100.0, 80.0, 60.0, 40.0, 30.0, 20.0))
    examples = pictures_of(face_places(6, 2, plda.between_variance), 16)
    for n in (3, 40, 70):
        examples[n] = replace(examples[n], label=examples[(n + 32) % 96].label)
    validation = fit_lesson(plda, examples)
    found = [n for n, _ in validation.suspected_mislabels()]
    own = validation.probabilities[np.arange(96), validation.labels]
    assert sorted(found) == [3, 40, 70]
    assert own[found].tolist() == sorted(own[found])


def test_a_face_taught_under_two_names_is_told_and_its_pictures_are_not_suspected() -> None:
    faces = face_places(4)
    names = ["sun", "moon", "star", "sun-too"]
    validation = fit_lesson(a_plda(), pictures_of(faces[[0, 1, 2, 0]], 6, names=names))
    (pair,) = validation.confused_pairs()
    assert {pair.face[1], pair.other[1]} == {"sun", "sun-too"}
    assert pair.should_merge
    assert pair.share == pytest.approx(0.5, abs=0.15)
    assert validation.suspected_mislabels() == ()
    assert not validation.accepted[[one.label[1].startswith("sun") for one in validation.examples]].all()


def test_faces_that_are_only_near_are_confused_but_not_alike() -> None:
    near = np.zeros((2, 6))
    near[1, 0] = 2.2
    validation = fit_lesson(
        a_plda(), pictures_of(np.vstack([near, face_places(2)]), 40, names=["sun", "star", "moon", "boat"])
    )
    (pair,) = validation.confused_pairs()
    assert {pair.face[1], pair.other[1]} == {"sun", "star"}
    assert not pair.should_merge
    assert fewshot.CONFUSED_FROM <= pair.share < fewshot.MERGE_FROM


def test_the_worst_pair_comes_first() -> None:
    places = np.zeros((4, 6))
    places[1, 0], places[2:, 1], places[3, 0] = 2.0, 50.0, 1.0
    validation = fit_lesson(a_plda(), pictures_of(places, 40))
    shares = [pair.share for pair in validation.confused_pairs()]
    assert len(shares) == 2
    assert shares == sorted(shares, reverse=True)
    assert {validation.confused_pairs()[0].face[1], validation.confused_pairs()[0].other[1]} == {"face-2", "face-3"}


def test_an_overconfident_plda_model_gets_a_higher_temperature_and_an_underconfident_one_a_lower() -> None:
    examples = pictures_of(face_places(5, 0, (12.0, 8.0, 6.0)), 12)
    sure, unsure = (fit_lesson(a_plda((12.0, 8.0, 6.0), temperature), examples).lesson for temperature in (0.3, 6.0))
    assert sure.temperature > 0.3
    assert unsure.temperature < 6.0


def test_what_is_told_of_a_lesson_holds_for_pictures_that_it_never_met() -> None:
    plda, rng = a_plda((6.0, 5.0, 4.0)), np.random.default_rng(3)
    told, fresh = np.zeros(2), np.zeros(2)
    for seed in range(80):
        faces = face_places(4, seed, plda.between_variance)
        validation = fit_lesson(plda, pictures_of(faces, 8, seed=seed))
        told += (validation.accepted & validation.correct).sum(), validation.accepted.sum()
        labels = rng.integers(4, size=100)
        shares = validation.lesson.probabilities(faces[labels] + rng.normal(size=(100, 3)))[:, :-1]
        accepted = shares.max(axis=1) >= validation.lesson.accept_from
        fresh += (accepted & (shares.argmax(axis=1) == labels)).sum(), accepted.sum()
    assert 0.8 < fresh[0] / fresh[1] < 0.99  # faces that near to one another are mistaken now and then
    assert told[0] / told[1] == pytest.approx(fresh[0] / fresh[1], abs=0.03)


def test_equal_faces_on_two_kinds_are_no_confusion() -> None:
    """The pictures look alike, and their bodies tell the kinds apart."""
    plda = a_plda()
    told = pictures_of(face_places(3, 5, plda.between_variance), 8)
    of_two_kinds = [replace(one, label=(KindName(f"kind-{n % 2}"), one.label[1])) for n, one in enumerate(told)]
    validation = fit_lesson(plda, of_two_kinds)
    assert validation.confused_pairs() == ()
    assert validation.correct.all()
    assert validation.accepted.all()
    assert validation.suspected_mislabels() == ()
