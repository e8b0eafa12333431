"""Where the camera is, from the tray's plane alone."""

import cv2
import numpy as np
import pytest

from models.synthetic.die_renderer import PinholeCamera
from vision.frame_reader import TOO_SLANTED, doubt_of_slant
from vision.rectification import PlaneCamera, camera_over
from vision.tray_calibration import Calibration, TrayLayout

SIZE = (1280, 960)


def lens(tilt_degrees: float, focal_px: float = 1200.0, pan_degrees: float = 0.0) -> PinholeCamera:
    return PinholeCamera.above(
        (150.0, 112.0), 450.0, focal_px, SIZE, tilt_degrees=tilt_degrees, pan_degrees=pan_degrees
    )


def found(camera: PinholeCamera) -> PlaneCamera:
    return camera_over(Calibration(TrayLayout(), np.asarray(np.linalg.inv(camera.homography()), np.float64), {}, SIZE))


@pytest.mark.parametrize(("tilt", "pan"), [(12, 0), (20, 0), (25, 100)])
def test_a_tilted_camera_is_found_by_the_plane_alone(tilt: float, pan: float) -> None:
    camera = lens(tilt, pan_degrees=pan)
    assert found(camera).eye_mm == pytest.approx(camera.eye, rel=0.05, abs=5)
    assert found(camera).focal_spread < 0.12


def test_from_straight_above_the_focal_length_is_a_guess_and_the_foot_is_not() -> None:
    seen = found(lens(0, focal_px=1500.0))
    assert seen.focal_spread > 0.25
    assert seen.eye_mm[:2] == pytest.approx((150, 112), abs=2)


def test_a_camera_on_its_head_is_found_too() -> None:
    camera = lens(15)
    turned = np.array([[-1, 0, SIZE[0] - 1], [0, -1, SIZE[1] - 1], [0, 0, 1]]) @ camera.homography()
    seen = camera_over(Calibration(TrayLayout(), np.asarray(np.linalg.inv(turned), np.float64), {}, SIZE))
    assert seen.eye_mm == pytest.approx(camera.eye, rel=0.05, abs=5)


def test_a_point_above_the_table_hides_the_point_of_the_table_behind_it() -> None:
    camera = lens(20)
    behind = cv2.perspectiveTransform(np.array([[[40.0, 180.0]]]), found(camera).plane_at(16.0))
    on_table = camera.project(np.array([[*behind[0, 0], 0.0]]))
    assert on_table[0] == pytest.approx(camera.project(np.array([[40.0, 180.0, 16.0]]))[0], abs=1.0)


def test_of_a_plane_that_no_usual_camera_sees_so_the_likeliest_camera_is_told() -> None:
    stretched = np.diag([1.0, 0.6, 1.0]) @ np.linalg.inv(lens(40).homography())
    seen = camera_over(Calibration(TrayLayout(), np.asarray(stretched, np.float64), {}, SIZE))
    assert np.isfinite(seen.eye_mm).all()


@pytest.mark.parametrize(("tilt", "is_told"), [(0.0, False), (45.0, False), (65.0, True)])
def test_a_camera_that_looks_too_much_from_the_side_is_told_to_go_over_the_tray(tilt: float, is_told: bool) -> None:
    camera = PinholeCamera.above((150.0, 112.0), 450.0, 1200.0, SIZE, tilt_degrees=tilt)
    seen = Calibration(TrayLayout(), np.asarray(np.linalg.inv(camera.homography()), np.float64), {}, SIZE)
    assert doubt_of_slant(seen) == (TOO_SLANTED if is_told else "")
