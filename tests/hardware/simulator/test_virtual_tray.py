"""The laws of the virtual tray: chance is fair, dice keep their room, hands do what they are told."""

from collections import Counter
from collections.abc import Callable, Collection

import cv2
import numpy as np
import pytest

from bench.simulator_truth import TrueTrayDie, truth
from hardware.cameras.base import CameraLost, NoSuchCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator import physics, tray_dice
from hardware.simulator.hands import LETTING_GO_SECONDS
from hardware.simulator.physics import (
    BAY,
    FACE_AXES,
    SPOT,
    DiePose,
    Mishaps,
    TrayPlace,
    flat_rotation,
    leaning_rotation,
    off_tray,
    on_felt,
    throw,
)
from hardware.simulator.virtual_tray import NoSuchDie, NoSuchTrouble, NothingToPutBack, VirtualTray
from models.die_sets import NoSuchDieSet, names
from models.synthetic.canvas import Use
from models.synthetic.faces import POOLS
from vision.frame_reader import upright_place
from vision.frames import Pixels
from vision.tray_calibration import TrayLayout

NO_MISHAPS = Mishaps(leans=0.0, leaves=0.0)
SMALL = (640, 480)


def _rested(tray: VirtualTray) -> dict[int, TrueTrayDie]:
    for _ in range(60):
        tray.advance(0.1)
    return truth(tray)


def _place(tray: VirtualTray, x_mm: float, y_mm: float) -> tuple[float, float]:
    """A place of the picture, in fractions, where the middle of a die at those millimetres is seen."""
    seen = tray.lens.project(np.array([[x_mm, y_mm, 8.0]]))[0]
    return float(seen[0] / tray.size[0]), float(seen[1] / tray.size[1])


def _overlap(dice: Collection[TrueTrayDie]) -> float:
    centres = np.array([(die.x_mm, die.y_mm) for die in dice])
    yaws = np.radians([die.turned_degrees for die in dice])
    return max(physics.depths(centres, yaws, 16.0, physics.all_pairs(len(dice)))[1], default=-np.inf)


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray(seed=5, mishaps=NO_MISHAPS, size=SMALL)


@pytest.fixture
def camera(tray: VirtualTray) -> VirtualCamera:
    seeing = VirtualCamera(tray, paced=False, seed=6)
    seeing.open()
    return seeing


@pytest.mark.parametrize("face", range(6))
def test_a_die_laid_flat_shows_the_face_that_was_asked(face: int) -> None:
    for yaw in (0.0, 0.7, 2.9, -1.2):
        pose = DiePose(np.array([0.0, 0.0, 8.0]), flat_rotation(face, yaw))
        assert pose.top == face
        assert pose.flat
        assert np.isclose(np.linalg.det(pose.rotation), 1.0)
        assert np.cos(4 * (pose.yaw - yaw)) == pytest.approx(1.0)


def test_a_leaning_die_is_raised_on_the_side_it_leans_on() -> None:
    pose = DiePose(np.zeros(3), leaning_rotation(2, np.array([1.0, 0.0]), np.radians(30)))
    assert pose.top == 2
    assert not pose.flat
    assert pose.rotation @ FACE_AXES[2] == pytest.approx((-0.5, 0.0, 0.75**0.5))


@pytest.mark.slow
def test_every_face_is_equally_likely() -> None:
    rng = np.random.default_rng(11)
    tops = Counter(path.end.top for _ in range(100) for path in throw(range(6), {}, 16.0, NO_MISHAPS, rng).values())
    expected = 600 / 6
    chi_square = sum((tops[face] - expected) ** 2 / expected for face in range(6))
    assert chi_square < 20.52  # 5 degrees of freedom, 1 in 1000


def test_no_two_dice_overlap_after_any_throw() -> None:
    tray = VirtualTray("toss-up", seed=3, mishaps=NO_MISHAPS, size=SMALL)
    for _ in range(12):
        tray.throw(range(1, 11))
        assert _overlap(_rested(tray).values()) <= 1e-6


def test_dice_may_come_to_rest_against_each_other() -> None:
    tray = VirtualTray("toss-up", seed=3, mishaps=NO_MISHAPS, size=SMALL)
    nearest = []
    for _ in range(12):
        tray.throw(range(1, 11))
        nearest.append(_overlap(_rested(tray).values()))
    assert max(nearest) > -0.1


