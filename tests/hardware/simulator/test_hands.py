"""Hands that go to dice: they reach them before they move, hold them, let go and leave."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.hands import HandPose, paint_hands, random_look
from hardware.simulator.physics import Mishaps
from hardware.simulator.scenery import lens_for
from hardware.simulator.staging import SITUATIONS, stage
from hardware.simulator.virtual_tray import Manner, VirtualTray

SMALL = (640, 480)
TICK = 1 / 30
UNTOUCHED = {"nudge", "bump", "hand-over", "dim", "bright"}
"""Situations in which no hand is at the dice: elbows, the table, the light."""


def _tray(seed: int = 5) -> VirtualTray:
    return VirtualTray(seed=seed, mishaps=Mishaps(0.0, 0.0), size=SMALL)


def _away(hand: HandPose, tray: VirtualTray, number: int) -> float:
    """How far the fingertips are from a die, in mm."""
    x, y = tray._dice.find(number).pose(tray._now).centre[:2]
    return float(np.hypot(hand.tip[0] - x, hand.tip[1] - y))


ACTS = {
    "move": lambda tray: tray.move(2, 0.3, 0.6),
    "tip": lambda tray: tray.tip(2),
    "twist": lambda tray: tray.twist(2, 40),
    "reface": lambda tray: tray.reface(2),
    "set down": lambda tray: tray.set_down(2, 0.3, 0.6, other_face=True),
    "slide": lambda tray: tray.set_down(2, 0.3, 0.6, Manner.SLID),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_hand_is_at_the_die_for_as_long_as_the_die_moves(act: Callable[[VirtualTray], None]) -> None:
    tray = _tray()
    before = truth(tray)[2]
    act(tray)
    tray.advance(0.25)
    assert truth(tray)[2] == before
    moved = []
    while tray.rests_in() > 2 * TICK:
        tray.advance(TICK)
        (hand,) = tray.scene().hands
        moved.append(_away(hand, tray, 2))
        assert not hand.is_open
    assert max(moved[2:]) < 15
    tray.advance(0.1)
    assert tray.scene().hands[0].is_open
    tray.advance(1.0)
    assert tray.scene().hands == ()


def test_a_dropped_die_falls_from_an_open_hand() -> None:
    tray = _tray()
    tray.set_down(2, 0.4, 0.5, Manner.DROPPED)
    opened = []
    while tray.rests_in() > TICK:
        tray.advance(TICK)
        opened += [hand.is_open for hand in tray.scene().hands]
    assert sum(opened) >= 3


@pytest.mark.parametrize("seed", range(4))
def test_a_throwing_hand_lets_go_above_the_near_part_of_the_tray_and_leaves_before_the_dice_lie(seed: int) -> None:
    tray = _tray(seed)
    tray.throw(range(1, 7))
    tips = []
    while tray.scene().hands or not tips:
        tray.advance(TICK)
        tips += [hand.tip for hand in tray.scene().hands if hand.is_open]
    released = np.hypot(tips[0][0] - 120.0, tips[0][1] - 112.5)
    assert 60 < released < 150
    assert tray.rests_in() > 0
    tray.advance(5.0)
    assert all(die.flat for die in truth(tray).values())


def test_a_hand_hides_what_it_works_on_and_leaves_the_picture_as_it_was() -> None:
    tray = _tray()
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    before = camera.frame().pixels.astype(int)
    tray.reface(2)
    seen = [camera.frame().pixels.astype(int) for _ in range(12)]
    assert max((np.abs(pixels - before).max(axis=2) > 40).mean() for pixels in seen) > 0.05
    tray.advance(3.0)
    after = camera.frame().pixels.astype(int)
    assert 0 < (np.abs(after - before).max(axis=2) > 40).mean() < 0.01


@pytest.mark.parametrize("name", sorted({*SITUATIONS} - UNTOUCHED))
def test_a_hand_is_in_view_before_any_die_moves(name: str) -> None:
    tray = _tray()
    before = truth(tray)
    stage(tray, name, (), np.random.default_rng(2))
    hands = tray.scene().hands
    while truth(tray) == before:
        hands = tray.scene().hands
        tray.advance(TICK)
    assert hands


def test_a_hand_that_tidies_goes_from_die_to_die() -> None:
    tray = _tray()
    stage(tray, "tidy", (), np.random.default_rng(2))
    counts, seats = [], set()
    while tray.scene().hands or not counts:
        tray.advance(TICK)
        counts.append(len(tray.scene().hands))
        seats.update(hand.seat for hand in tray.scene().hands)
    assert (max(counts), len(seats)) == (1, 1)


def test_a_hand_knocks_a_die_off_and_stays_where_it_did() -> None:
    tray = _tray()
    x, y = tray._dice.find(2).pose(tray._now).centre[:2]
    tray.knock_off(2)
    ways = []
    while tray.rests_in() > 0:
        tray.advance(TICK)
        ways += [np.hypot(hand.tip[0] - x, hand.tip[1] - y) for hand in tray.scene().hands]
    assert min(ways) < 3
    assert tray.die(2)["place"] == "off"


def test_people_have_hands_of_many_looks() -> None:
    looks = {random_look(np.random.default_rng(seed)) for seed in range(40)}
    assert len({look.skin for look in looks}) >= 4
    assert len({look.cloth for look in looks}) >= 4
    assert len({look.is_left for look in looks}) == 2


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_can_be_played_by_hands_that_are_seen(name: str) -> None:
    tray = _tray()
    staging = stage(tray, name, (), np.random.default_rng(2))
    tray.advance(30.0)
    assert staging.is_over
    assert tray.scene().hands == ()
    assert tray.rests_in() <= 0.0


@pytest.mark.parametrize("apart_mm", [0.0, 1e-13])
def test_a_hand_that_has_not_left_its_seat_is_not_painted(apart_mm: float) -> None:
    picture = np.full((SMALL[1], SMALL[0], 3), 80, np.uint8)
    hand = HandPose((12.0, 34.0 + apart_mm), (12.0, 34.0), is_open=True, look=random_look(np.random.default_rng(1)))
    paint_hands(picture, lens_for(SMALL), [hand])
    assert (picture == 80).all()
