"""Scripts that come late: parts loaded when they are wanted, where that fails, and taps before a page listens."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import scenes
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame

from web.static_files import STATIC, StaticFiles, imported_modules

FILES = StaticFiles(STATIC).newest()
PARTS = re.findall(r"= latePart\(([^)]+)\)", (STATIC / "late.js").read_text("utf-8"))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there_and_the_page_does_not_load_it_at_first(part: str) -> None:
    names = re.findall(r"'([^']+)'", part)
    assert names
    assert [name for name in names if name not in FILES.files] == []
    assert names[0] not in imported_modules(FILES, "table.js")
    assert [name for name in names if f"joined/{name}" not in FILES.files] == []


@pytest.mark.browser
def test_the_files_of_a_part_are_asked_for_once_when_it_is_opened_first(new_page: Page) -> None:
    new_page.goto("/")
    expect(new_page.locator("#turn h1")).to_be_visible()
    new_page.wait_for_timeout(300)
    asked: list[str] = []
    new_page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    for _ in range(2):
        new_page.locator("#new-game").tap()
        expect(new_page.get_by_role("heading", name="New game")).to_be_visible()
        new_page.get_by_role("button", name="Cancel").tap()
    files = [path.split("/", 3)[3] for path in asked if path.startswith("/static/")]
    parts = {"setup.js", "setup_parts.js", "rules.css"}
    assert set(files) == {f"joined/{part}" for part in parts}
    received = new_page.evaluate(
        "performance.getEntriesByType('resource').filter((each) => /setup.js/.test(each.name) && each.transferSize)"
    )
    assert len(received) == 1


@pytest.mark.browser
@pytest.mark.parametrize("failing", ["setup.js", "setup_parts.js", "rules.css"])
def test_a_part_that_does_not_load_says_so_and_is_loaded_by_the_next_tap(page: Page, failing: str) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.route(f"**/{failing}", lambda route: route.abort())
    page.locator("#new-game").tap()
    expect(page.locator("#toast")).to_have_text("This did not load. Is the Wi-Fi on? Tap again.")
    expect(page.locator("#setup")).to_be_hidden()
    page.unroute(f"**/{failing}")
    page.locator("#new-game").tap()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()


@pytest.mark.browser
def test_a_question_whose_dialog_does_not_load_waits_in_the_banner(own_page: Page, game_stub: StubGame) -> None:
    # The page that asks for news every 10 s would draw the banner too.
    own_page.add_init_script("setInterval = () => 0;")
    own_page.goto("/")
    expect(own_page.locator("#turn h1")).to_be_visible()
    own_page.route("**/questions.js", lambda route: route.abort())
    game_stub.show(scenes.DOUBT)
    expect(own_page.locator("#toast")).to_contain_text("Tap again")
    expect(own_page.locator("#ask-again")).to_be_visible()
    own_page.unroute("**/questions.js")
    own_page.locator("#ask-again").tap()
    expect(own_page.locator("#question")).to_be_visible()


@pytest.mark.browser
def test_a_part_that_is_slow_shows_the_newest_question(page: Page, game_stub: StubGame) -> None:
    held: list[Route] = []
    page.route("**/questions.js", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks what it is given
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    game_stub.show(scenes.DOUBT)
    expect(page.locator("#table")).to_have_attribute("data-number", str(game_stub.snapshot().number))
    expect(page.locator("#ask-again")).to_have_count(0)
    game_stub.show(scenes.PLAYING)
    expect(page.locator("#table")).to_have_attribute("data-number", str(game_stub.snapshot().number))
    held[0].continue_()
    page.wait_for_timeout(400)
    expect(page.locator("#question")).to_be_hidden()


@pytest.mark.browser
def test_a_tap_before_the_scripts_are_here_is_made_once_they_listen(page: Page) -> None:
    held: list[Route] = []
    page.route("**/display.js", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks what it is given
    page.goto("/tray", wait_until="commit")
    colours = page.locator("#colours")
    before = colours.get_attribute("aria-label")
    colours.tap()
    page.wait_for_timeout(100)
    assert colours.get_attribute("aria-label") == before
    held[0].continue_()
    expect(colours).not_to_have_attribute("aria-label", before or "")
    now = colours.get_attribute("aria-label")
    colours.tap()
    expect(colours).not_to_have_attribute("aria-label", now or "")


@pytest.mark.browser
def test_a_tap_before_all_scripts_are_here_is_made_on_a_button_that_was_drawn_anew(
    page: Page, game_stub: StubGame
) -> None:
    held: list[Route] = []
    page.route("**/tray_drawer.js", lambda route: held.append(route))  # noqa: PLW0108  # as above
    game_stub.show(scenes.IDLE)
    page.goto("/", wait_until="commit")
    page.locator("#first-game").tap()
    page.evaluate("const old = document.getElementById('first-game'); old.replaceWith(old.cloneNode(true))")
    page.evaluate("document.getElementById('first-game').addEventListener('click', () => { document.title = 'made'; })")
    held[0].continue_()
    expect(page).to_have_title("made")
