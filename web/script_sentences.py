"""Sentences in the scripts of the pages: what `make messages` finds there, and the scripts in another language.

A script says a sentence with `say`, `sayCount` or `sayParts` of `web/static/say.js`, whose templates are literals. A
browser gets the scripts with the templates of its language in place of the English ones: no page loads a catalogue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from babel import Locale

from referee.sentences import Translations

_LITERAL: Final = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`"""
_CALL: Final = re.compile(
    rf"(?<![\w$])(?:(?<=\.\.\.)|(?<!\.))(?:(?P<say>say|sayParts)\((?P<gap>\s*)(?P<text>{_LITERAL})"
    rf"|sayCount\((?P<before>\s*)(?P<one>{_LITERAL})(?P<between>\s*,\s*)(?P<many>{_LITERAL}))"
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_COUNTS: Final = range(201)
"""Whole numbers among which each language has one of every plural form that whole numbers take."""

Found = tuple[int, str, str | tuple[str, ...], list[str]]
"""What Babel wants of a message: its line, the function, the message or the messages, and comments."""


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
