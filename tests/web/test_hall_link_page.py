"""The table's page at a table of a hall: who waits to play, and a game that the hall calls there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import scenes
from browsers import served
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame
from test_hall_link_routes import CALLED, HALL, StubHallLink

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import JoinedHall, LinkStatus


@pytest.fixture
def link() -> StubHallLink:
    found = StubHallLink()
    found.link = JoinedHall(HALL, "Table 4", "link", LinkStatus("", 0, None, ("Zoë",), CALLED))
    return found


@pytest.fixture
def table_page(chromium: Browser, game_stub: StubGame, link: StubHallLink) -> Iterator[Page]:
    with served(create_app(Backends(game_stub, hall_link=link))) as address:
        context = chromium.new_context()
        opened = context.new_page()
        opened.goto(f"{address}/")
        yield opened
        context.close()


def test_who_waits_takes_a_seat_by_one_tap(table_page: Page) -> None:
    table_page.click("#new-game")
    table_page.click("[data-player='Zoë']")
    expect(table_page.locator("input.name").first).to_have_value("Zoë")
    expect(table_page.locator("[data-player]")).to_have_count(0)
    table_page.click(".hall-scan summary")
    expect(table_page.locator(".hall-code img")).to_be_visible()


def test_a_phone_joins_by_the_code_that_a_button_of_the_table_shows(
    table_page: Page, game_stub: StubGame, link: StubHallLink
) -> None:
    game_stub.show(scenes.IDLE)
    table_page.click("#join-by-phone")
    expect(table_page.locator("#dialog .hall-code img")).to_be_visible()
    expect(table_page.locator("#who-waits")).to_contain_text("Zoë")
    table_page.keyboard.press("Escape")
    link.link = None
    table_page.reload()
    expect(table_page.locator("#first-game")).to_be_visible()
    expect(table_page.locator("#join-by-phone")).to_have_count(0)


def test_who_went_home_is_taken_off_the_list(table_page: Page, link: StubHallLink) -> None:
    table_page.click("#new-game")
    table_page.get_by_role("button", name="Take Zoë off the list").click()
    expect(table_page.locator(".waiting-chip")).to_have_count(0)
    assert link.link is not None
    assert link.link.status.players == ()


def test_a_game_that_the_hall_calls_is_filled_in_and_does_not_start(table_page: Page, game_stub: StubGame) -> None:
    expect(table_page.locator("#invitation")).to_have_text(re.compile("Ann and Bob: .*Club cup, round 2"))
    before = game_stub.snapshot().number
    table_page.click("#invitation")
    expect(table_page.locator("#setup input.name")).to_have_count(2)
    assert [field.input_value() for field in table_page.locator("#setup input.name").all()] == ["Ann", "Bob"]
    assert game_stub.snapshot().number == before
