"""The head of the table's page with all that may stand in it: tray, past games, players and the box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import served
from game_phases import phases
from past_scene import remembered
from playwright.sync_api import Page, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubLearning

from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FITS = """() => {
  const all = [...document.querySelectorAll('.top :is(button, a, #game-title)')];
  const shown = all.filter((one) => one.checkVisibility());
  const boxes = shown.map((one) => one.getBoundingClientRect());
  const meets = (one, other) => one.left < other.right - 1 && other.left < one.right - 1;
  return {
    wide: Math.max(0, ...boxes.map((box) => box.right - innerWidth)),
    cut: shown.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.id),
    overlapping: boxes.filter((one, place) => boxes.slice(place + 1).some((other) => meets(one, other))).length,
  };
}"""


@pytest.fixture
def address(
    game_stub: StubGame, tray: StubSimulator, learning_stub: StubLearning, pairing: PairingService, tmp_path: Path
) -> Iterator[str]:
    """Where a table is served that has all pages, to its keeper."""
    with remembered(tmp_path / "memory") as (players, history, _):
        pages = Backends(game_stub, tray, learning_stub, access=pairing, stage=tray, players=players, history=history)
        with served(create_app(pages, heartbeat_s=0.1)) as place:
            yield place


def test_the_menu_has_six_entries_for_players_and_one_for_owners(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(phases("dice-county-fair")["throw"])
    for width, own in ((1920, "Far view"), (1024, "Far view"), (390, "Tray")):
        page.set_viewport_size({"width": width, "height": 800})
        page.locator("#menu").tap()
        shown = page.locator("#rare > :is(button, a)").locator("visible=true")
        texts = {text.removeprefix("?").strip() for text in shown.all_inner_texts()}
        assert texts == {"How to play", "Caller", own, "Past games", "Players", "Box"}
        page.keyboard.press("Escape")


def test_the_box_page_has_what_owners_want_by_subject(page: Page) -> None:
    page.goto("/box")
    headings = page.locator("#box-page h2").locator("visible=true")
    expect(headings).to_have_text(["Tablets", "Camera and light", "Dice", "Streams and voices", "The box itself"])


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_in_a_full_head_is_cut_or_overlaps(page: Page, game_stub: StubGame, language: str) -> None:
    page.goto(f"/?lang={language}")
    game_stub.show(phases("dice-county-fair")["throw"])
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    expect(page.locator("#to-tray, #to-history, #to-players, #to-box")).to_have_count(4)
    for width in (1240, 1280, 1366, 1559, 1560, 1600, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(FITS) == {"wide": 0, "cut": [], "overlapping": 0}, width


BEYOND = """() => [...document.querySelectorAll('button, .button, .choice, legend, #turn h1')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim() && !one.matches('.die'))
  .filter((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const [said, around] = [words, one].map((each) => each.getBoundingClientRect());
    return said.left < around.left - 1 || said.right > around.right + 1 || around.right > innerWidth;
  })
  .map((one) => `${one.id || one.className} ${one.textContent.trim()}`)"""
OVER = """() => {
  const [legend, add] = ['.names legend', '#add-player'].map((one) => document.querySelector(`#setup ${one}`));
  const words = document.createRange();
  words.selectNodeContents(legend);
  const [said, button] = [words, add].map((each) => each.getBoundingClientRect());
  return said.right > button.left + 1 && said.bottom > button.top + 1 && said.top < button.bottom - 1;
}"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_words_are_cut_on_the_narrowest_phone(page: Page, game_stub: StubGame, language: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/?lang={language}")
    game_stub.show(phases("intersection")["six"])
    expect(page.locator("#boards .road")).to_be_visible()
    assert page.evaluate(BEYOND) == []
    page.locator("#menu").tap()
    assert page.evaluate(BEYOND) == []
    page.keyboard.press("Escape")
    page.locator("#new-game").tap()
    expect(page.locator("#setup")).to_be_visible()
    assert page.evaluate(BEYOND) == []
    assert not page.evaluate(OVER)
