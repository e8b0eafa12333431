"""How a die is cut out of a picture."""

import cv2
import numpy as np
import pytest

from vision.die_crops import INPUT_EDGES, INPUT_SIDE, RotatedSquare, crop


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
