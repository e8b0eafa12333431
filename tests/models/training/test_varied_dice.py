"""Dice that are hard to read, and signs of no set: drawn, labelled, and divided among the uses."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from models.synthetic.canvas import Use
from models.synthetic.palette import fancy_body, metallic
from models.training.texture_atlas import TILE
from models.training.varied_dice import FACES, FOREIGN, fonts, foreign_dice, signs, text_mask, varied_dice
from vision.kinds import CLASSES


def test_no_sign_and_no_font_has_two_uses() -> None:
    for of in (signs, fonts):
        named = [set(of(use)) for use in Use]
        assert all(named)
        assert not named[0] & named[1]
        assert not (named[0] | named[1]) & named[2]
    assert {name for use in Use for name in fonts(use)} == set(FACES)


@pytest.mark.parametrize("use", list(Use))
def test_every_sign_can_be_drawn(use: Use) -> None:
    rng = np.random.default_rng(1)
    for sign in list(signs(use).values())[::7]:
        mask = sign(rng)
        assert 0.02 < (mask > 127).mean() <= 1.0


def test_dice_have_faces_that_the_reader_knows_and_foreign_ones_have_none() -> None:
    dice = varied_dice(np.random.default_rng(3), 12, Use.TRAINING)
    assert {face for die in dice for face in die.faces} <= set(CLASSES)
    assert all(die.pixels.shape == (2 * TILE, 3 * TILE, 3) for die in dice)
    foreign = foreign_dice(np.random.default_rng(3), 2, Use.SCORING)
    assert {face for die in foreign for face in die.faces} == {"none"}
    assert {die.kind for die in foreign} == {FOREIGN}


def test_the_same_seed_paints_the_same_dice() -> None:
    one, other = (varied_dice(np.random.default_rng(5), 2, Use.CHOOSING) for _ in range(2))
    assert all(np.array_equal(a.pixels, b.pixels) for a, b in zip(one, other, strict=True))


def test_a_letter_has_the_holes_that_it_should() -> None:
    mask = text_mask("8", "DejaVuSans")
    high, wide = mask.shape
    assert mask[high // 4, wide // 2] == 0
    assert mask[3 * high // 4, wide // 2] == 0
    assert mask[high // 2, wide // 2] == 255


def test_metal_shines_and_keeps_its_outline() -> None:
    ink = np.zeros((64, 64, 4), np.uint8)
    ink[16:48, 16:48] = (60, 170, 210, 255)
    shiny = metallic(ink, np.random.default_rng(2))
    assert np.array_equal(shiny[..., 3], ink[..., 3])
    assert shiny[16:48, 16:48, 2].std() > 5
    assert not shiny[:16].any()


def test_fancy_bodies_are_not_of_one_colour() -> None:
    bodies = [fancy_body((120, 60, 40), 64, np.random.default_rng(seed)) for seed in range(12)]
    assert all(body.shape == (64, 64, 3) and body.dtype == np.uint8 for body in bodies)
    assert all(body.std(axis=(0, 1)).max() > 1 for body in bodies)
