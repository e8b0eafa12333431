"""Files that nobody would write, at every input for files of strangers: each is taken, or refused in words.

pytest bench/box/fuzz [--minutes 15] [--seed 1]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
INPUTS = ("records", "pictures", "archives", "kept")


@pytest.mark.parametrize("input", INPUTS)
def test_whatever_file_comes_in_is_taken_or_refused_in_words(
    input: str, built: Path, tmp_path: Path, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--minutes", str(pytestconfig.getoption("--minutes")), "--seed", str(pytestconfig.getoption("--seed"))]
    ran = subprocess.run(  # noqa: S603  # our own words
        [sys.executable, str(HERE / "fuzz.py"), input, *words, "--corpus", str(tmp_path / input)],
        env={**os.environ, "PYTHONPATH": str(built)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout, ran.stderr[-2000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    with capsys.disabled():
        print(f"\n{json.dumps(told)}")
    assert told["findings"] == {}, "".join(path.read_text() for path in tmp_path.rglob("*.found/*.txt"))
    assert told["slow_or_dead"] == []
    assert told["ended"] == 0, ran.stderr[-2000:]
    assert told["tried"] > 100
    assert told["taken"] > 0, "not even the examples were taken"
