"""Captured dice to train on: those that the reader's drawings have, whole dates kept back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from models.dataset import FaceLabel, NewSample, SampleStore
from models.training.crops import CAPTURED_REPEATS, UNKNOWN, load_captured_crops
from vision.kinds import CLASSES
from vision.rectification import RotatedSquare, crop

NOON = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def keep(tmp_path: Path) -> Callable[[int, str], None]:
    """Keep a die of a face on a day."""

    def kept(day: int, face: str) -> None:
        at = NOON + timedelta(days=day)
        store = SampleStore(tmp_path, now=lambda: at)
        pixels = np.random.default_rng(day).integers(0, 255, (120, 120, 3), np.uint8)
        taken = NewSample(pixels, RotatedSquare(60, 61, 40, 12), label=FaceLabel("traffic", face, "guided capture", at))
        store.save(store.start_session("intersection", "guided"), "intersection", None, [taken])

    return kept


def test_captured_dice_are_cut_as_the_reader_cuts_them(tmp_path: Path, keep: Callable[[int, str], None]) -> None:
    keep(0, "happy")
    found = load_captured_crops(tmp_path)
    assert len(found.crops) == CAPTURED_REPEATS
    (one, *_), (sample,) = found.crops, SampleStore(tmp_path).samples()
    assert (CLASSES[one.face], one.posture) == ("happy", UNKNOWN)
    place = RotatedSquare(one.x, one.y, one.edge, one.turned_degrees)
    assert (crop(one.pixels, place) == crop(SampleStore(tmp_path).pixels(sample.name), sample.place)).all()


def test_faces_that_no_drawing_is_are_left_out_and_told(tmp_path: Path, keep: Callable[[int, str], None]) -> None:
    keep(0, "happy")
    keep(0, "moon")
    found = load_captured_crops(tmp_path)
    assert len(found.crops) == CAPTURED_REPEATS
    assert "1 x moon" in str(found)


def test_whole_dates_are_kept_back_for_testing(tmp_path: Path, keep: Callable[[int, str], None]) -> None:
    for day in range(12):
        keep(day, "happy")
    found = load_captured_crops(tmp_path)
    assert 0 < found.held_out < 6
    assert len(found.crops) == CAPTURED_REPEATS * (12 - found.held_out)
