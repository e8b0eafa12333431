"""How long the tablet takes: from the last frame in which a die moves to the changed page in a real Chromium.

    python bench/tablet.py [--throws 20] [--tablets 8] [--rate 20]

The assistant runs in this process, with the virtual tray at its own rate and the shipped models, and counts
plain dice: each throw is ruled on. One tablet is the Chromium that is timed, and a process of its own reads every
snapshot for the others. It prints the median and the 95th percentile, of the whole way and of each leg of it, how many
bytes the event has, and how long it takes to tell by the film how dice arrived. On a machine that does other work the
figures are that machine's, not Vander's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from typing import Any

from flask import Flask
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.cameras.base import Camera, CameraReport
from hardware.cameras.virtual_camera import RATE, VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.dice import DieSet
from referee.games import games
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.web_app import create_app
from vander.box.web_server import PageServer
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vision.arrival import Arrival
from vision.frame_reader import ImageSource
from vision.frames import Frame
from vision.motion_burst import BurstFilm
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tracking import TellsArrivals
from vision.tray_calibration import TrayLayout

LONGEST_S = 8.0
PLAIN_DICE = "dice"
EVENTS = """(() => {
  window.events = [];
  const Plain = window.EventSource;
  window.EventSource = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        window.events.push([performance.timeOrigin + performance.now(), data.length]);
      });
    }
  };
})()"""
CHANGES = """() => {
  window.changes = [];
  new MutationObserver(() => window.changes.push(performance.timeOrigin + performance.now()))
    .observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
}"""
LEGS = {
    "waiting": "last moving frame to the frame at rest",
    "reading": "that frame to the reading",
    "ruling": "reading to the ruling, journal and pictures",
    "sending": "ruling to the event in the page",
    "drawing": "event to the changed page",
}


def _now() -> float:
    return 1000 * time.time()


@dataclass(frozen=True)
class ThrowLegs:
    """The moments of a throw, in milliseconds of the wall clock; `size` is of the event, in bytes of JSON."""

    moved: float
    came: float
    read: float
    ruled: float
    sent: float
    changed: float
    size: int

    @property
    def total(self) -> float:
        """Milliseconds from rest to the changed page."""
        return self.changed - self.moved

    @property
    def legs(self) -> Mapping[str, float]:
        """Milliseconds of each of LEGS, which add up to the total."""
        moments = (self.moved, self.came, self.read, self.ruled, self.sent, self.changed)
        return dict(zip(LEGS, (after - before for before, after in pairwise(moments)), strict=True))


class TimedCamera(Camera):
    """The virtual camera, which also notes when the last frame was taken in which a die lay elsewhere than before."""

    def __init__(self, tray: VirtualTray, rate: float) -> None:
        self._tray, self._camera = tray, VirtualCamera(tray, rate=rate)
        self.name, self.last_moving = "virtual", 0.0
        self._lay: list[Mapping[str, Any]] = []

    def open(self) -> None:
        self._camera.open()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        frame, lay = self._camera.frame(timeout), list(self._tray.dice())
        if lay != self._lay:
            self._lay, self.last_moving = lay, _now()
        return frame

    def close(self) -> None:
        self._camera.close()


class TimedPipeline(Pipeline):
    """A pipeline that notes when the frame came with which the table was last said to be at rest, and was read."""

    came = read = 0.0
    _was_at_rest = False

    def process(self, frame: Frame) -> Observation:
        came = _now()
        observation = super().process(frame)
        if observation.at_rest and not self._was_at_rest:
            TimedPipeline.came, TimedPipeline.read = came, _now()
        self._was_at_rest = observation.at_rest
        return observation


class TimedReceiver:
    """Passes what the camera loop reports to the session, and notes when what came to rest was ruled on."""

    def __init__(self, session: Session) -> None:
        self._session, self._read, self.ruled = session, 0.0, 0.0

    @property
    def dice(self) -> DieSet:
        return self._session.dice

    @property
    def occasion(self) -> object:
        return self._session.occasion

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        self._session.observe(observation, images, occasion)
        if TimedPipeline.read != self._read:
            self._read, self.ruled = TimedPipeline.read, _now()

    def report_camera(self, report: CameraReport) -> None:
        self._session.report_camera(report)

    def report_unsaved(self, sentence: str) -> None:
        self._session.report_unsaved(sentence)


def timed(tell: TellsArrivals, taken: list[float]) -> TellsArrivals:
    """Tell how dice arrived, and note the milliseconds that it takes for each burst."""

    def tell_in_time(film: BurstFilm, places: Sequence[tuple[float, float, float]]) -> Sequence[Arrival]:
        began = time.perf_counter()
        found = tell(film, places)
        taken.append(1000 * (time.perf_counter() - began))
        return found

    return tell_in_time


@dataclass(frozen=True)
class Parts:
    """What a throw passes through."""

    tray: VirtualTray
    camera: TimedCamera
    receiver: TimedReceiver


def measure(given: argparse.Namespace, folder: Path, arrivals: list[float]) -> list[ThrowLegs]:
    """Time so many throws with so many tablets; note how long it took to tell how dice arrived."""
    dice, models = die_sets.load("intersection"), LoadedModels.load()
    tell = timed(models.arrivals.tell, arrivals)
    tray = VirtualTray("intersection", seed=given.seed, mishaps=Mishaps(0.0, 0.0))
    camera = TimedCamera(tray, given.rate)
    with closing(Journal.in_folder(folder)) as journal:
        table = open_session(
            journal, EvidenceStore(folder / "evidence"), games=games(), dice=dice, camera="virtual", bay=True
        )
        receiver = TimedReceiver(table)
        watch = CameraLoop(
            camera,
            receiver,
            lambda wanted: TimedPipeline(models.finder, models.reader, tell, wanted, TrayLayout()),
        )
        watch.start()
        table.start(PLAIN_DICE, ["Ann", "Bob"], {})
        app, tablets = create_app(Backends(table, tray)), given.tablets
        try:
            with served_page(app, tablets) as port, reading_along(port, tablets - 1):
                return _throws(given.throws, Parts(tray, camera, receiver), f"http://127.0.0.1:{port}")
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
def reading_along(port: int, tablets: int) -> Iterator[None]:
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


def _throws(throws: int, parts: Parts, address: str) -> list[ThrowLegs]:
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 768, "height": 1024})
        page.add_init_script(EVENTS)
        page.goto(address)
        page.evaluate(CHANGES)
        page.wait_for_timeout(3000)
        taken = [_one_throw(parts, page) for _ in range(throws)]
        browser.close()
    return [legs for legs in taken if legs is not None]


def _one_throw(parts: Parts, page: Page) -> ThrowLegs | None:
    """The moments of one throw; None when the page said nothing in time."""
    parts.tray.throw([int(die["number"]) for die in parts.tray.dice()])
    page.wait_for_timeout(1000 * LONGEST_S / 2)
    changes = page.evaluate("() => window.changes.splice(0)")
    events = page.evaluate("() => window.events.splice(0)")
    moved, came, read = parts.camera.last_moving, TimedPipeline.came, TimedPipeline.read
    # An event may be in the page before `observe` has come back.
    after = [(at, size) for at, size in events if at > read]
    changed = [at for at in changes if at > moved]
    if not after or not changed or came < moved:
        return None
    sent, size = min(after)
    return ThrowLegs(moved, came, read, min(parts.receiver.ruled, sent), sent, min(changed), size)


def _spread(of: str, taken: Sequence[float]) -> str:
    late = statistics.quantiles(taken, n=20)[-1]
    return f"{of}: median {statistics.median(taken):.0f} ms, 95th percentile {late:.0f} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--tablets", type=int, default=1, help="how many tablets are on")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--seed", type=int, default=1, help="of the throws")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(given, Path(folder), arrivals := [])
    if len(taken) < 2:
        raise SystemExit("the page did not change after a throw: nothing was measured")
    how = f"over {len(taken)} of {given.throws} throws, tablets: {given.tablets}, load before {load:.1f}"
    print(f"{_spread('from the last moving frame to the changed page', [legs.total for legs in taken])}, {how}")
    for name, said in LEGS.items():
        print(f"  {_spread(f'{name}, {said}', [legs.legs[name] for legs in taken])}")
    print(f"  the event has {statistics.median(legs.size for legs in taken):.0f} bytes")
    print(f"  {_spread('how dice arrived, by the film', arrivals)}")


if __name__ == "__main__":
    main()
