"""How a die lies, by the geometry of the calibrated plane."""

from copy import copy
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.synthetic.die_renderer import DirectionalLight, PinholeCamera, Pose, SolidDie, paint_dice
from models.synthetic.faces import FaceArt
from vander.resources.models_and_stores import posture_path
from vision.detection import without_doubles
from vision.frames import Frame, Pixels
from vision.model_file import BrokenModel
from vision.observations import LEANING, DieSighting, Posture
from vision.posture import (
    PER_EDGE,
    PLANES,
    SIDE,
    NetworkPosture,
    PostureModel,
    TopPlane,
    squared,
    straightened,
    with_postures,
)
from vision.rectification import TrayView, camera_over, rectify, unrectified_view
from vision.tray_calibration import Calibration, TrayLayout

SIZE, EDGE_MM = (1280, 960), 16.0
LENS = PinholeCamera.above((150.0, 112.0), 420.0, 1150.0, SIZE, tilt_degrees=12.0)
PLANE = Calibration(TrayLayout(), np.asarray(np.linalg.inv(LENS.homography()), np.float64), {}, SIZE)
PLACES = ((60.0, 60.0), (150.0, 110.0), (240.0, 60.0), (70.0, 170.0), (230.0, 165.0))


def face() -> FaceArt:
    pixels = np.full((64, 64, 3), (225, 230, 235), np.uint8)
    cv2.circle(pixels, (32, 32), 8, (40, 30, 30), -1)
    return FaceArt(pixels, np.zeros((64, 64), np.float32))


def pose(x: float, y: float, lean_degrees: float = 0.0, toward_degrees: float = 0.0) -> Pose:
    angle = np.radians(toward_degrees)
    axis = np.radians(lean_degrees) * np.array([np.sin(angle), -np.cos(angle), 0.0])
    turn = np.asarray(cv2.Rodrigues(axis)[0])
    return Pose(np.array([x, y, float(np.abs(turn[2]).sum()) * EDGE_MM / 2]), turn, EDGE_MM)


def picture(poses: list[Pose]) -> Pixels:
    painted = np.full((SIZE[1], SIZE[0], 3), (60, 95, 60), np.uint8)
    art = face()
    paint_dice(painted, LENS, [SolidDie(one, (art,) * 6) for one in poses], DirectionalLight())
    return np.asarray(cv2.GaussianBlur(painted, (0, 0), 0.6), np.uint8)


def sighting(one: Pose) -> DieSighting:
    """Return where a perfect finder would see the die's top face."""
    top = one.centre + one.turn @ (0, 0, EDGE_MM / 2)
    x, y = LENS.project(top[None])[0]
    x_mm, y_mm = cv2.perspectiveTransform(np.array([[[x, y]]]), PLANE.to_mm)[0, 0]
    edge = EDGE_MM * LENS.scale_at(top)
    height = LENS.eye[2]
    return DieSighting(x_mm, y_mm, EDGE_MM * height / (height - EDGE_MM), 0.0, Posture.FLAT, 0.95, x, y, edge)


def told(poses: list[Pose]) -> list[NetworkPosture]:
    """Return what networks say that take every die for flat."""
    return [NetworkPosture(sighting(one), 0.97) for one in poses]


@pytest.fixture(scope="module")
def model() -> PostureModel:
    return PostureModel(posture_path())


def seen(poses: list[Pose]) -> TrayView:
    return rectify(Frame(picture(poses), 1, 0.0), PLANE)


def _postures(model: PostureModel | None, view: TrayView, dice: list[NetworkPosture]) -> list[Posture]:
    return [one.posture for one in with_postures(model, view, dice)]


def test_flat_dice_lie_flat_wherever_they_are(model: PostureModel) -> None:
    flat = [pose(x, y) for x, y in PLACES]
    assert _postures(model, seen(flat), told(flat)) == [Posture.FLAT] * len(flat)


@pytest.mark.parametrize("scale", [0.5, 0.71, 1.06, 1.33])
def test_flat_dice_lie_flat_whatever_size_the_markers_are_taken_for(model: PostureModel, scale: float) -> None:
    flat = [pose(x, y) for x, y in PLACES]
    layout = replace(TrayLayout(), width_mm=300 * scale, height_mm=225 * scale)
    plane = replace(PLANE, layout=layout, to_mm=np.diag([scale, scale, 1.0]) @ PLANE.to_mm)
    dice = [NetworkPosture(replace(one, **_scaled(one, scale)), 0.97) for one in map(sighting, flat)]
    view = rectify(Frame(picture(flat), 1, 0.0), plane)
    assert _postures(model, view, dice) == [Posture.FLAT] * len(flat)


