"""The virtual camera gives as many pictures a second as it is made for."""

import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray


@pytest.mark.parametrize("rate", [15.0, 30.0])
def test_a_frame_is_one_tick_of_the_rate(rate: float) -> None:
    camera = VirtualCamera(VirtualTray("intersection", seed=1, size=(320, 240)), paced=False, seed=1, rate=rate)
    camera.open()
    first, second = camera.frame(), camera.frame()
    assert second.taken_at - first.taken_at == pytest.approx(1 / rate)
