"""Sentences that can be said in another language: an English text that still knows its template and what fills it.

`say("{player} rolls {count} dice.", player=name, count=3)` is a `str` in English, so that whoever needs English alone
sees a plain text. `in_language` says it again with the template of another language. Templates are literals in the call
so that `make messages` finds them; whatever is put together by other means (an f-string, `+`) stays English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, Self


class Translations(Protocol):
    """The templates of one language: what `gettext.NullTranslations` offers."""

    def gettext(self, message: str, /) -> str:
        """Return the template in this language, the English one where there is none."""

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the template for this count, by the language's own rule of plurals."""


class Sentence(str):
    """An English text with the template that it was made of, and the values in it, which may be sentences too.

    `many` is the English template for counts other than one, '' where nothing is counted. `is_whole` is true for a
    text that begins with a capital letter and ends with one full stop, whatever its template is, and `is_title` for one
    that begins with a capital letter.
    """

    template: str
    many: str
    values: Mapping[str, object]
    is_whole: bool
    is_title: bool

    def __new__(
        cls, template: str, many: str, values: Mapping[str, object], is_whole: bool = False, is_title: bool = False
    ) -> Self:
        """Make the English text. Raises KeyError where a value of the template is missing."""
        chosen = many if many and values["count"] != 1 else template
        made = super().__new__(cls, _begun(_filled(chosen, values, is_whole), is_title))
        made.template, made.many, made.values = template, many, values
        made.is_whole, made.is_title = is_whole, is_title
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Return what a copy is made of, so that sentences travel between processes."""
        return type(self), (self.template, self.many, self.values, self.is_whole, self.is_title)


def say(template: str, /, **values: object) -> Sentence:
    """Return a sentence; `{name}` in the template stands for the value of that name."""
    return Sentence(template, "", values)


def say_count(one: str, many: str, count: int, /, **values: object) -> Sentence:
    """Return a sentence that counts: `one` where `count` is 1, else `many`; `{count}` stands for the number."""
    return Sentence(one, many, {"count": count, **values})


def say_list(words: Sequence[str]) -> str:
    """Return words in a row: `Ann, Bob and Cy`."""
    if len(words) < 2:
        return words[0] if words else ""
    first, *rest = words
    if len(rest) == 1:
        return say("{first} and {last}", first=first, last=rest[0])
    return say("{first}, {rest}", first=first, rest=say_list(rest))


def as_whole(text: str) -> str:
    """Return a text with a capital letter at its beginning and one full stop at its end."""
    if isinstance(text, Sentence):
        return Sentence(text.template, text.many, text.values, is_whole=True)
    return _whole(text)


def as_title(sentence: Sentence) -> Sentence:
    """Return a sentence with a capital letter at its beginning, as a button has it; `as_part` takes that back."""
    return Sentence(sentence.template, sentence.many, sentence.values, is_title=True)


def as_part(text: str) -> str:
    """Return a text as it stands within another: without what `as_title` and `as_whole` put to it."""
    return Sentence(text.template, text.many, text.values) if isinstance(text, Sentence) else text


def in_language(text: str, translations: Translations) -> str:
    """Return a text in the language of the translations; a text that is no Sentence stays as it is."""
    if not isinstance(text, Sentence):
        return text
    values = {name: _value(value, translations) for name, value in text.values.items()}
    count = text.values.get("count")
    if text.many and isinstance(count, int):
        template = translations.ngettext(text.template, text.many, count)
    else:
        template = translations.gettext(text.template)
    return _begun(_filled(template, values, text.is_whole), text.is_title)


def _value(value: object, translations: Translations) -> object:
    return in_language(value, translations) if isinstance(value, str) else value


def _filled(template: str, values: Mapping[str, object], is_whole: bool) -> str:
    said = template.format(**values)
    return _whole(said) if is_whole else said


def _whole(text: str) -> str:
    return _begun(f"{text.rstrip('.')}.", is_title=True)


def _begun(text: str, is_title: bool) -> str:
    return f"{text[:1].upper()}{text[1:]}" if is_title else text
