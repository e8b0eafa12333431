"""Somebody new plays each game to its end next to the virtual tray: what did nothing, dead ends, what moved.

    python bench/first_games.py [--game rollers] [--size 1024x768] [--list] [--keep DIR]

A real Chromium opens the first page and goes on from there by the control that the page makes the largest, or by the
tray's, where one stops and the other plays on; a question gets the answer that is shown first. The tray's clock is
quick; its dice are read as at any table. `--list` prints every tap and what moved, `--keep` keeps a picture after each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

sys.path.insert(0, str(Path(__file__).parents[1]))

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/web"))

from browsers import served

from bench.layout_shift import MOVED, OBSERVE, TOTAL, UNASKED
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.dice import DieSet
from referee.games import games
from tests.chromium import QUIET, UNDRAWN, chromium_path
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.web_app import create_app
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import open_session
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

GAMES = ("Intersection", "Toss Up!", "Dice County Fair", "Rollers", "Switch 16")
QUICK_S, AT_REST_S = 0.02, 0.06
"""Seconds between two pictures while dice move and after it; on the tray's own clock it is a fifteenth of a second."""
RULED_S = 1.0
"""So long after the dice lie still the tray's clock stays quick."""
THINKING_MS = 500
MOST_TAPS = 600
DULL_MS = 15_000
"""A tap that has changed nothing so long after it did nothing."""
RULED_MS = 120_000
"""So long a throw may take until the page goes on; a page that offers nothing so long is a dead end."""
LOOKS_MS = 100
CONTROLS = (
    "#question[open] .answer-part button",
    "#dialog[open] :is(#sure, .option-button)",
    "#dialog[open] button",
    ".place-popover :is(.offer-row, .choose-word button):not(.grave)",
    ".place-popover .choose-dice button:not(.selected)",
    ":is(#check, #unconfirmed) button",
    "#offers .next button, #throw-asked",
    "#boards button.put",
    "#boards .tappable button",
    "#offers .beside button",
)
"""What a newcomer taps, the first of these that can be tapped: what lies over the page, the main button, what glows."""
ANY = ("#boards button.put", ".place-popover", "#offers .next button")
"""Of these one is as good as another: some people stop where others play on."""
LOOK = """async ([controls, any]) => {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const isTappable = (one) => {
    if (one.disabled || one.closest('[inert]') || !one.checkVisibility({ visibilityProperty: true })) return false;
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (one.contains(hit) || hit.contains(one));
  };
  if (document.querySelector('#table.over')) return { isOver: true };
  const isBusy = document.querySelector('#throw-asked[aria-busy="true"], #stillness:not(:empty)');
  if (isBusy && !document.querySelector('dialog[open]')) return null;
  for (const selector of controls) {
    const found = [...document.querySelectorAll(selector)].filter(isTappable);
    const one = found[any.some((each) => selector.startsWith(each)) ? Math.floor(Math.random() * found.length) : 0];
    if (!one) continue;
    const { left, top, width, height } = one.getBoundingClientRect();
    return {
      isOver: false,
      words: (one.innerText || one.ariaLabel || '').replace(/\\s+/g, ' '),
      question: document.querySelector('#question[open] h2')?.innerText ?? '',
      x: left + width / 2,
      y: top + height / 2,
    };
  }
  return null;
}"""
"""Return the control that is tapped next and where, and what is asked; null while nothing can be tapped. It looks at a
picture that is drawn: to look for what is at a point before it, Chromium lays the page out once more, and counts what
moves between the two, which nobody sees. So it does with a mouse, and the page is touched."""
SEEN = """() => JSON.stringify([
  ...[...document.querySelectorAll('#table > *, dialog, #tray-drawer .hands')].map((one) => one.innerText),
  ...[...document.querySelectorAll('button')].map((one) => [one.disabled, one.ariaPressed, one.className]),
])"""
CHANGED = f"(before) => ({SEEN})() !== before"
WORDS = "() => document.querySelector('#turn').innerText.replace(/\\s+/g, ' ')"
STUCK = """async () => {
  const button = document.querySelector('#throw-asked');
  const { rests_in: restsIn, dice } = await (await fetch('/api/tray/dice')).json();
  return [
    document.querySelector('#turn').innerText, document.querySelector('#stillness').innerText, button.innerText,
    button.ariaBusy === 'true' && 'busy', button.disabled && 'disabled', `the tray rests in ${restsIn.toFixed(1)} s`,
    ...dice.map((die) => `${die.number} ${die.kind} ${die.place}`),
  ].filter(Boolean).join(', ').replace(/\\s+/g, ' ');
}"""
"""What stands on the page where there is nothing to tap, and where the tray's dice lie."""


class QuickCamera(VirtualCamera):
    """A camera over the virtual tray whose clock runs up to three times as fast as the one on the wall."""

    def frame(self, timeout: float = 1.0) -> Frame:
        time.sleep(QUICK_S if self.simulator.rests_in() > -RULED_S else AT_REST_S)
        return super().frame(timeout)


@contextmanager
def quick_table(folder: Path, seed: int) -> Iterator[str]:
    """Serve a new table with the virtual tray; gives its address."""
    tray, models = VirtualTray("intersection", seed=seed), LoadedModels.load()

    def watched(dice: DieSet) -> Pipeline:
        if tray.die_set != dice:
            tray.bring_out(dice.name)
        return models.pipeline(dice, TrayLayout())

    with closing(Journal.in_folder(folder)) as journal:
        store = EvidenceStore(folder / "evidence")
        table = open_session(journal, store, games=games(), dice=die_sets.load("intersection"), camera="virtual")
        services = Backends(table, tray, face_pictures=table, is_new=lambda: not journal.games())
        loop = CameraLoop(QuickCamera(tray, paced=False, seed=seed), table, watched)
        loop.start()
        try:
            with served(create_app(services, heartbeat_s=0.1)) as address:
                yield address
        finally:
            loop.stop()


