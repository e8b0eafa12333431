"""The tapped corners on disk: read again after a restart, for the same camera, and harmless when damaged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.plain_tray import CORNERS, SIZE, paint_tray
from vander.storage.camera_file import CORNERS_FILE, KeptCorners, forget_corners, read_corners, write_corners
from vander.storage.data_folder import Unwritten, is_ours
from vision.frames import Frame
from vision.tray_calibration import TappedTray, locate
from vision.tray_edge import TrayEdge


@pytest.fixture
def kept() -> KeptCorners:
    return KeptCorners("usb:0", 300.0, 200.0, TappedTray(CORNERS, SIZE, TrayEdge.of(paint_tray(), CORNERS)))


def test_corners_are_read_again_and_still_fit_the_picture(tmp_path: Path, kept: KeptCorners) -> None:
    write_corners(tmp_path, kept)
    again = read_corners(tmp_path, "usb:0")
    assert again is not None
    assert (again.width_mm, again.height_mm, again.tapped.corners) == (300.0, 200.0, CORNERS)
    assert again is read_corners(tmp_path, "usb:0")
    found, doubt = locate(Frame(paint_tray(seed=4), 1, 0.0), again.layout)
    assert found is not None
    assert doubt == ""
    assert (tmp_path / CORNERS_FILE).stat().st_mode & 0o777 == 0o600
    assert is_ours(CORNERS_FILE)


def test_another_camera_has_no_corners_and_new_ones_replace_the_old(tmp_path: Path, kept: KeptCorners) -> None:
    write_corners(tmp_path, kept)
    assert read_corners(tmp_path, "phone") is None
    write_corners(tmp_path, KeptCorners("phone", 250.0, 180.0, kept.tapped))
    again = read_corners(tmp_path, "phone")
    assert again is not None
    assert again.width_mm == 250.0
    forget_corners(tmp_path)
    forget_corners(tmp_path)
    assert read_corners(tmp_path, "phone") is None


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"camera": "usb:0", "edge": "no"}', "\x00", "[" * 100_000])
def test_a_damaged_file_is_as_none(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / CORNERS_FILE).write_text(damage)
    assert read_corners(tmp_path, "usb:0") is None
    assert "the tapped corners are not used" in caplog.text


def test_a_picture_that_was_cut_off_is_as_none(tmp_path: Path, kept: KeptCorners) -> None:
    write_corners(tmp_path, kept)
    text = (tmp_path / CORNERS_FILE).read_text()
    (tmp_path / CORNERS_FILE).write_text(text.replace(text[-400:-200], ""))
    os.utime(tmp_path / CORNERS_FILE, ns=(1, 1))
    assert read_corners(tmp_path, "usb:0") is None


def test_a_folder_that_takes_nothing_is_said_in_a_sentence(tmp_path: Path, kept: KeptCorners) -> None:
    (tmp_path / f"{CORNERS_FILE}.part").mkdir()
    with pytest.raises(Unwritten, match=r"the corners cannot be kept in .*corners\.json"):
        write_corners(tmp_path, kept)
