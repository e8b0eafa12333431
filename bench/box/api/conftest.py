"""A running Vander whose API is tried: the virtual tray, a game under way, and a key for each role."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parent.parent.parent.parent
PORT = int(os.environ.get("VANDER_BOX_PORT", "8405"))
PATIENCE_S = 120.0


@dataclass
class Vander:
    """A Vander that runs, asked with the key of its box."""

    folder: Path
    log: Path
    keys: dict[str, str] = field(default_factory=dict)
    address: str = f"http://127.0.0.1:{PORT}"

    def ask(self, method: str, path: str, body: object = None, key: str = "") -> tuple[int, dict[str, Any], str]:
        """The status, the JSON and the key that an answer hands over."""
        headers = {"X-Vander": "tablet", "Content-Type": "application/json", "Cookie": f"vander={key}"}
        with closing(HTTPConnection("127.0.0.1", PORT, timeout=30)) as line:
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            given = (answer.getheader("Set-Cookie") or "").partition("vander=")[2].partition(";")[0]
            return answer.status, json.loads(answer.read()), given

    def join(self) -> str:
        """Let a tablet in, and give its key."""
        box = (self.folder / "box.key").read_text("ascii")
        _, told, _ = self.ask("POST", "/api/door/ask", {}, box)
        status, _, key = self.ask("POST", "/api/door/pair", {"code": told["code"]})
        assert status == 200
        return key


@pytest.fixture(scope="session")
def schemathesis() -> Path:
    """The program that tries the API."""
    cache = Path(os.environ.get("VANDER_BOX_CACHE", HOUSE / "build/box/api"))
    found = cache / "venv/bin/schemathesis"
    if not found.is_file():
        pytest.fail(f"schemathesis is not built; run bench/box/api/build.sh {cache} first")
    return found


@pytest.fixture(scope="module")
def vander(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vander]:
    """A Vander that trusts nobody for being on the same machine, with a keeper and a player."""
    folder = tmp_path_factory.mktemp("data")
    found = Vander(folder, folder.with_name("log.txt"))
    environment = os.environ | {"VANDER_DATA_DIR": str(folder), "VANDER_TRUST_LOCAL": "false"}
    command = [str(Path(sys.executable).with_name("vander")), "play", "--camera", "virtual", "--port", str(PORT)]
    with (
        found.log.open("w") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as program,  # noqa: S603
    ):
        try:
            wait_until_ready(found, program)
            found.keys = {"keeper": found.join(), "player": found.join(), "watcher": ""}
            game = {"game": "intersection", "players": ["Ann", "Bob"]}
            assert found.ask("POST", "/api/game", game, found.keys["keeper"])[0] == 200
            yield found
            assert program.poll() is None, found.log.read_text("utf-8")
        finally:
            program.terminate()


def wait_until_ready(vander: Vander, program: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE_S
    while "ready" not in vander.log.read_text("utf-8"):
        assert program.poll() is None, vander.log.read_text("utf-8")
        assert time.monotonic() < until, "Vander was not ready in time"
        time.sleep(0.2)
