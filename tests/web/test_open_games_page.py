"""Games that stand open, in a real Chromium: gone back to from the dialog of a new game and from past games."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import scenes
from playwright.sync_api import Page, expect
from stub_game import StubGame

from referee.open_game import OpenGame

EVENING = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
STANDING = (
    OpenGame(7, "intersection", "Intersection", ("Ann", "Bob"), (300, 50), EVENING, EVENING, on_table=True),
    OpenGame(3, "rollers", "Rollers", ("Cleo", "Maximilian-Alexander", "Dan"), (12, 40, 8), EVENING, EVENING),
)
SIZES = [(1024, 768), (768, 1024), (390, 844), (1920, 1080)]


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_open_game_is_gone_back_to_from_the_dialog(page: Page, game_stub: StubGame, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_stub.standing = STANDING
    page.goto("/")
    expect(page.locator("#table.playing")).to_be_visible()
    page.locator("#new-game").click()
    expect(page.locator(".open-games li")).to_have_count(1)
    expect(page.locator(".open-games")).to_contain_text("Maximilian-Alexander 40")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator(".play-on").click()
    assert game_stub.wait_for_asked("play-on", 3)
    expect(page.locator("#setup")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize(("way", "left_open"), [("leave", True), ("end", False)])
def test_the_running_game_is_left_open_or_ended(page: Page, game_stub: StubGame, way: str, left_open: bool) -> None:
    page.goto("/")
    expect(page.locator("#table.playing")).to_be_visible()
    page.locator("#new-game").click()
    expect(page.locator('#setup [name="running"][value="leave"]')).to_be_checked()
    page.locator(f'#setup [name="running"][value="{way}"]').check()
    page.locator("#start").click()
    expect(page.locator("#setup")).to_be_hidden()
    assert game_stub.left_open is left_open


@pytest.mark.browser
def test_a_tablet_is_told_that_the_table_turned_to_another_game(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="7.1"))
    page.goto("/")
    expect(page.locator("#players")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, step="3.9"))
    expect(page.locator("#toast")).to_contain_text("The table now shows another game: Intersection (")


def test_open_games_are_listed_with_their_scores_and_one_is_ended(client: Any, game_stub: StubGame) -> None:
    game_stub.standing = STANDING
    found = client.get("/api/open-games").get_json()
    assert (found["most"], [game["on_table"] for game in found["games"]]) == (20, [True, False])
    assert found["games"][1]["seats"][1] == {"name": "Maximilian-Alexander", "score": 40}
    left = client.post("/api/open-games/end", json={"number": 3}).get_json()
    assert [game["number"] for game in left["games"]] == [7]
    assert client.post("/api/play-on", json={"number": 3}).status_code == 404
