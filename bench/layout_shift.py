"""How much the table page moves under the eyes of the players in a whole game: Chromium's layout shifts, summed up.

    python bench/layout_shift.py [--steps 160] [--players 3]

Plays legal actions at random with the faces of chance, and sends a real Chromium every snapshot. Shifts that follow a
tap count too. One figure a game and size; 0 means that nothing moved that stayed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/web"))

from browsers import served
from game_phases import GAMES, MOST_STEPS, whole_game
from stub_game import StubGame

from referee.games import named
from tests.chromium import QUIET, chromium_path
from web.app import create_app
from web.services.backends import Backends

SIZES = {"tablet": (1024, 768), "upright": (768, 1024), "phone": (390, 844)}
OBSERVE = """() => {
  window.shifts = [];
  const note = (list) => list.getEntries().forEach(({ value }) => window.shifts.push(value));
  window.shiftObserver = new PerformanceObserver(note);
  window.shiftObserver.observe({ type: 'layout-shift', buffered: true });
}"""
TOTAL = """() => {
  window.shiftObserver.takeRecords().forEach(({ value }) => window.shifts.push(value));
  return window.shifts.reduce((sum, value) => sum + value, 0);
}"""


def shift_of_game(page: Page, address: str, game: StubGame, name: str, players: int, steps: int) -> tuple[float, int]:
    """Return the sum of all layout shifts of a game, and how many snapshots were shown."""
    scenes = list(whole_game(named(name), players, steps))
    game.show(scenes[0])
    page.goto(address)
    page.evaluate(OBSERVE)
    for scene in scenes:
        game.show(replace(scene, run=game.snapshot().run))
        page.wait_for_selector(f'#table[data-number="{game.snapshot().number}"]', state="attached")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_timeout(300)
    return float(page.evaluate(TOTAL)), len(scenes)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=MOST_STEPS)
    parser.add_argument("--players", type=int, default=3)
    chosen = parser.parse_args()
    game = StubGame()
    with served(create_app(Backends(game), heartbeat_s=0.1)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for size, (width, height) in SIZES.items():
            for name in GAMES:
                page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
                shift, shown = shift_of_game(page, address, game, name, chosen.players, chosen.steps)
                print(f"{size} {width}x{height}, {name}: {shift:.2f} over {shown} snapshots", flush=True)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