def test_thrown_dice_lie_flat_in_the_field(tray: VirtualTray) -> None:
    for _ in range(10):
        tray.throw([1, 2, 3, 4, 5, 6])
        for die in _rested(tray).values():
            assert die.flat
            assert on_felt(np.array([die.x_mm, die.y_mm]), 7.9)
            assert die.x_mm < BAY
        assert {die["place"] for die in tray.dice()} == {"field"}


def test_a_throw_takes_about_a_second_of_tumbling(tray: VirtualTray) -> None:
    tray.throw([1, 2, 3])
    tray.advance(LETTING_GO_SECONDS + 0.35)
    assert truth(tray)[1] != _rested(tray)[1]
    before = _rested(tray)
    tray.advance(5.0)
    assert truth(tray) == before


def test_a_throw_leaves_the_dice_in_the_bay_alone(tray: VirtualTray) -> None:
    tray.move(6, *_place(tray, *SPOT))
    tray.move(1, *_place(tray, 270, 150))
    before = _rested(tray)
    for _ in range(6):
        tray.throw([2, 3, 4, 5])
        after = _rested(tray)
        assert (after[1], after[6]) == (before[1], before[6])


def test_a_throw_nudges_the_dice_in_the_field_but_never_turns_them_over(tray: VirtualTray) -> None:
    before = _rested(tray)
    for _ in range(6):
        tray.throw([2, 3])
        after = _rested(tray)
        assert all(after[number].face == before[number].face for number in (1, 4, 5, 6))
        assert all(abs(after[number].x_mm - before[number].x_mm) < 25 for number in (1, 4, 5, 6))
        before = after


def test_a_throw_of_no_dice_moves_nothing(tray: VirtualTray) -> None:
    before = _rested(tray)
    tray.throw([])
    assert _rested(tray) == before


def test_a_carried_die_keeps_its_face(tray: VirtualTray) -> None:
    for x_mm, y_mm in ((270, 100), (60, 60), (150, 200), SPOT):
        before = truth(tray)[2].face
        tray.move(2, *_place(tray, x_mm, y_mm))
        die = _rested(tray)[2]
        assert die.face == before
        assert (die.x_mm, die.y_mm) == pytest.approx((x_mm, y_mm), abs=0.5)


def test_six_tips_show_all_six_sides_and_come_round_to_the_first(tray: VirtualTray) -> None:
    tray.set_out("d6")
    for number in range(1, 7):
        shown = []
        for _ in range(7):
            shown.append(_rested(tray)[number].face)
            tray.tip(number)
        assert len(set(shown[:6])) == 6
        assert shown[6] == shown[0]


def test_a_tipped_die_stays_where_it_lies_and_leaves_the_others_alone(tray: VirtualTray) -> None:
    before = _rested(tray)
    tray.tip(2)
    after = _rested(tray)
    assert after[2].flat
    assert (after[2].x_mm, after[2].y_mm) == pytest.approx((before[2].x_mm, before[2].y_mm))
    assert {number: die for number, die in after.items() if number != 2} == {
        number: die for number, die in before.items() if number != 2
    }


def test_a_hand_turns_a_die_before_the_eye_and_then_the_die_lies_still(
    camera: VirtualCamera, tray: VirtualTray
) -> None:
    before = camera.frame().pixels.astype(int)
    for turn in (lambda: tray.tip(2), lambda: tray.twist(2, 40)):
        turn()
        moving = [camera.frame().pixels.astype(int) for _ in range(18)]
        changes = [np.abs(one - other).max() for one, other in zip([before, *moving], moving, strict=False)]
        assert sum(change > 60 for change in changes) >= 6
        before = [camera.frame().pixels.astype(int) for _ in range(8)][-1]
        assert np.abs(camera.frame().pixels.astype(int) - before).max() < 40


@pytest.mark.parametrize("degrees", [30, -30, 45, 90, 250, 0])
def test_a_twisted_die_keeps_its_face_and_is_turned_by_so_much(tray: VirtualTray, degrees: float) -> None:
    tray.move(2, *_place(tray, 120, 60))
    before = _rested(tray)[2]
    tray.twist(2, degrees)
    after = _rested(tray)[2]
    assert after.face == before.face
    assert (after.turned_degrees - before.turned_degrees - degrees + 45) % 90 == pytest.approx(45, abs=1e-6)
    assert (after.x_mm, after.y_mm) == pytest.approx((before.x_mm, before.y_mm), abs=0.5)


