"""A family's dice have art of their own that no model is trained on, and people can tell its kinds apart."""

from __future__ import annotations

from itertools import chain

import cv2
import numpy as np
import pytest

from models import die_sets
from models.synthetic.canvas import Use
from models.synthetic.faces import ARTISTS, POOLS
from models.synthetic.family_art import APART, OWN_ART, SIDE, family_art
from referee.dice import FaceName, KindName

USES = (Use.CHOOSING, Use.SCORING)


@pytest.mark.parametrize("name", die_sets.names())
@pytest.mark.parametrize("use", USES)
def test_every_face_of_every_set_has_a_drawing(name: str, use: Use) -> None:
    dice = die_sets.load(name)
    art = family_art(dice, use, np.random.default_rng(1))
    for kind in dice.kinds:
        assert set(art[kind.name].faces) == set(kind.faces)
        assert all(face.pixels.shape == (SIDE, SIDE, 3) for face in art[kind.name].faces.values())


def test_the_same_generator_draws_the_same_family_and_another_one_another() -> None:
    dice = die_sets.load("rollers")
    first, again, other = (family_art(dice, Use.SCORING, np.random.default_rng(seed)) for seed in (1, 1, 2))
    kind, face = KindName("rollers-black"), FaceName("pip-3")
    assert np.array_equal(first[kind].faces[face].pixels, again[kind].faces[face].pixels)
    assert not np.array_equal(first[kind].faces[face].pixels, other[kind].faces[face].pixels)


def test_no_own_drawing_is_one_of_those_that_the_reader_is_trained_on() -> None:
    for use in USES:
        for face, drawings in OWN_ART[use].items():
            assert not set(drawings) & set(ARTISTS[face])


def test_choosing_and_scoring_share_no_own_drawing() -> None:
    names = [set(chain.from_iterable(OWN_ART[use].values())) for use in USES]
    assert not names[0] & names[1]
    assert not any(OWN_ART[Use.TRAINING].values())


def test_nobody_can_draw_a_family_to_train_on() -> None:
    with pytest.raises(ValueError, match="to train on"):
        family_art(die_sets.load("rollers"), Use.TRAINING, np.random.default_rng(1))


def test_people_can_tell_the_two_kinds_of_rollers_apart_by_their_bodies() -> None:
    for seed in range(8):
        art = family_art(die_sets.load("rollers"), Use.SCORING, np.random.default_rng(seed))
        corners = [one.faces[FaceName("pip-1")].pixels[3:15, 3:15] for one in art.values()]
        lab = [np.median(cv2.cvtColor(part, cv2.COLOR_BGR2LAB).reshape(-1, 3), axis=0) for part in corners]
        assert np.linalg.norm(lab[0] - lab[1]) > APART / 2  # the tint and the material take a share of it


def test_faces_that_a_maker_draws_alike_are_drawn_alike() -> None:
    assert POOLS[Use.SCORING][FaceName("green")]  # else nothing below would be drawn
    art = family_art(die_sets.load("toss-up"), Use.SCORING, np.random.default_rng(3))[KindName("tossup")]
    inked = [art.faces[FaceName(name)].pixels.astype(int) for name in ("green", "yellow", "red")]
    ground = [np.abs(one - np.median(one[:6], axis=(0, 1))).max(axis=2) > 60 for one in inked]
    shared = np.logical_and.reduce(ground).sum() / np.logical_or.reduce(ground).sum()
    assert shared > 0.6
