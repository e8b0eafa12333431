"""Dice in the words of the umpire's sentences."""

from __future__ import annotations

import pytest

from referee.dice import Die, FaceName, KindName
from referee.umpire.tables import dice_words, out_of_view


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((), ""),
        (("pip-3", "pip-1", "pip-3", "star", "star"), "1, 3, 3, 2 x star"),
        (("two-ways",), "two ways"),
        ((None,), "an unread die"),
    ],
)
def test_numbers_come_first_one_by_one_and_symbols_are_counted(faces: tuple[str | None, ...], words: str) -> None:
    assert dice_words(Die(KindName("d6"), FaceName(face) if face else None) for face in faces) == words


def test_dice_out_of_view_are_counted() -> None:
    assert [out_of_view(count) for count in range(3)] == [
        "",
        "1 die is not in view: in a hand, or off the table.",
        "2 dice are not in view: in a hand, or off the table.",
    ]