def test_a_die_twisted_among_others_gives_way() -> None:
    tray = VirtualTray("toss-up", seed=3, mishaps=NO_MISHAPS, size=SMALL)
    for _ in range(4):
        tray.throw(range(1, 11))
        _rested(tray)
        for number in range(1, 11):
            tray.twist(number, 45)
            assert _overlap(_rested(tray).values()) <= 1e-6


def test_a_leaning_die_is_set_flat_when_it_is_tipped_or_twisted() -> None:
    tray = VirtualTray(seed=2, mishaps=Mishaps(leans=1.0, leaves=0.0), size=SMALL)
    tray.throw([1, 2])
    before = _rested(tray)
    tray.tip(1)
    tray.twist(2, 20)
    after = _rested(tray)
    assert after[1].flat
    assert after[1].face != before[1].face
    assert after[2].flat
    assert after[2].face == before[2].face


@pytest.mark.parametrize("act", [lambda tray: tray.tip(2), lambda tray: tray.twist(2, 30)])
def test_a_die_off_the_table_cannot_be_turned(tray: VirtualTray, act: Callable[[VirtualTray], None]) -> None:
    tray.knock_off(2)
    _rested(tray)
    with pytest.raises(NoSuchDie, match="die 2 lies off the table"):
        act(tray)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "place"), [(100, 60, "field"), (270, 150, "aside"), (*SPOT, "aside"), (-38, 110, "out")]
)
def test_a_die_lies_where_it_was_put(tray: VirtualTray, x_mm: float, y_mm: float, place: str) -> None:
    tray.move(3, *_place(tray, x_mm, y_mm))
    _rested(tray)
    assert {die["number"]: die["place"] for die in tray.dice()}[3] == place


def test_a_die_put_upon_another_comes_to_lie_beside_it(tray: VirtualTray) -> None:
    there = next((die["x"], die["y"]) for die in tray.dice() if die["number"] == 4)
    tray.move(3, *there)
    dice = _rested(tray)
    assert _overlap(dice.values()) <= 0
    assert np.hypot(dice[3].x_mm - dice[4].x_mm, dice[3].y_mm - dice[4].y_mm) < 40


@pytest.mark.parametrize("x_mm", [-4, 240, 304])
def test_a_die_put_on_the_fence_or_the_lath_comes_to_lie_beside_it(tray: VirtualTray, x_mm: float) -> None:
    tray.move(3, *_place(tray, x_mm, 110))
    die = _rested(tray)[3]
    there = np.array([die.x_mm, die.y_mm])
    assert on_felt(there, 8) or off_tray(there, 8)


@pytest.mark.parametrize(("x", "y"), [(-3.0, 0.5), (0.5, 9.0), (1.0, 1.0)])
def test_a_die_carried_out_of_the_picture_stays_in_view(tray: VirtualTray, x: float, y: float) -> None:
    tray.move(3, x, y)
    _rested(tray)
    assert {die["number"]: die["place"] for die in tray.dice()}[3] == "out"


def test_a_die_knocked_off_is_gone_until_it_is_thrown_or_carried_back(tray: VirtualTray) -> None:
    tray.knock_off(2)
    assert 2 not in _rested(tray)
    assert [die["number"] for die in tray.dice() if die["place"] == "off"] == [2]
    tray.throw([2])
    assert 2 in _rested(tray)
    tray.knock_off(2)
    tray.knock_off(2)
    _rested(tray)
    tray.move(2, 0.4, 0.4)
    assert 2 in _rested(tray)


def test_a_die_that_leaves_the_tray_is_out_or_off() -> None:
    tray = VirtualTray(seed=1, mishaps=Mishaps(leans=0.0, leaves=1.0), size=SMALL)
    tray.throw([1, 2, 3, 4, 5, 6])
    dice = _rested(tray)
    places = [die["place"] for die in tray.dice()]
    assert set(places) <= {TrayPlace.OUT, TrayPlace.OFF}
    assert len(dice) == places.count("out")
    assert all(off_tray(np.array([die.x_mm, die.y_mm]), 8) for die in dice.values())


