"""How sharp a picture of the tray is, on the virtual tray's pictures and on the same seen through a worse lens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.feed_health import fine_detail, marker_sharpness
from vision.frames import Pixels


def tray_picture(size: tuple[int, int] = (1280, 960)) -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", seed=1, size=size), paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    camera.close()
    return frame.pixels


@pytest.fixture(scope="module")
def sharp() -> Pixels:
    return tray_picture()


def blurred(pixels: Pixels, by: float) -> Pixels:
    """The picture through a lens that is out of focus; the sensor's noise is as it was."""
    soft = cv2.GaussianBlur(pixels, (0, 0), by)
    noise = np.random.default_rng(1).normal(0, 2.4, pixels.shape)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def test_an_edge_of_known_blur_is_measured_as_wide_as_it_is() -> None:
    page = np.full((600, 600), 240, np.uint8)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    page[240:360, 240:360] = cv2.aruco.generateImageMarker(words, 0, 120)
    turned = cv2.warpAffine(page, cv2.getRotationMatrix2D((300, 300), 5, 1), (600, 600), borderValue=(240.0,))
    soft = cv2.GaussianBlur(turned, (0, 0), 2.5)
    (marker,) = marker_sharpness(cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR).astype(np.uint8))
    assert marker.number == 0
    assert marker.spread_px == pytest.approx(2.563 * 2.5, rel=0.06)  # from a tenth to nine tenths of a Gaussian's rise


def test_all_four_markers_are_measured_alike_where_the_lens_is_alike(sharp: Pixels) -> None:
    markers = marker_sharpness(sharp)
    assert [marker.number for marker in markers] == [0, 1, 2, 3]
    spreads = [marker.spread_px for marker in markers]
    assert max(spreads) - min(spreads) < 0.2
    assert 2.0 < min(spreads) < 3.2


def test_the_blurrier_the_wider(sharp: Pixels) -> None:
    spreads = [
        np.mean([marker.spread_px for marker in marker_sharpness(blurred(sharp, by))]) for by in (0.6, 1.2, 1.8, 2.4)
    ]
    assert spreads == sorted(spreads)
    assert spreads[-1] > 1.5 * spreads[0]


def test_noise_does_not_pass_for_sharpness(sharp: Pixels) -> None:
    noise = np.random.default_rng(2).normal(0, 8, sharp.shape)
    noisy = np.asarray(np.clip(sharp + noise, 0, 255), np.uint8)
    for before, after in zip(marker_sharpness(sharp), marker_sharpness(noisy), strict=True):
        assert after.spread_px == pytest.approx(before.spread_px, rel=0.1)


def test_without_a_marker_there_is_nothing_to_measure_but_the_detail(sharp: Pixels) -> None:
    bare = np.full((480, 640, 3), 90, np.uint8)
    assert marker_sharpness(bare) == ()
    assert fine_detail(bare) < 0.001
    assert marker_sharpness(blurred(sharp, 7)) == ()


def test_the_detail_falls_all_the_way_as_the_lens_is_turned_out_of_focus(sharp: Pixels) -> None:
    figures = [fine_detail(blurred(sharp, by)) for by in (0.3, 1, 2, 4, 8, 16)]
    assert figures == sorted(figures, reverse=True)
    assert figures[0] > 2 * figures[-1]


@pytest.mark.parametrize("shape", [(8, 8), (40, 300), (300, 12)])
def test_no_picture_is_too_small_or_too_odd_to_be_measured(shape: tuple[int, int]) -> None:
    grain = np.random.default_rng(3).integers(0, 255, (*shape, 3)).astype(np.uint8)
    assert marker_sharpness(grain) == ()
    assert 0 <= fine_detail(grain) <= 1
