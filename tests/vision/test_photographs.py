"""Photographs of a table at rest: read at once, shown again without effect, and nothing was seen between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from painted import LAYOUT, LEFT, SCALE, TOP, ColourFinder, ColourReader, Film, Piece, colour_arrivals, paint

from referee.dice import Blindness, Handling
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.tray_calibration import TRAY_MOVED, TappedTray, TrayLayout
from vision.tray_edge import TrayEdge

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))
TURNED = (DICE[0], replace(DICE[1], face="two"), DICE[2])


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)


def photograph(number: int, taken_at: float, pieces: tuple[Piece, ...] = DICE) -> Frame:
    frame = Film().frame(paint(pieces, seed=number))
    return replace(frame, number=number, taken_at=taken_at, is_photograph=True)


def test_a_single_photograph_is_read_at_once(pipeline: Pipeline) -> None:
    seen = pipeline.process(photograph(1, 10.0))
    assert (seen.at_rest, seen.calibrated, len(seen.dice), seen.doubts) == (True, True, 3, ())


def test_a_photograph_that_is_shown_again_changes_nothing(pipeline: Pipeline) -> None:
    first = photograph(1, 10.0)
    seen = pipeline.process(first)
    for later in range(1, 9):
        assert pipeline.process(replace(first, taken_at=10.0 + later)) is seen
    assert pipeline.fault is None


def test_what_changed_between_two_photographs_was_seen_by_nobody(pipeline: Pipeline) -> None:
    pipeline.process(photograph(1, 10.0))
    seen = pipeline.process(photograph(2, 10.4, TURNED))
    marks = {str(die.reading.face): die.handled for die in seen.dice}
    assert marks["two"] is Handling.UNSEEN
    assert [interval.reason for interval in seen.blind] == [Blindness.PHOTOGRAPH]


def test_a_photograph_with_fewer_dice_than_before_is_ruled_on_too(pipeline: Pipeline) -> None:
    pipeline.process(photograph(1, 10.0))
    seen = pipeline.process(photograph(2, 14.0, TURNED[:2]))
    assert (seen.at_rest, len(seen.dice)) == (True, 2)


def test_dice_in_a_photograph_that_is_held_otherwise_may_have_been_thrown(pipeline: Pipeline) -> None:
    pipeline.process(photograph(1, 10.0))
    thrown = photograph(2, 14.0, (Piece(120, 40, "two"), Piece(60, 60, "two", 40), Piece(190, 40, "two", 70)))
    seen = pipeline.process(replace(thrown, pixels=np.ascontiguousarray(np.rot90(thrown.pixels))))
    assert seen.throw == 1
    assert [(die.thrown, die.handled) for die in seen.dice] == [(1, Handling.UNSEEN)] * 3


def test_a_photograph_in_which_a_lost_tray_is_found_is_read_though_no_other_picture_comes() -> None:
    spots = [((LEFT + x * SCALE) / 1280, (TOP + y * SCALE) / 960) for x, y in LAYOUT.corners_mm]
    corners = (spots[0], spots[1], spots[2], spots[3])
    tapped = TappedTray(corners, (1280, 960), TrayEdge.of(paint(), corners))
    pipeline, film = (
        Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, TrayLayout.by_taps(300.0, 225.0, tapped)),
        Film(),
    )
    for frame in (*film.still(DICE), *film.still(DICE, shift=(120.0, 60.0))):
        lost = pipeline.process(frame)
    assert (lost.calibrated, lost.doubts) == (False, (TRAY_MOVED,))
    found = pipeline.process(photograph(film.number + 1, 10.0, TURNED))
    assert (found.calibrated, found.doubts, found.at_rest) == (True, (), True)
    assert sorted(str(die.reading.face) for die in found.dice) == ["happy", "sad", "two"]