@dataclass
class Account:
    """What a newcomer came across in a game."""

    game: str
    taps: int = 0
    to_first_ruling: int = 0
    did_nothing: list[str] = field(default_factory=list)
    dead_ends: list[str] = field(default_factory=list)
    questions: Counter[str] = field(default_factory=Counter)
    shift: float = 0.0
    unasked_shift: float = 0.0
    seconds: float = 0.0
    end: str = "not over"


class Newcomer:
    """Somebody who taps what is the largest, and waits while the dice roll."""

    def __init__(self, page: Page, game: str, most: int, *, is_listed: bool, keep: Path | None) -> None:
        self._page, self._most, self._is_listed, self._keep = page, most, is_listed, keep
        self._listed_shifts = 0
        self.account = Account(game)

    def play(self, address: str) -> None:
        """Play from the first page to the end of the game, or to a dead end."""
        began = time.monotonic()
        self._begin(address)
        while self.account.taps < self._most:
            control = self._next_control()
            if control is None:
                self.account.dead_ends.append(self._page.evaluate(STUCK))
                break
            if control["isOver"]:
                self.account.end = self._page.evaluate(WORDS)
                break
            self._tap(control)
        self.account.shift = float(self._page.evaluate(TOTAL))
        self.account.unasked_shift = float(self._page.evaluate(UNASKED))
        self.account.seconds = time.monotonic() - began

    def _next_control(self) -> dict[str, Any] | None:
        """Return what is tapped next, None where nothing can be tapped for too long."""
        until = time.monotonic() + RULED_MS / 1000
        while time.monotonic() < until:
            control: dict[str, Any] | None = self._page.evaluate(LOOK, [CONTROLS, ANY])
            if control:
                return control
            self._page.wait_for_timeout(LOOKS_MS)
        return None

    def _begin(self, address: str) -> None:
        page = self._page
        page.goto(address, timeout=RULED_MS)
        for control in (
            page.get_by_role("link", name="Try it now"),
            page.locator("#setup .choice:not(:has(:checked))", has_text=self.account.game),
            page.locator("#start"),
        ):
            page.wait_for_timeout(THINKING_MS)
            control.or_(page.locator("#start")).first.wait_for(timeout=RULED_MS)
            if control.count():
                control.tap(timeout=RULED_MS)
                self.account.taps += 1
        expect(page.locator("#setup")).to_be_hidden(timeout=RULED_MS)
        page.evaluate(OBSERVE)

    def _tap(self, control: Mapping[str, Any]) -> None:
        page, account = self._page, self.account
        if not account.to_first_ruling and page.locator("#ruling .calls").count():
            account.to_first_ruling = account.taps
        where = f"{control['words']!r} ({control['question'] or page.evaluate(WORDS)})"
        if control["question"]:
            account.questions[control["question"]] += 1
        before = page.evaluate(SEEN)
        page.wait_for_timeout(THINKING_MS)
        page.touchscreen.tap(control["x"], control["y"])
        account.taps += 1
        try:
            page.wait_for_function(CHANGED, arg=before, timeout=DULL_MS, polling=LOOKS_MS)
        except PlaywrightTimeout:
            account.did_nothing.append(where)
        if self._is_listed:
            print(f"  {account.taps}: {where}, shift {page.evaluate(TOTAL):.2f}", flush=True)
            moved = page.evaluate(MOVED, self._listed_shifts)
            self._listed_shifts += len(moved)
            for shift in moved:
                print(f"    {shift}")
        if self._keep:
            name = f"{account.game.lower().strip('!').replace(' ', '-')}-{account.taps:03}.jpg"
            page.screenshot(path=self._keep / name, type="jpeg", quality=70)


def show(account: Account) -> None:
    """Print what a game was like."""
    print(
        f"{account.game}: {account.taps} taps, {account.to_first_ruling} to the first ruling, "
        f"{len(account.did_nothing)} did nothing, {len(account.dead_ends)} dead ends, "
        f"{sum(account.questions.values())} questions, layout shift {account.shift:.2f}, "
        f"{account.unasked_shift:.2f} of it without a tap, "
        f"{account.seconds:.0f} s; {account.end}"
    )
    for name, lines in (("did nothing", account.did_nothing), ("dead end", account.dead_ends)):
        for line in lines:
            print(f"  {name}: {line}")
    for question, count in account.questions.most_common():
        print(f"  asked {count} times: {question}")
    sys.stdout.flush()


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append", help="one game, several times; all without it")
    parser.add_argument("--size", default="1024x768")
    parser.add_argument("--taps", type=int, default=MOST_TAPS, help="at most so many in a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print every tap, and what moved")
    parser.add_argument("--keep", type=Path, help="a folder for a picture after each tap")
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        quiet = QUIET if asked.keep else UNDRAWN
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(quiet))
        for game in asked.game or GAMES:
            page = browser.new_page(viewport={"width": width, "height": height}, has_touch=True, locale="en")
            newcomer = Newcomer(page, game, asked.taps, is_listed=asked.list, keep=asked.keep)
            with tempfile.TemporaryDirectory() as folder, quick_table(Path(folder), asked.seed) as address:
                newcomer.play(address)
            page.close()
            show(newcomer.account)
        browser.close()


if __name__ == "__main__":
    main()
