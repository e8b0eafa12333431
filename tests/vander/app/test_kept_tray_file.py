"""The file in which the virtual tray's dice outlast a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.simulator.virtual_tray import VirtualTray
from vander.app.composition import FILE, keep_tray, restore_tray


def test_the_dice_of_a_resumed_game_lie_as_they_lay(tmp_path: Path) -> None:
    before, after = VirtualTray("toss-up", seed=1), VirtualTray("toss-up", seed=2)
    before.throw([1, 2, 3, 4])
    before.advance(before.rests_in() + 1)
    keep_tray(before, tmp_path)
    restore_tray(after, tmp_path)
    assert list(after.dice()) == list(before.dice())


@pytest.mark.parametrize("contents", [b"", b"{", b"\xff\xfe", b"[1, 2]", b" " * (1 << 21)])
def test_a_damaged_file_lays_the_dice_out_anew(
    tmp_path: Path, contents: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(contents)
    tray = VirtualTray("toss-up", seed=2)
    before = list(tray.dice())
    restore_tray(tray, tmp_path)
    assert list(tray.dice()) == before
    assert "laid out anew" in caplog.text


def test_a_disk_that_refuses_ends_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep_tray(VirtualTray("toss-up", seed=1), tmp_path / "nowhere")
    assert "is not kept" in caplog.text
