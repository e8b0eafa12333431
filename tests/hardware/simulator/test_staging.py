"""Staged situations: each does on the tray what its name says, by the tray's clock, and leaves the camera as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bench.simulator_truth import TrueTrayDie, truth
from hardware.cameras.base import CameraLost, NoSuchCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator import virtual_tray
from hardware.simulator.physics import BAY, Mishaps, off_tray, on_felt
from hardware.simulator.staging import SITUATIONS, Intent, NoSuchSituation, Staging, stage
from hardware.simulator.virtual_tray import REACHING_SECONDS, NoSuchDie, VirtualTray

SMALL = (640, 480)
VERBS = {
    *("throw", "move", "tip", "twist", "knock_off", "hand", "trouble", "light", "set_down", "reface", "swap", "jolt"),
    *("take_away", "slip_in"),
}
Truth = dict[int, TrueTrayDie]


class WatchedTray(VirtualTray):
    """A virtual tray that remembers which of its verbs were used, with the tray's moment."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.used: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in VERBS:
            self.used.append(name)
        return super().__getattribute__(name)


def _tray(seed: int = 5, dice: str = "intersection") -> WatchedTray:
    return WatchedTray(dice, seed=seed, mishaps=Mishaps(0.0, 0.0), size=SMALL)


def _played(name: str, seed: int = 5, numbers: tuple[int, ...] = (), step: float = 0.5) -> tuple[Truth, Truth, Staging]:
    """The dice before and after a situation, and its staging."""
    tray = _tray(seed)
    before = truth(tray)
    staging = stage(tray, name, numbers, np.random.default_rng(seed))
    for _ in range(round(20 / step)):
        tray.advance(step)
    assert staging.is_over
    return before, truth(tray), staging


def _is_out(die: TrueTrayDie | None) -> bool:
    return die is None or off_tray(np.array([die.x_mm, die.y_mm]), 8)


def _shift(one: TrueTrayDie, other: TrueTrayDie) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def test_at_least_thirty_situations_are_cheats_or_mishaps_with_a_title_of_their_own() -> None:
    assert len(SITUATIONS) >= 30
    assert len({situation.title for situation in SITUATIONS.values()}) == len(SITUATIONS)
    for intent in Intent:
        assert sum(situation.intent is intent for situation in SITUATIONS.values()) >= 15


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_ends_uses_the_verbs_it_names_and_leaves_camera_light_and_hand_as_they_were(name: str) -> None:
    tray = _tray()
    staging = stage(tray, name, (), np.random.default_rng(1))
    tray.advance(20.0)
    scene = tray.scene()
    assert staging.is_over
    assert (scene.trouble, scene.brightness, scene.reach) == ("", 1.0, 0.0)
    assert tray.rests_in() <= 0.0
    assert set(tray.used) - {"set_down"} <= set(staging.situation.verbs)
    assert set(staging.situation.verbs) - {"restart"} <= set(tray.used)
    assert staging.wants_restart == staging.situation.restarts


@pytest.mark.parametrize("name", SITUATIONS)
def test_time_may_pass_at_once_or_frame_by_frame(name: str) -> None:
    _, at_once, _ = _played(name, step=20.0)
    _, by_frame, _ = _played(name, step=1 / 15)
    assert at_once == by_frame


@pytest.mark.parametrize(
    "name", ["off-and-back-at-once", "off-and-back-later", "knocked-back", "knocked-back-turned", "back-and-throw"]
)
def test_a_die_is_gone_before_it_is_put_back(name: str) -> None:
    tray = _tray()
    staging = stage(tray, name, (), np.random.default_rng(5))
    gone = False
    for _ in range(300):
        tray.advance(1 / 15)
        gone |= any(_is_out(truth(tray).get(number)) for number in staging.picked)
    assert gone
    assert not any(_is_out(truth(tray).get(number)) for number in staging.picked)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "keeps"),
    [
        ("knocked-back", True),
        ("nudge", True),
        ("slide", True),
        ("knocked-back-turned", False),
        ("turn", False),
        ("turn-under-hand", False),
        ("turn-under-cover", False),
        ("turn-in-bay", False),
        ("half-throw", False),
        ("turn-in-throw", False),
    ],
)
def test_a_die_keeps_its_face_or_shows_another(name: str, keeps: bool, seed: int) -> None:
    before, after, staging = _played(name, seed)
    die = staging.picked[0]
    assert (before[die].face == after[die].face) == keeps
    assert after[die].flat


