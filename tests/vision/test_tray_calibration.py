"""Where the tray is, and what its zones are."""

import cv2
import numpy as np
import pytest
from painted import LAYOUT, LEFT, SCALE, TOP, paint

from referee.dice import Zone
from referee.sentences import in_language
from vision.frames import Frame, Pixels
from vision.tray_calibration import (
    NO_TRAY,
    Calibration,
    TrayLayout,
    calibrate,
    locate,
)
from vision.tray_markers import find_markers, name_markers
from web.languages import translations


def frame(pixels: Pixels) -> Frame:
    return Frame(pixels, 1, 0.0)


def to_mm(calibration: Calibration, x: float, y: float) -> tuple[float, float]:
    mm = calibration.to_mm @ (x, y, 1.0)
    return mm[0] / mm[2], mm[1] / mm[2]


def calibrated(pixels: Pixels, last: Calibration | None = None) -> Calibration:
    found = calibrate(frame(pixels), LAYOUT, last)
    assert found is not None
    return found


def test_the_marker_centres_are_found_to_a_fraction_of_a_pixel() -> None:
    found = find_markers(paint()).centres
    assert sorted(found) == [0, 1, 2, 3]
    for number, (x, y) in enumerate(LAYOUT.corners_mm):
        assert found[number] == pytest.approx((LEFT + x * SCALE - 0.5, TOP + y * SCALE - 0.5), abs=0.3)


def test_frame_pixels_become_millimetres() -> None:
    calibration = calibrated(paint())
    assert calibration.doubt == ""
    assert to_mm(calibration, LEFT + 100 * SCALE, TOP + 50 * SCALE) == pytest.approx((100, 50), abs=0.3)


def test_a_small_picture_is_calibrated_too() -> None:
    calibration = calibrated(paint(size=(640, 480)))
    assert to_mm(calibration, (LEFT + 100 * SCALE) / 2, (TOP + 50 * SCALE) / 2) == pytest.approx((100, 50), abs=0.5)


def test_a_turned_camera_keeps_the_millimetres() -> None:
    turned = np.ascontiguousarray(np.rot90(paint(), 2))
    x, y = 1279 - (LEFT + 100 * SCALE), 959 - (TOP + 50 * SCALE)
    assert to_mm(calibrated(turned), x, y) == pytest.approx((100, 50), abs=0.5)


def test_without_all_markers_there_is_no_first_calibration() -> None:
    assert calibrate(frame(paint(hidden=(2,))), LAYOUT) is None


def test_a_mirrored_picture_gives_no_calibration() -> None:
    assert calibrate(frame(np.ascontiguousarray(paint()[:, ::-1])), LAYOUT) is None


def test_nothing_moves_while_the_markers_lie_still() -> None:
    first = calibrated(paint(seed=1))
    assert np.array_equal(calibrated(paint(seed=2), first).to_mm, first.to_mm)


def test_a_nudged_camera_is_calibrated_anew() -> None:
    first = calibrated(paint())
    again = calibrated(paint(shift=(12, -7)), first)
    assert to_mm(again, LEFT + 12 + 100 * SCALE, TOP - 7 + 50 * SCALE) == pytest.approx((100, 50), abs=0.4)


def test_a_hidden_marker_keeps_the_last_place_and_says_so() -> None:
    first = calibrated(paint())
    kept = calibrated(paint(hidden=(1,)), first)
    assert np.array_equal(kept.to_mm, first.to_mm)
    assert kept.doubt == "Marker 1 (top right) cannot be seen; the tray's place is a guess."
    german = translations("de")
    assert german is not None
    assert in_language(kept.doubt, german) == (
        "Marke 1 (oben rechts): nicht zu sehen; der Ort der Schale ist geschätzt."
    )


@pytest.mark.parametrize("hidden", [(1,), (0, 2), (0, 1, 2)])
def test_a_nudge_is_followed_by_the_markers_still_in_sight(hidden: tuple[int, ...]) -> None:
    first = calibrated(paint())
    moved = calibrated(paint(shift=(15, 8), hidden=hidden), first)
    assert to_mm(moved, LEFT + 15 + 100 * SCALE, TOP + 8 + 50 * SCALE) == pytest.approx((100, 50), abs=1.0)
    assert moved.doubt != ""


def test_with_no_marker_in_sight_the_last_place_stands_with_a_doubt() -> None:
    kept = calibrated(paint(hidden=(0, 1, 2, 3)), calibrated(paint()))
    assert kept.doubt.startswith("No marker is in sight")


def test_a_doubt_ends_when_the_markers_are_back() -> None:
    doubted = calibrated(paint(hidden=(1,)), calibrated(paint()))
    assert calibrated(paint(), doubted).doubt == ""


