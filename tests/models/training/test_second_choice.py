"""What the second look may settle is chosen: few questions, hardly more silent errors, foreign signs asked about."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from models.training.crops import NONE
from models.training.second_choice import SIGNS_TAKEN, LookedAgain, choose
from vision.kinds import CLASSES
from vision.model_file import softmax

ACCEPT_FROM = 0.93


def seen(labels: list[int], first: float, second: float, guesses: list[int] | None = None) -> LookedAgain:
    """Return dice whose likeliest drawing has logits `first` and `second` over the others."""
    rows, rng = np.arange(len(labels)), np.random.default_rng(4)
    logits = [rng.normal(0, 0.3, (len(labels), len(CLASSES))).astype(np.float32) for _ in range(2)]
    for of, height in zip(logits, (first, second), strict=True):
        of[rows, guesses or labels] += height
    return LookedAgain(softmax(logits[0]), logits[1], np.array(labels))


def test_a_second_look_that_is_right_saves_questions() -> None:
    dice = seen([n % 28 for n in range(400)], first=5.0, second=9.0)
    signs = seen([NONE] * 60, first=2.0, second=7.0)
    choice = choose(dice, [signs], ACCEPT_FROM)
    assert 0.93 < choice.settings.cap < 1.0
    assert "100.0 % by the reader alone, 0.0 % after the second look" in choice.figures


def test_foreign_signs_that_the_reader_takes_for_faces_are_asked_about() -> None:
    dice = seen([n % 28 for n in range(400)], first=5.0, second=9.0)
    signs = seen([NONE] * 60, first=7.0, second=8.0, guesses=[2] * 60)
    rejected = LookedAgain(signs.first, seen([NONE] * 60, first=0.0, second=8.0).logits, signs.labels)
    choice = choose(dice, [rejected], ACCEPT_FROM)
    before, after = (float(part.split(" %")[0]) for part in choice.figures.rsplit(": ", 1)[1].split(", then "))
    assert after <= SIGNS_TAKEN * before
