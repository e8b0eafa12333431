"""How large the dice are outlasts a restart."""

from pathlib import Path

import pytest

from vander.storage.camera_file import DIE_SIZES_FILE, DieSizesFile
from vision.die_size import DieSize


def test_what_was_kept_is_there_after_a_start(tmp_path: Path) -> None:
    DieSizesFile(tmp_path).keep("usb:0", "d6", DieSize((12.5, 12.7)))
    again = DieSizesFile(tmp_path)
    assert again.of("usb:0", "d6") == DieSize((12.5, 12.7))
    assert again.of("usb:0", "rollers") == again.of("virtual", "d6") == DieSize()


def test_the_same_size_is_not_written_again(tmp_path: Path) -> None:
    kept = DieSizesFile(tmp_path)
    kept.keep("usb:0", "d6", DieSize((16.0,)))
    (tmp_path / DIE_SIZES_FILE).unlink()
    kept.keep("usb:0", "d6", DieSize((16.0, 16.1)))
    assert not (tmp_path / DIE_SIZES_FILE).exists()


@pytest.mark.parametrize(
    "damaged", ["", "[]", '{"usb:0": {"d6": [-1]}}', '{"usb:0": "x"}', '{"usb:0": {"d6": [1e999]}}', "\0" * 9]
)
def test_a_damaged_file_is_left_out(tmp_path: Path, damaged: str) -> None:
    (tmp_path / DIE_SIZES_FILE).write_text(damaged)
    assert DieSizesFile(tmp_path).of("usb:0", "d6") == DieSize()


def test_a_disk_that_refuses_stops_nothing(tmp_path: Path) -> None:
    kept = DieSizesFile(tmp_path / "gone")
    kept.keep("usb:0", "d6", DieSize((16.0,)))
    assert kept.of("usb:0", "d6").edge_mm == 16.0
