"""The training's pictures and crops: painted dice, lens distortion, hard negatives, photographs that may be used."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.synthetic.canvas import Use
from models.training import painted_dice as painting
from models.training import picture_dataset
from models.training.camera_emulation import LensDistortion
from models.training.crops import NONE, UNKNOWN, crop_around, crop_of_sighting, cut_crops, hard_negatives_in
from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture
from models.training.texture_atlas import random_dice
from vision.detection import POSTURES, Finder
from vision.frames import Frame
from vision.kinds import CLASSES
from vision.observations import DieSighting, Posture
from vision.rectification import unrectified_view

SAMPLE = Path(__file__).parents[3] / "models/training/sample"
WEIGHTS = Path(__file__).parents[3] / "models/weights"


def a_die(x: float, y: float, edge: float = 30.0, *, clear: bool = True) -> TrueDie:
    return TrueDie("pip-3", "pip-3/round", x, y, edge, 0.0, "flat", clear)


def packed(picture: np.ndarray, *dice: TrueDie) -> StoredPicture:
    return StoredPicture(cv2.imencode(".png", picture)[1].tobytes(), dice)


def test_the_sample_shows_dice_where_its_truth_says(finder: Finder) -> None:
    kept = picture_dataset.load_pictures(SAMPLE)
    assert len(kept) == 8
    sighted = [
        any(np.hypot(at.x - die.x, at.y - die.y) < 0.5 * die.edge for at in found)
        for one in kept
        for found in [finder.find(unrectified_view(Frame(one.pixels(), 0, 0.0)))]
        for die in one.dice
        if die.clear
    ]
    assert len(sighted) > 20
    assert np.mean(sighted) > 0.9
    assert {die.kind for one in kept for die in one.dice} >= {"d6", "traffic"}


@pytest.mark.slow
def test_every_die_of_a_painted_box_is_shown_with_each_side_up() -> None:
    found = painting.paint_batch(3, Use.TRAINING, 0)
    assert len(found) == 6 * painting.BATCH
    leaning = [one for one in found if POSTURES[one.posture] is Posture.COCKED]
    assert 0.08 < len(leaning) / len(found) < 0.25
    assert all(one.face != NONE for one in found)
    assert any(one.face == UNKNOWN for one in leaning)
    assert all(one.face != UNKNOWN for one in found if one not in leaning)


def test_a_painted_box_is_remade_by_its_seed_and_number() -> None:
    dice = [random_dice(np.random.default_rng(5), 3) for _ in range(2)]
    first, second = (painting.paint_die(some, 0, 2, np.random.default_rng(9), Use.TRAINING)[0] for some in dice)
    assert np.array_equal(first.pixels, second.pixels)
    assert (first.x, first.edge, first.face) == (second.x, second.edge, second.face)


def test_a_leaning_die_stands_on_its_lowest_corner() -> None:
    for degrees in (0.0, 12.0, 40.0):
        pose = painting.leaning_pose(degrees, np.random.default_rng(2))
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * pose.edge_mm / 2
        assert (pose.centre + corners @ pose.turn.T)[:, 2].min() == pytest.approx(0.0, abs=1e-9)
        assert np.degrees(np.arccos(pose.turn[2, 2])) == pytest.approx(degrees, abs=1e-4)


@pytest.mark.parametrize("by", [-0.14, -0.05, 0.06])
def test_a_bent_lens_moves_a_die_in_the_truth_to_where_it_shows_it(by: float) -> None:
    picture = np.zeros((240, 320, 3), np.uint8)
    cv2.circle(picture, (280, 40), 6, (255, 255, 255), -1)
    lens = LensDistortion(by, (320, 240))
    seen = lens.distort_die(a_die(280, 40))
    rows, columns = np.nonzero(lens.distort(picture)[..., 0] > 128)
    assert (columns.mean(), rows.mean()) == (pytest.approx(seen.x, abs=0.5), pytest.approx(seen.y, abs=0.5))
    assert abs(seen.x - 280) > 1
    outwards = np.hypot(seen.x - 160, seen.y - 120) > np.hypot(280 - 160, 40 - 120)
    assert outwards == (by > 0)


def test_a_straight_lens_changes_nothing() -> None:
    picture = np.random.default_rng(0).integers(0, 255, (24, 32, 3)).astype(np.uint8)
    assert np.array_equal(LensDistortion(0.0, (32, 24)).distort(picture), picture)
    assert LensDistortion(0.0, (32, 24)).distort_die(a_die(3, 4)) == a_die(3, 4)


def test_places_without_a_die_are_cut_out_as_none() -> None:
    picture = np.full((300, 300, 3), 90, np.uint8)
    found = cut_crops([packed(picture, a_die(80, 80)) for _ in range(40)], seed=1)
    assert sum(one.face == CLASSES.index("pip-3") for one in found) == 40
    assert {one.face for one in found} == {CLASSES.index("pip-3"), NONE}


def test_a_hard_negative_is_what_the_finder_finds_away_from_every_die(finder: Finder) -> None:
    one = picture_dataset.load_pictures(SAMPLE)[4]
    away = hard_negatives_in(one, finder)
    bare = hard_negatives_in(StoredPicture(one.encoded, ()), finder)
    assert len(bare) > len(away)
    assert all(crop.face == NONE and crop.posture == UNKNOWN for crop in away + bare)


PICTURE = np.full((200, 200, 3), 90, np.uint8)
WHOLE, UPPER = ({"file": f"images/{name}_001.jpg", "view": "oblique"} for name in ("epanemu", "penlington"))
BOX = {"face": "pip-4", "cx": 100.0, "cy": 100.0, "w": 40.0, "h": 44.0}


def sighted(x: float, y: float, edge: float = 36.0, confidence: float = 0.9) -> DieSighting:
    return DieSighting(x, y, edge, 5.0, Posture.FLAT, confidence, x, y, edge)


@pytest.mark.parametrize(
    ("at", "faces"),
    [
        (sighted(98, 92), [CLASSES.index("pip-4")]),
        (sighted(98, 100), []),  # between the top and a side
        (sighted(98, 112), [NONE]),  # a side
        (sighted(98, 92, edge=12), []),  # a pip of the die
        (sighted(70, 100), []),  # beside the box, perhaps the die itself
        (sighted(20, 30), [NONE]),
    ],
)
def test_what_is_sighted_in_a_box_of_a_whole_die_is_its_top_a_side_or_left_out(
    at: DieSighting, faces: list[int]
) -> None:
    found = crop_of_sighting(PICTURE, at, {**WHOLE, "dice": [BOX]})
    assert [one.face for one in found] == faces
    assert all(one.is_upright for one in found)


@pytest.mark.parametrize(
    ("at", "faces"),
    [
        (sighted(98, 108), [CLASSES.index("pip-4")]),
        (sighted(98, 122), []),
        (sighted(98, 134), [NONE]),
        (sighted(98, 103, edge=12), []),
    ],
)
def test_what_is_sighted_at_a_box_of_an_upper_face_is_that_a_side_or_left_out(
    at: DieSighting, faces: list[int]
) -> None:
    assert [one.face for one in crop_of_sighting(PICTURE, at, {**UPPER, "dice": [BOX]})] == faces


def test_two_boxes_about_a_sighting_leave_it_out() -> None:
    assert crop_of_sighting(PICTURE, sighted(100, 92), {**WHOLE, "dice": [BOX, BOX | {"cx": 110.0}]}) == []


def test_only_photographs_whose_licence_allows_it_are_trained_on(tmp_path: Path) -> None:
    from models.training.crops import allowed

    names = ("epanemu_001", "another_001", "penlington_001", "penlington_002")
    rows = [{"file": f"images/{name}.jpg", "dice": []} for name in names]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [row["file"] for row in allowed(tmp_path)] == ["images/epanemu_001.jpg", "images/penlington_002.jpg"]


def test_a_crop_knows_its_place_in_its_surroundings() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[40, 30] = 255
    one = crop_around(picture, (30.0, 40.0, 20.0, 0.0), NONE, UNKNOWN)
    assert one.pixels[int(one.y), int(one.x)].tolist() == [255, 255, 255]
