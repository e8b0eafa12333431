"""The pictures of a film show the tray alone, and nothing where the camera was pushed."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from tests.plain_tray import CORNERS, SIZE, paint_tray
from vision.frame_reader import FilmCut
from vision.frames import Frame, Pixels, small_image
from vision.rectification import GREY
from vision.tray_calibration import TappedTray, TrayLayout, calibrate
from vision.tray_edge import TrayEdge

ROOM = (255, 0, 255)


@pytest.fixture(scope="module")
def room() -> Pixels:
    """The virtual tray in a room of one colour."""
    with closing(VirtualCamera(VirtualTray("intersection", size=(640, 480)), paced=False, seed=1)) as camera:
        camera.open()
        tray = camera.frame().pixels
    height, width = tray.shape[:2]
    room = np.full((2 * height, 2 * width, 3), ROOM, np.uint8)
    room[height // 2 : height // 2 + height, width // 2 : width // 2 + width] = tray
    return room


@pytest.fixture(scope="module")
def film_cut(room: Pixels) -> FilmCut:
    frame = Frame(room, 1, 0.0)
    calibration = calibrate(frame, TrayLayout())
    assert calibration is not None
    return FilmCut.of(frame, calibration)


def small(pixels: Pixels) -> Pixels:
    return small_image(Frame(pixels, 1, 0.0))


def shows_room(cut: Pixels) -> bool:
    """True if more than the margin shows it in which dice are looked for."""
    return bool((np.abs(cut.astype(int) - ROOM).max(axis=2) < 60).mean() > 0.2)


def test_a_picture_is_cut_to_the_tray(room: Pixels, film_cut: FilmCut) -> None:
    cut = film_cut.cut(small(room))
    assert shows_room(small(room))
    assert not shows_room(cut)
    assert cut.shape[0] < small(room).shape[0]
    assert cut.std() > 10  # the tray is in it
    place, (height, width) = film_cut.place, cut.shape[:2]
    assert (place.width, place.height) == pytest.approx((4 * width, 4 * height))


def test_a_picture_of_a_pushed_camera_is_grey(room: Pixels, film_cut: FilmCut) -> None:
    pushed = np.roll(room, (120, 90), axis=(0, 1))
    assert (film_cut.cut(small(pushed)) == GREY).all()
    assert (film_cut.cut(small(np.full_like(room, 9))) == GREY).all()


def test_a_hand_over_three_markers_and_less_light_leave_the_picture(room: Pixels, film_cut: FilmCut) -> None:
    hand = room.copy()
    hand[: room.shape[0] * 2 // 3] = (140, 170, 220)
    hand[:, : room.shape[1] // 2] = (140, 170, 220)
    assert not (film_cut.cut(small(hand)) == GREY).all()
    dim = (room * 0.6).astype(np.uint8)
    assert not (film_cut.cut(small(dim)) == GREY).all()


@pytest.mark.parametrize(("alike", "is_shown"), [(1, False), (2, True)])
def test_one_corner_of_a_tray_without_markers_is_like_much_in_a_room(alike: int, is_shown: bool) -> None:
    tray = paint_tray()
    frame = Frame(tray, 1, 0.0)
    found = calibrate(frame, TrayLayout.by_taps(300.0, 220.0, TappedTray(CORNERS, SIZE, TrayEdge.of(tray, CORNERS))))
    assert found is not None
    other = np.random.default_rng(1).integers(0, 255, tray.shape).astype(np.uint8)
    for x, y in CORNERS[:alike]:
        left, top = round(x * SIZE[0]) - 20, round(y * SIZE[1]) - 20
        other[top : top + 40, left : left + 40] = tray[top : top + 40, left : left + 40]
    cut = FilmCut.of(frame, found)
    assert bool((cut.cut(small(other)) != GREY).any()) is is_shown
    assert (cut.cut(small(tray)) != GREY).any()
