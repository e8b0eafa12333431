"""Dice that a hand takes up before their throw is read are noticed; those that it only lays elsewhere are not."""

from __future__ import annotations

import pytest
from small_tray import SmallTray

from hardware.simulator.virtual_tray import REACHING_SECONDS


def rolled(name: str, seed: int) -> SmallTray:
    """Return a tray whose dice come to rest just as a hand that reaches in now is over them."""
    small = SmallTray(name, seed)
    small.settle()
    small.tray.throw(small.numbers)
    for _ in range(100):
        small.watch(1 / 15)
        if small.tray.rests_in() <= REACHING_SECONDS:
            break
    return small


@pytest.mark.parametrize("name", ["intersection", "toss-up", "switch-16"])
def test_a_throw_that_is_made_again_before_it_was_read_is_noticed(name: str) -> None:
    small = rolled(name, 3)
    small.tray.throw(small.numbers)
    assert small.settle().taken_up_at is not None


@pytest.mark.parametrize("name", ["intersection", "toss-up", "switch-16"])
def test_a_throw_after_one_that_was_read_is_none_of_it(name: str) -> None:
    small = SmallTray(name, 3)
    small.settle()
    for _ in range(3):
        small.tray.throw(small.numbers)
        assert small.settle().taken_up_at is None


@pytest.mark.parametrize("seed", range(4, 8))
def test_a_die_that_is_laid_aside_as_soon_as_it_lies_still_can_be_read(seed: int) -> None:
    small = rolled("toss-up", seed)
    small.tray.move(small.numbers[0], 0.9, 0.2)
    seen = small.settle()
    assert len(seen.dice) == len(small.numbers)
    assert seen.taken_up_at is None
