"""The virtual camera gives as many pictures a second as it is made for."""

import time

import pytest

from hardware.cameras.virtual_camera import RATE, UNPACED_RATE, VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.frame_clock import GAP_SECONDS, SLOW_STEP
from vision.pipeline import STILL_SECONDS


@pytest.mark.parametrize("rate", [15.0, 30.0])
def test_a_frame_is_one_tick_of_the_rate(rate: float) -> None:
    camera = VirtualCamera(VirtualTray("intersection", seed=1, size=(320, 240)), paced=False, seed=1, rate=rate)
    camera.open()
    first, second = camera.frame(), camera.frame()
    assert second.taken_at - first.taken_at == pytest.approx(1 / rate)


@pytest.mark.parametrize(("paced", "rate"), [(True, RATE), (False, UNPACED_RATE)])
def test_three_pictures_in_real_time_take_no_longer_than_a_table_must_be_still(paced: bool, rate: float) -> None:
    camera = VirtualCamera(VirtualTray("intersection", seed=1, size=(320, 240)), paced=paced, seed=1)
    camera.open()
    first, second = camera.frame(), camera.frame()
    assert second.taken_at - first.taken_at == pytest.approx(1 / rate)
    assert 2 / RATE <= STILL_SECONDS


def test_a_machine_without_time_misses_no_throw_of_the_virtual_tray() -> None:
    tray = VirtualTray("intersection", seed=1, size=(320, 240))
    camera = VirtualCamera(tray, seed=1)
    camera.open()
    first = camera.frame()
    tray.throw([1, 2, 3, 4, 5, 6])
    left = tray.rests_in()
    time.sleep(GAP_SECONDS)
    second = camera.frame()
    assert second.taken_at - first.taken_at < min(GAP_SECONDS, SLOW_STEP)
    assert left - tray.rests_in() == pytest.approx(second.taken_at - first.taken_at)
