"""How long the tablet takes: from the last frame in which a die moves to the changed page in a real Chromium.

    python tests/bench/tablet.py [--throws 20] [--tablets 8]

The assistant runs in this process, with the virtual tray at 15 frames a second and the shipped models, and counts
plain dice: each throw is ruled on. One tablet is the Chromium that is timed, and a process of its own reads every
snapshot for the others. It prints the median and the 95th percentile. On a machine that does other work the figures are
that machine's, not Vander's.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from typing import Any

from flask import Flask
from playwright.sync_api import Page, sync_playwright

from hardware.cameras.base import Camera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.simulated_throw import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games
from vander.app.camera_loop import CameraLoop
from vander.app.page_server import PageServer
from vander.resources.vision_models import LoadedModels
from vander.session.session import open_session
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vision.frames import Frame
from vision.tray_calibration import TrayLayout
from web import Backends, create_app

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
LONGEST_S = 8.0
PLAIN_DICE = "dice"
CHANGES = """() => {
  window.changes = [];
  new MutationObserver(() => window.changes.push(performance.timeOrigin + performance.now()))
    .observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
}"""


class TimedCamera(Camera):
    """The virtual camera, which also notes when the last frame was taken in which a die lay elsewhere than before."""

    def __init__(self, tray: VirtualTray) -> None:
        self._tray, self._camera = tray, VirtualCamera(tray)
        self.name, self.last_moving = "virtual", 0.0
        self._lay: list[Mapping[str, Any]] = []

    def open(self) -> None:
        self._camera.open()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        frame, lay = self._camera.frame(timeout), list(self._tray.dice())
        if lay != self._lay:
            self._lay, self.last_moving = lay, 1000 * time.time()
        return frame

    def close(self) -> None:
        self._camera.close()


def measure(throws: int, tablets: int, folder: Path) -> list[float]:
    """Milliseconds from rest to page, a figure a throw."""
    dice, models = die_sets.load("intersection"), LoadedModels.load()
    tray = VirtualTray("intersection", seed=1, mishaps=Mishaps(0.0, 0.0))
    camera = TimedCamera(tray)
    with closing(Journal.in_folder(folder)) as journal:
        table = open_session(
            journal, EvidenceStore(folder / "evidence"), games=games(), dice=dice, camera="virtual", bay=True
        )
        watch = CameraLoop(camera, table, lambda wanted: models.pipeline(wanted, TrayLayout()))
        watch.start()
        table.start(PLAIN_DICE, ["Ann", "Bob"], {})
        try:
            with served_page(create_app(Backends(table, tray)), tablets) as port, _others(port, tablets - 1):
                return _throws(throws, tray, camera, f"http://127.0.0.1:{port}")
        finally:
            watch.stop()


@contextmanager
def served_page(app: Flask, tablets: int) -> Iterator[int]:
    """Serve the page on a free port, which it gives."""
    server = PageServer(app, threads=8 + tablets, host="127.0.0.1", port=0, send_bytes=1)
    over = Event()

    def serve() -> None:
        while not over.is_set():
            server.serve_once(timeout=0.1)

    thread = Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        over.set()
        thread.join(LONGEST_S)
        if thread.is_alive():
            raise TimeoutError(f"the page server still serves {LONGEST_S} s after it was told to end")
        server.close()


@contextmanager
def _others(port: int, tablets: int) -> Iterator[None]:
    """Let so many more tablets read every snapshot, in a process of their own, so that they take no turn of ours."""
    process = get_context("spawn").Process(target=_read_along, args=(port, tablets))
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join(LONGEST_S)


def _read_along(port: int, tablets: int) -> None:
    """Read the stream of snapshots in so many threads, as tablets do."""
    for _ in range(tablets):
        Thread(target=_read_stream, args=(port,)).start()


def _read_stream(port: int) -> None:
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", "/api/live")
    answer = line.getresponse()
    if answer.status != HTTPStatus.OK:
        raise SystemExit(f"the table does not tell its snapshots: {answer.status} {answer.reason}")
    while answer.readline():
        pass


def _throws(throws: int, tray: VirtualTray, camera: TimedCamera, address: str) -> list[float]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium, args=list(QUIET))
        page = browser.new_page(viewport={"width": 768, "height": 1024})
        page.goto(address)
        page.evaluate(CHANGES)
        page.wait_for_timeout(3000)
        taken = [_one_throw(tray, camera, page) for _ in range(throws)]
        browser.close()
    return [ms for ms in taken if ms is not None]


def _one_throw(tray: VirtualTray, camera: TimedCamera, page: Page) -> float | None:
    """The milliseconds of one throw; None when the page said nothing in time."""
    tray.throw([int(die["number"]) for die in tray.dice()])
    page.wait_for_timeout(1000 * LONGEST_S / 2)
    changes = page.evaluate("() => window.changes.splice(0)")
    after = [change for change in changes if change > camera.last_moving]
    return min(after) - camera.last_moving if after else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--tablets", type=int, default=1, help="how many tablets are on")
    given = parser.parse_args()
    throws = given.throws
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(throws, given.tablets, Path(folder))
    if len(taken) < 2:
        raise SystemExit("the page did not change after a throw: nothing was measured")
    late = statistics.quantiles(taken, n=20)[-1]
    print(f"from the last moving frame to the changed page: median {statistics.median(taken):.0f} ms,", end=" ")
    print(f"95th percentile {late:.0f} ms, over {len(taken)} of {throws} throws, tablets: {given.tablets}")


if __name__ == "__main__":
    main()
