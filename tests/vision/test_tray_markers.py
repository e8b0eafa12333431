"""Which mat lies there, how large it is, and what is wrong with what lies there: nothing has to be typed."""

import numpy as np
import pytest
from marked_table import LaidMat, draw_table, seen_from

from vision.frames import Frame, Pixels
from vision.tray_calibration import Calibration, TrayLayout, locate
from vision.tray_markers import MIRRORED, MIXED, PRINTED_MIRRORED, TWO_MATS, find_markers

A4 = LaidMat(width_mm=240, height_mm=165, first=8)
OLD_A4 = LaidMat(width_mm=240, height_mm=165)


def located(pixels: Pixels, layout: TrayLayout | None = None, last: Calibration | None = None) -> Calibration:
    found, doubt = locate(Frame(pixels, 1, 0.0), layout or TrayLayout(), last)
    assert found is not None, doubt
    return found


def doubt_of(pixels: Pixels, layout: TrayLayout | None = None) -> tuple[bool, str]:
    found, doubt = locate(Frame(pixels, 1, 0.0), layout or TrayLayout())
    return found is not None, doubt


@pytest.mark.parametrize("tilt", [0, 25, 50])
@pytest.mark.parametrize("first", [0, 4, 8, 12])
def test_each_mat_is_known_at_sight(first: int, tilt: float) -> None:
    size = {0: (300, 225), 4: (300, 225), 8: (240, 165), 12: (235, 165)}[first]
    mat = LaidMat(width_mm=size[0], height_mm=size[1], first=first)
    found = located(seen_from(draw_table(mat), tilt, 70))
    assert found.layout.size_mm == size
    assert found.doubt == ""


@pytest.mark.parametrize("tilt", [0, 20, 45])
def test_a_mat_with_the_old_markers_tells_its_size_by_them(tilt: float) -> None:
    assert located(seen_from(draw_table(OLD_A4), tilt, 120)).layout.size_mm == (240, 165)


def test_a_print_at_94_per_cent_is_the_same_mat() -> None:
    share = 0.94
    small = LaidMat(width_mm=240 * share, height_mm=165 * share, marker_mm=20 * share)
    assert located(seen_from(draw_table(small), 15)).layout.size_mm == (240, 165)


@pytest.mark.parametrize("marker_mm", [15.0, 27.0, 40.0])
@pytest.mark.parametrize("tilt", [0, 30])
def test_cut_out_markers_tell_the_tray_in_their_own_sides(marker_mm: float, tilt: float) -> None:
    mat = LaidMat(90, 105, 340, 210, marker_mm, first=16, turned=(7, -12, 90, 30))
    layout = located(seen_from(draw_table(mat), tilt, 60)).layout
    assert layout.width_mm / layout.height_mm == pytest.approx(340 / 210, rel=0.03)
    assert layout.width_mm == pytest.approx(340 * 20 / marker_mm, rel=0.03)


def test_the_measured_size_does_not_jitter() -> None:
    mat = LaidMat(width_mm=340, height_mm=210, first=16)
    first = located(seen_from(draw_table(mat, seed=1)))
    moved = located(np.roll(seen_from(draw_table(mat, seed=2), 3), 9, axis=1), last=first)
    assert moved.centres != first.centres
    assert moved.layout == first.layout


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_tray_is_found_with_its_own_top_left(quarters: int) -> None:
    upright = seen_from(draw_table(A4))
    x, y = located(upright).centres[0]
    found = located(np.ascontiguousarray(np.rot90(upright, quarters)))
    places = {1: (y, 1279 - x), 2: (1279 - x, 959 - y), 3: (959 - y, x)}
    assert found.centres[0] == pytest.approx(places[quarters], abs=0.5)
    assert found.layout.size_mm == (240, 165)


@pytest.mark.parametrize(
    ("layout", "doubt"),
    [
        (
            TrayLayout(300, 225, typed=True),
            "The tray is set to 300 x 225 mm, but its markers show 240 x 165 mm: take the setting away.",
        ),
        (TrayLayout(242, 166, typed=True), ""),
    ],
)
def test_a_typed_size_overrides_and_a_contradiction_is_told(layout: TrayLayout, doubt: str) -> None:
    found = located(seen_from(draw_table(A4)), layout)
    assert found.layout.size_mm == layout.size_mm
    assert found.doubt == doubt


def test_of_markers_of_an_unknown_size_the_shape_alone_contradicts() -> None:
    tray = seen_from(draw_table(LaidMat(width_mm=340, height_mm=210, marker_mm=34)))
    assert located(tray, TrayLayout(340, 210, typed=True)).doubt == ""
    told = located(tray, TrayLayout(340, 255, typed=True)).doubt
    assert told == "The tray is set to 340 x 255 mm, but its markers show 340 x 210 mm: take the setting away."


def test_of_two_mats_the_larger_one_is_used_and_the_other_told() -> None:
    other = LaidMat(left_mm=150, top_mm=110, width_mm=110, height_mm=80, marker_mm=14)
    found = located(
        seen_from(draw_table(LaidMat(left_mm=40, width_mm=400, height_mm=290, top_mm=60, marker_mm=26), other))
    )
    assert found.doubt == TWO_MATS
    assert found.layout.width_mm / found.layout.height_mm == pytest.approx(400 / 290, rel=0.02)


@pytest.mark.parametrize("first", [0, 8])
def test_of_two_mats_of_one_paper_no_marker_is_taken_for_the_others(first: int) -> None:
    left, right = (LaidMat(left_mm, 120, 160, 110, 13.33, first) for left_mm in (40, 300))
    found = located(seen_from(draw_table(left, right), 5))
    assert found.doubt == TWO_MATS
    assert found.layout.width_mm / found.layout.height_mm == pytest.approx(240 / 165, rel=0.03)


def test_a_screen_that_shows_the_mat_once_more_moves_nothing() -> None:
    mat, shown = LaidMat(width_mm=200, height_mm=150), LaidMat(left_mm=320, width_mm=120, height_mm=90, marker_mm=12)
    before = located(seen_from(draw_table(mat)))
    covered = LaidMat(width_mm=200, height_mm=150, left_out=(2,))
    now = located(seen_from(draw_table(covered, shown)), last=before)
    assert now.centres[0] == pytest.approx(before.centres[0], abs=1)


def test_markers_of_two_papers_are_not_one_tray() -> None:
    there, doubt = doubt_of(seen_from(draw_table(LaidMat(left_out=(1, 3)), LaidMat(first=8, left_out=(0, 2)))))
    assert (there, doubt) == (False, MIXED)


def test_a_mirrored_picture_is_called_so() -> None:
    assert doubt_of(np.ascontiguousarray(seen_from(draw_table(A4))[:, ::-1])) == (False, MIRRORED)


def test_markers_printed_mirrored_are_called_so() -> None:
    assert doubt_of(seen_from(draw_table(LaidMat(mirrored=True)))) == (False, PRINTED_MIRRORED)


def test_a_marker_that_is_covered_is_named() -> None:
    there, doubt = doubt_of(seen_from(draw_table(LaidMat(left_out=(1,)))))
    assert (there, doubt) == (False, "Marker 1 (top right) cannot be seen; the dice are read without zones.")


def test_a_large_picture_is_searched_as_well() -> None:
    found = find_markers(seen_from(draw_table(A4), 10, size=(3840, 2880)))
    assert found.is_whole
    small = find_markers(seen_from(draw_table(A4), 10, size=(1280, 960)))
    assert np.allclose(np.array(list(found.centres.values())) / 3, np.array(list(small.centres.values())), atol=0.7)
