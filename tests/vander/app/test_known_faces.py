"""What faces look like at this table, where nobody has named a die since the program was started."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.dataset import FaceLabel, NewSample, SampleStore
from vander.app.composition import KnownFaces
from vander.table.session import Session
from vision.image_io import decode_picture
from vision.rectification import INPUT_SIDE, RotatedSquare

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
AROUND, DIE = 20, 220
"""How bright the room and the die are."""


@pytest.fixture
def samples(tmp_path: Path) -> SampleStore:
    return SampleStore(tmp_path / "samples")


def keep(samples: SampleStore, face: str, origin: str = "guided") -> None:
    """Keep a bright die in a dark room, labelled."""
    pixels = np.full((150, 150, 3), AROUND, np.uint8)
    pixels[50:100, 50:100] = DIE
    label = FaceLabel("traffic", face, "guided capture", NOON)
    session = samples.start_session("intersection", origin)
    samples.save(session, "intersection", None, [NewSample(pixels, RotatedSquare(75, 75, 50, 0), label=label)])


def test_a_kept_die_is_shown_cut_to_the_die(solo: Session, samples: SampleStore) -> None:
    keep(samples, "sad")
    jpeg = KnownFaces(solo, samples).face_picture("intersection", "traffic", "sad")
    assert jpeg is not None
    pixels = decode_picture(jpeg, shortest_side=1)
    assert pixels.shape[:2] == (INPUT_SIDE, INPUT_SIDE)
    assert pixels.mean() > (AROUND + DIE) / 3  # the die fills most of it


def test_a_die_that_people_named_in_this_game_is_shown_first(
    solo: Session, samples: SampleStore, dice: Any, sight: Any
) -> None:
    keep(samples, "sad")
    dice.roll("go", "happy", "star", "sad", "two", "three")
    dice.unsure[3] = (("happy", 0.3),)
    solo.observe(dice.look(), sight)
    solo.answer(solo.snapshot().questions[0].number, "sad")
    shown = KnownFaces(solo, samples).face_picture("intersection", "traffic", "sad")
    assert shown == solo.face_picture("intersection", "traffic", "sad")


@pytest.mark.parametrize(("face", "origin"), [("happy", "guided"), ("sad", "import")])
def test_what_this_table_has_no_picture_of_is_not_shown(
    face: str, origin: str, solo: Session, samples: SampleStore
) -> None:
    keep(samples, face, origin)
    assert KnownFaces(solo, samples).face_picture("intersection", "traffic", "sad") is None
