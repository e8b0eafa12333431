"""Hands that a single picture does not give away: dark skin before the wooden frame, dice tidied one after another."""

import numpy as np
import pytest
from small_tray import SmallTray

from vision.background_subtraction import Background
from vision.burst_film import FilmPicture
from vision.hands import in_hindsight, without_dice
from vision.motion_burst import MotionBurst
from vision.observations import Observation
from vision.tracking import Tracker

TIDIED = 4


@pytest.fixture
def bursts(monkeypatch: pytest.MonkeyPatch) -> list[MotionBurst]:
    """The bursts of motion that the tracker is given."""
    seen: list[MotionBurst] = []
    settle = Tracker.settle

    def noting(self: Tracker, readings: object, burst: MotionBurst | None = None, calibrated: bool = True) -> object:
        seen.extend([burst] if burst else [])
        return settle(self, readings, burst, calibrated)  # type: ignore[arg-type]

    monkeypatch.setattr(Tracker, "settle", noting)
    return seen


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


def test_a_hand_of_which_no_single_picture_is_sure_is_known_in_hindsight(bursts: list[MotionBurst]) -> None:
    small = table("toss-up", 4)
    throw(small)
    bursts.clear()
    small.tray.move(small.numbers[0], 0.8, 0.3)
    small.settle()
    pictures = [picture for burst in bursts if burst.film for picture in burst.film.pictures]
    unsure = [picture for picture in pictures if not picture.change.arrived > 0.5]
    assert sum(picture.hand is not None for picture in unsure) >= 3


@pytest.mark.parametrize("seed", [1, 2, 9, 10])
def test_ten_dice_that_leave_a_hand_together_are_not_taken_for_it(seed: int) -> None:
    small = table("toss-up", seed)
    for number in (1, 2):
        assert {(die.thrown, die.handled) for die in throw(small).dice} == {(number, None)}


@pytest.mark.parametrize(("side", "stays", "is_hand"), [(60, False, True), (60, True, False), (36, False, False)])
def test_what_is_solid_and_gone_afterwards_was_a_hand(side: int, stays: bool, is_hand: bool) -> None:
    table = np.full((240, 320, 3), 90, np.uint8)
    shown = table.copy()
    shown[90 : 90 + side, 120 : 120 + side] = 200
    picture = FilmPicture(
        1.0, 1 / 15, shown, np.zeros((240, 320), np.uint8), None, Background(table).large_change(shown)
    )
    (known,) = in_hindsight([picture], shown if stays else table)
    assert (known.hand is not None) == is_hand


@pytest.mark.parametrize(("edge", "is_hand"), [(12.0, True), (16.0, True), (36.0, False)])
def test_what_is_no_wider_than_the_dice_is_no_hand(edge: float, is_hand: bool) -> None:
    table = np.full((240, 320, 3), 90, np.uint8)
    hands = []
    for width in (20, 60, 30):
        hand = np.zeros((240, 320), np.uint8)
        hand[90:240, 120 : 120 + width] = 255
        hands.append(FilmPicture(1.0, 1 / 15, table, np.zeros((240, 320), np.uint8), hand))
    assert [picture.hand is not None for picture in without_dice(hands, edge)] == [is_hand] * 3
