"""The API against its own description, by schemathesis: as a watcher, as a player and as the keeper.

Made-up requests, right and wrong ones, are answered with a status, a content type and a body that the description has,
wrong ones are turned down, and nothing ever ends in a status of 500 or above.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import Vander

EXAMPLES = int(os.environ.get("VANDER_BOX_EXAMPLES", "20"))
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
    "ignored_auth": "it waits for 401, which asks a browser for a password; test_access_routes.py tries each role",
}


def description(vander: Vander) -> str:
    """The description without who may do what: the role's key goes with every request, so none can lack it."""
    _, told, _ = vander.ask("GET", "/api/description.json")
    for operations in told["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return json.dumps(told)


@pytest.mark.parametrize("role", ["watcher", "player", "keeper"])
def test_the_api_keeps_to_its_description(role: str, vander: Vander, schemathesis: Path, tmp_path: Path) -> None:
    told = tmp_path / "description.json"
    told.write_text(description(vander), "utf-8")
    options = {
        "url": vander.address,
        "header": f"Cookie: vander={vander.keys[role]}",
        "phases": "examples,coverage,fuzzing",
        "max-examples": str(EXAMPLES),
        "seed": SEED,
        "request-timeout": "60",
        "exclude-checks": ",".join(NOT_ASKED),
    }
    left_out = [word for path in LEFT_OUT for word in ("--exclude-path", path)]
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    done = subprocess.run(  # noqa: S603
        [str(schemathesis), "run", str(told), "--continue-on-failure", *words, *left_out],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    tried = re.search(r"(\d[\d,]*) generated", done.stdout)
    assert tried is not None, done.stdout[-2_000:]
    assert int(tried[1].replace(",", "")) > 1000
    print(f"{role}: {tried[1]} requests")
    assert vander.ask("GET", "/api/door", key=vander.keys[role])[1]["role"] == role


def test_nothing_that_was_tried_left_a_traceback(vander: Vander) -> None:
    assert "Traceback" not in vander.log.read_text("utf-8")