def test_a_die_that_leans_is_cocked_in_the_field_and_set_flat_by_a_hand() -> None:
    tray = VirtualTray(seed=2, mishaps=Mishaps(leans=1.0, leaves=0.0), size=SMALL)
    tray.throw([1, 2, 3])
    before = _rested(tray)
    assert not any(before[number].flat for number in (1, 2, 3))
    assert all(on_felt(np.array([before[number].x_mm, before[number].y_mm]), 7) for number in (1, 2, 3))
    tray.move(1, 0.5, 0.5)
    after = _rested(tray)[1]
    assert after.flat
    assert after.face == before[1].face


@pytest.mark.slow
def test_mishaps_happen_about_as_often_as_asked() -> None:
    rng = np.random.default_rng(4)
    ends = [path.end for _ in range(40) for path in throw(range(6), {}, 16.0, Mishaps(0.2, 0.2), rng).values()]
    askew = sum(not pose.flat for pose in ends)
    gone = sum(off_tray(pose.centre[:2], 8) for pose in ends)
    assert 28 <= askew <= 68
    assert 28 <= gone <= 68


@pytest.mark.parametrize("die_set", tray_dice.set_names())
def test_every_die_set_can_be_put_out_and_thrown(die_set: str) -> None:
    tray = VirtualTray(die_set, seed=9, mishaps=NO_MISHAPS, size=SMALL)
    kinds = Counter(die.kind for die in truth(tray).values())
    assert kinds == {kind.name: count for kind, count in tray.die_set.counts}
    assert _overlap(truth(tray).values()) < 0
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    tray.throw([die["number"] for die in tray.dice()])
    faces = {kind.name: set(kind.faces) for kind in tray.die_set.kinds}
    assert all(die.face in faces[die.kind] for die in _rested(tray).values())
    assert camera.frame().pixels.shape == (480, 640, 3)


def test_an_unknown_die_set_changes_nothing(tray: VirtualTray) -> None:
    before = _rested(tray)
    with pytest.raises(NoSuchDieSet, match="dominoes"):
        tray.set_out("dominoes")
    assert truth(tray) == before


def test_the_catalog_has_the_dice_of_every_game_and_some_of_none(tray: VirtualTray) -> None:
    assert set(tray.sets()) == {*names(), "strange"}
    assert tray.has("strange")
    assert not tray.has("dominoes")
    tray.set_out("strange")
    assert (tray.die_set.title, tray.die_set.count(tray.die_set.kinds[0].name)) == ("Strange dice", 3)
    known = {face for name in names() for kind in tray_dice.load_dice(name).kinds for face in kind.faces}
    assert not known & set(tray.die_set.kinds[0].faces)


def test_a_look_stays_until_another_is_chosen(tray: VirtualTray) -> None:
    assert tray.out() == ("intersection", "house-1")
    tray.set_out("rollers", look="unseen-2")
    tray.set_out("d6")
    assert tray.out() == ("d6", "unseen-2")
    with pytest.raises(tray_dice.NoSuchLook, match="house-9"):
        tray.set_out("rollers", look="house-9")
    assert tray.out() == ("d6", "unseen-2")


@pytest.mark.parametrize("look", tray_dice.UNSEEN_LOOKS)
def test_the_drawings_of_strangers_were_never_trained_on(look: str) -> None:
    for kind in (kind for name in names() for kind in tray_dice.load_dice(name).kinds):
        for face, (drawing, _) in tray_dice.drawings(kind, look).items():
            assert drawing in POOLS[Use.SCORING][face]
            assert drawing not in POOLS[Use.TRAINING][face]


def test_every_look_of_the_same_dice_looks_different(tray: VirtualTray) -> None:
    for name in ("strange", "intersection"):
        kind = tray_dice.load_dice(name).kinds[0]
        drawn = [tray_dice.face_art(kind, kind.faces[0], look).pixels.astype(int) for look in tray.looks()]
        assert min(np.abs(a - b).mean() for k, a in enumerate(drawn) for b in drawn[:k]) > 5


def test_the_camera_sees_the_look_that_is_out(camera: VirtualCamera, tray: VirtualTray) -> None:
    red = []
    for look in ("house-1", "house-2"):  # white dice, then red ones
        tray.set_out("d6", look=look)
        pixels = camera.frame().pixels.astype(int)
        red.append(int((pixels[..., 2] - pixels[..., 1] > 70).sum()))
    assert red[1] > 10 * max(red[0], 20)


