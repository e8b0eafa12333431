"""Small words that several games share: dice and seats in a sentence, and who comes after whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Final, Literal, TypeVar

from referee.dice import Die, FaceName
from referee.error_messages import message_of
from referee.sentences import Sentence, as_whole, say, say_count

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


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, in English for a terminal: `1 turn`, `3 turns`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
