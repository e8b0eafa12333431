"""Finding: what the network's output means, and which of two sightings of one die is kept."""

from pathlib import Path

import numpy as np
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.detection import (
    MULTIPLE,
    STRIDE,
    UNIT_EDGE,
    Detection,
    Finder,
    decode,
    is_on_marker,
    network_input,
    suppress_duplicates,
)
from vision.observations import DieSighting, Posture
from vision.rectification import rectify
from vision.tray_calibration import Calibration, TrayLayout, locate


def an_empty_output(rows: int = 20, columns: int = 30) -> np.ndarray:
    output = np.zeros((9, rows, columns), np.float32)
    output[6] = 1
    return output


def with_a_die(output: np.ndarray, row: int, column: int, heat: float, turned_degrees: float = 30.0) -> np.ndarray:
    lean = np.radians(4 * turned_degrees)
    output[:6, row, column] = heat, 0.25, -0.5, np.log(1.5), np.cos(lean), np.sin(lean)
    return output


def a_spot(x: float, confidence: float, edge: float = 20.0) -> Detection:
    return Detection(x, 50.0, edge, 0.0, Posture.FLAT, confidence)


def test_an_empty_output_has_no_dice() -> None:
    assert decode(an_empty_output(), 0.3) == ()


def test_a_peak_is_a_die_with_its_place_size_and_turn() -> None:
    (spot,) = decode(with_a_die(an_empty_output(), 5, 7, 0.9), 0.3)
    assert (spot.x, spot.y) == pytest.approx(((7 + 0.5 + 0.25) * STRIDE, (5 + 0.5 - 0.5) * STRIDE))
    assert spot.edge == pytest.approx(1.5 * UNIT_EDGE)
    assert spot.turned_degrees == pytest.approx(30.0, abs=0.01)
    assert spot.posture is Posture.FLAT


def test_a_peak_below_the_least_confidence_is_no_die() -> None:
    assert decode(with_a_die(an_empty_output(), 5, 7, 0.2), 0.3) == ()


def test_a_leaning_die_is_cocked() -> None:
    output = with_a_die(an_empty_output(), 5, 7, 0.9)
    output[6:9, 5, 7] = 0.1, 0.8, 0.1
    assert decode(output, 0.3)[0].posture is Posture.COCKED


def test_of_two_sightings_of_one_die_the_surer_is_kept() -> None:
    assert suppress_duplicates([a_spot(50, 0.5), a_spot(56, 0.9)]) == (a_spot(56, 0.9),)


def test_the_top_and_the_side_of_a_leaning_die_are_one() -> None:
    assert suppress_duplicates([a_spot(50, 0.4, edge=19.9), a_spot(62.8, 0.3, edge=16.5)]) == (
        a_spot(50, 0.4, edge=19.9),
    )


def test_a_pip_or_a_crowd_is_left_for_the_reader_to_tell() -> None:
    assert len(suppress_duplicates([a_spot(50, 0.6, edge=60), a_spot(70, 0.8, edge=14)])) == 2


def test_a_large_mistake_does_not_swallow_the_die_beside_it() -> None:
    assert len(suppress_duplicates([a_spot(50, 0.9, edge=34), a_spot(70, 0.8, edge=20)])) == 2


def test_touching_dice_are_both_kept() -> None:
    assert len(suppress_duplicates([a_spot(50, 0.5), a_spot(70, 0.9)])) == 2


def test_the_networks_input_is_padded_to_whole_cells() -> None:
    assert network_input(np.zeros((33, 50, 3), np.uint8)).shape == (1, 3, 3 * MULTIPLE, 4 * MULTIPLE)


def a_sighting(x_mm: float, y_mm: float) -> DieSighting:
    return DieSighting(x_mm, y_mm, 16, 0, Posture.FLAT, 0.9, x_mm, y_mm, 16)


def a_calibration(hidden: tuple[int, ...] = ()) -> Calibration:
    return Calibration(TrayLayout(), np.eye(3), dict(enumerate(TrayLayout().corners_mm)), (640, 480), "", hidden)


@pytest.mark.slow
def test_a_die_at_the_edge_is_one_die_though_the_networks_input_is_mirrored_there() -> None:
    tray = VirtualTray("toss-up", seed=9115, size=(960, 720))
    camera = VirtualCamera(tray, paced=False, seed=9115)
    camera.open()
    calibration, doubt = locate(camera.frame(), TrayLayout())
    assert calibration, doubt
    for number, y in ((1, 0.25), (2, 0.45), (3, 0.65)):
        tray.move(number, 0.97, y)
    for _ in range(60):
        tray.advance(1 / 15)
    view = rectify(camera.frame(), calibration)
    assert -view.pixels.shape[1] % MULTIPLE
    found = Finder(Path(__file__).parents[2] / "models/weights/finder.onnx").find(view)
    at_the_edge = [die.x for die in found if die.x > 900]
    assert at_the_edge
    assert max(at_the_edge) < 960


def test_a_marker_in_sight_is_no_die() -> None:
    assert is_on_marker(a_sighting(299, 2), a_calibration())


def test_a_die_beside_a_marker_is_a_die() -> None:
    assert not is_on_marker(a_sighting(280, 12), a_calibration())


def test_a_die_may_lie_on_a_marker_that_cannot_be_seen() -> None:
    assert not is_on_marker(a_sighting(299, 2), a_calibration(hidden=(1,)))


def test_without_a_calibration_no_marker_is_known() -> None:
    assert not is_on_marker(a_sighting(299, 2), None)
