"""The choice of a language: by the browser's own, by a tap on its name, and for the caller too."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from game_phases import whole_game
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from referee.games import named
from referee.phrases import points
from referee.sentences import in_language, say
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web import languages
from web.languages import COOKIE, language_names
from web.static_files import STATIC, StaticFiles


def page_language(client: Any, accepted: str) -> str:
    page = client.get("/", headers={"Accept-Language": accepted}).get_data(as_text=True)
    return re.findall(r'<html lang="(\w+)"', page)[0]


def test_a_page_is_in_the_browsers_language_until_another_is_chosen(client: Any) -> None:
    assert page_language(client, "de-AT,de;q=0.9,en;q=0.5") == "de"
    assert page_language(client, "tlh,en;q=0.5") == "en"
    assert page_language(client, "tlh") == "en"
    client.set_cookie(COOKIE, "en")
    assert page_language(client, "de") == "en"


def test_each_language_has_its_own_name() -> None:
    assert language_names().items() >= {"en": "English", "de": "Deutsch"}.items()


@pytest.fixture
def polish_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A tablet of a program that has one file more: some Polish sentences, which count in three forms."""
    polish = Catalog(locale="pl")
    polish.add("Take back", "Cofnij")
    polish.add(("{count} point", "{count} points"), ("{count} punkt", "{count} punkty", "{count} punktów"))
    polish.add("Played to the end", "Rozegrane do końca")
    shutil.copy(languages.LOCALES / "de.po", tmp_path)
    with (tmp_path / "pl.po").open("wb") as file:
        write_po(file, polish)
    cached = (languages.languages, languages.language_names, languages.translations)
    monkeypatch.setattr(languages, "LOCALES", tmp_path)
    for each in cached:
        each.cache_clear()
    app = create_app(Backends(StubGame()))
    app.extensions["static_files"] = StaticFiles(STATIC)  # those that all applications share were read before
    yield app.test_client()
    monkeypatch.undo()
    for each in cached:
        each.cache_clear()


def test_a_third_language_is_one_file(polish_client: Any) -> None:
    page = polish_client.get("/", headers={"Accept-Language": "pl"}).get_data(as_text=True)
    assert '<html lang="pl"' in page
    assert "Cofnij" in page
    assert re.findall(r'data-language="(\w+)"', page) == ["en", "de", "pl"]
    assert re.findall(r'lang="pl"[^>]*>(\w+)</button>', page) == ["polski"]
    release = re.findall(r"/static/\w+/", page)[0]
    assert "Rozegrane do końca" in polish_client.get(f"{release}past_games_view.js").get_data(as_text=True)
    polish = languages.translations("pl")
    assert polish is not None
    said = [in_language(points(count), polish) for count in (1, 3, 5)]
    assert said == ["1 punkt", "3 punkty", "5 punktów"]
    assert in_language(say("Not translated yet"), polish) == "Not translated yet"


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
    expect(page.locator("#turn h1")).to_have_text("Ann: alle zehn Würfel werfen.")
    game_stub.show(thrown)
    expect(page.locator("#ruling")).to_contain_text("zur Seite")
    page.locator("#open-done").click()
    expect(page.locator("#done-title")).to_have_text("Verlauf")
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
