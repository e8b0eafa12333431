"""One next thing: at every decision it is the largest button of the bar, whole, and takes the tap at its middle."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from game_phases import GAMES, decisions, phases
from playwright.sync_api import Page, expect
from stub_game import StubGame
from test_whole_screens import FAULTS, resize, show

from referee.snapshot import Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = [(1024, 768), (1280, 800), (768, 1024), (390, 844), (844, 390), (1920, 1080)]
NEXT_THING = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1.5;
  const area = (one) => one.getBoundingClientRect().width * one.getBoundingClientRect().height;
  const named = (one) => (one.textContent || one.dataset.key || '').trim();
  const faults = [];
  const bar = [...document.querySelectorAll('#offers button, #always button, #wrong-die')].filter(seen);
  const next = document.querySelector('#offers .next button');
  if (next && !seen(next)) faults.push(`not to be seen: ${named(next)}`);
  else if (next) bar.filter((one) => one !== next && area(one) >= area(next))
    .forEach((one) => faults.push(`larger than ${named(next)}: ${named(one)}`));
  for (const one of document.querySelectorAll('#table button, #table [role="button"]')) {
    if (!seen(one) || one.disabled) continue;
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const isHit = hit && (one.contains(hit) || hit.contains(one));
    if (!isHit) faults.push(`covered: ${named(one)} by ${hit && named(hit).slice(0, 40)}`);
  }
  return faults;
}"""


def scenes_of(game: str) -> Mapping[str, Snapshot]:
    """All that players decide; how the other phases stand on the screen is in test_whole_screens.py."""
    return {"six": phases(game)["six"], **decisions(game)}


@pytest.mark.parametrize("is_open", [False, True], ids=["tray closed", "tray open"])
@pytest.mark.parametrize("game", GAMES)
def test_the_next_thing_is_the_largest_button_and_nothing_covers_another(
    page: Page, game_stub: StubGame, game: str, is_open: bool
) -> None:
    """Every other decision is shown with the tray open, and each in half of the sizes: the next one in the others."""
    resize(page, SIZES[0])
    page.goto("/")
    if is_open:
        page.locator("#to-tray").tap()
        expect(page.locator("#tray-drawer .handle").first).to_be_visible()
    faults = {}  # next to the open tray the boards are measured by test_virtual_tray_page.py
    for place, (name, scene) in enumerate([*scenes_of(game).items()][is_open::2]):
        show(page, game_stub, scene)
        for size in SIZES[place % 2 :: 2]:
            resize(page, size)
            cut = page.evaluate(FAULTS)
            faults[name, size] = page.evaluate(NEXT_THING) + [each for each in cut if not is_open or "offers" in each]
    assert {scene: found for scene, found in faults.items() if found} == {}


def test_what_most_people_park_is_worth_most() -> None:
    for scene in (*phases("intersection").values(), *decisions("intersection").values()):
        assert scene.game
        assert scene.state
        parks = [offer for offer in scene.offers if offer.action.verb == "park"]
        worth = [scene.game.turn_points(scene.game.play(scene.state, offer.action)[0]) for offer in parks]
        assert [points for offer, points in zip(parks, worth, strict=True) if offer.usual] == [
            *{max(worth, default=0)} & {*worth}
        ]
