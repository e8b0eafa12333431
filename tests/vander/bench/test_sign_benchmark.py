"""Signs of no set: what is drawn, and what counts as silently taken for a face."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from models import die_sets
from models.synthetic.canvas import Use
from models.synthetic.family_art import random_body_style
from models.synthetic.novel_symbols import SIGNS, draw_sign
from vander.bench.first_game_benchmark import SignScore, score_throw, sign_family
from vander.bench.simulated_families import family_game
from vander.resources.models_and_stores import LoadedModels


@pytest.mark.parametrize("sign", SIGNS)
def test_every_sign_is_legible_on_its_body(sign: str) -> None:
    rng = np.random.default_rng(2)
    art = draw_sign(sign, random_body_style(Use.SCORING, rng), 64, rng)
    ground = np.median(art.pixels[:4].reshape(-1, 3), axis=0)
    inked = np.abs(art.pixels.astype(int) - ground).max(axis=2) > 60
    assert 0.01 < inked.mean() < 0.5


def test_a_family_shows_as_many_signs_as_there_are() -> None:
    shown = {face for kind in sign_family(1).dice.kinds for face in kind.faces}
    assert len(shown) == min(36, len(SIGNS))


def test_a_sign_is_taken_asked_about_or_turned_away() -> None:
    throw = next(family_game(sign_family(1), 1, seed=1))
    for dice in (None, die_sets.load("intersection")):
        score = score_throw(throw, dice, LoadedModels.load())
        assert score.dice == 6
        assert score.asked + score.taken.total() <= 6


def test_scores_add_up_and_have_intervals() -> None:
    one = SignScore(50, 3, Counter({"letter-a read as four": 1}))
    figures = (one + one).figures("rollers")
    low, high = figures["taken_interval"]
    assert (figures["dice"], figures["asked"], figures["taken"], figures["taken_percent"]) == (100, 6, 2, 2.0)
    assert low < 2.0 < high
    assert figures["worst"] == {"letter-a read as four": 2}