def _scaled(one: DieSighting, scale: float) -> dict[str, float]:
    return {"x_mm": one.x_mm * scale, "y_mm": one.y_mm * scale, "edge_mm": one.edge_mm * scale}


def test_most_dice_that_lean_by_thirty_degrees_do_not_lie_flat_though_the_networks_say_so(model: PostureModel) -> None:
    found: list[Posture] = []
    for toward in (0.0, 90.0, 180.0, 270.0):
        leaning = [pose(x, y, 30.0, toward) for x, y in PLACES]
        found += _postures(model, seen(leaning), told(leaning))
    assert sum(posture in LEANING for posture in found) >= 0.6 * len(found)


def test_nearly_all_dice_that_lean_by_twenty_degrees_may_lean_and_nearly_no_flat_die(model: PostureModel) -> None:
    poses = [pose(x, y, 20.0, toward) for x, y in PLACES for toward in (0.0, 90.0, 180.0, 270.0)]
    tables = [[one, *_others(one)] for one in poses]
    leaning = [with_postures(model, seen(dice), told(dice))[0] for dice in tables]
    flat = [pose(x, y) for x, y in PLACES]
    assert sum(die.leaning > 0.5 for die in leaning) >= 0.8 * len(leaning)
    assert not any(die.leaning > 0.5 for die in with_postures(model, seen(flat), told(flat)))


def _others(one: Pose) -> list[Pose]:
    """Return flat dice, which tell how large they are, in the other places."""
    return [pose(x, y) for x, y in PLACES if abs(x - one.centre[0]) > 1]


def test_without_a_plane_nobody_knows_what_is_flat(model: PostureModel) -> None:
    flat = [pose(x, y) for x, y in PLACES]
    view = unrectified_view(Frame(picture(flat), 1, 0.0))
    assert set(_postures(model, view, told(flat))) == {Posture.UNKNOWN}


def test_on_an_empty_tray_of_which_the_size_of_dice_is_known_no_die_lies(model: PostureModel) -> None:
    assert _postures(model, replace(seen([]), edge_mm=EDGE_MM), []) == []


def test_without_a_model_nobody_knows_either() -> None:
    flat = [pose(x, y) for x, y in PLACES[:1]]
    assert _postures(None, seen(flat), told(flat)) == [Posture.UNKNOWN]


def test_flat_dice_of_which_the_finder_is_not_sure_lie_flat_though_the_networks_call_them_stacked(
    model: PostureModel,
) -> None:
    """An oblique picture showed it: no die was sure, and all of them were to be thrown again."""
    flat = [pose(x, y) for x, y in PLACES]
    doubtful = [
        replace(one, sighting=replace(one.sighting, confidence=0.3, posture=Posture.STACKED)) for one in told(flat)
    ]
    assert _postures(model, seen(flat), doubtful) == [Posture.FLAT] * len(flat)


def test_without_a_plane_the_networks_may_still_call_a_die_leaning(model: PostureModel) -> None:
    (one,) = told([pose(*PLACES[0])])
    view = unrectified_view(Frame(picture([]), 1, 0.0))
    stacked = replace(one, sighting=replace(one.sighting, posture=Posture.STACKED))
    leaning = replace(one, flat_probability=0.2)
    assert _postures(model, view, [stacked, leaning]) == [Posture.STACKED, Posture.COCKED]


def test_an_unknown_posture_is_not_askew() -> None:
    assert [posture in LEANING for posture in Posture] == [False, True, True, False]


