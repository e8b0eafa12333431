"""The page on a screen of the box's own: a real cage and a real Chromium, on a screen that nobody sees."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from box import HOUSE

PATIENCE_S = 120
NO_SCREEN = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}


class Page(BaseHTTPRequestHandler):
    """Serves one page, and says who asked for it."""

    def __init__(self, asked: Queue[str], *given: object) -> None:
        self.asked = asked
        super().__init__(*given)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<h1>Vander</h1>")
        self.asked.put(f"{self.path} {self.headers['User-Agent']}")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of the user nobody's: a browser does not run as root."""
    folder = Path(tempfile.mkdtemp(prefix="kiosk-"))
    shutil.copy(HOUSE / "systemd/kiosk.sh", folder)
    (folder / "run").mkdir(mode=0o700)
    for path in (folder, folder / "run"):
        shutil.chown(path, "nobody")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_the_screen_of_the_box_shows_the_page(home: Path) -> None:
    asked: Queue[str] = Queue()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Page, asked))
    Thread(target=server.serve_forever, daemon=True).start()
    places = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "STATE_DIRECTORY": str(home)}
    said = [
        f"{name}={value}" for name, value in (NO_SCREEN | places | {"VANDER_PORT": str(server.server_port)}).items()
    ]
    command = [
        "setpriv",
        "--reuid=nobody",
        "--regid=nogroup",
        "--clear-groups",
        "env",
        "-i",
        "PATH=/usr/bin:/bin",
        *said,
    ]
    with (home / "log").open("wb") as log:
        kiosk = subprocess.Popen(  # noqa: S603
            [*command, str(home / "kiosk.sh")], stdout=log, stderr=log, start_new_session=True
        )
        try:
            first = asked.get(timeout=PATIENCE_S)
        except Empty:
            pytest.fail((home / "log").read_text("utf-8", "replace")[-3000:])
        finally:
            os.killpg(kiosk.pid, signal.SIGKILL)
            kiosk.wait()
            server.shutdown()
            server.server_close()
    assert first.startswith("/ Mozilla/5.0")
    assert "Chrom" in first
