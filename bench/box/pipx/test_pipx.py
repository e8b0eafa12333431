"""Vander installed by pipx from its wheel: it plays without the checkout, and can be taken away."""

from __future__ import annotations

import os
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/pipx")).resolve()
PORT = int(os.environ.get("VANDER_BOX_PORT", "8470"))
PATIENCE_S = 120.0


def is_served() -> bool:
    line = HTTPConnection("127.0.0.1", PORT, timeout=30)
    try:
        line.request("GET", "/api/snapshot")
        return line.getresponse().status == 200
    except OSError:
        return False
    finally:
        line.close()


def test_pipx_installs_a_vander_that_plays_and_takes_it_away(tmp_path: Path) -> None:
    wheel = next((CACHE / "dist").glob("vander-*.whl"), None)
    if wheel is None:
        pytest.fail(f"{CACHE} holds no wheel; run bench/box/pipx/build.sh {CACHE}")
    places = {
        "PIPX_HOME": "pipx",
        "PIPX_BIN_DIR": "bin",
        "PIPX_MAN_DIR": "man",
        "HOME": "home",
        "VANDER_DATA_DIR": "data",
    }
    environment = os.environ | {name: str(tmp_path / place) for name, place in places.items()}
    (tmp_path / "home").mkdir()

    def do(*words: str | Path) -> str:
        done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path, env=environment)  # noqa: S603
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    do(CACHE / "venv/bin/pipx", "install", wheel)
    vander = tmp_path / "bin/vander"
    assert wheel.name.split("-")[1] in do(vander, "--version")
    with subprocess.Popen([vander, "play", "--port", str(PORT)], cwd=tmp_path, env=environment) as program:  # noqa: S603
        try:
            end = time.monotonic() + PATIENCE_S
            while not is_served():
                assert program.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)
        finally:
            program.terminate()
    assert program.returncode == 0
    do(CACHE / "venv/bin/pipx", "uninstall", "vander")
    assert not vander.exists()
    assert (tmp_path / "data/journal.sqlite").exists()
