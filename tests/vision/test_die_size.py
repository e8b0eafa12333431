"""How large the dice are, by the dice."""

from dataclasses import replace

import numpy as np
import pytest

from vision.die_size import DieSize, edge_now, edges_of
from vision.observations import DieSighting, Posture
from vision.rectification import camera_over
from vision.tray_calibration import Calibration, TrayLayout

TO_MM = np.array([[0.4, 0.0, -60.0], [0.0, 0.4, -40.0], [0.0, 0.0, 1.0]])
PLANE = Calibration(TrayLayout(), TO_MM, {}, (1280, 960))
DIE = DieSighting(100.0, 100.0, 16.0, 0.0, Posture.FLAT, 0.9, 400.0, 350.0, 40.0)


def dice(*edges: float, confidence: float = 0.9) -> list[DieSighting]:
    return [replace(DIE, edge_mm=edge, confidence=confidence) for edge in edges]


def test_a_top_face_is_nearer_to_the_camera_than_the_table() -> None:
    height = camera_over(PLANE).height_mm
    (edge,) = edges_of(dice(16.0 * height / (height - 16.0)), PLANE)
    assert edge == pytest.approx(16.0)


def test_one_that_stands_on_another_or_leans_moves_nothing() -> None:
    alone, among = (edge_now(dice(*edges), PLANE, None) for edges in ((12.0,) * 5, (12.0, 12.1, 11.9, 12.0, 15.5)))
    assert among == pytest.approx(alone, rel=0.01)


def test_what_the_finder_doubts_tells_nothing_next_to_what_is_known() -> None:
    assert edges_of(dice(4.0, 5.0, confidence=0.4), PLANE) == []
    assert edge_now(dice(4.0, 5.0, confidence=0.4), PLANE, 16.0) == 16.0
    sure, doubtful = dice(16.0, 16.1), dice(4.0, 5.0, 6.0, confidence=0.4)
    assert edge_now([*sure, *doubtful], PLANE, None) == edge_now(sure, PLANE, None)


def test_where_nothing_else_is_known_dice_that_the_finder_doubts_tell_their_edge() -> None:
    assert edge_now(dice(15.8, 16.0, 16.2, confidence=0.4), PLANE, None) == edge_now(dice(16.0), PLANE, None)
    assert edge_now([], PLANE, None) is None


def test_what_earlier_tables_told_stands_against_a_single_die() -> None:
    assert edge_now(dice(20.0), PLANE, 16.0) == 16.0
    assert edge_now(dice(20.0, 20.2), PLANE, 16.0) == pytest.approx(edges_of(dice(20.1), PLANE)[0], rel=0.01)


def test_the_size_is_the_median_of_the_last_tables() -> None:
    size = DieSize()
    assert size.edge_mm is None
    for edge in (15.9, 16.1, 17.0, 16.0):
        size = size.after(edge, 6)
    assert size.edge_mm == pytest.approx(16.05)
    assert size.after(None, 0) == size


def test_other_dice_begin_afresh() -> None:
    known = DieSize((16.0, 16.1, 15.9))
    assert known.after(12.0, 6) == DieSize((12.0,))
    assert known.after(12.0, 1).edge_mm == pytest.approx(15.95)
