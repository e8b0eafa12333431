"""How long a person takes to show a die that nobody has seen, and to have it learned, in a real Chromium.

    python bench/teaching.py [--sittings 3] [--throws 20]

The assistant runs in this process with the virtual tray and the shipped models. The script names the die and its faces
on the page, lays and turns it with the tray's hands, and taps what a person would tap. It prints the steps, what a
person would need for them (the figures below), and what was waited for by the clock; then it throws the die and tells
how often it was read right, asked about and misread. What lies on the tray is known to the hands alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, sync_playwright
from waitress.server import create_server

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop, FrameRouter
from vander.app.web_app import create_app
from vander.learning.learning_service import LearningHooks, LearningService
from vander.resources import models_and_stores
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.settings import load
from vander.table.session import Session, open_session
from vision.tray_calibration import TrayLayout

TAP_S, LETTER_S, LAY_S = 1.5, 0.3, 3.0
"""What a person takes to find and tap something, to type a letter on a tablet, and to turn and move a die by hand."""
REACH_S = 0.4
"""So long the virtual hand takes to come in or go out: part of a lay."""
DIE = 1
SYMBOLS = ("sun", "paw", "mushroom", "boat", "eye", "cactus")
PATIENCE_MS = 30_000


class Person:
    """Somebody with a tablet and a die: does what the page asks for, and counts it."""

    def __init__(self, page: Page, tray: VirtualTray) -> None:
        self._page, self._tray = page, tray
        self.steps: Counter[str] = Counter()
        self.waited_s = 0.0

    def tap(self, selector: str) -> None:
        """Tap something on the page."""
        self._page.click(selector)
        self.steps["taps"] += 1

    def type(self, selector: str, words: str) -> None:
        """Tap a field and type into it."""
        self.tap(selector)
        self._page.fill(selector, words)
        self.steps["letters"] += len(words)

    def lay(self, face: str) -> None:
        """Turn the die over until the face lies up, elsewhere than before, all with the hand in the tray."""
        self._reach(True)
        while truth(self._tray)[DIE].face != f"strange-{face}":
            self._tray.tip(DIE)
            self._settle()
        self.turn()

    def turn(self) -> None:
        """Turn the die and move it, with its face up."""
        number = self.steps["lays"]
        self._reach(True)
        self._tray.twist(DIE, 25.0 + 10 * (number % 3))
        self._settle()
        self._tray.move(DIE, 0.2 + 0.12 * (number % 5), 0.3 + 0.2 * (number % 3))
        self._settle()
        self._reach(False)
        self.steps["lays"] += 1

    def wait_for(self, script: str, wanted: object) -> None:
        """Wait until the page says so, by the clock."""
        began = time.perf_counter()
        self._page.wait_for_function(script, arg=wanted, timeout=PATIENCE_MS)
        self.waited_s += time.perf_counter() - began

    @property
    def seconds(self) -> float:
        """What all of it would take a person."""
        done = self.steps
        return done["taps"] * TAP_S + done["letters"] * LETTER_S + done["lays"] * LAY_S + self.waited_s

    def _reach(self, inside: bool) -> None:
        self._tray.hand(inside)
        time.sleep(REACH_S)

    def _settle(self) -> None:
        """The hand's way through the air is in LAY_S already; the next one starts when the die lies still."""
        time.sleep(0.1)
        while True:
            before = list(self._tray.dice())
            time.sleep(0.15)
            if list(self._tray.dice()) == before:
                return


def session(person: Person, address: str, page: Page) -> None:
    """Name the die, show every face until the page has enough, and have it learned."""
    page.goto(f"{address}/dice")
    person.tap("#new-dice")
    person.type("#new-title", "Ours")
    for number, symbol in enumerate(SYMBOLS):
        person.type(f".face-title >> nth={number}", symbol)
    person.tap("#make")
    page.wait_for_selector("#guidance")
    for symbol in SYMBOLS:
        person.lay(symbol)
        show(person, page, symbol)
    person.tap("#done")
    person.tap("#teach")
    person.wait_for("() => document.querySelector('#lesson h2')?.textContent === 'Lesson 1'", None)


