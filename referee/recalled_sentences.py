"""What an English text was made of: its template and values, found again for a sentence that was written as a text.

A journal keeps sentences in English, so that it stays readable and means the same in every language. A text that no
template fits, such as one of an earlier version, stays English.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.phrases import in_a_row
from referee.seat_names import shown_name
from referee.sentences import Form, Sentence

LONGEST: Final = 500
"""Characters of a text that is looked at; no sentence for people is as long."""
FEWEST_LETTERS: Final = 3
"""Letters of a template's own by which a whole text is known again."""
DEEPEST: Final = 4
"""Sentences within sentences that are looked for."""
COUNT: Final = "count"
NUMBER: Final = "[0-9]+"
ANYTHING: Final = ".+?"


@dataclass(frozen=True)
class Template:
    """An English template; `one` and `many` are the two of a pair that counts, `many` is '' for a single one."""

    text: str
    one: str
    many: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Match the texts that the template makes."""
        names, parts = set[str](), list[str]()
        for literal, name, _, _ in string.Formatter().parse(self.text):
            parts.append(re.escape(literal))
            if name in names:
                parts.append(f"(?P={name})")
            elif name is not None:
                names.add(name)
                parts.append(f"(?P<{name}>{NUMBER if name == COUNT and self.many else ANYTHING})")
        return re.compile("".join(parts), re.DOTALL)

    @cached_property
    def letters(self) -> int:
        """How many letters the template has of its own."""
        return sum(letter.isalpha() for part, *_ in string.Formatter().parse(self.text) for letter in part)

    def values(self, text: str) -> dict[str, str] | None:
        """Return what fills the template in a text; None where the text is not made of it."""
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        values = found.groupdict()
        is_right = not self.many or (values.get(COUNT) == "1") == (self.text == self.one)
        return values if is_right else None


class RecalledSentences:
    """The templates of all sentences, by which texts are recalled."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Take templates, each with that of its plural, '' for none."""
        found = [Template(text, one, many) for one, many in pairs for text in ((one, many) if many else (one,))]
        plain = [each for each in found if _is_plain(each.text)]
        self._whole = {each.text for each in found if "{" not in each.text}
        self._filled = sorted((each for each in plain if "{" in each.text), key=lambda each: -each.letters)

    def recall(self, text: str, names: frozenset[str] = frozenset()) -> str:
        """Return the Sentence that a text was; the text itself where no template fits. The names in it stay."""
        as_begun = {f"{name[:1].upper()}{name[1:]}" for name in names}
        return text if len(text) > LONGEST else self._find(text, names | as_begun, DEEPEST)

    def _find(self, text: str, names: frozenset[str], depth: int) -> str:
        if text in names:
            return shown_name(text)
        if _is_address(text):
            return text
        for words, form in _forms(text):
            if words in self._whole:
                return Sentence(words, "", {}, form)
        for words, form in _forms(text) if depth else ():
            found = self._filled_by(words, form, names, depth)
            if found is not None and found == text:
                return found
        sentences = re.split(r"(?<=[.?!]) ", text)
        return in_a_row(*(self._find(each, names, depth) for each in sentences)) if len(sentences) > 1 else text

    def _filled_by(self, text: str, form: Form, names: frozenset[str], depth: int) -> Sentence | None:
        fewest = FEWEST_LETTERS if depth == DEEPEST else 0
        for template in self._filled:
            values = template.values(text) if template.letters >= fewest else None
            if values is not None:
                found: dict[str, object] = {name: self._find(each, names, depth - 1) for name, each in values.items()}
                if template.many and COUNT in values:
                    found[COUNT] = int(values[COUNT])
                return Sentence(template.one, template.many, found, form)
        return None


def _is_address(text: str) -> bool:
    """True for an address, whose dots and colons would else be taken for those of a number or of a list."""
    return " " not in text and ("://" in text or text.count(".") > 1)


def _is_plain(template: str) -> bool:
    """True if a template writes its values as they are, and has more than values."""
    parts = list(string.Formatter().parse(template))
    is_as_it_is = not any(spec or conversion for _, _, spec, conversion in parts)
    return is_as_it_is and bool("".join(literal for literal, *_ in parts).strip())


def _forms(text: str) -> Iterator[tuple[str, Form]]:
    """Yield the texts that may have been formed to this one, each with how."""
    small = f"{text[:1].lower()}{text[1:]}"
    yield text, Form.AS_WRITTEN
    yield small, Form.TITLE
    yield f"{text[:1].upper()}{text[1:]}", Form.WITHIN
    if text.endswith("."):
        yield small[:-1], Form.WHOLE
        yield text[:-1], Form.WHOLE
