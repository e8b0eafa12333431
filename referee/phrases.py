"""Small words that several games share: dice and seats in a sentence, and who comes after whom.

A journal keeps sentences in English, so that it stays readable and means the same in every language. A text that no
template fits, such as one of an earlier version, stays English.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Final, Literal, TypeVar

from referee.dice import Die, FaceName
from referee.sentences import Form, Sentence, as_whole, message_of, say, say_count

T = TypeVar("T")

FACE_WORDS: Final[Mapping[str, str]] = {
    "happy": say("happy"),
    "star": say("star"),
    "sad": say("sad"),
    "two": say("two"),
    "three": say("three"),
    "four": say("four"),
    "go": say("go"),
    "slow": say("slow"),
    "stop": say("stop"),
    "green": say("green"),
    "yellow": say("yellow"),
    "red": say("red"),
    "zap": say("zap"),
    "green-switch": say("green-switch"),
    "red-switch": say("red-switch"),
    "block": say("block"),
    "blank": say("blank"),
}
"""The faces of the games' own dice within a sentence; those of dice that people made go by their names."""
ONE_NUMBER: Final[Mapping[str, str]] = {"two": say("a two"), "three": say("a three"), "four": say("a four")}
"""Faces that alone would read as a count: `Ann parks four` is one die."""


def spell(dice: Iterable[Die]) -> str:
    """Return what dice show, in words: `happy, 2 x star and a two`; dice without a known face are left out."""
    faces = Counter(die.face for die in dice if die.face)
    return spell_list([_so_many(count, face) for face, count in faces.items()], "and")


def _so_many(count: int, face: FaceName) -> str:
    word = FACE_WORDS.get(face, face)
    return times(count, word) if count > 1 else ONE_NUMBER.get(face, word)


def times(count: int, word: str) -> str:
    """Return a word with how often it is there: `star` once, `2 x star` twice."""
    return word if count == 1 else say("{count} x {word}", count=count, word=word)


def spell_list(words: Sequence[str], last: Literal["and", "or"]) -> str:
    """Return words in a row, with `last` (and, or) before the last one: `Ann, Bob and Cy`."""
    if len(words) < 2:
        return words[0] if words else ""
    first, *rest = words
    if len(rest) > 1:
        return say("{first}, {rest}", first=first, rest=spell_list(rest, last))
    if last == "and":
        return say("{first} and {last}", first=first, last=rest[0])
    return say("{first} or {last}", first=first, last=rest[0])


def as_sentence(message: Exception | str) -> str:
    """Return an error's message, or a doubt, with a capital letter at its beginning and one full stop at its end."""
    return as_whole(message_of(message) if isinstance(message, Exception) else message)


NOUNS = {"box": "boxes", "die": "dice", "entry": "entries"}
"""Nouns that take more than an s."""


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, in English for a terminal: `1 turn`, `3 turns`, `3 dice`."""
    return f"{count} {noun if count == 1 else NOUNS.get(noun, f'{noun}s')}"


def points(count: int) -> Sentence:
    """Return a number of points in words: `1 point`, `3 points`."""
    return say_count("{count} point", "{count} points", count)


def in_a_row(*sentences: str) -> str:
    """Return whole sentences one after another; those that are '' are left out."""
    first, *rest = [each for each in sentences if each] or [""]
    return say("{first} {then}", first=first, then=in_a_row(*rest)) if rest else first


def join_each(words: Sequence[str], joined: Callable[[str, str], str]) -> str:
    """Return words as one text, in which `joined` puts each to what stands before it; '' for none."""
    return reduce(joined, words) if words else ""


def decimal(value: float, digits: int) -> str:
    """Return a number with so many digits after the point, which other languages write as a comma."""
    whole, _, part = f"{value:.{digits}f}".partition(".")
    return say("{whole}.{part}", whole=whole, part=part) if part else whole


def clockwise(count: int, seat: int) -> tuple[int, ...]:
    """Return the other seats of a table of `count`, in turn order after `seat`."""
    return (*range(seat + 1, count + 1), *range(1, seat))


def without_lot(
    contenders: tuple[int, ...], lots: tuple[int, ...], seat: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the contenders without a seat, and their lots so far without its own."""
    place = contenders.index(seat)
    return contenders[:place] + contenders[place + 1 :], lots[:place] + lots[place + 1 :]


def with_set(values: tuple[T, ...], seat: int, new: T) -> tuple[T, ...]:
    """Return one value for each seat, with that of `seat` replaced."""
    return (*values[: seat - 1], new, *values[seat:])


SEAT_NAME: Final = r"^Player [0-9]+\**$"
"""The regular expression, for a database too, of what only numbers a seat."""
_NUMBERED: Final = re.compile(r"Player (?P<place>\d+\**)")


def seat_name(place: int | str) -> Sentence:
    """Return what a seat is called by its number: `Player 2`, which is what journals and exports hold."""
    return say("Player {place}", place=place)


def is_seat_name(name: str) -> bool:
    """True for what only numbers a seat."""
    return _NUMBERED.fullmatch(name) is not None


def shown_name(name: str) -> str:
    """Return a name as it is shown: one that only numbers its seat can be said in another language."""
    found = _NUMBERED.fullmatch(name)
    return seat_name(found["place"]) if found else name


def kept_name(name: str, template: str) -> str:
    """Return a name as it is kept: one that only numbers its seat, by the template of some language, in English."""
    before, _, after = template.partition("{place}")
    found = re.fullmatch(rf"{re.escape(before)}(\d+){re.escape(after)}", name.strip())
    return str(seat_name(found[1])) if found else name


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
