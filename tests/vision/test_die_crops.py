"""How a die is cut out of a picture."""

import cv2
import numpy as np
import pytest

from models.synthetic.die_renderer import PinholeCamera
from vision.detection import Detection, to_sighting
from vision.frames import Frame
from vision.observations import Posture
from vision.rectification import INPUT_EDGES, INPUT_SIDE, RotatedSquare, crop, rectify, upright, upright_crop
from vision.tray_calibration import Calibration, TrayLayout


def a_turned_die(turned_degrees: float, edge: float) -> np.ndarray:
    """A white square whose edge towards its own top is red, turned clockwise on a grey table."""
    picture = np.full((400, 400, 3), 90, np.uint8)
    for colour, middle, size in (
        ((255, 255, 255), (0, 0), (edge, edge)),
        ((0, 0, 255), (0, -edge / 3), (edge, edge / 3)),
    ):
        lean = np.radians(turned_degrees)
        x = 200 + middle[0] * np.cos(lean) - middle[1] * np.sin(lean)
        y = 180 + middle[0] * np.sin(lean) + middle[1] * np.cos(lean)
        box = cv2.boxPoints(((x, y), size, turned_degrees))
        cv2.fillPoly(picture, [np.round(box).astype(np.int32)], colour)
    return picture


@pytest.mark.parametrize("turned_degrees", [0.0, 20.0, 71.0])
@pytest.mark.parametrize("edge", [30.0, 150.0])
def test_a_crop_stands_upright(turned_degrees: float, edge: float) -> None:
    cut = crop(a_turned_die(turned_degrees, edge), RotatedSquare(200, 180, edge, turned_degrees))
    top, middle, beside = INPUT_SIDE // 2 - INPUT_SIDE / INPUT_EDGES / 3, INPUT_SIDE // 2, 3
    assert cut.shape == (INPUT_SIDE, INPUT_SIDE, 3)
    assert cut[int(top), middle].tolist() == pytest.approx([0, 0, 255], abs=40)
    assert cut[middle + 5, middle].tolist() == pytest.approx([255, 255, 255], abs=20)
    assert cut[middle, beside].tolist() == pytest.approx([90, 90, 90], abs=20)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (399.0, 399.0), (-30.0, 200.0), (500.0, 500.0)])
def test_a_die_at_or_beyond_the_edge_can_still_be_cut(x: float, y: float) -> None:
    assert crop(a_turned_die(0, 40), RotatedSquare(x, y, 60.0, 10.0)).shape == (INPUT_SIDE, INPUT_SIDE, 3)


@pytest.mark.parametrize("turned_degrees", [0.0, 44.0, 46.0, 89.0])
@pytest.mark.parametrize("down", [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.3), (0.2, -1.0)])
def test_what_points_down_is_below_in_an_upright_crop(turned_degrees: float, down: tuple[float, float]) -> None:
    turned = upright(turned_degrees, np.array(down))
    assert (turned - turned_degrees) % 90 == pytest.approx(0.0, abs=1e-6) or (turned - turned_degrees) % 90 > 89.99
    below = np.radians(turned + 90)
    assert np.array([np.cos(below), np.sin(below)]) @ down >= np.hypot(*down) * np.cos(np.pi / 4) - 1e-9


@pytest.mark.parametrize("tilt", [0.0, 30.0, 55.0])
def test_a_square_of_the_tray_is_cut_out_as_a_square_however_the_camera_leans(tilt: float) -> None:
    camera = PinholeCamera.above((150, 112), 600.0, 1300.0, (1280, 960), tilt_degrees=tilt)
    picture = np.full((960, 1280, 3), 90, np.uint8)
    turn = np.radians(20)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    square = np.array([(-8, -8), (8, -8), (8, 8), (-8, 8)]) @ axes + (180, 90)
    corners = camera.project(np.column_stack([square, np.zeros(4)]))
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], (255, 255, 255), cv2.LINE_AA, 4)
    calibration = Calibration(TrayLayout(), np.linalg.inv(camera.homography()), {}, (1280, 960))
    view = rectify(Frame(picture, 1, 0.0), calibration)
    x, y = np.linalg.solve(view.to_mm, (180, 90, 1))[:2]
    found = to_sighting(Detection(float(x), float(y), 16.0 / view.mm_per_pixel, 20.0, Posture.FLAT, 1.0), view)
    white = upright_crop(view, found)[..., 0] > 170
    across, down = (white.any(axis=axis).sum() for axis in (0, 1))
    assert across == pytest.approx(INPUT_SIDE / INPUT_EDGES, abs=6)  # OpenCV draws the outline around what it fills
    assert down == pytest.approx(across, abs=2)
    assert white.sum() == pytest.approx(across * down, rel=0.1)
