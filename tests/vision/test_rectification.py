"""The view from straight above, and the plain view of a photograph."""

import cv2
import numpy as np
import pytest
from painted import FACES, LAYOUT, LEFT, SCALE, TOP, Piece, paint

from vision.frames import Frame
from vision.rectification import MARGIN_MM, TrayView, rectify, unrectified_view
from vision.tray_calibration import calibrate


def through(plane: np.ndarray, x: float, y: float) -> tuple[float, float]:
    there = cv2.perspectiveTransform(np.array([[[x, y]]], np.float64), plane)[0, 0]
    return float(there[0]), float(there[1])


def view_of(pixels: np.ndarray, pixels_per_mm: float = 1.25) -> TrayView:
    frame = Frame(pixels, 1, 0.0)
    calibration = calibrate(frame, LAYOUT)
    assert calibration is not None
    return rectify(frame, calibration, pixels_per_mm)


def slanted(pixels: np.ndarray) -> np.ndarray:
    corners = np.array([[0, 0], [1280, 0], [1280, 960], [0, 960]], np.float32)
    seen = np.array([[90, 60], [1200, 20], [1270, 950], [10, 900]], np.float32)
    return cv2.warpPerspective(pixels, cv2.getPerspectiveTransform(corners, seen), (1280, 960))


def test_the_view_covers_the_rectangle_and_its_margin() -> None:
    view = view_of(paint())
    assert view.pixels.shape == (round((225 + 2 * MARGIN_MM) * 1.25), round((300 + 2 * MARGIN_MM) * 1.25), 3)
    assert through(view.to_mm, -0.5, -0.5) == pytest.approx((-MARGIN_MM, -MARGIN_MM))


@pytest.mark.parametrize("pixels_per_mm", [1.25, 3.0])
def test_a_die_lies_where_the_planes_say(pixels_per_mm: float) -> None:
    view = view_of(paint([Piece(120, 80, "sad", 20)]), pixels_per_mm)
    x, y = through(np.linalg.inv(view.to_mm), 120, 80)
    assert view.pixels[round(y), round(x)] == pytest.approx(np.array(FACES["sad"]), abs=14)
    assert through(view.to_frame, x, y) == pytest.approx((LEFT + 120 * SCALE, TOP + 80 * SCALE), abs=1.0)


def test_a_slanted_camera_sees_the_same_view() -> None:
    pieces = [Piece(60, 60, "sad"), Piece(230, 180, "star", 30)]
    straight, aslant = view_of(paint(pieces)), view_of(slanted(paint(pieces)))
    inner = slice(60, -60), slice(60, -60)
    difference = cv2.absdiff(cv2.blur(straight.pixels[inner], (5, 5)), cv2.blur(aslant.pixels[inner], (5, 5)))
    assert difference.mean() < 4


def test_a_millimetre_has_its_pixels() -> None:
    assert view_of(paint(), 2.0).mm_per_pixel == pytest.approx(0.5)


def test_a_plain_view_is_the_photograph_itself() -> None:
    pixels = paint()
    view = unrectified_view(Frame(pixels, 1, 0.0))
    assert view.calibration is None
    assert np.array_equal(view.pixels, pixels)
    assert through(view.to_mm, 10, 20) == pytest.approx((10, 20))


def test_a_plain_view_made_small_tells_places_in_the_photograph() -> None:
    view = unrectified_view(Frame(paint(), 1, 0.0), long_side=640)
    assert view.pixels.shape == (480, 640, 3)
    assert through(view.to_frame, 319.5, 239.5) == pytest.approx((639.5, 479.5))
    assert view.mm_per_pixel == pytest.approx(2.0)
