"""A tray that is known by its tapped corners: where it is taken to be, and whether a push is noticed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.dice import Zone
from tests.plain_tray import CORNERS, SIZE, paint_tray
from vision.bodies import paper_light
from vision.detection import is_on_marker
from vision.frame_reader import CameraPicture
from vision.frames import Frame, Pixels
from vision.observations import DieSighting, Posture
from vision.rectification import rectify
from vision.tray_calibration import (
    EDGE_COVERED,
    PICTURE_TURNED,
    TRAY_MOVED,
    Calibration,
    TappedTray,
    TrayLayout,
    locate,
)
from vision.tray_edge import USUAL, EdgeFinding, TrayEdge, guess_corners

WIDTH, HEIGHT = 300.0, 220.0


@pytest.fixture(scope="module")
def layout() -> TrayLayout:
    return TrayLayout.by_taps(WIDTH, HEIGHT, TappedTray(CORNERS, SIZE, TrayEdge.of(paint_tray(), CORNERS)))


def seen(pixels: Pixels, layout: TrayLayout, last: Calibration | None = None) -> tuple[Calibration | None, str]:
    return locate(Frame(pixels, 1, 0.0), layout, last)


def finding(pixels: Pixels, layout: TrayLayout) -> EdgeFinding:
    assert layout.tapped is not None
    return layout.tapped.edge.look(pixels).finding


def test_the_tapped_corners_are_the_corners_of_the_tray_in_millimetres(layout: TrayLayout) -> None:
    found, doubt = seen(paint_tray(dice=[], seed=1), layout)
    assert found is not None
    assert doubt == ""
    spots = np.array([CORNERS]) * SIZE - 0.5
    there = cv2.perspectiveTransform(spots, found.to_mm)[0]
    assert np.abs(there - [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]).max() < 0.01


def test_a_larger_picture_of_the_same_shape_shows_the_same_tray(layout: TrayLayout) -> None:
    found, _ = seen(cv2.resize(paint_tray(), (1280, 960)), layout)
    assert found is not None
    assert found.size == (1280, 960)
    assert np.hypot(*np.subtract(found.centres[0], (0.2 * 1280, 0.2 * 960))) < 1


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_other_dice_and_another_light_move_nothing(layout: TrayLayout, light: float) -> None:
    for seed in range(5):
        spots = np.random.default_rng(seed).uniform(0.26, 0.72, (6, 2))
        dice = [(float(x), float(y)) for x, y in spots]
        assert finding(paint_tray(dice=dice, light=light, seed=seed), layout) is EdgeFinding.IN_PLACE


@pytest.mark.parametrize("shift", [(5.0, -3.0), (-8.0, 2.0), (0.0, 7.5)])
def test_a_small_push_of_the_camera_or_the_tray_is_followed(layout: TrayLayout, shift: tuple[float, float]) -> None:
    for pixels in (paint_tray(shift), paint_tray(tray_shift=shift)):
        found, doubt = seen(pixels, layout)
        assert found is not None
        assert doubt == ""
        places = np.array([found.centres[number] for number in range(4)])
        assert np.abs(places - (np.array(CORNERS) * SIZE - 0.5 + shift)).max() < 0.7


@pytest.mark.parametrize("shift", [(30.0, 0.0), (0.0, 30.0), (-60.0, 40.0), (0.0, 150.0)])
def test_a_large_push_is_asked_about_and_not_guessed_at(layout: TrayLayout, shift: tuple[float, float]) -> None:
    for pixels in (paint_tray(shift), paint_tray(tray_shift=shift)):
        assert seen(pixels, layout) == (None, TRAY_MOVED)
    back, _ = seen(paint_tray(seed=3), layout)
    assert back is not None


def test_a_picture_that_shows_something_else_is_no_tray(layout: TrayLayout) -> None:
    for pixels in (np.full((480, 640, 3), 90, np.uint8), cv2.rotate(paint_tray(), cv2.ROTATE_180)):
        assert seen(np.asarray(pixels, np.uint8), layout) == (None, TRAY_MOVED)


def test_a_turned_phone_drops_the_corners(layout: TrayLayout) -> None:
    upright = np.asarray(cv2.rotate(paint_tray(), cv2.ROTATE_90_CLOCKWISE), np.uint8)
    assert seen(upright, layout) == (None, PICTURE_TURNED)


def test_what_covers_most_of_the_edge_leaves_the_tray_a_guess_in_its_place(layout: TrayLayout) -> None:
    covered = paint_tray()
    cv2.rectangle(covered, (0, 0), (640, 310), (120, 150, 200), -1)
    found, doubt = seen(covered, layout)
    assert found is not None
    assert (doubt, found.doubt) == (EDGE_COVERED, EDGE_COVERED)


def test_a_tray_at_rest_does_not_jitter(layout: TrayLayout) -> None:
    first, _ = seen(paint_tray((4.0, 2.0), seed=1), layout)
    later, _ = seen(paint_tray((4.0, 2.0), seed=2), layout, first)
    assert first is not None
    assert later is not None
    assert np.array_equal(first.to_mm, later.to_mm)


def test_without_markers_there_is_no_bay_no_paper_and_no_marker_under_a_die(layout: TrayLayout) -> None:
    found, _ = seen(paint_tray(), layout)
    assert found is not None
    assert layout.zone_of(WIDTH - 5, 5) is Zone.FIELD
    assert layout.zone_of(-3, 50) is Zone.FIELD
    assert layout.zone_of(-12, 50) is Zone.OUT
    assert paper_light(rectify(Frame(paint_tray(), 1, 0.0), found)) is None
    in_corner = DieSighting(1.0, 1.0, 16.0, 0.0, Posture.FLAT, 0.9, 130.0, 96.0, 20.0)
    assert not is_on_marker(in_corner, found)


def test_people_are_shown_the_tray_alone_and_nothing_once_it_has_moved(layout: TrayLayout) -> None:
    assert CameraPicture(Frame(paint_tray(), 1, 0.0), layout).tray_jpeg() is not None
    assert CameraPicture(Frame(paint_tray((60.0, 0.0)), 1, 0.0), layout).tray_jpeg() is None


def test_nothing_is_kept_of_the_room_beyond_the_tray(layout: TrayLayout) -> None:
    assert layout.tapped is not None
    kept = layout.tapped.edge.grey
    assert kept[:10].max() == 0
    assert kept[470:].max() == 0
    assert kept[240, 320] > 0


def test_a_sheet_on_which_nothing_shows_has_too_little_to_notice_a_push_by() -> None:
    assert not TrayEdge.of(np.full((480, 640, 3), 90, np.uint8), CORNERS).shows_enough
    assert TrayEdge.of(paint_tray(), CORNERS).shows_tray


def test_the_corners_are_guessed_where_an_edge_is_seen() -> None:
    guess, is_seen = guess_corners(paint_tray())
    assert is_seen
    assert np.abs((np.array(guess) - CORNERS) * SIZE).max() < 15
    assert guess_corners(np.full((480, 640, 3), 90, np.uint8)) == (USUAL, False)
