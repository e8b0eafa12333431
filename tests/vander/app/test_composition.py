from hardware.cameras.base import Camera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from vander.app.composition import lay_out_dice


def test_a_virtual_tray_puts_out_the_dice_of_the_game() -> None:
    tray = VirtualTray("intersection", seed=1)
    lay_out_dice(die_sets.load("toss-up"), VirtualCamera(tray))
    assert len(tray.dice()) == 10
    assert {die["place"] for die in tray.dice()} == {"field"}


def test_dice_that_are_out_already_stay_as_they_lie() -> None:
    tray = VirtualTray("intersection", seed=1)
    before = list(tray.dice())
    lay_out_dice(die_sets.load("intersection"), VirtualCamera(tray))
    assert list(tray.dice()) == before


def test_a_real_camera_has_no_dice_to_put_out() -> None:
    class Lens(Camera):
        name = "lens"

    lay_out_dice(die_sets.load("toss-up"), Lens())
