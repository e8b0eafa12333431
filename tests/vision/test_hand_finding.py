"""Hands that a single picture does not give away: dark skin before the wooden frame, dice tidied one after another."""

import pytest
from small_tray import SmallTray

from vision.observations import Observation

TIDIED = 4


def table(die_set: str, seed: int) -> SmallTray:
    """A table at rest; the seed chooses the skin and the sleeves of the hands."""
    small = SmallTray(die_set, seed)
    small.settle()
    return small


def throw(small: SmallTray) -> Observation:
    small.tray.throw(small.numbers)
    return small.settle()


def tidy(small: SmallTray) -> Observation:
    """Carry dice together one after the other, without a pause in which the table would be read."""
    for place, number in enumerate(small.numbers[:TIDIED]):
        small.tray.move(number, 0.15 + 0.06 * place, 0.7)
        small.watch(max(0.4, small.tray.rests_in()))
    return small.settle()


@pytest.mark.parametrize(("die_set", "seed"), [("intersection", 4), ("rollers", 4), ("toss-up", 4), ("toss-up", 6)])
def test_dice_that_are_tidied_one_after_another_are_no_throw(die_set: str, seed: int) -> None:
    small = table(die_set, seed)
    thrown = throw(small)
    tidied = tidy(small)
    assert {die.thrown for die in tidied.dice} == {thrown.throw}
    again = throw(small)
    assert again.throw == thrown.throw + 1
    assert {(die.thrown, die.handled) for die in again.dice} == {(again.throw, None)}


@pytest.mark.parametrize("seed", [1, 2, 9, 10])
def test_ten_dice_that_leave_a_hand_together_are_not_taken_for_it(seed: int) -> None:
    small = table("toss-up", seed)
    for number in (1, 2):
        assert {(die.thrown, die.handled) for die in throw(small).dice} == {(number, None)}