@pytest.mark.parametrize("seed", range(4))
def test_a_die_laid_back_shows_the_face_on_which_it_fell_outside(seed: int) -> None:
    for name, keeps in (("off-and-back-later", True), ("off-and-back-turned-later", False)):
        tray = _tray(seed)
        staging = stage(tray, name, (), np.random.default_rng(seed))
        tray.advance(2.2)
        outside = tray._dice.find(staging.picked[0]).trajectory.end.top
        tray.advance(20.0)
        assert (tray._dice.find(staging.picked[0]).trajectory.end.top == outside) == keeps


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["lean-on-die", "lean-on-wall"])
def test_a_die_leans_on_what_the_name_says(name: str, seed: int) -> None:
    _, after, staging = _played(name, seed)
    leaning = after[staging.picked[0]]
    assert not leaning.flat
    nearest = min(_shift(leaning, die) for die in after.values() if die is not leaning)
    assert (nearest < 24) == (name == "lean-on-die")


@pytest.mark.parametrize("seed", range(4))
def test_a_stacked_die_lies_on_another_until_that_one_is_taken_away(seed: int) -> None:
    tray = _tray(seed)
    staging = stage(tray, "stacked", (), np.random.default_rng(seed))
    tray.advance(10.0)
    top = truth(tray)[staging.picked[0]]
    assert top.flat
    assert top.raised_mm == pytest.approx(16.0)
    below = min((die for die in truth(tray).values() if die != top), key=lambda die: _shift(die, top))
    assert _shift(below, top) < 8
    tray.throw([below.number])
    tray.advance(10.0)
    fallen = truth(tray)[top.number]
    assert (fallen.raised_mm, fallen.face) == (pytest.approx(0.0), top.face)


@pytest.mark.parametrize("seed", range(4))
def test_a_die_that_bounces_out_and_back_is_outside_for_a_moment(seed: int) -> None:
    tray = _tray(seed)
    staging = stage(tray, "bounce-back", (), np.random.default_rng(seed))
    seen = []
    for _ in range(60):
        tray.advance(1 / 15)
        seen.append(truth(tray).get(staging.picked[0]))
    assert any(_is_out(die) for die in seen[12:20])
    assert seen[-1] is not None
    assert on_felt(np.array([seen[-1].x_mm, seen[-1].y_mm]), 7.9)


@pytest.mark.parametrize("seed", range(4))
def test_a_die_falls_on_its_old_face_where_it_lay(seed: int) -> None:
    before, after, staging = _played("old-face", seed, numbers=(3,))
    assert staging.picked == (3,)
    assert before[3].face == after[3].face
    assert _shift(before[3], after[3]) < 6


def test_swapped_dice_lie_each_where_the_other_lay() -> None:
    before, after, staging = _played("swap")
    one, other = staging.picked
    assert _shift(before[one], after[other]) < 0.1
    assert _shift(before[other], after[one]) < 0.1
    assert (before[one].face, before[other].face) == (after[one].face, after[other].face)


def test_dice_come_out_of_the_sleeve_and_vanish_into_it() -> None:
    before, after, staging = _played("sleeve-add")
    (slipped,) = after.keys() - before.keys()
    assert staging.picked == (slipped,)
    assert after[slipped].kind in {die.kind for die in before.values()}
    before, after, staging = _played("sleeve-foreign")
    assert {after[number].kind for number in after.keys() - before.keys()} == {"strange"}
    before, after, staging = _played("sleeve-take")
    assert set(before) - set(after) == set(staging.picked)
    before, after, staging = _played("sleeve-swap")
    gone, come = staging.picked
    assert set(after) == (set(before) - {gone}) | {come}
    assert _shift(before[gone], after[come]) < 6


def test_parked_dice_lie_in_the_bay_and_come_out_of_it() -> None:
    _, after, staging = _played("park")
    assert after[staging.picked[0]].x_mm > BAY
    tray = _tray()
    tray.move(2, 0.8, 0.6)
    tray.advance(5.0)
    staging = stage(tray, "unpark", (), np.random.default_rng(2))
    tray.advance(5.0)
    assert staging.picked == (2,)
    assert truth(tray)[2].x_mm < BAY


