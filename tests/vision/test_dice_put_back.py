"""Dice that the virtual tray's hand puts back lie where they lie: none of them counts as thrown, nor to the field."""

from __future__ import annotations

import pytest

from bench.fair_cases.opening import fraction
from referee.dice import Handling, Zone
from tests.small_tray import SmallTray

BAY = ((252.0, 92.0), (269.0, 92.0), (286.0, 92.0))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dice_laid_back_into_the_bay_after_a_throw_of_all_lie_in_the_bay(seed: int) -> None:
    table = SmallTray("intersection", seed)
    table.settle()
    for number, place in enumerate(BAY, 1):
        table.tray.move(number, *fraction(table.tray, *place))
        table.settle()
    zones = _zones(table)
    assert zones.count(Zone.ASIDE) == 3
    table.tray.throw(table.numbers)
    thrown = table.settle()
    assert _zones(table) == [Zone.FIELD] * 6
    table.tray.put_back()
    seen = table.settle()
    assert _zones(table) == zones
    assert all(die.handled or die.thrown <= thrown.throw for die in seen.dice)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_die_laid_into_the_bay_from_outside_with_another_face_is_marked_as_laid(seed: int) -> None:
    """Unmarked it passed for a die that lay there, and its owner was accused."""
    table = SmallTray("intersection", seed)
    table.settle()
    table.tray.move(1, *fraction(table.tray, *BAY[0]))
    table.settle()
    table.tray.knock_off(1)
    table.settle()
    table.tray.set_down(1, *fraction(table.tray, *BAY[2]), other_face=True)
    (laid,) = [die for die in table.settle().dice if die.zone is Zone.ASIDE]
    assert laid.handled in {Handling.PLACED, Handling.TURNED}


def _zones(table: SmallTray) -> list[Zone]:
    return sorted(die.zone for die in table.seen[-1][1].dice)
