"""Sentences in the pages' scripts: found for the catalogues, and sent in the language of a tablet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from script_syntax import SAYING, SCRIPTS, STATIC, called, nodes, source

from web import languages
from web.languages import extract_sentences, script_in_language


def calls(script: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the templates, as they are written, of every call that says something."""
    for node in nodes(script):
        taken = node.child_by_field_name("arguments")
        if called(node) in SAYING and taken is not None:
            templates = taken.named_children[: SAYING[called(node)]]
            yield node.start_point.row + 1, [source(template) for template in templates]


def found(script: Path) -> list[tuple[int, int]]:
    """Return the lines of the sentences that are found for the catalogues, with the number of their templates."""
    with script.open("rb") as file:
        return sorted((line, 1 if isinstance(text, str) else 2) for line, _, text, _ in extract_sentences(file))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_sentence_of_a_script_is_found(script: Path) -> None:
    for line, templates in calls(script):
        for template in templates:
            assert re.match(r"['\"]|`[^$]*$", template), f"{script.name}:{line}: not a literal: {template}"
    assert found(script) == sorted((line, len(templates)) for line, templates in calls(script))


class Backwards(NullTranslations):
    """A language that says everything backwards, and counts as Polish does."""

    def gettext(self, message: str) -> str:
        return message[::-1]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{n}: {msgid1}"


def translated(script: str, language: str = "pl") -> str:
    return script_in_language(script, Backwards(), language)


def test_a_sentence_is_exchanged_and_all_else_stays() -> None:
    assert translated("h('p', say('It\\'s'), 'on', essay('on'), { say: 'on' });") == (
        "h('p', say(\"s'tI\"), 'on', essay('on'), { say: 'on' });"
    )
    assert translated('sayParts(`"a" ${b}`) + sayParts(`"a"`)') == 'sayParts(`"a" ${b}`) + sayParts("\\"a\\"")'


def test_every_line_of_a_script_keeps_its_number() -> None:
    script = "sayCount(\n  '{count} die',\n  '{count} dice', 3) + say(\n'a\\nb')"
    assert translated(script).count("\n") == script.count("\n")


def test_a_language_has_as_many_plural_forms_as_its_browser_asks_for() -> None:
    assert translated("sayCount('a', 'b', 3)") == (
        'sayCount({"other": "0: a", "many": "0: a", "one": "1: a", "few": "2: a"}, \'\', 3)'
    )
    assert '"few"' not in translated("sayCount('a', 'b', 3)", "de")


def test_what_is_found_is_what_is_written() -> None:
    script = b"say('a')\n sayCount(\"{count} die\", '{count} dice', 2)"
    assert list(extract_sentences(io.BytesIO(script))) == [
        (1, "say", "a", []),
        (2, "say_count", ("{count} die", "{count} dice"), []),
    ]


def test_a_page_its_scripts_and_its_worker_are_in_the_language_of_the_tablet(client: Any) -> None:
    english = client.get("/").get_data(as_text=True)
    worker = client.get("/service-worker.js").get_data()
    client.set_cookie(languages.COOKIE, "de")
    german = client.get("/").get_data(as_text=True)
    assert '<html lang="en">' in english
    assert '<html lang="de">' in german
    assert "Diese Seite braucht JavaScript" in german
    assert _version(english) != _version(german)
    assert client.get("/service-worker.js").get_data() != worker
    assert client.get("/manifest.webmanifest").get_json(force=True)["description"].startswith("Ein Schiedsrichter")
    assert '<meta name="description" content="Ein Schiedsrichter' in client.get("/").text
    assert "Played to the end" in _script(client, english, "past_games_view.js")
    assert "Zu Ende gespielt" in _script(client, german, "past_games_view.js")


def test_pictures_and_sounds_are_held_once_for_all_languages() -> None:
    from web.static_files import StaticFiles

    files = StaticFiles(STATIC)
    english, german = files.newest("en"), files.newest("de")
    assert all(german.files[name] is file for name, file in english.files.items() if not name.endswith(".js"))
    assert files.release(english.version) is english
    assert files.release(german.version) is german


def _version(page: str) -> str:
    return re.findall(r"/static/(\w+)/early\.js", page)[0]


def _script(client: Any, page: str, name: str) -> str:
    return str(client.get(f"/static/{_version(page)}/{name}").get_data(as_text=True))


@pytest.mark.browser
def test_a_page_speaks_german(page: Page) -> None:
    page.goto("/")
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": page.url}])
    page.goto("/tray")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#to-table")).to_have_text("Tisch")