@pytest.mark.parametrize(
    "act",
    [
        lambda tray: tray.throw([1, 99]),
        lambda tray: tray.move(99, 0.5, 0.5),
        lambda tray: tray.tip(99),
        lambda tray: tray.twist(99, 30),
    ],
)
def test_an_unknown_die_is_named_and_nothing_moves(tray: VirtualTray, act: Callable[[VirtualTray], None]) -> None:
    before = _rested(tray)
    with pytest.raises(NoSuchDie, match="99"):
        act(tray)
    assert _rested(tray) == before


def test_the_page_is_told_where_dice_lie_and_never_what_they_show(tray: VirtualTray) -> None:
    for die in tray.dice():
        assert set(die) == {"number", "kind", "x", "y", "edge", "place", "upright_x", "upright_y"}
        assert 0 <= die["x"] <= 1
        assert 0 <= die["y"] <= 1
        assert 0.03 < die["edge"] < 0.05


def _played(seed: int) -> tuple[list[Pixels], dict[int, TrueTrayDie]]:
    tray = VirtualTray(seed=seed, size=SMALL)
    camera = VirtualCamera(tray, paced=False, seed=seed)
    camera.open()
    tray.throw([1, 2, 3, 4, 5, 6])
    return [camera.frame().pixels for _ in range(30)], truth(tray)


def test_a_seed_repeats_every_picture() -> None:
    pictures, faces = _played(8)
    again, same_faces = _played(8)
    assert all((one == other).all() for one, other in zip(pictures, again, strict=True))
    assert faces == same_faces
    assert faces != _played(9)[1]


@pytest.mark.parametrize("size", [(1280, 960), (640, 480)])
def test_all_four_markers_are_found_while_dice_fly(size: tuple[int, int]) -> None:
    words = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    tray = VirtualTray(seed=7, mishaps=NO_MISHAPS, size=size)
    camera = VirtualCamera(tray, paced=False, seed=7)
    camera.open()
    tray.throw([1, 2, 3, 4, 5, 6])
    for _ in range(3):
        tray.advance(0.3)
        corners, found, _ = words.detectMarkers(camera.frame().pixels)
        assert sorted(found.ravel()) == [0, 1, 2, 3]
        seen = {int(number): corner[0].mean(axis=0) for number, corner in zip(found.ravel(), corners, strict=True)}
        assert seen[0][0] < seen[1][0]
        assert seen[0][1] < seen[3][1]
        assert np.hypot(*(seen[0] - tray.lens.project(np.zeros((1, 3)))[0])) < 1.0


def test_a_quiet_table_changes_by_the_sensors_noise_alone(camera: VirtualCamera) -> None:
    one, other = (camera.frame().pixels.astype(int) for _ in range(2))
    assert (one != other).any()
    assert np.abs(one - other).mean() < 5


def test_frames_are_numbered_in_time(camera: VirtualCamera) -> None:
    frames = [camera.frame() for _ in range(4)]
    assert [frame.number for frame in frames] == [1, 2, 3, 4]
    assert np.diff([frame.taken_at for frame in frames]) == pytest.approx([1 / 15] * 3)


def test_a_hand_reaches_in_and_leaves(camera: VirtualCamera, tray: VirtualTray) -> None:
    before = cv2.GaussianBlur(camera.frame().pixels, (0, 0), 4).astype(int)
    tray.hand(True)
    within = [camera.frame().pixels for _ in range(8)][-1]
    covered = (np.abs(cv2.GaussianBlur(within, (0, 0), 4).astype(int) - before).max(axis=2) > 40).mean()
    assert 0.1 < covered < 0.5
    tray.hand(False)
    after = [camera.frame().pixels for _ in range(8)][-1]
    assert np.abs(cv2.GaussianBlur(after, (0, 0), 4).astype(int) - before).max() < 12


def test_a_covered_lens_sees_noise_in_the_dark(camera: VirtualCamera, tray: VirtualTray) -> None:
    tray.trouble("covered")
    one, other = camera.frame().pixels, camera.frame().pixels
    assert one.mean() < 12
    assert (one != other).any()


