"""A phone as the camera: what is put in comes out as frames, on the box's clock, and an absent phone is said."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from hardware.cameras import open_camera
from hardware.cameras.base import CameraLost, NoSuchCamera
from hardware.cameras.phone import GONE, MOST_WAITING, NOT_YET, SILENT_S, PhoneCamera, PhoneClock, PhonePicture
from vision.frames import Pixels

NOW = 1000.0


def grey(width: int, height: int, level: int = 120) -> Pixels:
    return np.full((height, width, 3), level, np.uint8)


def picture(taken_s: float, *, full: bool = True, level: int = 120) -> PhonePicture:
    return PhonePicture(grey(480, 360, level), grey(1280, 960, level) if full else None, taken_s)


@pytest.fixture
def camera() -> PhoneCamera:
    camera = PhoneCamera()
    camera.put(picture(1.0))
    camera.open()
    camera.frame()
    return camera


def test_the_phone_is_a_camera_by_its_name_and_has_no_number() -> None:
    assert open_camera("phone").name == "phone"
    with pytest.raises(NoSuchCamera, match="write phone"):
        open_camera("phone:0")


def test_without_a_phone_people_read_how_to_bring_one() -> None:
    with pytest.raises(NoSuchCamera, match=NOT_YET):
        PhoneCamera().open()


def test_a_full_picture_is_a_frame_with_all_its_detail_and_the_small_one_of_the_phone(camera: PhoneCamera) -> None:
    camera.put(PhonePicture(grey(480, 360, 90), grey(1280, 960, 200), 1.1))
    frame = camera.frame()
    assert frame.small is not None
    assert (frame.pixels.shape, int(frame.pixels.mean()), frame.is_detailed) == ((960, 1280, 3), 200, True)
    assert (frame.small.shape, int(frame.small.mean())) == ((240, 320, 3), 90)


def test_a_small_picture_has_the_size_of_the_full_ones_and_is_not_to_be_read(camera: PhoneCamera) -> None:
    camera.put(picture(1.1, full=False))
    frame = camera.frame()
    assert (frame.pixels.shape, frame.is_detailed, frame.number) == ((960, 1280, 3), False, 2)


def test_a_small_picture_waits_for_a_full_one_of_its_shape() -> None:
    camera = PhoneCamera()
    assert not camera.put(picture(1.0, full=False))
    assert camera.put(picture(1.1))
    upright = PhonePicture(grey(360, 480), None, 1.2)
    assert not camera.put(upright)
    assert camera.put(PhonePicture(upright.small, grey(960, 1280), 1.3))
    assert camera.put(upright)


def test_a_phone_that_sends_no_more_is_lost_and_comes_back_by_itself(camera: PhoneCamera) -> None:
    with pytest.raises(CameraLost, match=GONE):
        camera.frame(0.01)
    camera.close()
    with pytest.raises(NoSuchCamera, match=GONE):
        camera.open()
    threading.Timer(0.1, camera.put, [picture(9.0)]).start()
    camera.open()
    assert camera.frame().number == 2


def test_a_loop_that_is_slow_gets_the_newest_pictures_and_memory_does_not_grow(camera: PhoneCamera) -> None:
    for place in range(50):
        camera.put(picture(2.0 + place / 15, level=place))
    frames = [camera.frame() for _ in range(MOST_WAITING)]
    assert [int(frame.pixels.mean()) for frame in frames] == list(range(50 - MOST_WAITING, 50))
    assert [frame.is_detailed for frame in frames] == [False] * (MOST_WAITING - 2) + [True] * 2
    with pytest.raises(CameraLost):
        camera.frame(0.01)


def test_pictures_that_a_phone_held_back_while_its_network_stood_still_leave_no_gap(
    camera: PhoneCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = time.monotonic() + 0.8
    monkeypatch.setattr(camera, "_now", lambda: late)
    for place in range(12):
        camera.put(picture(1.0 + (place + 1) / 15, full=False))
    moments = [camera.frame().taken_at for _ in range(12)]
    assert all(0.06 < after - before < 0.07 for before, after in pairwise(moments))


@pytest.mark.parametrize("ahead_s", [0.0, 4 * 3600.0, -4 * 3600.0])
def test_moments_are_the_boxs_own_however_wrong_the_phones_clock_is(ahead_s: float) -> None:
    clock = PhoneClock()
    delays = (0.2, 0.05, 0.3, 0.05)
    moments = [clock.moment(NOW + ahead_s + at / 5, NOW + at / 5 + delay) for at, delay in enumerate(delays)]
    assert moments[1:] == pytest.approx([NOW + 0.25, NOW + 0.45, NOW + 0.65])
    assert sorted(moments) == moments


def test_a_clock_that_stood_still_while_the_phone_slept_is_set_again() -> None:
    clock = PhoneClock()
    clock.moment(10.0, NOW)
    assert clock.moment(10.1, NOW + 60.0) == pytest.approx(NOW + 60.0)
    assert clock.moment(10.2, NOW + 60.1) == pytest.approx(NOW + 60.1)


def test_another_phone_begins_with_a_clock_of_its_own(camera: PhoneCamera) -> None:
    camera.begin()
    camera.put(picture(500.0))
    assert camera.frame().taken_at == pytest.approx(time.monotonic(), abs=0.5)


def test_a_photograph_is_shown_until_the_next_one_and_is_no_lost_phone(camera: PhoneCamera) -> None:
    camera.put_photograph(grey(1280, 960, 90))
    first, again = camera.frame(0.05), camera.frame(0.05)
    assert (first.is_photograph, first.is_detailed, first.pixels.shape) == (True, True, (960, 1280, 3))
    assert (again.number, again.pixels is first.pixels) == (first.number, True)
    assert again.taken_at > first.taken_at
    camera.put_photograph(grey(960, 1280, 90))
    assert camera.frame(0.05).number == first.number + 1


def test_a_live_picture_ends_the_photographs(camera: PhoneCamera) -> None:
    camera.put_photograph(grey(1280, 960, 90))
    camera.frame(0.05)
    camera.begin()
    with pytest.raises(CameraLost):
        camera.frame(0.05)


@pytest.mark.parametrize("begun_after_s", [0.0, 0.1])
def test_a_phone_that_sends_live_pictures_after_photographs_is_waited_for(
    camera: PhoneCamera, monkeypatch: pytest.MonkeyPatch, begun_after_s: float
) -> None:
    monkeypatch.setattr("hardware.cameras.phone.SILENT_S", 0.4)
    monkeypatch.setattr("hardware.cameras.phone.AGAIN_S", 0.2)
    camera.put_photograph(grey(1280, 960, 90))
    camera.frame(0.05)
    time.sleep(0.5)  # longer than a live picture may be silent
    begins = threading.Timer(begun_after_s, camera.begin)
    sends = threading.Timer(begun_after_s + 0.15, camera.put, [picture(1.0)])
    begins.start()
    sends.start()
    if not begun_after_s:
        begins.join()
    assert not camera.frame(1.0).is_photograph
    begins.join()
    sends.join()


def test_a_loop_that_was_busy_learns_of_a_silent_phone_at_once(
    camera: PhoneCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_at = time.monotonic()
    monkeypatch.setattr(camera, "_now", lambda: read_at + SILENT_S)
    began = time.perf_counter()
    with pytest.raises(CameraLost, match=GONE):
        camera.frame(10.0)
    assert time.perf_counter() - began < SILENT_S


def test_a_phone_that_is_silent_is_gone_before_two_seconds_have_passed(camera: PhoneCamera) -> None:
    began = time.monotonic()
    with pytest.raises(CameraLost, match="the phone's picture is gone"):
        camera.frame(10.0)
    assert SILENT_S < 2.0
    assert time.monotonic() - began < 9.0  # on a busy machine too, long before the ten seconds
