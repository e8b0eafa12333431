"""Two hours of play, after which memory, file handles and threads are as they were.

pytest bench/box/soak [--minutes 120] [--seed 1]
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LEAST_THROWS_A_MINUTE = 2


def test_hours_of_play_cost_no_memory_handles_or_threads(
    tmp_path: Path, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]
) -> None:
    minutes = pytestconfig.getoption("--minutes")
    words = ["--minutes", str(minutes), "--seed", str(pytestconfig.getoption("--seed")), "--folder", str(tmp_path)]
    ran = subprocess.run(  # noqa: S603  # our own words
        [
            sys.executable,
            str(Path(__file__).with_name("soak.py")),
            *words,
            "--port",
            str(pytestconfig.getoption("--first-port")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    verdict = tmp_path / "verdict.json"
    assert verdict.exists(), ran.stderr[-2000:]
    told = json.loads(verdict.read_text("utf-8"))
    with capsys.disabled():
        print(f"\n{json.dumps(told, indent=1)}")
    assert told["wrong"] == []
    assert ran.returncode == 0
    assert told["play"]["throws"] > LEAST_THROWS_A_MINUTE * minutes
