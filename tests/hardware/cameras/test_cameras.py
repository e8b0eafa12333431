"""Cameras by name, and what each says when it cannot see."""

import logging
import sys
import threading
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraLost, NoSuchCamera
from hardware.cameras.replay import ReplayCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.frames import Frame, Pixels


def _shade(grey: int, width: int = 32, height: int = 24) -> Pixels:
    return np.full((height, width, 3), grey, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, grey in enumerate((40, 120, 200)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), _shade(grey, 64, 48))
    return tmp_path


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for grey in (30, 90, 150, 210):
        writer.write(_shade(grey, 64, 48))
    writer.release()
    return path


def _all(camera: Camera) -> list[Frame]:
    camera.open()
    frames = list(iter(camera.frame, None))
    camera.close()
    return frames


def test_an_unknown_kind_of_camera_is_told_the_kinds_there_are() -> None:
    with pytest.raises(
        NoSuchCamera,
        match=r"virtual, replay:PATH, usb:NUMBER, picamera:NUMBER, phone, browser, url:http://",
    ):
        open_camera("polaroid:1")


def test_naming_a_camera_imports_its_module_alone() -> None:
    for module in ("hardware.cameras.usb", "hardware.cameras.pi_camera"):
        sys.modules.pop(module, None)
    open_camera("usb:0")
    assert "hardware.cameras.usb" in sys.modules
    assert "hardware.cameras.pi_camera" not in sys.modules


@pytest.mark.parametrize("spec", ["replay:somewhere", "usb:3", "usb", "picamera:1", "picamera"])
def test_naming_a_camera_opens_nothing(spec: str) -> None:
    assert open_camera(spec).name.startswith(spec)


def test_a_replay_without_a_path_says_what_to_write() -> None:
    with pytest.raises(NoSuchCamera, match="replay:PATH"):
        open_camera("replay:")


def test_a_replay_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoSuchCamera, match="there is nothing at"):
        open_camera(f"replay:{tmp_path / 'gone'}").open()


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(NoSuchCamera, match="holds no pictures"):
        open_camera(f"replay:{tmp_path}").open()