def test_a_frozen_camera_gives_the_same_picture_again_and_again(camera: VirtualCamera, tray: VirtualTray) -> None:
    last = camera.frame()
    tray.trouble("frozen")
    tray.throw([1, 2, 3])
    frames = [camera.frame() for _ in range(5)]
    assert all((frame.pixels == last.pixels).all() for frame in frames)
    assert frames[-1].number == last.number + 5
    tray.trouble("")
    assert (camera.frame().pixels != last.pixels).any()


def test_an_unplugged_camera_is_lost_until_it_is_put_back(camera: VirtualCamera, tray: VirtualTray) -> None:
    tray.trouble("unplugged")
    for _ in range(3):
        with pytest.raises(CameraLost, match="unplugged"):
            camera.frame()
    with pytest.raises(NoSuchCamera, match="plug it in"):
        camera.open()
    tray.trouble("")
    camera.open()
    assert camera.frame().pixels.mean() > 30


def test_an_unknown_trouble_is_told_the_troubles_there_are(tray: VirtualTray) -> None:
    with pytest.raises(NoSuchTrouble, match="'covered', 'frozen', 'unplugged'"):
        tray.trouble("upside-down")


def _looks(tray: VirtualTray) -> dict[int, tuple[str, float, float]]:
    return {number: (die.face, round(die.x_mm), round(die.y_mm)) for number, die in _rested(tray).items()}


def test_dice_are_put_back_as_they_lay_before_the_throw() -> None:
    tray = VirtualTray("intersection", seed=3, mishaps=NO_MISHAPS)
    tray.move(2, *_place(tray, BAY + 30, 150))
    before = _looks(tray)
    tray.throw([1, 2, 3, 4, 5, 6])
    assert _looks(tray) != before
    tray.put_back()
    assert _looks(tray) == before


def test_dice_are_carried_into_the_bay_with_their_faces_up_and_no_other_moves() -> None:
    tray = VirtualTray("intersection", seed=4, mishaps=NO_MISHAPS)
    tray.throw([1, 2, 3, 4, 5, 6])
    before = _rested(tray)
    tray.set_aside([2, 5])
    after = _rested(tray)
    faces = {number: die.face for number, die in before.items()}
    assert {number: die.face for number, die in after.items()} == faces
    spots = [{number: (die.x_mm, die.y_mm) for number, die in dice.items()} for dice in (before, after)]
    moved = {number for number in after if spots[0][number] != spots[1][number]}
    aside = {die["number"] for die in tray.dice() if die["place"] == TrayPlace.ASIDE}
    assert len(moved) == 2
    assert moved <= aside
    assert sorted(faces[number] for number in moved) == sorted(faces[number] for number in (2, 5))


def test_of_what_is_remembered_that_comes_back_in_which_the_wanted_dice_lie() -> None:
    tray = VirtualTray("intersection", seed=4, mishaps=NO_MISHAPS)
    tray.move(2, *_place(tray, BAY + 30, 150))
    tray.throw([1, 3, 4])
    ruled = _looks(tray)
    wanted = [(die.kind, die.face, "aside" if number == 2 else "field") for number, die in truth(tray).items()]
    tray.throw([1, 2, 3, 4, 5, 6])
    tray.knock_off(3)
    tray.tip(4)
    assert _looks(tray) != ruled
    tray.put_back(wanted)
    assert _looks(tray) == ruled


def test_a_die_that_was_slipped_in_is_taken_away_when_dice_are_put_back() -> None:
    tray = VirtualTray("intersection", seed=5, mishaps=NO_MISHAPS)
    before = _looks(tray)
    tray.slip_in(0.5, 0.5)
    _rested(tray)
    tray.put_back()
    _rested(tray)
    assert tray.die(7)["place"] == TrayPlace.OFF
    assert _looks(tray) == before


def test_who_taps_put_back_again_and_again_lets_the_dice_rest() -> None:
    tray = VirtualTray("intersection", seed=3, mishaps=NO_MISHAPS)
    before = _looks(tray)
    tray.throw([1, 2, 3, 4, 5, 6])
    _rested(tray)
    for _ in range(40):
        tray.put_back()
        tray.advance(0.5)
        if tray.rests_in() <= 0:
            break
    assert tray.rests_in() <= 0
    assert _looks(tray) == before


