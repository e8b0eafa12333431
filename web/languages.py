"""The languages of the pages, which of them a tablet has chosen, and the sentences in the scripts."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask, request
from jinja2.ext import InternationalizationExtension

from referee.phrases import RecalledSentences
from referee.sentences import Translations, in_language

# The languages of the pages, and which of them a tablet has chosen
#
# The translations of a language are a file of gettext (`web/locales/de.po`); `make messages` brings it up to date
# with the sentences in the code. English needs none: its sentences are the code's own.


LOCALES: Final = Path(__file__).parent / "locales"
ENGLISH: Final = "en"
COOKIE: Final = "language"
PARAMETER: Final = "lang"
"""What names a language in an address: `?lang=de`."""


MOST_RECALLED: Final = 4096
"""Written sentences that are remembered with their templates: some games' worth."""


class Catalogue(GNUTranslations):
    """The translations of one language, and the templates by which a written sentence is known again."""

    def __init__(self, messages: Catalog) -> None:
        binary = BytesIO()
        write_mo(binary, messages)
        binary.seek(0)
        super().__init__(binary)
        ids = [each.id for each in messages if each.id]
        pairs = ((each, "") if isinstance(each, str) else (each[0], each[1]) for each in ids)
        self.recall = lru_cache(MOST_RECALLED)(RecalledSentences(pairs).recall)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that there are, English first."""
    return (ENGLISH, *sorted(path.stem for path in LOCALES.glob("*.po")))


@cache
def language_names() -> dict[str, str]:
    return {code: Locale.parse(code).get_language_name(code) or code for code in languages()}


@cache
def translations(code: str) -> Translations | None:
    """Return the translations of a language, None for English."""
    if code == ENGLISH:
        return None
    with (LOCALES / f"{code}.po").open("rb") as file:
        return Catalogue(read_po(file, locale=code))


def language() -> str:
    """Return the code of the request's language: that of its address, the one chosen there, the browser's, English."""
    named = request.args.get(PARAMETER, "")
    chosen = named if named in languages() else request.cookies.get(COOKIE, "")
    return chosen if chosen in languages() else request.accept_languages.best_match(languages(), ENGLISH)


def speak(app: Flask) -> None:
    """Give templates `{% trans %}`, `_`, `said`, `language` and `languages`, in the language of the request."""
    env = app.jinja_env
    env.policies["ext.i18n.trimmed"] = True
    env.add_extension(InternationalizationExtension)
    vars(env)["install_gettext_callables"](_gettext, _ngettext, newstyle=True)
    env.filters["said"] = said
    app.context_processor(lambda: {"language": language(), "languages": language_names()})


def _gettext(template: str) -> str:
    found = translations(language())
    return template if found is None else found.gettext(template)


def _ngettext(one: str, many: str, count: int) -> str:
    found = translations(language())
    if found is None:
        return one if count == 1 else many
    return found.ngettext(one, many, count)


def said(sentence: str) -> str:
    """Return a sentence in the language of the current request."""
    found = translations(language())
    return sentence if found is None else in_language(sentence, found)


# Sentences in the scripts of the pages: what `make messages` finds there, and the scripts in another language
#
# A script says a sentence with `say`, `sayCount` or `sayParts` of `web/static/say.js`, whose templates are literals.
# A browser gets the scripts with the templates of its language in place of the English ones: no page loads a
# catalogue.


_LITERAL: Final = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`"""
_CALL: Final = re.compile(
    rf"(?<![\w$])(?:(?<=\.\.\.)|(?<!\.))(?:(?P<say>say|sayParts)\((?P<gap>\s*)(?P<text>{_LITERAL})"
    rf"|sayCount\((?P<before>\s*)(?P<one>{_LITERAL})(?P<between>\s*,\s*)(?P<many>{_LITERAL}))"
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_COUNTS: Final = range(201)
"""Whole numbers among which each language has one of every plural form that whole numbers take."""

Found = tuple[int, str | None, str | tuple[str, ...], list[str]]
"""What Babel wants of a message: its line, the function if there is one, the message or the messages, and comments."""


def extract_sentences(file: BinaryIO, *_asked: object, **_options: object) -> Iterator[Found]:
    """Yield the templates of a script, as those of `say` and `say_count` in Python. Raises ValueError for no UTF-8."""
    script = file.read().decode()
    for call in _CALL.finditer(script):
        line = script.count("\n", 0, call.start()) + 1
        if call["say"]:
            yield line, "say", _text(call["text"]), []
        else:
            yield line, "say_count", (_text(call["one"]), _text(call["many"])), []


def script_in_language(script: str, translations: Translations, language: str) -> str:
    """Return a script with the templates of a language in its calls; every line keeps its number."""

    def translated(call: re.Match[str]) -> str:
        if call["say"]:
            return f"{call['say']}({call['gap']}{_literal(translations.gettext(_text(call['text'])))}"
        forms = _plural_forms(_text(call["one"]), _text(call["many"]), translations, language)
        return f"sayCount({call['before']}{_literal(forms)}{call['between']}''"

    return _CALL.sub(translated, script)


def _plural_forms(one: str, many: str, translations: Translations, language: str) -> dict[str, str]:
    """Return the template for each plural form by the name that CLDR, and so the browser, has for it."""
    form_of = Locale.parse(language).plural_form
    found = {"other": translations.ngettext(one, many, 0)}
    seen = set[str]()
    for count in _COUNTS:
        name = form_of(count)
        if name not in seen:
            seen.add(name)
            found[name] = translations.ngettext(one, many, count)
    return found


def _text(literal: str) -> str:
    """Return what a literal of JavaScript says."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _unescaped(found[2]), literal[1:-1])


def _unescaped(letter: str) -> str:
    return {"n": "\n", "\n": ""}.get(letter, letter)


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


UNKNOWN_LINE = 1
"""TOML as it is read here does not say on which line a value stands."""


def extract_titles(file: BinaryIO, *_asked: object, **_options: object) -> Iterator[Found]:
    """Yield the value of every `title` in a TOML file, whatever Babel asks for. Raises ValueError for other text."""
    yield from ((UNKNOWN_LINE, None, title, []) for title in _titles(tomllib.load(file)))


def _titles(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "title" and isinstance(each, str):
                yield each
            yield from _titles(each)
    elif isinstance(value, list):
        for each in value:
            yield from _titles(each)
