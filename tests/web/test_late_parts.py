"""Parts of the table page that are loaded when they are wanted: what is loaded, and what happens where that fails."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import scenes
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame

from web.page_scripts import imported_modules
from web.static_files import STATIC, StaticFiles

FILES = StaticFiles(STATIC).newest()
PARTS = re.findall(r"latePart\(([^)]+)\)", (STATIC / "table_parts.js").read_text("utf-8"))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there_and_the_page_does_not_load_it_at_first(part: str) -> None:
    names = re.findall(r"'([^']+)'", part)
    assert names
    assert [name for name in names if name not in FILES.files] == []
    assert names[0] not in imported_modules(FILES, "table.js")
    assert [name for name in names if f"joined/{name}" not in FILES.files] == []


@pytest.mark.browser
def test_the_files_of_a_part_are_asked_for_once_when_it_is_opened_first(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.wait_for_timeout(300)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    for _ in range(2):
        page.locator("#new-game").tap()
        expect(page.get_by_role("heading", name="New game")).to_be_visible()
        page.get_by_role("button", name="Cancel").tap()
    files = [path.split("/", 3)[3] for path in asked if path.startswith("/static/")]
    parts = {"setup.js", "player_names.js", "hall_players.js", "open_games.js", "rules.css"}
    assert set(files) == {f"joined/{part}" for part in parts}
    received = page.evaluate(
        "performance.getEntriesByType('resource').filter((each) => /setup.js/.test(each.name) && each.transferSize)"
    )
    assert len(received) == 1


@pytest.mark.browser
@pytest.mark.parametrize("failing", ["setup.js", "player_names.js", "rules.css"])
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
def test_a_question_whose_dialog_does_not_load_waits_in_the_banner(page: Page, game_stub: StubGame) -> None:
    page.add_init_script("setInterval = () => 0;")  # the page that asks for news every 10 s would draw the banner too
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.route("**/questions.js", lambda route: route.abort())
    game_stub.show(scenes.DOUBT)
    expect(page.locator("#toast")).to_contain_text("Tap again")
    expect(page.locator("#ask-again")).to_be_visible()
    page.unroute("**/questions.js")
    page.locator("#ask-again").tap()
    expect(page.locator("#question")).to_be_visible()


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
