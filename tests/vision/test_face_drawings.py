"""What a drawing means on the dice of a set."""

import pytest
from reader_outputs import shares

from models import die_sets
from referee.dice import FaceName
from vision.kinds import CLASSES, HOME_KINDS, face_probabilities, faces_of_drawing


def test_every_face_of_every_die_set_can_be_read() -> None:
    for dice in map(die_sets.load, die_sets.names()):
        meant = {meaning for drawing in CLASSES for meaning in faces_of_drawing(drawing, dice)}
        assert meant >= {(kind.name, face) for kind in dice.kinds for face in kind.faces}


def test_without_a_die_set_every_drawing_has_one_home() -> None:
    assert all(len(faces_of_drawing(drawing, None)) == 1 for drawing in CLASSES if drawing != "none")
    assert len(HOME_KINDS) == 6


@pytest.mark.parametrize("drawing", ["pip-3", "digit-3", "three"])
def test_a_traffic_three_may_be_drawn_in_any_way(drawing: str) -> None:
    assert faces_of_drawing(FaceName(drawing), die_sets.load("intersection")) == [("traffic", "three")]


def test_an_ordinary_die_keeps_pips_and_digits_apart() -> None:
    assert faces_of_drawing(FaceName("digit-3"), die_sets.load("d6")) == [("d6", "digit-3")]


def test_a_drawing_that_the_set_does_not_have_means_nothing() -> None:
    assert faces_of_drawing(FaceName("zap"), die_sets.load("intersection")) == []


def test_the_likelihoods_of_all_drawings_of_a_face_add_up() -> None:
    likely = face_probabilities(shares(pip_3=0.5, digit_3=0.3, zap=0.2), die_sets.load("intersection"))
    assert likely == {("traffic", "three"): pytest.approx(0.8)} | {
        named: 0.0 for named in likely if named != ("traffic", "three")
    }


def test_a_face_that_two_kinds_have_is_shared_among_them_until_their_bodies_are_weighed() -> None:
    likely = face_probabilities(shares(pip_3=0.9), die_sets.load("rollers"))
    assert likely["rollers-purple", "pip-3"] == likely["rollers-black", "pip-3"] == pytest.approx(0.45)
