"""How the tray is lit, on the virtual tray's picture in the light of many rooms."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.feed_health import Illumination, measure_illumination
from vision.frames import Frame, Pixels
from vision.tray_calibration import TrayLayout, calibrate
from vision.tray_markers import find_markers


@pytest.fixture(scope="module")
def lit() -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    camera.close()
    return frame.pixels


def measured(pixels: Pixels) -> Illumination:
    return measure_illumination(pixels, find_markers(pixels).corners, calibrate(Frame(pixels, 1, 0.0), TrayLayout()))


def dimmed(pixels: Pixels, share: float) -> Pixels:
    return np.asarray(np.clip(pixels.astype(np.float32) * share, 0, 255), np.uint8)


def test_the_papers_of_all_four_corners_are_read_off(lit: Pixels) -> None:
    found = measured(lit)
    assert list(found.paper_levels) == [0, 1, 2, 3]
    assert all(180 < level < 250 for level in found.paper_levels.values())
    assert found.evenness is not None
    assert found.evenness > 0.75


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_the_paper_follows_the_light_and_the_evenness_does_not(lit: Pixels, share: float) -> None:
    full, less = measured(lit), measured(dimmed(lit, share))
    for number, level in less.paper_levels.items():
        assert level == pytest.approx(share * full.paper_levels[number], abs=3)
    assert less.evenness == pytest.approx(full.evenness, abs=0.03)
    assert less.mean < full.mean


def test_a_lamp_at_one_side_is_uneven(lit: Pixels) -> None:
    fall = np.linspace(1.0, 0.3, lit.shape[1])[None, :, None]
    found = measured(np.asarray(lit * fall, np.uint8))
    assert found.evenness is not None
    assert found.evenness < 0.6


def test_a_lamps_reflection_is_found_and_the_markers_paper_is_none(lit: Pixels) -> None:
    before = measured(dimmed(lit, 1.15))
    spot = dimmed(lit, 1.15)
    cv2.circle(spot, (640, 480), 60, (255, 255, 255), -1)
    found = measured(spot)
    assert found.glare_px == pytest.approx(np.pi * 60**2, rel=0.1)
    assert found.overexposed > before.overexposed + 0.005
    assert before.glare_px < 3000  # a white die at most


def test_what_lies_beyond_the_tray_is_not_its_light(lit: Pixels) -> None:
    window = lit.copy()
    window[:40] = 255
    assert measured(window).overexposed == pytest.approx(measured(lit).overexposed, abs=1e-6)


def test_without_markers_the_whole_picture_counts(lit: Pixels) -> None:
    found = measure_illumination(np.full((60, 80, 3), 255, np.uint8), {}, None)
    assert (found.overexposed, found.underexposed, found.evenness) == (1.0, 0.0, None)
    assert found.glare_px == 60 * 80
    assert measure_illumination(np.zeros((60, 80, 3), np.uint8), {}, None).underexposed == 1.0
