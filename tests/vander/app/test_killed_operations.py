"""A small sample of `make test-box PARTS=crash`: each operation is killed at a few random writes, in a real process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bench.box.crash.killed_operations import CONTROL, OPERATIONS, kill

BUILD = Path(__file__).parents[3] / "bench/box/crash/build.sh"
KILLS = 3

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk that fails, as the box's test has it: a small library in C."""
    if not shutil.which("gcc"):
        if os.environ.get("CI") == "true":
            pytest.fail("There is no gcc: apt install gcc libc6-dev")
        pytest.skip("there is no gcc to build the disk that fails")
    folder = tmp_path_factory.mktemp("built")
    subprocess.run(["sh", str(BUILD), str(folder)], check=True, capture_output=True)  # noqa: S603, S607  # our own words
    return folder


def test_what_a_kill_leaves_is_whole_and_an_operation_that_is_not_atomic_is_found_out(
    built: Path, tmp_path: Path
) -> None:
    *whole, split = kill(built, tmp_path / "killed", [*OPERATIONS, *CONTROL], KILLS)
    assert [tally.operation for tally in whole] == [*OPERATIONS]
    for tally in whole:
        assert tally.faults == [], tally.operation
        assert (tally.kills, tally.sound) == (KILLS, KILLS + 1), tally.operation
        assert tally.calls > 10, tally.operation
    assert len(split.faults) == KILLS
    assert split.sound == 1
