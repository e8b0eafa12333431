"""What a lesson's own pictures tell of it: each is read by what the others taught, and never by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown_faces import a_space, an_example, face_places, likely, pictures_of

from vision import fewshot_eval
from vision.fewshot import Example, Floats, Space
from vision.fewshot_eval import MOST_ACCEPTANCE, MOST_PARTS, Proof, learn


def alone(space: Space, proof: Proof, seen: Example, others: Sequence[Example]) -> Floats:
    """How an example is read by what these others taught, at the lesson's temperature."""
    shown = [np.array([one.place for one in others if one.shows == face]) for face in proof.lesson.faces]
    return likely(space, seen.place[None], shown, proof.lesson.temperature)[0]


@given(st.data(), st.integers(2, 5), st.integers(1, 6), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_no_picture_is_read_by_what_it_was_taken_together_with(
    data: st.DataObject, faces: int, each: int, seed: int
) -> None:
    space = a_space((40.0, 20.0, 5.0))
    told = pictures_of(face_places(faces, seed, space.spread), each, seed=seed)
    when = st.tuples(st.sampled_from("ab"), st.sampled_from("123"))
    at = data.draw(st.lists(when, min_size=len(told), max_size=len(told)))
    examples = [replace(one, session=day, moment=f"{day}{n}") for one, (day, n) in zip(told, at, strict=True)]
    proof = learn(space, examples)
    days = {face: {one.session for one in examples if one.shows == face} for face in proof.lesson.faces}
    assert proof.by_session == all(len(found) == 2 for found in days.values())
    for row, seen in zip(proof.likely, examples, strict=True):
        together = (lambda one: one.session) if proof.by_session else (lambda one: one.moment)
        others = [one for one in examples if together(one) != together(seen)]
        assert row == pytest.approx(alone(space, proof, seen, others), abs=1e-9)


def test_of_more_moments_than_parts_some_are_left_out_together() -> None:
    space = a_space((40.0, 20.0, 5.0))
    examples = pictures_of(face_places(2, 3, space.spread), MOST_PARTS // 2 + 20)
    proof = learn(space, examples)
    for number in (0, 7, 19, 150):
        together = {number, number + MOST_PARTS}
        others = [one for n, one in enumerate(examples) if n not in together]
        assert proof.likely[number] == pytest.approx(alone(space, proof, examples[number], others), abs=1e-9)


@given(st.randoms(use_true_random=False), st.integers(0, 50))
@settings(max_examples=20, deadline=None)
def test_the_order_of_examples_does_not_matter(chance: Random, seed: int) -> None:
    examples = pictures_of(face_places(4, seed, (9.0, 4.0, 2.0)), 4, sessions=2, seed=seed)
    shuffled = chance.sample(examples, len(examples))
    one, other = (learn(a_space((9.0, 4.0, 2.0)), found) for found in (examples, shuffled))
    assert one.lesson.temperature == pytest.approx(other.lesson.temperature)
    assert one.lesson.accept_from == pytest.approx(other.lesson.accept_from)
    assert (one.accepted.sum(), one.right.sum()) == (other.accepted.sum(), other.right.sum())
    assert {frozenset((pair.face, pair.other)) for pair in one.confused()} == {
        frozenset((pair.face, pair.other)) for pair in other.confused()
    }


def test_faces_that_lie_apart_are_all_read_right_and_nothing_is_suspected() -> None:
    proof = learn(a_space(), pictures_of(face_places(6), 6))
    assert proof.accepted.all()
    assert proof.right.all()
    assert proof.confused() == ()
    assert proof.suspects() == ()
    assert proof.lesson.accept_from == 0.5


def test_a_face_that_was_pictured_at_one_moment_only_cannot_be_proved() -> None:
    told = pictures_of(face_places(4), 3)
    examples = [replace(one, moment="all at once") if one.shows[1] == "face-0" else one for one in told]
    proof = learn(a_space(), examples)
    assert not proof.accepted[:3].any()
    assert not proof.right[:3].any()
    assert proof.likely[:3, 0].tolist() == [0.0, 0.0, 0.0]
    assert proof.accepted[3:].all()
    assert proof.right[3:].all()


@pytest.mark.parametrize("each", [1, 2])
def test_faces_with_one_or_two_pictures_can_be_learned(each: int) -> None:
    faces = face_places(5)
    proof = learn(a_space(), pictures_of(faces, each))
    assert np.isfinite(proof.likely).all()
    assert proof.accepted.all() == (each == 2)
    assert proof.lesson.likely(faces).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


def test_a_single_picture_is_not_read_right_by_itself() -> None:
    proof = learn(a_space(), [an_example(face_places(1)[0], "sun")])
    assert (proof.accepted.sum(), proof.right.sum()) == (0, 0)
    assert proof.confused() == proof.suspects() == ()


def test_two_identical_pictures_are_learned_from() -> None:
    sun, moon = face_places(2)
    examples = [an_example(sun, "sun", moment="a"), an_example(sun, "sun", moment="b"), an_example(moon, "moon")]
    proof = learn(a_space(), examples)
    assert np.isfinite(proof.likely).all()
    assert proof.right.tolist() == [True, True, False]


def test_twenty_faces_in_five_thousand_pictures_are_learned() -> None:
    proof = learn(a_space(), pictures_of(face_places(20, seed=4), 250, sessions=5))
    assert proof.by_session
    assert len(proof.lesson.faces) == 20
    assert proof.right.mean() > 0.95


@given(st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_the_threshold_is_the_least_that_lets_nothing_wrong_through(seed: int) -> None:
    space = a_space((6.0, 4.0, 2.0), accept_from=0.4)
    proof = learn(space, pictures_of(face_places(5, seed, space.spread), 5, seed=seed))
    doubted = {n for n, _ in proof.suspects()}
    honest = np.array([n not in doubted for n in range(len(proof.examples))])
    sure, least = proof.likely[:, :-1].max(axis=1), proof.lesson.accept_from
    wrong = sure[~proof.right & honest]
    assert space.accept_from <= least <= MOST_ACCEPTANCE
    assert not (wrong >= least).any() or least == MOST_ACCEPTANCE
    assert least == space.accept_from or wrong.max() >= least - 2e-3


@given(st.integers(0, 40), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_one_wrong_label_is_found_with_the_face_it_should_be(which: int, seed: int) -> None:
    examples = pictures_of(face_places(6, 2), 8, seed=seed)
    right = examples[which].shows
    wrong = examples[(which + 8) % len(examples)].shows
    examples[which] = replace(examples[which], shows=wrong)
    proof = learn(a_space(), examples)
    assert proof.suspects() == ((which, right),)
    assert proof.lesson.accept_from < MOST_ACCEPTANCE


def test_the_most_certainly_wrong_is_suspected_first() -> None:
    space = a_space((100.0, 80.0, 60.0, 40.0, 30.0, 20.0))
    examples = pictures_of(face_places(6, 2, space.spread), 16)
    for n in (3, 40, 70):
        examples[n] = replace(examples[n], shows=examples[(n + 32) % 96].shows)
    proof = learn(space, examples)
    found = [n for n, _ in proof.suspects()]
    own = proof.likely[np.arange(96), proof.labels]
    assert sorted(found) == [3, 40, 70]
    assert own[found].tolist() == sorted(own[found])


def test_a_face_taught_under_two_names_is_told_and_its_pictures_are_not_suspected() -> None:
    faces = face_places(4)
    names = ["sun", "moon", "star", "sun-too"]
    proof = learn(a_space(), pictures_of(faces[[0, 1, 2, 0]], 6, names=names))
    (pair,) = proof.confused()
    assert {pair.face[1], pair.other[1]} == {"sun", "sun-too"}
    assert pair.alike
    assert pair.share == pytest.approx(0.5, abs=0.15)
    assert proof.suspects() == ()
    assert not proof.accepted[[one.shows[1].startswith("sun") for one in proof.examples]].all()


def test_faces_that_are_only_near_are_confused_but_not_alike() -> None:
    near = np.zeros((2, 6))
    near[1, 0] = 2.2
    proof = learn(a_space(), pictures_of(np.vstack([near, face_places(2)]), 40, names=["sun", "star", "moon", "boat"]))
    (pair,) = proof.confused()
    assert {pair.face[1], pair.other[1]} == {"sun", "star"}
    assert not pair.alike
    assert fewshot_eval.CONFUSED <= pair.share < fewshot_eval.ALIKE


def test_the_worst_pair_comes_first() -> None:
    places = np.zeros((4, 6))
    places[1, 0], places[2:, 1], places[3, 0] = 2.0, 50.0, 1.0
    proof = learn(a_space(), pictures_of(places, 40))
    shares = [pair.share for pair in proof.confused()]
    assert len(shares) == 2
    assert shares == sorted(shares, reverse=True)
    assert {proof.confused()[0].face[1], proof.confused()[0].other[1]} == {"face-2", "face-3"}


def test_a_space_that_was_too_sure_is_flattened_and_one_too_unsure_is_sharpened() -> None:
    examples = pictures_of(face_places(5, 0, (12.0, 8.0, 6.0)), 12)
    sure, unsure = (learn(a_space((12.0, 8.0, 6.0), temperature), examples).lesson for temperature in (0.3, 6.0))
    assert sure.temperature > 0.3
    assert unsure.temperature < 6.0


def test_what_is_told_of_a_lesson_holds_for_pictures_that_it_never_met() -> None:
    space, rng = a_space((6.0, 5.0, 4.0)), np.random.default_rng(3)
    told, fresh = np.zeros(2), np.zeros(2)
    for seed in range(80):
        faces = face_places(4, seed, space.spread)
        proof = learn(space, pictures_of(faces, 8, seed=seed))
        told += (proof.accepted & proof.right).sum(), proof.accepted.sum()
        labels = rng.integers(4, size=100)
        shares = proof.lesson.likely(faces[labels] + rng.normal(size=(100, 3)))[:, :-1]
        accepted = shares.max(axis=1) >= proof.lesson.accept_from
        fresh += (accepted & (shares.argmax(axis=1) == labels)).sum(), accepted.sum()
    assert 0.8 < fresh[0] / fresh[1] < 0.99  # faces that near to one another are mistaken now and then
    assert told[0] / told[1] == pytest.approx(fresh[0] / fresh[1], abs=0.03)
