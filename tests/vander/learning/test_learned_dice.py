"""What a table has learned in play: later words replace earlier ones, and the least is forgotten first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from learned import all_of, learned, shows

from models import die_sets
from models.dataset.samples import LabelSource
from vander.learning.learned_dice import (
    COMPARED_DICE,
    MOST_DICE,
    MOST_WEAK,
    WEAK_WEIGHT,
    AskedDice,
    AskedThrow,
    LearnedDice,
)


def origins(found: LearnedDice) -> list[int]:
    return [int(die.origin.split("-")[2]) for die in found.dice]


def test_a_later_word_about_the_same_die_counts_and_says_what_was_said_before() -> None:
    found = all_of(learned(1, "sad"), learned(2, "two"), learned(1, "happy"))
    assert [(die.label, die.before) for die in found.dice] == [(shows("two"), None), (shows("happy"), shows("sad"))]


def test_the_same_word_twice_is_one_example() -> None:
    found = all_of(learned(1, "sad"), learned(2, "sad", stood=True), learned(1, "sad"))
    assert [(number, die.before) for number, die in zip(origins(found), found.dice, strict=True)] == [
        (1, None),
        (2, None),
    ]


def test_a_reading_that_stood_replaces_no_word_and_gives_way_to_one() -> None:
    assert all_of(learned(1, "sad"), learned(1, "happy", stood=True)).dice[0].label == shows("sad")
    (die,) = all_of(learned(1, "happy", stood=True), learned(1, "sad")).dice
    assert (die.label, die.is_answer, die.before) == (shows("sad"), True, None)


def test_what_stood_because_of_an_answer_goes_with_it() -> None:
    before, after = learned(1, "sad", stood=True), learned(3, "sad", stood=True)
    found = all_of(before, learned(2, "sad"), after, learned(4, "two", stood=True), learned(5, "sad"))
    assert origins(found.without("run-1-2-1")) == [1, 4, 5]


def test_what_stood_because_of_an_answer_goes_when_the_answer_is_contradicted() -> None:
    found = all_of(learned(2, "sad"), learned(3, "sad", stood=True), learned(2, "happy"))
    assert origins(found) == [2]


def test_nothing_is_taken_back_of_a_die_that_nobody_knows() -> None:
    found = all_of(learned(1))
    assert found.without("run-9-9-9") is found


def test_the_weak_examples_of_a_face_weigh_less_than_one_answer_together() -> None:
    found = all_of(*(learned(number, "sad", stood=True, hardness=0.1) for number in range(10)))
    assert len(found.dice) == MOST_WEAK
    assert sum(example.weight for example in found.examples) < 1
    assert MOST_WEAK * WEAK_WEIGHT < 1


def test_of_the_weak_examples_the_hardest_are_kept() -> None:
    easy = [learned(number, "sad", stood=True, hardness=0.01) for number in range(MOST_WEAK)]
    found = all_of(*easy)
    assert not found.wants_weak(shows("sad"), 0.01)
    assert found.wants_weak(shows("sad"), 0.2)
    assert found.wants_weak(shows("two"), 0.01)
    assert 9 in origins(found.with_die(learned(9, "sad", stood=True, hardness=0.2)))


def test_of_too_many_dice_the_weak_ones_are_forgotten_first_then_the_easy_ones_of_common_faces() -> None:
    rare, weak = learned(1, "two", hardness=0.0), learned(2, "star", stood=True)
    common = [learned(10 + number, "sad", hardness=0.5) for number in range(MOST_DICE - 2)]
    easy = learned(3, "sad", hardness=0.1)
    full = all_of(rare, weak, *common)
    assert len(full.dice) == MOST_DICE
    fuller = full.with_die(easy)
    assert len(fuller.dice) == MOST_DICE
    assert 2 not in origins(fuller)
    assert origins(fuller.with_die(learned(4, "sad", hardness=0.9)))[0] == 1
    assert 3 not in origins(fuller.with_die(learned(4, "sad", hardness=0.9)))


def test_dice_of_a_face_that_was_merged_show_the_other_from_then_on() -> None:
    found = all_of(learned(1, "sad"), learned(2, "two")).renamed(shows("happy"), shows("sad"))
    assert [die.label for die in found.dice] == [shows("happy"), shows("two")]


def test_faces_that_a_set_does_not_have_are_left_out() -> None:
    found = all_of(learned(1, "sad"), learned(2, "whale"), learned(3, "sad", kind="signal"))
    assert origins(found.of_set(die_sets.load("intersection"))) == [1]


def test_the_last_dice_are_compared_with_the_first_once_they_are_others() -> None:
    asked = AskedDice()
    for _ in range(15):
        asked = asked.with_throw(AskedThrow(6, 3))
    assert (asked.before, asked.now) == (None, AskedThrow(COMPARED_DICE, 30))
    for _ in range(15):
        asked = asked.with_throw(AskedThrow(6, 1))
    assert (asked.before, asked.now) == (AskedThrow(60, 30), AskedThrow(60, 10))
    assert asked.dice == 180


def test_a_large_throw_counts_whole() -> None:
    asked = AskedDice().with_throw(AskedThrow(50, 5)).with_throw(AskedThrow(50, 4)).with_throw(AskedThrow(50, 3))
    assert asked.now == AskedThrow(100, 7)


@pytest.mark.parametrize("by", list(LabelSource))
def test_what_people_said_is_counted_by_face(by: LabelSource) -> None:
    found = all_of(replace(learned(1), by=str(by)), learned(2, "two"), learned(3, "two", stood=True))
    assert found.answers == 2
    assert found.counts == {shows("sad"): 1, shows("two"): 1}


def test_what_the_reader_doubted_in_vain_is_doubted_less_and_an_error_brings_the_doubt_back() -> None:
    right = [replace(learned(n), hardness=0.5) for n in range(1, 9)]
    wrong = [replace(learned(n, "two"), hardness=1.0) for n in range(9, 13)]
    stood = [replace(learned(n, stood=True), hardness=0.9) for n in range(13, 16)]
    assert all_of().borne_out == 1
    assert all_of(*right, *stood).borne_out == pytest.approx(1 / 5)
    assert all_of(*right, *wrong, *stood).borne_out == pytest.approx(5 / 9)
    assert all_of(*wrong).borne_out == 1
