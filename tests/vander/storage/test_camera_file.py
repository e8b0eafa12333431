"""The camera that was chosen on the page, over a restart: what wins, and what a damaged file does."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hardware.cameras.base import Adjustment
from vander.storage.camera_file import MOST_KNOWN, CameraStore, KeptCameras, read_cameras, with_chosen_camera
from vander.storage.data_folder import CAMERA_FILE, Unwritten, is_backed_up, is_ours
from vander.storage.settings import Settings, load


def settings(folder: Path, camera: str = "virtual") -> Settings:
    return load(data_dir=folder, camera=camera)


def test_what_was_chosen_holds_at_the_next_start(tmp_path: Path) -> None:
    CameraStore(tmp_path).choose("phone", "virtual")
    assert with_chosen_camera(settings(tmp_path)).camera == "phone"


def test_the_command_line_wins_over_what_was_chosen(tmp_path: Path) -> None:
    CameraStore(tmp_path).choose("phone", "virtual")
    assert with_chosen_camera(settings(tmp_path), "usb:0").camera == "usb:0"


def test_a_setting_that_was_written_since_wins_and_one_that_stands_does_not(tmp_path: Path) -> None:
    CameraStore(tmp_path).choose("phone", "picamera:0")
    assert with_chosen_camera(settings(tmp_path, "picamera:0")).camera == "phone"
    assert with_chosen_camera(settings(tmp_path, "usb:0")).camera == "usb:0"


def test_a_data_folder_without_a_choice_goes_by_its_settings(tmp_path: Path) -> None:
    assert with_chosen_camera(settings(tmp_path, "usb:0")).camera == "usb:0"
    CameraStore(tmp_path).adjust("usb:0", Adjustment(mirrored=True))
    assert with_chosen_camera(settings(tmp_path, "usb:0")).camera == "usb:0"


def test_how_pictures_are_put_right_is_kept_for_each_camera(tmp_path: Path) -> None:
    store = CameraStore(tmp_path)
    store.adjust("usb:0", Adjustment(mirrored=True, turned=180))
    store.choose("phone", "virtual")
    again = CameraStore(tmp_path)
    assert again.kept.adjustment("usb:0") == Adjustment(mirrored=True, turned=180)
    assert again.kept.adjustment("phone") == Adjustment()


def test_the_camera_that_was_used_longest_ago_is_forgotten() -> None:
    kept = KeptCameras()
    for number in (*range(MOST_KNOWN), 0, MOST_KNOWN):
        kept = kept.with_chosen(f"url:http://10.0.0.{number}", "virtual")
    assert len(kept.addresses) == MOST_KNOWN
    assert "url:http://10.0.0.1" not in kept.addresses
    assert kept.addresses[-2:] == ("url:http://10.0.0.0", f"url:http://10.0.0.{MOST_KNOWN}")


@pytest.mark.parametrize(
    "contents",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"chosen": 3}',
        b'{"chosen": "phone", "cameras": [{"name": "phone", "turned": 45}]}',
        json.dumps({"chosen": "sonar:3", "instead_of": "virtual"}).encode(),
        json.dumps({"chosen": "url:http://a@b@c/", "instead_of": "virtual"}).encode(),
    ],
)
def test_a_damaged_file_is_logged_and_left_alone(
    contents: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / CAMERA_FILE).write_bytes(contents)
    assert with_chosen_camera(settings(tmp_path)).camera == "virtual"
    assert "is not used" in caplog.text
    assert (tmp_path / CAMERA_FILE).read_bytes() == contents


def test_the_file_is_its_owners_alone_and_in_no_backup(tmp_path: Path) -> None:
    CameraStore(tmp_path).choose("url:http://ann:secret@10.0.0.7/video", "virtual")
    assert stat.S_IMODE((tmp_path / CAMERA_FILE).stat().st_mode) == 0o600
    assert (is_ours(CAMERA_FILE), is_backed_up(CAMERA_FILE)) == (True, False)


def test_a_disk_that_refuses_is_said_and_the_choice_counts_until_the_end(tmp_path: Path) -> None:
    (tmp_path / CAMERA_FILE).mkdir()
    store = CameraStore(tmp_path)
    with pytest.raises(Unwritten, match="cannot be kept"):
        store.choose("phone", "virtual")
    assert store.kept.chosen == "phone"
    assert read_cameras(tmp_path) == KeptCameras()