def test_dice_can_be_put_back_again_after_another_throw() -> None:
    tray = VirtualTray("intersection", seed=3, mishaps=NO_MISHAPS)
    before = _looks(tray)
    for _ in range(2):
        tray.throw([1, 2, 3, 4, 5, 6])
        _rested(tray)
        tray.put_back()
        assert _looks(tray) == before


def test_where_no_hand_was_nothing_is_put_back() -> None:
    with pytest.raises(NothingToPutBack):
        VirtualTray("intersection").put_back()


def test_a_die_is_told_by_its_kind_and_its_place_from_straight_above() -> None:
    tray = VirtualTray("intersection")
    die, told = truth(tray)[1], tray.die(1)
    assert told["kind"] == "traffic"
    place = upright_place(TrayLayout().size_mm, die.x_mm, die.y_mm)
    assert (told["upright_x"], told["upright_y"]) == pytest.approx(place, abs=1e-3)


def test_the_picture_is_straightened_so_that_dice_are_seen_where_they_lie_from_above() -> None:
    tray = VirtualTray("intersection", seed=4)
    homography = np.reshape(tray.straight(), (3, 3))
    for die in tray.dice():
        across, down, depth = homography @ (float(die["x"]), float(die["y"]), 1.0)
        assert (across / depth, down / depth) == pytest.approx((die["upright_x"], die["upright_y"]), abs=1e-3)


def test_where_all_wanted_dice_lie_already_nothing_is_laid_elsewhere() -> None:
    tray = VirtualTray("intersection", seed=4, mishaps=NO_MISHAPS)
    tray.move(2, *_place(tray, BAY + 30, 150))
    wanted = [(die.kind, die.face, "aside" if number == 2 else "field") for number, die in _rested(tray).items()]
    tray.throw([1, 2, 3, 4, 5, 6])
    _rested(tray)
    tray.put_back(wanted)
    laid = _looks(tray)
    with pytest.raises(NothingToPutBack):
        tray.put_back(wanted)
    assert _looks(tray) == laid


def _wanted(tray: VirtualTray, **changed: tuple[str, str]) -> list[tuple[str, str, str]]:
    """How the dice lie now, but for those dice that are to show a face in a place."""
    lying = {f"d{number}": (die.kind, die.face, tray.die(number)["place"]) for number, die in _rested(tray).items()}
    return [(kind, *changed.get(name, (face, str(place)))) for name, (kind, face, place) in lying.items()]


def test_what_nobody_remembers_is_turned_or_carried_as_wanted() -> None:
    tray = VirtualTray("intersection", seed=4, mishaps=NO_MISHAPS)
    wanted = _wanted(tray, d1=("happy", "field"), d2=("star", "aside"))
    for _ in range(2):
        tray.put_back(wanted)
        lies = sorted(_wanted(tray))
        assert lies == sorted(wanted)
        tray.tip(1)
        _rested(tray)


def test_a_die_that_is_away_comes_back_with_the_wanted_face() -> None:
    tray = VirtualTray("toss-up", seed=4, mishaps=NO_MISHAPS)
    wanted = _wanted(tray, d3=("red", "field"))
    tray.set_out("toss-up")
    tray.knock_off(3)
    tray.put_back(wanted)
    assert sorted(_wanted(tray)) == sorted(wanted)


def test_in_what_is_remembered_a_die_is_turned_that_showed_another_face() -> None:
    tray = VirtualTray("intersection", seed=4, mishaps=NO_MISHAPS)
    tray.throw([1, 3, 4])
    wanted = _wanted(tray, d1=("star" if truth(tray)[1].face != "star" else "happy", "field"))
    tray.throw([1, 2, 3, 4, 5, 6])
    _rested(tray)
    tray.put_back(wanted)
    assert sorted(_wanted(tray)) == sorted(wanted)
    with pytest.raises(NothingToPutBack):
        tray.put_back(wanted)


def test_how_long_all_dice_have_lain_still_is_known_though_the_trays_clock_stands() -> None:
    tray = VirtualTray("rollers", seed=3)
    tray.throw([1, 2])
    tray.advance(tray.rests_in() + 0.1)
    before = tray.rests_in()
    tray.advance(5.0)
    assert tray.rests_in() == pytest.approx(before - 5.0, abs=0.2)
    tray.throw([1])
    tray.advance(0.1)
    assert tray.rests_in() > 0