def show(person: Person, page: Page, symbol: str) -> None:
    """Turn and move the die until the face is enough."""
    for taken in range(1, 30):
        chip = f"#face-strip [data-face='{symbol}']"
        person.wait_for(
            "([chip, least]) => { const one = document.querySelector(chip);"
            " return one && (one.matches('.enough') || parseInt(one.querySelector('.count').textContent) >= least); }",
            [chip, taken],
        )
        if "enough" in (page.get_attribute(chip, "class") or ""):
            return
        person.turn()


def measure(seed: int, throws: int) -> tuple[float, Counter[str]]:
    """Run a session and print it; give a person's seconds, and what became of the throws."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as over:
        settings = load(data_dir=Path(folder))
        models = models_and_stores.LoadedModels.load()
        rooms = models_and_stores.open_learning_stores(settings, models)
        journal = over.enter_context(closing(Journal.in_folder(settings.data_dir)))
        tray = VirtualTray("strange", seed=seed)
        tray.knock_off(2), tray.knock_off(3)
        table = open_session(
            journal,
            EvidenceStore(settings.data_dir / "evidence"),
            games=games(),
            dice=die_sets.load("d6"),
            camera="virtual",
            known=rooms.die_sets,
        )
        learning = LearningService(rooms, models.reader, models.plda, LearningHooks(table.lend_tray))
        server = create_server(create_app(Backends(table, tray, learning)), host="127.0.0.1", port=0, threads=8)
        Thread(target=server.run, daemon=True).start()
        watch = CameraLoop(
            VirtualCamera(tray),
            FrameRouter(table, learning),
            lambda dice: models.pipeline(dice, TrayLayout(), reader=learning.reader()),
        )
        watch.start()
        over.callback(watch.stop)
        person = _taught(tray, f"http://127.0.0.1:{server.effective_port}")
        _tell(person)
        table.start("dice", ["Ann"], {}, "ours")
        return person.seconds, _thrown(tray, table, throws)


def _taught(tray: VirtualTray, address: str) -> Person:
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        person = Person(page, tray)
        session(person, address, page)
        browser.close()
    return person


def _tell(person: Person) -> None:
    steps = ", ".join(f"{count} {what}" for what, count in person.steps.items())
    print(f"a die of six faces shown and learned: {steps}; {person.waited_s:.0f} s waited by the clock")
    print(f"at {TAP_S} s a tap, {LETTER_S} s a letter and {LAY_S} s a lay: {person.seconds:.0f} s of a person's time")


def _thrown(tray: VirtualTray, table: Session, throws: int) -> Counter[str]:
    """Throw the die and compare what the table shows with what lies there."""
    told: Counter[str] = Counter()
    for _ in range(throws):
        tray.throw([DIE])
        time.sleep(4.0)
        told[_outcome(tray, table)] += 1
    print(f"then thrown {throws} times: {_listed(told)}", flush=True)
    return told


def _listed(told: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in told.most_common())


def _outcome(tray: VirtualTray, table: Session) -> str:
    really, shown = truth(tray).get(DIE), table.snapshot()
    if really is None or not really.flat:
        return "leaning or off the table"
    if len(shown.dice) != 1:
        return "not found" if not shown.dice else "phantoms"
    right = f"strange-{shown.dice[0].face}" == really.face
    if shown.questions:
        return "asked about"
    return "read right" if right else "misread"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sittings", type=int, default=3)
    parser.add_argument("--throws", type=int, default=20)
    words = parser.parse_args()
    done = [measure(seed, words.throws) for seed in range(1, words.sittings + 1)]
    seconds = sorted(taken for taken, _ in done)
    told = sum((thrown for _, thrown in done), Counter[str]())
    print(f"in {len(done)} sittings {seconds[0]:.0f} to {seconds[-1]:.0f} s of a person's time; {_listed(told)}")


if __name__ == "__main__":
    main()
