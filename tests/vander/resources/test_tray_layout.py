"""The tray's size: typed in an older data folder it keeps its meaning; else nobody types it."""

from pathlib import Path

import pytest

from vander.resources.models_and_stores import tray_layout
from vander.storage.settings import describe_settings, load
from vision.tray_calibration import TrayLayout


def test_without_a_setting_the_markers_tell(tmp_path: Path) -> None:
    assert tray_layout(load(data_dir=tmp_path)) == TrayLayout()
    assert {name: value for name, value, _ in describe_settings(load(data_dir=tmp_path))}["tray_width_mm"] == ""


@pytest.mark.parametrize(
    ("typed", "size"),
    [
        ("tray_width_mm = 240\ntray_height_mm = 165\n", (240, 165)),
        ("tray_width_mm = 310.5\n", (310.5, 225)),
        ("tray_height_mm = 200\n", (300, 200)),
    ],
)
def test_a_size_in_an_older_data_folder_keeps_its_meaning(
    tmp_path: Path, typed: str, size: tuple[float, float]
) -> None:
    (tmp_path / "settings.toml").write_text(typed)
    layout = tray_layout(load(data_dir=tmp_path))
    assert layout.typed
    assert layout.size_mm == size
