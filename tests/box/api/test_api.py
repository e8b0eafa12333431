"""The API against its own description, by schemathesis: as a watcher, as a player and as the keeper.

Made-up requests, right and wrong ones, are answered with a status, a content type and a body that the description has,
wrong ones are turned down, and nothing ever ends in a status of 500 or above.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import Vander

EXAMPLES = int(os.environ.get("VANDER_BOX_EXAMPLES", "40"))
SEED = os.environ.get("VANDER_BOX_SEED", "20260301")
LIMIT_S = 1800
LEFT_OUT = {
    "/api/live": "an answer that does not end",
    "/api/box/power-off": "it would shut down the machine that runs the tests",
    "/api/door/leave": "it would end the role that is tried",
    "/api/door/tablets/{number}/forget": "it would end the role that is tried",
    "/api/door/tablets/{number}/entrust": "it would end the role that is tried",
}
NOT_ASKED = {
    "positive_data_acceptance": "what is right in form is still turned down by the rules of the game, with 400 or 409",
    "ignored_auth": "it waits for 401, which asks a browser for a password; tests/web/test_door.py tries each role",
}


@pytest.mark.parametrize("role", ["watcher", "player", "keeper"])
def test_the_api_keeps_to_its_description(role: str, vander: Vander, schemathesis: Path, tmp_path: Path) -> None:
    command = [
        str(schemathesis),
        "run",
        f"{vander.address}/api/description.json",
        "--phases",
        "examples,coverage,fuzzing",
    ]
    command += ["--max-examples", str(EXAMPLES), "--seed", SEED, "--continue-on-failure", "--request-timeout", "30"]
    command += [
        "--header",
        f"Cookie: vander={vander.keys[role]}",
        "--exclude-checks",
        ",".join(NOT_ASKED),
        "--workers",
        "1",
    ]
    command += [word for path in LEFT_OUT for word in ("--exclude-path", path)]
    done = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, text=True, cwd=tmp_path, timeout=LIMIT_S
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    tried = re.search(r"(\d[\d,]*) generated", done.stdout)
    assert tried is not None, done.stdout[-2_000:]
    assert int(tried[1].replace(",", "")) > 1000
    assert vander.ask("GET", "/api/door", key=vander.keys[role])[1]["role"] == role


def test_nothing_that_was_tried_left_a_traceback(vander: Vander) -> None:
    assert "Traceback" not in vander.log.read_text("utf-8")
