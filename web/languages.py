"""The languages of the pages, and which of them a tablet has chosen.

The translations of a language are a file of gettext (`web/locales/de.po`); `make messages` brings it up to date with
the sentences in the code. English needs none: its sentences are the code's own.
"""

from __future__ import annotations

from functools import cache, lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask, request
from jinja2.ext import InternationalizationExtension

from referee.recalled_sentences import RecalledSentences
from referee.sentences import Translations, in_language

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
    """Return each language's own name by its code."""
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