def test_a_flat_die_is_the_same_square_wherever_it_lies() -> None:
    plane = TopPlane(PLANE, camera_over(PLANE), EDGE_MM)
    for x, y in PLACES:
        one = pose(x, y)
        straight = straightened(picture([one]), plane, sighting(one))
        assert straight.pixels.shape == (SIDE, SIDE, 3)
        inside = straight.pixels[SIDE // 2 - PER_EDGE // 3, SIDE // 2 - PER_EDGE // 3]
        assert np.linalg.norm(inside.astype(float) - straight.pixels[SIDE // 2, 2]) > 60
        assert straight.sight == pytest.approx((LENS.eye[:2] - (x, y)) / LENS.eye[2], abs=0.03)


def test_a_square_that_is_off_is_put_on_the_top_face(model: PostureModel) -> None:
    true = [sighting(pose(x, y)) for x, y in PLACES]
    off = [replace(one, x_mm=one.x_mm + 1.6, y_mm=one.y_mm - 1.3) for one in true]  # an eighth of an edge, as a finder
    found = squared(model, seen([pose(x, y) for x, y in PLACES]), off)
    left = [np.hypot(moved.x_mm - one.x_mm, moved.y_mm - one.y_mm) for one, moved in zip(true, found, strict=True)]
    assert np.mean(left) < 0.05 * EDGE_MM
    assert max(left) < 0.08 * EDGE_MM
    for one, moved in zip(true, found, strict=True):
        assert moved.turned_degrees == one.turned_degrees
        assert moved.edge_mm == pytest.approx(one.edge_mm, rel=0.06)
    assert _postures(model, seen([pose(x, y) for x, y in PLACES]), [NetworkPosture(one, 0.97) for one in found]) == (
        [Posture.FLAT] * len(PLACES)
    )


def test_where_no_die_is_seen_there_is_none_whatever_the_finder_says(model: PostureModel) -> None:
    dice = [pose(x, y) for x, y in PLACES]
    found = squared(model, seen(dice[:3]), [replace(sighting(one), confidence=0.45) for one in dice])
    assert all(one.confidence > 0.9 for one in found[:3])
    assert all(one.confidence < 0.1 for one in found[3:])


def test_a_die_that_is_found_twice_is_one(model: PostureModel) -> None:
    """Its pip is, whose square is moved onto the top face."""
    whole = sighting(pose(*PLACES[1]))
    pip = replace(whole, edge_mm=whole.edge_mm / 4, edge=whole.edge / 4, x_mm=whole.x_mm + 3, confidence=0.3)
    found = squared(model, seen([pose(x, y) for x, y in PLACES]), [pip, *(sighting(pose(x, y)) for x, y in PLACES)])
    assert len(without_doubles(found)) == len(PLACES)


def test_without_a_model_or_a_plane_squares_stay_where_the_finder_saw_them(model: PostureModel) -> None:
    flat, view = [sighting(pose(*PLACES[0]))], seen([pose(*PLACES[0])])
    assert squared(None, view, flat) == flat
    assert squared(model, unrectified_view(view.frame), flat) == flat
    assert squared(model, view, []) == []


def test_the_network_is_shown_where_a_flat_die_would_be() -> None:
    """A flat die, which is grey on a green table, covers what it is said to cover, and a leaning one other parts."""
    plane = TopPlane(PLANE, camera_over(PLANE), EDGE_MM)
    errors = []
    for lean in (0.0, 25.0):
        one = pose(*PLACES[0], lean, 135.0)
        straight = straightened(picture([one]), plane, sighting(one))
        seen = straight.seen()
        is_die = np.ptp(straight.pixels, axis=2) < 12
        errors.append(float((is_die != (seen[4] > 0)).mean()))
        assert seen.shape == (PLANES, SIDE, SIDE)
        assert seen[:3].max() <= 1.0
    assert errors[0] < 0.06
    assert errors[1] > 1.5 * errors[0]


class Spots:
    """Stands for the network: doubts all dice, and takes the middle of what is bright for all that is off."""

    def __init__(self) -> None:
        self.looks = 0

    def run(self, _names: object, feeds: dict[str, Pixels]) -> list[Pixels]:
        self.looks += 1
        told = np.zeros((len(feeds["dice"]), 9), np.float32)
        for row, planes in zip(told, feeds["dice"], strict=True):
            down, across = np.nonzero(planes[0] > 0.5)
            row[3:7] = np.tile([across.mean(), down.mean()], 2) / SIDE - 0.5
        return [told]


def test_what_is_seen_of_a_doubted_die_from_all_sides_is_turned_back(model: PostureModel) -> None:
    one = pose(*PLACES[1])
    painted = np.zeros_like(picture([]))
    at = sighting(one)
    cv2.circle(painted, (round(at.x + 14), round(at.y - 5)), 6, (255, 255, 255), -1)
    turned, spots = copy(model), Spots()
    turned._session = spots
    seen = turned.evidence(painted, TopPlane(PLANE, camera_over(PLANE), EDGE_MM), [NetworkPosture(at, 0.97)])
    once = spots.run(
        None, {"dice": straightened(painted, TopPlane(PLANE, camera_over(PLANE), EDGE_MM), at).seen()[None]}
    )
    assert spots.looks == 5
    assert seen[0, 3] == pytest.approx(float(np.hypot(*once[0][0, 3:5])), abs=0.02)
    assert seen[0, 3] > 0.1


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "posture.onnx"
    damaged.write_bytes(posture_path().read_bytes()[:-10])
    damaged.with_suffix(".toml").write_bytes(posture_path().with_suffix(".toml").read_bytes())
    with pytest.raises(BrokenModel):
        PostureModel(damaged)