def test_a_text_file_is_no_video(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("no video")
    with pytest.raises(NoSuchCamera, match="no video that OpenCV can read"):
        open_camera(f"replay:{tmp_path / 'notes.mp4'}").open()


def test_a_folder_is_shown_once_in_the_order_of_its_names(folder: Path) -> None:
    frames = _all(ReplayCamera(folder, paced=False))
    assert [int(frame.pixels[0, 0, 0]) for frame in frames] == [40, 120, 200]
    assert [frame.number for frame in frames] == [1, 2, 3]


def test_a_replay_that_has_ended_stays_ended(folder: Path) -> None:
    camera = ReplayCamera(folder, paced=False)
    camera.open()
    assert [camera.frame() is None for _ in range(5)] == [False, False, False, True, True]


def test_opening_a_replay_again_starts_it_again(folder: Path) -> None:
    camera = ReplayCamera(folder, paced=False)
    assert len(_all(camera)) == len(_all(camera)) == 3


def test_a_broken_picture_is_skipped_with_a_sentence(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "1.png").write_bytes((folder / "1.png").read_bytes()[:60])
    (folder / "1b.jpg").write_text("not a picture at all")
    with caplog.at_level(logging.WARNING):
        frames = _all(ReplayCamera(folder, paced=False))
    assert [int(frame.pixels[0, 0, 0]) for frame in frames] == [40, 200]
    assert "1b.jpg is no JPEG, PNG, WebP or BMP picture" in caplog.text


@pytest.mark.parametrize("written_as", [".jp2", ".tiff", ".ppm"])
def test_a_format_that_no_camera_writes_is_not_decoded_whatever_it_is_called(
    folder: Path, caplog: pytest.LogCaptureFixture, written_as: str
) -> None:
    done, contents = cv2.imencode(written_as, np.full((64, 64, 3), 77, np.uint8))
    assert done
    (folder / "1b.jpg").write_bytes(contents.tobytes())
    with caplog.at_level(logging.WARNING):
        frames = _all(ReplayCamera(folder, paced=False))
    assert 77 not in [int(frame.pixels[0, 0, 0]) for frame in frames]
    assert "1b.jpg is no JPEG" in caplog.text


def test_one_picture_is_a_replay_of_one_frame(folder: Path) -> None:
    assert len(_all(ReplayCamera(folder / "2.png", paced=False))) == 1


def test_a_video_gives_all_its_frames_in_its_own_time(clip: Path) -> None:
    frames = _all(ReplayCamera(clip, paced=False))
    assert [round(float(frame.pixels.mean()), -1) for frame in frames] == [30, 90, 150, 210]
    assert np.diff([frame.taken_at for frame in frames]) == pytest.approx([0.05] * 3)


def test_a_video_of_uneven_times_gives_its_frames_when_they_were_taken(tmp_path: Path) -> None:
    pictures = [Image.new("RGB", (64, 48), (level, level, level)) for level in (30, 90, 150, 210)]
    pictures[0].save(tmp_path / "uneven.gif", save_all=True, append_images=pictures[1:], duration=[100, 500, 70, 100])
    frames = _all(ReplayCamera(tmp_path / "uneven.gif", paced=False))
    assert np.diff([frame.taken_at for frame in frames]) == pytest.approx([0.1, 0.5, 0.07])


def test_a_paced_replay_keeps_the_clips_order_and_time(clip: Path) -> None:
    frames = _all(ReplayCamera(clip))
    assert [frame.number for frame in frames] == [1, 2, 3, 4]
    assert np.diff([frame.taken_at for frame in frames]) == pytest.approx([0.05] * 3)


@pytest.mark.parametrize("spec", ["replay:{folder}", "usb:0", "picamera:0", "virtual"])
def test_a_camera_that_is_not_open_gives_no_frame(spec: str, folder: Path) -> None:
    camera = open_camera(spec.format(folder=folder))
    camera.close()
    with pytest.raises(CameraLost, match="open it first"):
        camera.frame()


def test_a_webcam_that_is_not_there_says_what_would_help() -> None:
    with pytest.raises(NoSuchCamera, match="no webcam answers at usb:97; plug it in"):
        open_camera("usb:97").open()


def test_a_webcam_gives_newer_and_newer_frames_and_is_lost_when_they_end(clip: Path) -> None:
    camera = UsbCamera(str(clip))
    camera.open()
    numbers: list[int] = []
    while not numbers or numbers[-1] < 4:
        numbers.append(camera.frame().number)
    assert numbers == sorted(set(numbers))
    with pytest.raises(CameraLost, match="gave no frame"):
        camera.frame(0.5)


def test_a_lost_webcam_can_be_opened_again(clip: Path) -> None:
    camera = UsbCamera(str(clip))
    for _ in range(2):
        camera.open()
        assert camera.frame().pixels.shape == (48, 64, 3)
        camera.close()


def test_a_closed_webcam_leaves_no_thread_behind(clip: Path) -> None:
    camera = UsbCamera(str(clip))
    camera.open()
    camera.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("webcam")]


def test_a_machine_without_time_sees_each_moment_of_a_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    def film(busy_s: float) -> list[Frame]:
        """Return the frames of a throw for a reader that takes so many seconds with each."""
        now = [0.0]
        monkeypatch.setattr("time.monotonic", lambda: now[0])
        monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
        tray = VirtualTray("intersection", seed=1, size=(320, 240))
        with closing(VirtualCamera(tray, seed=1)) as camera:
            camera.open()
            tray.throw([die.number for die in tray.scene().dice])
            frames = []
            for _ in range(20):
                frames.append(camera.frame())
                now[0] += busy_s
        return frames

    quick, slow = film(0.0), film(1.0)
    assert [frame.taken_at for frame in quick] == pytest.approx([frame.taken_at for frame in slow])
    assert all(np.array_equal(one.pixels, other.pixels) for one, other in zip(quick, slow, strict=True))
