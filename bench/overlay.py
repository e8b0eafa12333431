"""How long a ruling takes to the overlays of a stream: from the session's snapshot to the changed page in Chromium.

    python bench/overlay.py [--throws 40] [--tablets 8]

The assistant runs in this process, with the virtual tray and the shipped models, and counts plain dice: each throw is
ruled on. A Chromium has the three overlays open, as a streaming program has, and a process of its own reads every
snapshot for the other tablets. A throw begins to count when the session begins to make the snapshot that brings its
ruling, and ends when the overlay has changed by it; both clocks are the machine's own. It prints the median and the
95th percentile for each overlay. On a machine that does other work the figures are that machine's, not Vander's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tablet import PLAIN_DICE, reading_along, served_page

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.web_app import create_app
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vander.table.session_state import SessionState
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

OVERLAYS = ("score", "dice", "ruling")
AIM_MS = 250
LONGEST_S = 30.0
CHANGES = """() => {
  window.changes = [];
  const overlay = document.getElementById('overlay');
  const now = () => performance.timeOrigin + performance.now();
  new MutationObserver(() => window.changes.push([Number(overlay.dataset.number), now()]))
    .observe(overlay, {attributes: true, attributeFilter: ['data-number']});
}"""
"""The script writes a snapshot's number last, once it has drawn it."""


class RulingClock:
    """Notes when a session begins to make each snapshot that brings a new ruling: milliseconds by its number."""

    def __init__(self, session: Session) -> None:
        self.began: dict[int, float] = {}
        self._session, self._show = session, session._show  # what is measured begins there
        vars(session)["_show"] = self._timed

    def answer(self) -> None:
        """Say that dice were thrown where the table asks: on a busy machine frames come late, and it cannot know."""
        for question in self._session.snapshot().questions[:1]:
            self._session.answer(question.number, question.choices[0][0])

    def _timed(self, state: SessionState) -> None:
        began, called = 1000 * time.time(), self._session.snapshot().called
        self._show(state)
        now = self._session.snapshot()
        if now.called > called:
            self.began[now.number] = began


def measure(given: argparse.Namespace, folder: Path) -> Mapping[str, list[float]]:
    """Return for each overlay the milliseconds that each ruling took."""
    dice, models = die_sets.load("intersection"), LoadedModels.load()
    tray = VirtualTray("intersection", seed=given.seed, mishaps=Mishaps(0.0, 0.0))
    with closing(Journal.in_folder(folder)) as journal:
        evidence = EvidenceStore(folder / "evidence")
        session = open_session(journal, evidence, games=games(), dice=dice, camera="virtual", bay=True)
        clock = RulingClock(session)
        loop = CameraLoop(
            VirtualCamera(tray),
            session,
            lambda wanted: Pipeline(models.finder, models.reader, models.arrivals.tell, wanted, TrayLayout()),
        )
        loop.start()
        session.start(PLAIN_DICE, ["Ann", "Bob"], {})
        tablets = given.tablets + len(OVERLAYS)
        try:
            with served_page(create_app(Backends(session, tray)), tablets) as port, reading_along(port, given.tablets):
                return _throws(given.throws, tray, clock, f"http://127.0.0.1:{port}")
        finally:
            loop.stop()


def _throws(throws: int, tray: VirtualTray, clock: RulingClock, address: str) -> Mapping[str, list[float]]:
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        pages = {part: browser.new_page(viewport={"width": 1920, "height": 1080}) for part in OVERLAYS}
        for part, page in pages.items():
            page.goto(f"{address}/overlay/{part}")
            page.evaluate(CHANGES)
        pages["ruling"].wait_for_timeout(3000)
        for _ in range(throws):
            _throw(tray, clock, pages["ruling"])
        found = {part: _taken(page, clock.began) for part, page in pages.items()}
        browser.close()
    return found


def _throw(tray: VirtualTray, clock: RulingClock, page: Page) -> None:
    """Throw all dice, and wait until that is ruled on and drawn, or for LONGEST_S."""
    ruled, until = len(clock.began), time.monotonic() + LONGEST_S
    tray.throw([int(die["number"]) for die in tray.dice()])
    while len(clock.began) == ruled and time.monotonic() < until:
        page.wait_for_timeout(50)
        clock.answer()
    page.wait_for_timeout(600)


def _taken(page: Page, began: Mapping[int, float]) -> list[float]:
    changes = page.evaluate("() => window.changes")
    drawn = {number: [at for shown, at in changes if shown >= number] for number in began}
    return [min(drawn[number]) - began[number] for number in began if drawn[number]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=40)
    parser.add_argument("--tablets", type=int, default=0, help="how many tablets are on besides")
    parser.add_argument("--seed", type=int, default=1, help="of the throws")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(given, Path(folder))
    loads = f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after"
    print(f"{given.throws} throws, {given.tablets} further tablets, {loads}")
    for part, times in taken.items():
        if len(times) < 2:
            raise SystemExit(f"the overlay {part} did not change after a throw: nothing was measured")
        late = statistics.quantiles(times, n=20)[-1]
        within = sum(each <= AIM_MS for each in times)
        figures = f"median {statistics.median(times):.0f} ms, 95th percentile {late:.0f} ms"
        print(f"from the ruling to /overlay/{part}: {figures}, {within} of {len(times)} within {AIM_MS} ms")


if __name__ == "__main__":
    main()
