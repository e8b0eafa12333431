"""Hands that a single picture does not give away: dark skin before the wooden frame, dice tidied one after another."""

from collections.abc import Iterator

import numpy as np
import pytest
from small_tray import SmallTray

from hardware.simulator.hands import CLOTHS, SKINS, HandLook, HandPose, paint_hands, random_seat
from hardware.simulator.scenery import scenery
from hardware.simulator.virtual_tray import VirtualTray
from models.synthetic.die_renderer import emulate_sensor
from vision.background_subtraction import Background
from vision.frames import Pixels, downscale
from vision.motion_burst import HandWatch
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


def pictures(skin: int, count: int) -> Iterator[tuple[Pixels, Pixels]]:
    """Yield small pictures of a tray with ten dice, without and with a hand of that skin, reaching here and there."""
    tray, rng = VirtualTray("toss-up", seed=skin, size=(640, 480)), np.random.default_rng(skin)
    empty = scenery(tray.size, tray.felt)
    for _ in range(count):
        seat = random_seat(rng)
        look = HandLook(SKINS[skin], CLOTHS[rng.integers(len(CLOTHS))], is_left=bool(rng.random() < 0.5))
        reached = empty.copy()
        tip = float(rng.uniform(60, 240)), float(rng.uniform(40, 160))
        paint_hands(reached, tray.lens, [HandPose(tip, (float(seat[0]), float(seat[1])), False, look)])
        yield downscale(emulate_sensor(empty, rng)), downscale(emulate_sensor(reached, rng))


@pytest.mark.parametrize("skin", range(len(SKINS)))
def test_a_hand_of_any_skin_is_seen_before_wood_at_its_first_picture(skin: int) -> None:
    for empty, reached in pictures(skin, 12):
        assert HandWatch(Background(empty, since=0.0)).update(reached, 1.0) is not None


@pytest.mark.parametrize("skin", range(len(SKINS)))
def test_a_hand_that_was_taken_for_a_part_of_the_table_leaves_none_behind(skin: int) -> None:
    for empty, reached in pictures(skin, 12):
        table = Background(empty, since=0.0).at_rest_again(reached, 1.0)
        assert HandWatch(table).update(empty, 2.0) is None
