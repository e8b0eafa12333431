"""Pictures that are put right at their source: mirrored back, and turned."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.cameras.base import AdjustedCamera, Adjustment, Camera
from hardware.cameras.phone import PhoneCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.frames import Frame

PICTURE = np.arange(6, dtype=np.uint8).reshape(2, 3, 1).repeat(3, axis=2)
"""0 1 2 over 3 4 5."""


class Lens(Camera):
    """A camera that always gives PICTURE, and a small one with it."""

    name = "lens"

    def open(self) -> None:
        """There is nothing to open."""

    def frame(self, timeout: float = 1.0) -> Frame:
        return Frame(PICTURE, 1, 0.0, PICTURE, may_repeat=True)

    def close(self) -> None:
        """There is nothing to close."""


@pytest.mark.parametrize(
    ("adjustment", "wanted"),
    [
        (Adjustment(), [[0, 1, 2], [3, 4, 5]]),
        (Adjustment(mirrored=True), [[2, 1, 0], [5, 4, 3]]),
        (Adjustment(turned=90), [[3, 0], [4, 1], [5, 2]]),
        (Adjustment(turned=180), [[5, 4, 3], [2, 1, 0]]),
        (Adjustment(turned=270), [[2, 5], [1, 4], [0, 3]]),
        (Adjustment(mirrored=True, turned=90), [[5, 2], [4, 1], [3, 0]]),
    ],
)
def test_both_pictures_of_a_frame_are_put_right(adjustment: Adjustment, wanted: list[list[int]]) -> None:
    frame = AdjustedCamera(Lens(), lambda: adjustment).frame()
    assert frame is not None
    assert frame.small is not None
    assert frame.pixels[..., 0].tolist() == frame.small[..., 0].tolist() == wanted
    assert frame.may_repeat


def test_what_is_chosen_counts_for_the_next_picture() -> None:
    chosen = [Adjustment()]
    camera = AdjustedCamera(Lens(), lambda: chosen[0])
    before, chosen[0] = camera.frame(), Adjustment(turned=90)
    after = camera.frame()
    assert before is not None
    assert after is not None
    assert (before.pixels.shape, after.pixels.shape) == ((2, 3, 3), (3, 2, 3))


def test_all_else_is_as_the_camera_says() -> None:
    tray = VirtualTray("intersection")
    assert AdjustedCamera(VirtualCamera(tray), Adjustment).simulator is tray
    phone = PhoneCamera()
    camera = AdjustedCamera(phone, Adjustment)
    assert (camera.name, camera.is_steady, camera.longest_pause_s) == (phone.name, False, phone.longest_pause_s)
    assert (camera.is_live, camera.notes) == (True, ())
