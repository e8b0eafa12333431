"""The caller's bench: which drawing of the card is a throw's ruling, and what its figures are made of."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from caller import CLIP_RATE, best_fit, first_ruling, report


def test_a_card_that_is_drawn_again_is_not_the_next_throws_ruling() -> None:
    drawn = [(1000.0, "= 9", 4), (3500.0, "= 9", 4), (4000.0, "", 5), (4100.0, "= 17", 5), (4200.0, "= 17", 5)]
    assert first_ruling(drawn, before=4) == (4100.0, 17)
    assert first_ruling(drawn, before=5) is None


def test_a_few_throws_are_not_said_to_be_slower_than_the_slowest(capsys: pytest.CaptureFixture[str]) -> None:
    report([(30.0, True), (31.0, True), (32.0, True), (33.0, False), (2500.0, False)])
    assert "95th percentile 2007 ms, over 5 throws; the ruling's number was heard in 3" in capsys.readouterr().out


def test_a_number_is_recognised_in_a_sound_with_gaps() -> None:
    chance = np.random.default_rng(4)
    clips = {number: chance.normal(0, 0.1, CLIP_RATE // 2).astype(np.float32) for number in (3, 6)}
    clips[23] = np.concatenate([chance.normal(0, 0.1, CLIP_RATE // 2), clips[3]]).astype(np.float32)
    gap = np.zeros(CLIP_RATE // 30, np.float32)
    parts = np.split(clips[23], [3000, 5200, 9100, 13000])
    heard = np.concatenate([np.zeros(9000, np.float32), *(each for part in parts for each in (part, gap))])
    number, fit = best_fit(heard, clips)
    assert (number, fit > 0.8) == (23, True)
    assert max(np.correlate(heard, clips[23]) / (clips[23] ** 2).sum()) < 0.5, (
        "as a whole it fits no better than another"
    )


def test_a_number_of_which_a_busy_machine_lost_a_part_is_not_taken_for_its_end() -> None:
    chance = np.random.default_rng(4)
    clips = {number: chance.normal(0, 0.1, CLIP_RATE // 2).astype(np.float32) for number in (3, 6)}
    clips[23] = np.concatenate([chance.normal(0, 0.1, CLIP_RATE // 2), clips[3]]).astype(np.float32)
    heard = clips[23].copy()
    heard[1600:6400] = 0
    assert best_fit(heard, clips)[0] == 23
    assert best_fit(clips[3], clips)[0] == 3