def test_set_down_dice_never_tumble_and_dropped_dice_fall_a_fingers_height() -> None:
    heights: dict[str, float] = {}
    for name in ("place", "drop"):
        tray = _tray()
        stage(tray, name, (2,), np.random.default_rng(3))
        path = tray._dice.find(2).trajectory
        heights[name] = float(path.centres[:, 2].max())
        last = path.centres[-30:, 2]
        # A die that is set down only sinks in its last quarter of a second; one that is dropped bounces.
        assert bool((np.diff(last) > 0.05).any()) == (name == "drop")
    assert heights["place"] < 45
    assert 40 < heights["drop"] < 90


@pytest.mark.parametrize(("name", "pause"), [("quick-throws-02", 0.2), ("quick-throws-10", 1.0)])
def test_dice_are_taken_up_for_the_next_throw_after_the_pause_that_the_name_says(name: str, pause: float) -> None:
    tray = _tray()
    stage(tray, name, (), np.random.default_rng(4))
    first_rests = tray.rests_in()
    tray.advance(first_rests + pause - REACHING_SECONDS - 0.02)
    assert tray.used.count("throw") == 1
    tray.advance(0.04)
    assert tray.used.count("throw") == 2


def _moments(tray: VirtualTray, of: Callable[[], object]) -> Iterator[object]:
    for _ in range(120):
        tray.advance(1 / 15)
        yield of()


@pytest.mark.parametrize(("name", "trouble"), [("cover-in-throw", "covered"), ("freeze-in-throw", "frozen")])
def test_the_camera_fails_while_the_dice_roll_and_works_again_when_they_lie(name: str, trouble: str) -> None:
    tray = _tray()
    stage(tray, name, (), np.random.default_rng(4))
    seen = list(_moments(tray, lambda: (str(tray.scene().trouble), tray.rests_in() > 0)))
    assert (trouble, True) in seen
    assert (trouble, False) in seen
    assert seen[-1] == ("", False)


def test_a_camera_that_was_unplugged_in_a_throw_is_plugged_in_again_though_nobody_asks_for_frames() -> None:
    tray = _tray()
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    stage(tray, "unplug-in-throw", (), np.random.default_rng(4))
    tray.advance(1.5)
    with pytest.raises(CameraLost):
        camera.frame()
    camera.close()
    for _ in range(20):
        try:
            camera.open()
            break
        except NoSuchCamera:
            continue
    assert camera.frame().pixels.mean() > 30


def test_the_light_changes_what_the_camera_sees() -> None:
    tray = _tray()
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    usual = camera.frame().pixels.mean()
    stage(tray, "dim", (), np.random.default_rng(4))
    assert camera.frame().pixels.mean() < 0.75 * usual
    tray.advance(5.0)
    assert camera.frame().pixels.mean() == pytest.approx(usual, rel=0.03)


def test_an_unknown_situation_or_die_is_named_and_nothing_moves() -> None:
    tray = _tray()
    before = truth(tray)
    with pytest.raises(NoSuchSituation, match="'vanish'; there are lean-on-die"):
        stage(tray, "vanish", (), np.random.default_rng(1))
    with pytest.raises(NoSuchDie, match="99"):
        stage(tray, "turn", (99,), np.random.default_rng(1))
    tray.advance(5.0)
    assert truth(tray) == before


def test_a_situation_ends_when_its_dice_are_put_away() -> None:
    tray = _tray()
    staging = stage(tray, "knocked-back", (), np.random.default_rng(1))
    tray.set_out("toss-up")
    before = truth(tray)
    tray.advance(20.0)
    assert truth(tray) == before
    staging = stage(tray, "turn-under-hand", (2,), np.random.default_rng(1))
    tray.knock_off(2)
    tray.advance(20.0)
    assert staging.is_over


def test_a_tray_with_no_room_takes_no_further_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(virtual_tray, "MOST_DICE", 7)
    tray = _tray()
    tray.slip_in(0.4, 0.4)
    with pytest.raises(NoSuchDie, match="7 dice at most"):
        tray.slip_in(0.4, 0.4)
