"""The pages of past games in a real Chromium: the list, and one game step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import scenes
from past_scene import TURNED, served_memory
from playwright.sync_api import Page, expect
from stub_game import StubGame
from test_whole_screens import resize

pytestmark = pytest.mark.browser


@pytest.fixture
def address(game_stub: StubGame, tmp_path: Path) -> Iterator[str]:
    """Where a table is served that remembers one game."""
    with served_memory(tmp_path, game_stub) as place:
        yield place


def test_the_list_says_who_played_and_who_won(page: Page) -> None:
    page.goto("/history")
    expect(page.locator(".past .seats li")).to_contain_text(["Ann3", "Bob4"])
    expect(page.locator(".past .result")).to_have_text("Bob won")
    expect(page.locator(".past .won .player-face img")).to_have_attribute("src", "/static/players/owl.svg")
    page.locator("#by-player").select_option(label="Ann")
    expect(page).to_have_url(re.compile(r"/history\?player=1$"))
    expect(page.locator(".past")).to_have_count(1)
    page.locator("#by-game").select_option(index=1)
    expect(page.locator(".none")).to_contain_text("No such game")
    page.goto("/history?player=1&against=2")
    expect(page.locator("#by-other")).to_have_value("2")


@pytest.mark.parametrize(("asked", "where"), [("players", ".failed-request"), ("open-games", "#toast")])
def test_what_cannot_be_had_says_why_and_the_games_are_listed(page: Page, asked: str, where: str) -> None:
    page.route(f"**/api/{asked}", lambda route: route.fulfill(status=503, json={"error": "The journal is damaged."}))
    page.goto("/history")
    expect(page.locator(where)).to_contain_text("The journal is damaged.")
    expect(page.locator(".past .seats li")).to_contain_text(["Ann3", "Bob4"])


def test_the_list_is_narrowed_to_dice_and_a_face_and_opens_at_its_first_throw(page: Page) -> None:
    page.goto("/history")
    page.locator("#by-dice").select_option(label="Intersection")
    expect(page.locator(".none")).to_contain_text("No such game")
    page.goto("/history?dice=toss-up")
    page.locator("#by-face").select_option(label="Yellow")
    expect(page).to_have_url(re.compile(r"/history\?dice=toss-up&face=tossup%3Ayellow$"))
    expect(page.locator(".past")).to_have_count(1)
    page.locator(".past a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?face=tossup%3Ayellow$"))
    expect(page.locator(".steering label")).to_contain_text("Step 1 of 5")
    page.goto("/history?dice=toss-up&face=tossup:red")
    page.locator(".past a").click()
    expect(page.locator(".steering label")).to_contain_text("Step 4 of 5")


def test_a_game_is_stepped_through_by_buttons_and_keys(page: Page) -> None:
    page.goto("/history")
    page.locator(".past a").click()
    expect(page.locator("h1")).to_have_text("toss-up")  # as it is called where nothing says its title
    expect(page.locator("#back")).to_be_disabled()
    expect(page.locator(".picture img")).to_have_attribute("src", "/pictures/evidence-1.jpg")
    page.locator("#next").click()
    expect(page.locator(".said")).to_contain_text("Ann takes 3 points")
    expect(page.locator(".scores li").first).to_contain_text("3+3")
    expect(page.locator(".earlier")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".said.besides")).to_contain_text(TURNED)
    expect(page.locator(".no-picture")).to_have_text("This picture is no longer kept.")
    page.keyboard.press("End")
    expect(page.locator("#next")).to_be_disabled()
    expect(page.locator(".scores .won")).to_contain_text("Bob")
    assert page.url.endswith("/history/1?entry=5")
    page.locator("#back").click()
    expect(page.locator(".picture img")).to_have_attribute("src", "/pictures/evidence-4.jpg")


def test_an_address_opens_a_game_at_an_entry(page: Page) -> None:
    page.goto("/history/1?entry=4")
    expect(page.locator(".steering label")).to_contain_text("Step 4 of 5")


def test_nothing_is_wider_than_the_screen_and_the_buttons_keep_their_place(page: Page) -> None:
    keys = {(1024, 768): "ArrowRight", (390, 844): "ArrowLeft", (1920, 1080): "ArrowRight"}
    page.goto("/history")
    expect(page.locator(".past").first).to_be_visible()
    for size in keys:
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.goto("/history/1")
    expect(page.locator("#next")).to_be_visible()
    for size, key in keys.items():
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        places = set()
        for _ in range(5):
            places.add(str(page.locator("#next").bounding_box()))
            page.keyboard.press(key)
        assert len(places) == 1
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]


def test_the_buttons_of_a_step_are_whole_words_in_german_on_a_phone(page: Page, address: str) -> None:
    page.context.add_cookies([{"name": "language", "value": "de", "url": address}])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/history/1")
    expect(page.locator("#back")).to_have_text("Zurück")
    wide = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    heights = page.locator(".steering button").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert page.locator(".steering button").evaluate_all(wide) == []
    assert heights == [64, 64]


def test_the_menu_and_the_end_of_a_game_lead_there(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator("#menu").click()
    page.locator("#to-history").click()
    expect(page.locator(".past")).to_be_visible()
    game_stub.show(replace(scenes.WON, step="1.5"))
    page.goto("/")
    page.locator("#look-back").click()
    expect(page.locator(".final .won")).to_contain_text("Bob")
    page.locator("#steps").click()
    expect(page.locator(".steering label")).to_contain_text("Step 1 of 5")
    page.goto("/")
    page.locator("#menu").click()
    page.locator("#to-players").click()
    expect(page.locator(".player-row")).to_have_count(2)
