"""A die that was misread is said to be wrong by a button in a fixed place, also where a tap on a die chooses it."""

from __future__ import annotations

import pytest
import scenes
from game_phases import phases
from playwright.sync_api import Page, expect
from stub_game import StubGame
from test_whole_screens import resize

pytestmark = pytest.mark.browser

SIZES = [(1024, 768), (768, 1024), (390, 844), (1920, 1080)]


def _open(page: Page, game_stub: StubGame) -> None:
    """Open a table on which a tap on a die chooses it for the board."""
    game_stub.show(phases("intersection")["choice"])
    page.goto("/")
    expect(page.locator("#dice .die.pickable").first).to_be_visible()


def test_a_die_that_a_tap_would_choose_is_corrected_after_a_tap_on_the_button(page: Page, game_stub: StubGame) -> None:
    _open(page, game_stub)
    button, die = page.locator("#wrong-die"), page.locator("#dice .die.pickable").first
    for size in SIZES:
        resize(page, size)
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, size
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "true")
        pressed = button.bounding_box()
        assert pressed
        assert (pressed["x"], pressed["width"]) == (box["x"], box["width"]), size
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "false")
    button.tap()
    die.tap()
    expect(page.locator("#dialog")).to_contain_text("What does this die show?")
    expect(page.locator("#dice .die.selected")).to_have_count(0)
    page.get_by_text("Leave it as it is").tap()
    expect(button).to_have_attribute("aria-pressed", "false")
    die.tap()
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#dice .die.selected")).to_have_count(1)


def test_a_die_is_corrected_by_keys(page: Page, game_stub: StubGame) -> None:
    _open(page, game_stub)
    page.locator("#wrong-die").press("Enter")
    expect(page.locator("#dice .die").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#wrong-die")).to_be_focused()
    expect(page.locator("#wrong-die")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_contain_text("What does this die show?")
    with page.expect_response("**/api/correct"):
        page.locator("#dialog [data-face]:not(.now)").first.press("Enter")
    assert [call[0] for call in game_stub.asked] == ["correct"]


def test_without_a_game_there_is_nothing_to_correct(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    expect(page.locator("#first-game")).to_be_visible()
    expect(page.locator("#wrong-die")).to_be_hidden()
