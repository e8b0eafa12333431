"""How many words stand on the table page when somebody must decide: the median over the decisions of each game.

    python bench/page_words.py [--size 1024x768] [--game rollers] [--list]

A real Chromium shows every decision of `tests/web/game_phases.py` and counts what is to be seen: words that begin with
a letter, outside drawings and the card of the ruling, without the names of the players. `--list` prints the words of
each game's middle decision by where they stand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median, median_low

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/web"))

from browsers import served
from game_phases import GAMES, GIVEN_NAMES, NAMES, decisions
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning

from referee.snapshot import Snapshot
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.web_app import create_app

WORDS = """(names) => {
  const isThere = ([left, top, right, bottom]) => right - left > 1.5 && bottom - top > 1.5;
  const larger = (one, other) => one.map((edge, place) => Math.max(edge, other[place]));
  const smaller = (one, other) => one.map((edge, place) => Math.min(edge, other[place]));
  const cut = (one, other) => [
    ...larger(one.slice(0, 2), other.slice(0, 2)), ...smaller(one.slice(2), other.slice(2)),
  ];
  const edges = ({ left, top, right, bottom }) => [left, top, right, bottom];
  const frames = (element, found = [[0, 0, innerWidth, innerHeight]]) => {
    for (let one = element; one; one = one.parentElement) {
      if (getComputedStyle(one).overflow !== 'visible') found.push(edges(one.getBoundingClientRect()));
    }
    return found;
  };
  const found = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode;
    if (parent.closest('#ruling, .token, script, style, svg')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const seen = [...range.getClientRects()].some((one) => isThere(frames(parent).reduce(cut, edges(one))));
    const words = data.split(/\\s+/).filter((word) => /^\\P{N}*\\p{L}/u.test(word))
      .filter((word) => !names.includes(word.replace(/(['’]s)?\\P{L}*$/u, '')));
    const place = parent.closest('#table > *, header')?.id || 'header';
    if (seen && words.length) (found[place] ??= []).push(words.join(' '));
  }
  return found;
}"""


def words_of(page: Page, game: StubGame, scene: Snapshot) -> Mapping[str, list[str]]:
    """Return the words that are to be seen of a scene, by the part of the page in which they stand."""
    game.show(replace(scene, run=game.snapshot().run))
    page.wait_for_selector(f'#table[data-number="{game.snapshot().number}"]', state="attached")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: Mapping[str, list[str]] = page.evaluate(WORDS, [*NAMES, *(name.split()[0] for name in GIVEN_NAMES)])
    return found


def count(found: Mapping[str, list[str]]) -> int:
    """Return how many words there are."""
    return sum(len(text.split()) for texts in found.values() for text in texts)


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1024x768")
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--list", action="store_true", help="print the words of the middle decision")
    chosen = parser.parse_args()
    width, height = map(int, chosen.size.split("x"))
    game, tray = StubGame(), StubSimulator()
    services = Backends(game, tray, StubLearning(), StubChecks(), face_pictures=game, stage=tray)
    every = list[int]()
    with served(create_app(services, heartbeat_s=0.1)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page.goto(address)
        for name in [chosen.game] if chosen.game else GAMES:
            shown = {verbs: words_of(page, game, scene) for verbs, scene in decisions(name).items() if verbs != "over"}
            counts = {verbs: count(found) for verbs, found in shown.items()}
            every += counts.values()
            print(f"{name}: {median(counts.values()):.0f} words, {min(counts.values())} to {max(counts.values())}")
            if chosen.list:
                middle = next(verbs for verbs in counts if counts[verbs] == median_low(counts.values()))
                print(f"  {middle}")
                for place, texts in shown[middle].items():
                    print(f"    {place}: {' | '.join(texts)}")
        browser.close()
    print(f"all games: {median(every):.0f} words, median of {len(every)} decisions at {chosen.size}")


if __name__ == "__main__":
    main()
