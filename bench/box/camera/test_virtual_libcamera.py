"""Our camera on the real picamera2 and the real libcamera, whose virtual camera shows pictures of the virtual tray."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vision.frames import Pixels

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("VANDER_BOX_CACHE", HERE.parents[2] / "build/box/camera"))
PYTHON = CACHE / "venv/bin/python"
CAMERAS = CACHE / "prefix/share/libcamera/pipeline/virtual/virtual.yaml"
MAIN, SMALL = (1280, 960), (320, 240)
HANG_SECONDS = 60


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    assert (CACHE / "stamp").exists(), f"there is no libcamera in {CACHE}; bench/box/camera/build.sh {CACHE} builds it"


@pytest.fixture(autouse=True)
def no_camera() -> Iterator[None]:
    """What a test puts into libcamera's list of virtual cameras is taken out after it."""
    CAMERAS.unlink(missing_ok=True)
    yield
    CAMERAS.unlink(missing_ok=True)


def show(folder: Path, pictures: list[Pixels], sizes: tuple[tuple[int, int], ...] = (MAIN, SMALL)) -> None:
    """Make libcamera's virtual camera show these pictures, over and over, in these sizes."""
    frames = folder / "frames"
    frames.mkdir()
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(frames / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    formats = "".join(f"  - {{width: {w}, height: {h}, frame_rates: [15, 30]}}\n" for w, h in sizes)
    CAMERAS.write_text(
        f'%YAML 1.1\n---\n"Tray":\n  supported_formats:\n{formats}  frames: {{path: "{frames}/"}}\n'
        '  location: "CameraLocationExternal"\n  model: "tray"\n'
    )


def scene(name: str, *arguments: str) -> dict[str, Any]:
    """What came of a scene, which is to end by itself in good time."""
    environment = {**os.environ, "LIBCAMERA_LOG_LEVELS": "*:ERROR"}
    done = subprocess.run(  # noqa: S603 - our own program
        [PYTHON, HERE / "scenes.py", name, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def greys() -> list[Pixels]:
    """Four pictures that can be told apart by their brightness."""
    return [np.full((960, 1280, 3), grey, np.uint8) for grey in (60, 100, 140, 180)]


def table(dice: str, seed: int) -> tuple[list[Pixels], VirtualTray]:
    """Four pictures of a throw that has come to rest, and the tray that it lies in."""
    tray = VirtualTray(dice, seed=seed)
    camera = VirtualCamera(tray, paced=False, seed=seed)
    camera.open()
    tray.throw([int(die["number"]) for die in tray.dice()])
    tray.advance(30.0)
    return [np.asarray(camera.frame().pixels) for _ in range(4)], tray


def test_both_streams_come_from_one_request_in_the_sizes_that_were_asked_for(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("looking")
    assert told["reported"] == {"main": ["NV12", [1280, 960], 1280], "lores": ["NV12", [320, 240], 320]}
    assert told["shapes"] == [[960, 1280, 3], [240, 320, 3]]
    assert told["numbers"] == list(range(1, 25))
    assert all(told["its_own"])
    assert len(set(told["bright"])) == 4
    assert max(told["apart"]) < 3
    assert told["notes"] == []


def test_frames_tell_when_they_were_taken(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("looking")
    assert told["grows"]
    assert 0 <= min(told["ages"]) < 1


def test_a_size_that_was_not_asked_for_is_taken_as_it_is_reported(tmp_path: Path) -> None:
    show(tmp_path, greys(), ((640, 480),))
    told = scene("looking")
    assert told["reported"] == {"main": ["NV12", [640, 480], 640], "lores": ["NV12", [640, 480], 640]}
    assert told["shapes"] == [[480, 640, 3], [480, 640, 3]]
    assert not any(told["its_own"])
    assert len(set(told["bright"])) == 4


def test_a_control_that_is_not_offered_is_not_set(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("controls")
    assert "ExposureTime" not in told["offered"]
    assert "not advertised" in told["refusal"]
    assert told["set"] == ["FrameDurationLimits"]


def test_a_camera_that_gives_no_frame_is_lost_within_two_seconds_and_may_come_back(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("starving")
    for words, seconds in (told["lost"], told["again"]):
        assert words == "CameraLost: picamera:0 gave no frame for 1.5 s; check its ribbon cable"
        assert seconds < 2
    assert told["back"] == 2
    assert told["anew"] == 1


def test_a_picamera2_that_hangs_is_lost_within_two_seconds_and_left_behind(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("hanging")
    words, seconds = told["lost"]
    assert words.startswith("CameraLost: picamera:0 gave no frame")
    assert seconds < 2
    assert told["closing"] < 4
    assert told["still"][0].startswith("CameraStuck: picamera:0 still hangs in its driver")
    assert told["anew"] == 1


def test_a_program_ends_though_picamera2_hangs(tmp_path: Path) -> None:
    show(tmp_path, greys())
    assert scene("ending")["lost"][0].startswith("CameraLost")


def test_a_camera_that_is_open_already_is_in_use(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("two")
    assert told["other"][0].startswith("NoSuchCamera: picamera:0 is in use by another program")
    assert told["number"] == 1
    assert told["files"][-1] <= told["files"][0]


def test_a_camera_that_is_not_there_is_told_which_are(tmp_path: Path) -> None:
    show(tmp_path, greys())
    assert scene("none")["none"][0] == "NoSuchCamera: there is no camera picamera:7; what there is: picamera:0"


def test_a_box_without_a_camera_says_where_to_look() -> None:
    assert scene("none")["none"][0].startswith("NoSuchCamera: there is no camera picamera:7, nor any other; switch")


def test_twenty_openings_leave_no_file_and_no_thread_open(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("reopening")
    assert told["numbers"] == [1] * 20
    assert told["files"][-1] <= told["files"][0]
    assert told["threads"] == 1


def test_thousands_of_frames_take_no_more_memory_than_hundreds(tmp_path: Path) -> None:
    show(tmp_path, greys())
    told = scene("lasting")
    (early_kb, early_files), (late_kb, late_files) = told["measured"]
    assert late_kb - early_kb < 8 * 1024
    assert late_files <= early_files


def test_the_watch_tells_of_a_lost_camera_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    show(tmp_path, table("d6", seed=6)[0])
    told = scene("watching")
    assert (told["seen"], told["told"], told["back"]) == (True, True, True)
    assert told["held"] > 0
    assert told["troubles"][0] == told["troubles"][-1] == ""
    assert told["troubles"][1].lower().startswith("picamera:0 gave no frame for 1.5 s")


@pytest.mark.parametrize("dice", ["intersection", "toss-up", "rollers", "switch-16", "d6"])
def test_dice_are_read_as_what_lies_there(dice: str, tmp_path: Path) -> None:
    pictures, tray = table(dice, seed=6)
    show(tmp_path, pictures)
    told = scene("reading", dice)
    lying = list(truth(tray).values())
    assert lying
    assert all(die.flat for die in lying)
    assert Counter((kind, face) for kind, face, _ in told["dice"]) == Counter((die.kind, die.face) for die in lying)
    assert all(accepted for _, _, accepted in told["dice"])
    assert (told["calibrated"], told["at_rest"], told["small"]) == (True, True, True)
    assert told["trouble"] == ""
