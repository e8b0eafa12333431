"""Every page and dialog in German: no word broken or cut, no letter under 12 px, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import scenes
from all_pages import serve_all_pages
from playwright.sync_api import Page, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_accessible_pages import PAGES, agree, choose_the_wrong_die, open_setup, read_the_rules, take_back
from test_whole_screens import DRAWN

from web import languages

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEGIBLE = Path(__file__).with_name("legible.js").read_text("utf-8")
PHONE, ON_ITS_SIDE = (390, 844), (844, 390)
SIZES = [(1024, 768), PHONE, ON_ITS_SIDE]
READ = {place: drawn for place, drawn in PAGES.items() if place not in ("/", "/overlay")} | {
    "/https": "main",
    "/camera": "#phone-camera",
    "/start": "#ways",
    "/fairness/checked": "main",
}
"""The pages, with what is there once a page is drawn; the table has tests of its own, previews are pictures."""
DIALOGS = {
    "new game": open_setup,
    "rules": read_the_rules,
    "agreements": agree,
    "take back": take_back,
    "wrong die": choose_the_wrong_die,
}
IN_SIGHT = """(parts) => parts.filter((part) => {
  const all = [...document.querySelectorAll(part)].filter((one) => one.checkVisibility());
  const covers = (one, { left, top, width, height }) => {
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (one.contains(hit) || hit.contains(one));
  };
  return !all.length || all.some((one) => !covers(one, one.getBoundingClientRect()));
})"""
"""Of these parts, those that are not there, are cut or are covered in their middle."""
ON_ONE_SCREEN = {
    "/welcome": ["#next-thing h1", "#picture", "#to-game"],
    "/tray": ["#picture", "#throw-asked", "#throw-all", "#lay-back"],
    "/dice/moon/capture": ["#picture", "#shutter", "#done"],
    "/history/1": [".picture", ".said", "#next", ".scores"],
}
"""What a phone on its side shows without scrolling."""


@pytest.fixture
def address(
    game_stub: StubGame, tray: StubSimulator, learning_stub: StubLearning, checks_stub: StubChecks, tmp_path: Path
) -> Iterator[str]:
    """Where a real server serves every page."""
    with serve_all_pages(game_stub, tray, learning_stub, checks_stub, tmp_path) as place:
        yield place


@pytest.fixture
def german(page: Page, address: str) -> Page:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    return page


def _resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def _faults(page: Page) -> dict[tuple[int, int], list[str]]:
    """Return what is not legible at each size of a screen."""
    found = {}
    for size in SIZES:
        _resize(page, size)
        page.evaluate(DRAWN)
        found[size] = page.evaluate(LEGIBLE)
    return {size: faults for size, faults in found.items() if faults}


def test_every_page_is_legible_in_german(german: Page) -> None:
    german.route("**/api/door", lambda route: route.abort())  # else /away leads to the table
    found = {}
    for place, drawn in READ.items():
        german.goto(place)
        expect(german.locator(drawn).first).to_be_visible()
        found[place] = _faults(german)
    assert {place: faults for place, faults in found.items() if faults} == {}


@pytest.mark.parametrize("place", ON_ONE_SCREEN)
def test_a_phone_on_its_side_shows_what_is_done_without_scrolling(german: Page, place: str) -> None:
    _resize(german, ON_ITS_SIDE)
    german.goto(place)
    expect(german.locator(READ[place]).first).to_be_visible()
    assert german.evaluate(IN_SIGHT, ON_ONE_SCREEN[place]) == []


@pytest.mark.parametrize("dialog", DIALOGS)
def test_a_dialog_of_the_table_is_legible_in_german(german: Page, game_stub: StubGame, dialog: str) -> None:
    _resize(german, SIZES[0])
    game_stub.show(scenes.PLAYING)
    german.goto("/")
    expect(german.locator("#turn h1")).to_be_visible()
    DIALOGS[dialog](german, game_stub)
    assert _faults(german) == {}


def test_a_new_game_is_set_up_on_a_phone_on_its_side(german: Page, game_stub: StubGame) -> None:
    _resize(german, ON_ITS_SIDE)
    german.goto("/")
    expect(german.locator("#turn h1")).to_be_visible()
    open_setup(german, game_stub)
    assert german.evaluate(IN_SIGHT, ["#setup input.name", "#setup .choice", "#start"]) == []
