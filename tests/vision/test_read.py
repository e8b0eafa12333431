"""Reading: how a die is cut out, and what a drawing means on the dice of a set."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models import die_sets
from referee.dice import FaceName
from vision.read import (
    CLASSES,
    HOME_KINDS,
    REACH,
    SIDE,
    Look,
    Place,
    crop,
    hardly_a_die,
    likely_faces,
    meanings,
    whole_dice,
)
from vision.sightings import DieReading, DieSighting, Posture
from vision.weights import BrokenModel, load


def shares(**faces: float) -> np.ndarray:
    given = {name.replace("_", "-"): share for name, share in faces.items()}
    return np.array([given.get(name, 0.0) for name in CLASSES], np.float32)


def a_turned_die(turned_degrees: float, edge: float) -> np.ndarray:
    """A white square whose edge towards its own top is red, turned clockwise on a grey table."""
    picture = np.full((400, 400, 3), 90, np.uint8)
    for colour, middle, size in (
        ((255, 255, 255), (0, 0), (edge, edge)),
        ((0, 0, 255), (0, -edge / 3), (edge, edge / 3)),
    ):
        lean = np.radians(turned_degrees)
        x = 200 + middle[0] * np.cos(lean) - middle[1] * np.sin(lean)
        y = 180 + middle[0] * np.sin(lean) + middle[1] * np.cos(lean)
        box = cv2.boxPoints(((x, y), size, turned_degrees))
        cv2.fillPoly(picture, [np.round(box).astype(np.int32)], colour)
    return picture


@pytest.mark.parametrize("turned_degrees", [0.0, 20.0, 71.0])
@pytest.mark.parametrize("edge", [30.0, 150.0])
def test_a_crop_stands_upright(turned_degrees: float, edge: float) -> None:
    cut = crop(a_turned_die(turned_degrees, edge), Place(200, 180, edge, turned_degrees))
    top, middle, beside = SIDE // 2 - SIDE / REACH / 3, SIDE // 2, 3
    assert cut.shape == (SIDE, SIDE, 3)
    assert cut[int(top), middle].tolist() == pytest.approx([0, 0, 255], abs=40)
    assert cut[middle + 5, middle].tolist() == pytest.approx([255, 255, 255], abs=20)
    assert cut[middle, beside].tolist() == pytest.approx([90, 90, 90], abs=20)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (399.0, 399.0), (-30.0, 200.0), (500.0, 500.0)])
def test_a_die_at_or_beyond_the_edge_can_still_be_cut(x: float, y: float) -> None:
    assert crop(a_turned_die(0, 40), Place(x, y, 60.0, 10.0)).shape == (SIDE, SIDE, 3)


def test_every_face_of_every_die_set_can_be_read() -> None:
    for dice in map(die_sets.load, die_sets.names()):
        meant = {meaning for drawing in CLASSES for meaning in meanings(drawing, dice)}
        assert meant >= {(kind.name, face) for kind in dice.kinds for face in kind.faces}


def test_without_a_die_set_every_drawing_has_one_home() -> None:
    assert all(len(meanings(drawing, None)) == 1 for drawing in CLASSES if drawing != "none")
    assert len(HOME_KINDS) == 6


@pytest.mark.parametrize("drawing", ["pip-3", "digit-3", "three"])
def test_a_traffic_three_may_be_drawn_in_any_way(drawing: str) -> None:
    assert meanings(FaceName(drawing), die_sets.load("intersection")) == [("traffic", "three")]


def test_an_ordinary_die_keeps_pips_and_digits_apart() -> None:
    assert meanings(FaceName("digit-3"), die_sets.load("d6")) == [("d6", "digit-3")]


def test_a_drawing_that_the_set_does_not_have_means_nothing() -> None:
    assert meanings(FaceName("zap"), die_sets.load("intersection")) == []


def test_the_likelihoods_of_all_drawings_of_a_face_add_up() -> None:
    likely = likely_faces(shares(pip_3=0.5, digit_3=0.3, zap=0.2), die_sets.load("intersection"), a_body("#f4f4f2"))
    assert likely == {("traffic", "three"): pytest.approx(0.8)} | {
        named: 0.0 for named in likely if named != ("traffic", "three")
    }


@pytest.mark.parametrize(("body", "kind"), [("#5b2a86", "rollers-purple"), ("#1c1c20", "rollers-black")])
def test_the_body_tells_of_which_kind_a_face_is_that_two_kinds_have(body: str, kind: str) -> None:
    likely = likely_faces(shares(pip_3=0.9), die_sets.load("rollers"), a_body(body))
    assert likely[kind, "pip-3"] > 0.8
    assert sum(likely.values()) == pytest.approx(0.9)


def a_body(colour: str) -> np.ndarray:
    return np.full((SIDE, SIDE, 3), [int(colour[k : k + 2], 16) for k in (5, 3, 1)], np.uint8)


def a_look(x: float, edge: float, confidence: float, none: float = 0.0) -> Look:
    at = DieSighting(x, 50, edge, 0, Posture.FLAT, confidence, x, 50, edge)
    return Look(at, a_body("#f4f4f2"), shares(none=none), np.array([1, 0, 0], np.float32))


def test_a_pip_is_no_die_of_its_own() -> None:
    die, pip = a_look(50, 60, 0.8), a_look(70, 14, 0.9, none=0.4)
    assert whole_dice([pip, die]) == [die]


def test_a_crowd_of_dice_is_none() -> None:
    crowd, first, second = a_look(50, 60, 0.9, none=0.4), a_look(35, 20, 0.8), a_look(65, 20, 0.7)
    assert whole_dice([crowd, second, first]) == [first, second]


@pytest.mark.parametrize(("face", "finder", "left_out"), [(0.04, 0.5, True), (0.04, 0.8, False), (0.3, 0.5, False)])
def test_what_neither_finder_nor_reader_believes_in_is_left_out(face: float, finder: float, left_out: bool) -> None:
    at = DieSighting(50, 50, 20, 0, Posture.FLAT, finder, 50, 50, 20)
    assert hardly_a_die(DieReading(at, "d6", "pip-3", face, accepted=False)) is left_out


def test_dice_side_by_side_are_all_kept_however_their_sizes_differ() -> None:
    assert len(whole_dice([a_look(50, 60, 0.9), a_look(95, 20, 0.6)])) == 2


def test_a_model_without_its_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    with pytest.raises(BrokenModel, match="card"):
        load(tmp_path / "reader.onnx")


def test_a_model_other_than_its_card_describes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    (tmp_path / "reader.toml").write_text('sha256 = "0"\n')
    with pytest.raises(BrokenModel, match="sha256"):
        load(tmp_path / "reader.onnx")


def test_a_damaged_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.toml").write_text("sha256 = ")
    with pytest.raises(BrokenModel, match="damaged"):
        load(tmp_path / "reader.onnx")
