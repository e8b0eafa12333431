"""How much the table page moves under the eyes of the players in a whole game: Chromium's layout shifts, summed up.

    python bench/layout_shift.py [--game rollers] [--size tablet] [--steps 160] [--players 3] [--tray] [--list]

Plays legal actions at random with the faces of chance, and sends a real Chromium every snapshot. Shifts that follow a
tap count too. One figure a game and size; 0 means that nothing moved that stayed. `--tray` opens the virtual tray
next to it, `--list` prints what moved. The page is touched: under a mouse Chromium also counts what moved before the
first picture of it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/web"))

from browsers import served
from game_phases import GAMES, MOST_STEPS, whole_game
from stub_game import StubGame, StubSimulator

from referee.games import named
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.web_app import create_app

SIZES = {"tablet": (1024, 768), "upright": (768, 1024), "phone": (390, 844)}
OBSERVE = """() => {
  const rounded = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const nameOf = (node) => {
    const one = node instanceof Element ? node : node?.parentElement;
    const words = (node?.textContent ?? '').replace(/\\s+/g, ' ').slice(0, 24);
    return one ? `${one.closest('[id]')?.id ?? ''} ${one.className.baseVal ?? one.className} "${words}"` : 'gone';
  };
  window.shifts = [];
  const note = (list) => list.forEach(({ value, hadRecentInput, sources }) => window.shifts.push({
    value,
    isTapped: hadRecentInput,
    moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
      `${nameOf(node)}: ${rounded(from)} to ${rounded(to)}`),
  }));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.allShifts = () => (note(observer.takeRecords()), window.shifts);
}"""
UNASKED = "() => allShifts().reduce((sum, { value, isTapped }) => sum + (isTapped ? 0 : value), 0)"
"""Return the sum of the shifts that did not follow a tap within half a second."""
TOTAL = "() => allShifts().reduce((sum, { value }) => sum + value, 0)"
MOVED = (
    "(from) => allShifts().slice(from).map(({ value, moved }) => [`${value.toFixed(3)}:`, ...moved].join('\\n      '))"
)
"""Return what moved in each shift but the first so many: elements, and where each was and is."""


def shift_of_game(
    page: Page, address: str, game: StubGame, name: str, players: int, steps: int, *, with_tray: bool
) -> tuple[float, int]:
    """Return the sum of all layout shifts of a game, and how many snapshots were shown."""
    scenes = list(whole_game(named(name), players, steps))
    game.show(scenes[0])
    page.goto(address)
    if with_tray:
        page.locator("#menu").tap()
        page.locator("#to-tray, #to-tray-rare").locator("visible=true").first.tap()
        page.locator("#tray-drawer .handle").first.wait_for()
    page.evaluate(OBSERVE)
    page.evaluate("() => allShifts().splice(0)")
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
    parser.add_argument("--game", choices=GAMES, action="append", help="one game, several times; all without it")
    parser.add_argument("--size", choices=SIZES, action="append", help="one size, several times; all without it")
    parser.add_argument("--tray", action="store_true", help="with the virtual tray open")
    parser.add_argument("--list", action="store_true", help="print what moved")
    chosen = parser.parse_args()
    game = StubGame()
    with (
        served(create_app(Backends(game, StubSimulator()), heartbeat_s=0.1)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for size in chosen.size or SIZES:
            width, height = SIZES[size]
            for name in chosen.game or GAMES:
                screen = ViewportSize(width=width, height=height)
                page = browser.new_page(viewport=screen, has_touch=True, reduced_motion="reduce")
                shift, shown = shift_of_game(
                    page, address, game, name, chosen.players, chosen.steps, with_tray=chosen.tray
                )
                print(f"{size} {width}x{height}, {name}: {shift:.2f} over {shown} snapshots", flush=True)
                for moved in page.evaluate(MOVED, 0) if chosen.list else ():
                    print(f"  {moved}")
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
