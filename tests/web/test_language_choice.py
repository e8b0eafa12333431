"""The choice of a language: by the browser's own, by a tap on its name, and for the caller too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from game_phases import whole_game
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from referee.games import named
from web.languages import COOKIE, language_names


def page_language(client: Any, accepted: str) -> str:
    page = client.get("/", headers={"Accept-Language": accepted}).get_data(as_text=True)
    return re.findall(r'<html lang="(\w+)"', page)[0]


def test_a_page_is_in_the_browsers_language_until_another_is_chosen(client: Any) -> None:
    assert page_language(client, "de-AT,de;q=0.9,en;q=0.5") == "de"
    assert page_language(client, "fr,en;q=0.5") == "en"
    assert page_language(client, "fr") == "en"
    client.set_cookie(COOKIE, "en")
    assert page_language(client, "de") == "en"


def test_each_language_has_its_own_name() -> None:
    assert language_names() == {"en": "English", "de": "Deutsch"}


@pytest.fixture
def german_page(chromium: Browser, address: str) -> Any:
    context = chromium.new_context(locale="de-DE", viewport={"width": 1024, "height": 768}, base_url=address)
    yield context.new_page()
    context.close()


@pytest.mark.browser
def test_a_tap_on_its_name_changes_the_language_of_a_page(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/")
    page.locator("#menu").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#undo")).to_have_text("Zurücknehmen")
    page.locator("#menu").click()
    expect(page.get_by_role("button", name="Deutsch")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="English").click()
    expect(page.locator("#undo")).to_have_text("Take back")


@pytest.mark.browser
def test_a_throw_is_played_and_dialogs_are_opened_in_german(german_page: Page, game_stub: StubGame) -> None:
    first, *_, thrown = whole_game(named("toss-up"), 2, 2)
    page = german_page
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    game_stub.show(first)
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text("Ann ist dran")
    game_stub.show(thrown)
    expect(page.locator("#ruling")).to_contain_text("zur Seite")
    page.locator("#open-done").click()
    expect(page.locator("#done-title")).to_have_text("Was geschah")
    page.locator("#close-done").click()
    page.locator("#new-game").click()
    expect(page.locator("#setup-title")).to_have_text("Neues Spiel")
    expect(page.locator("#start")).to_have_text("Los geht’s")
    page.keyboard.press("Escape")
    page.locator("#menu").click()
    page.locator("#caller").click()
    expect(page.locator("#dialog-title")).to_have_text("Die Ansage")
    expect(page.locator("#caller-language")).to_have_value("de")
    assert said == []