def spoilt(pixels: Pixels, number: int, how: str) -> Pixels:
    """The picture with a marker lifted at one side, half covered, pushed aside or taken away."""
    x, y = (round(edge + mm * SCALE) for edge, mm in zip((LEFT, TOP), LAYOUT.corners_mm[number], strict=True))
    patch = pixels[y - 46 : y + 46, x - 46 : x + 46].copy()
    bare = np.full_like(patch, 105)
    seen = {
        "missing": bare,
        "covered": np.hstack([patch[:, :46], bare[:, 46:] // 2]),
        "tilted": np.vstack([cv2.resize(patch, (92, 64), interpolation=cv2.INTER_AREA), bare[64:]]),
        "pushed": bare,
    }[how]
    spoilt = pixels.copy()
    spoilt[y - 46 : y + 46, x - 46 : x + 46] = seen
    if how == "pushed":
        spoilt[y - 20 : y + 72, x - 20 : x + 72] = patch
    return spoilt


@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("missing", "cannot be seen"),
        ("covered", "cannot be seen"),
        ("tilted", "is tilted or half covered"),
        ("pushed", "has moved"),
    ],
)
def test_a_marker_that_does_not_lie_as_it_should_is_named_and_moves_nothing(number: int, how: str, said: str) -> None:
    first = calibrated(paint(seed=1))
    doubted = calibrated(spoilt(paint(seed=2), number, how), first)
    corner = {0: "top left", 2: "bottom right"}[number]
    assert doubted.doubt == f"Marker {number} ({corner}) {said}; the tray's place is a guess."
    assert np.array_equal(doubted.to_mm, first.to_mm)
    assert calibrated(paint(seed=3), doubted).doubt == ""


def test_a_nudge_is_followed_past_a_tilted_marker() -> None:
    first = calibrated(paint())
    pixels = np.roll(spoilt(paint(seed=1), 0, "tilted"), (9, 14), axis=(0, 1))
    moved = calibrated(pixels, first)
    assert to_mm(moved, LEFT + 14 + 100 * SCALE, TOP + 9 + 50 * SCALE) == pytest.approx((100, 50), abs=0.5)
    assert "Marker 0 (top left) is tilted" in moved.doubt
    again = calibrated(np.roll(paint(seed=2), (9, 14), axis=(0, 1)), moved)
    assert again.doubt == ""
    assert again.centres[0] == pytest.approx(np.add(first.centres[0], (14, 9)), abs=0.3)


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        ((2,), "Marker 2 (bottom right) cannot be seen; the dice are read without zones."),
        ((0, 1), "Markers 0 (top left) and 1 (top right) cannot be seen; the dice are read without zones."),
        ((0, 1, 2, 3), NO_TRAY),
    ],
)
def test_why_there_is_no_first_calibration_is_said(hidden: tuple[int, ...], said: str) -> None:
    assert locate(frame(paint(hidden=hidden)), LAYOUT) == (None, said)


def test_a_tilted_marker_makes_no_first_calibration() -> None:
    found, doubt = locate(frame(spoilt(paint(), 3, "tilted")), LAYOUT)
    assert found is None
    assert doubt.startswith("Marker 3 (bottom left) is tilted")


@pytest.mark.parametrize("degrees", [-20, -3, -1, 1, 3, 20])
@pytest.mark.parametrize("step", [(5, 0), (-40, 25), (80, -60)])
def test_a_camera_that_was_pushed_and_turned_is_followed(degrees: float, step: tuple[int, int]) -> None:
    turn = cv2.getRotationMatrix2D((640, 480), degrees, 0.65)
    turn[:, 2] += step
    pixels = cv2.warpAffine(paint(), turn, (1280, 960), borderMode=cv2.BORDER_REPLICATE)
    straight = cv2.warpAffine(paint(seed=1), cv2.getRotationMatrix2D((640, 480), 0, 0.65), (1280, 960))
    moved = calibrated(pixels, calibrated(straight))
    x, y = turn @ (LEFT + 100 * SCALE, TOP + 50 * SCALE, 1.0)
    assert to_mm(moved, x, y) == pytest.approx((100, 50), abs=0.6)
    assert moved.doubt == ""


def test_a_marker_near_where_it_lay_is_found_as_exactly_as_in_the_whole_picture() -> None:
    first, pixels = calibrated(paint()), paint(shift=(9, -12), seed=4)
    near = calibrated(pixels, first)
    for number, centre in find_markers(pixels).centres.items():
        assert near.centres[number] == pytest.approx(centre, abs=0.05)


def test_a_frame_of_another_size_forgets_the_last_place() -> None:
    first = calibrated(paint())
    assert calibrate(frame(paint(size=(640, 480), hidden=(0,))), LAYOUT, first) is None


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "thrown", "zone"),
    [
        (100, 100, False, Zone.FIELD),
        (239, 200, False, Zone.FIELD),
        (241, 200, False, Zone.ASIDE),
        (241, 59, False, Zone.SIGNAL),
        (241, 61, False, Zone.ASIDE),
        (270, 150, True, Zone.FIELD),
        (270, 20, True, Zone.FIELD),
        (-14, 100, True, Zone.FIELD),
        (-16, 100, True, Zone.OUT),
        (316, 100, False, Zone.OUT),
        (100, 241, True, Zone.OUT),
    ],
)
def test_a_place_has_its_zone(x_mm: float, y_mm: float, thrown: bool, zone: Zone) -> None:
    assert TrayLayout().zone_of(x_mm, y_mm, thrown) is zone


def test_a_tray_without_a_bay_is_all_field() -> None:
    assert TrayLayout(bay=False).zone_of(270, 150) is Zone.FIELD


def test_markers_are_named_as_in_a_sentence() -> None:
    assert [name_markers((1,)), name_markers((0, 2, 3))] == ["Marker 1", "Markers 0, 2 and 3"]
