"""The words that games share."""

from __future__ import annotations

import pytest

from referee.dice import Die
from referee.phrases import as_sentence, clockwise, counted, spell, spell_list, with_set


def _dice(text: str) -> tuple[Die, ...]:
    return tuple(Die.parse(word) for word in text.split())


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("", ""),
        ("d6:pip-1", "pip-1"),
        ("traffic:happy signal:go", "happy and go"),
        ("traffic:happy traffic:star traffic:star signal:go", "happy, 2 x star and go"),
        ("traffic:? traffic:sad", "sad"),
        ("traffic:four", "a four"),
        ("traffic:two traffic:three traffic:three", "a two and 2 x three"),
    ],
)
def test_dice_are_spelled_with_their_faces_counted(dice: str, words: str) -> None:
    assert spell(_dice(dice)) == words


def test_a_list_has_its_last_word_before_the_last() -> None:
    assert spell_list([], "or") == ""
    assert spell_list(["Ann"], "or") == "Ann"
    assert spell_list(["Ann", "Bob"], "or") == "Ann or Bob"
    assert spell_list(["Ann", "Bob", "Cy"], "and") == "Ann, Bob and Cy"


def test_one_is_singular_and_none_is_plural() -> None:
    assert [counted(count, "turn") for count in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]


def test_the_others_follow_in_turn_order() -> None:
    assert clockwise(4, 3) == (4, 1, 2)
    assert clockwise(4, 4) == (1, 2, 3)
    assert clockwise(2, 1) == (2,)
    assert clockwise(1, 1) == ()


def test_one_seats_value_is_replaced() -> None:
    assert with_set((5, 6, 7), 1, 0) == (0, 6, 7)
    assert with_set((5, 6, 7), 2, 0) == (5, 0, 7)
    assert with_set((True, False), 2, True) == (True, True)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("the disk is full"), "The disk is full."),
        (ValueError("Stop."), "Stop."),
        ("a lesson is torn", "A lesson is torn."),
    ],
)
def test_an_error_becomes_a_sentence(error: Exception | str, sentence: str) -> None:
    assert as_sentence(error) == sentence
