"""Dice as oblique cameras see them, for training."""

import numpy as np
import pytest

pytest.importorskip("torch")

from models.synthetic.canvas import Use
from models.training.crops import NONE, UNKNOWN, TrainingCrop
from models.training.painted_dice import paint_oblique, pips_and_others
from models.training.reader_training import CropBatches


@pytest.fixture(scope="module")
def crops() -> list[TrainingCrop]:
    rng = np.random.default_rng(4)
    dice = pips_and_others(rng, 4, Use.TRAINING)
    return [crop for k in range(4) for side in range(6) for crop in paint_oblique(dice, k, side, rng, Use.TRAINING)]


def test_every_die_is_shown_with_its_face_and_some_with_a_side_that_shows_none(crops: list[TrainingCrop]) -> None:
    sides = [one for one in crops if one.face == NONE]
    assert len(crops) - len(sides) == 24
    assert 2 <= len(sides) <= 18
    assert all(one.is_upright for one in crops)


@pytest.mark.parametrize("is_upright", [True, False])
def test_only_what_is_not_upright_is_shown_from_all_four_sides(is_upright: bool) -> None:
    pixels = np.full((60, 60, 3), 40, np.uint8)
    pixels[:30] = 220
    one = TrainingCrop(pixels, 29.5, 29.5, 20.0, 0.0, NONE, UNKNOWN, is_upright)
    ((shown, _, _),) = CropBatches([one], 40, 1, seed=1)
    on_top = [bool(seen[:, :20].mean() > seen[:, -20:].mean() + 0.25) for seen in shown]
    assert (sum(on_top) > 35) is is_upright
