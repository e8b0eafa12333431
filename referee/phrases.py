"""Small words that several games share: dice and seats in a sentence, and who comes after whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeVar

from referee.dice import Die
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


def spell(dice: Iterable[Die]) -> str:
    """Return what dice show, in words: `happy, 2 x star and go`; dice without a known face are left out."""
    faces = Counter(die.face for die in dice if die.face)
    words = {face: FACE_WORDS.get(face, face) for face in faces}
    return spell_list([times(count, words[face]) for face, count in faces.items()], "and")


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
    if isinstance(message, Exception) and len(message.args) == 1 and isinstance(message.args[0], str):
        return as_whole(message.args[0])
    return as_whole(str(message) if isinstance(message, Exception) else message)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 turn`, `3 turns`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def points(count: int) -> Sentence:
    """Return a number of points in words: `1 point`, `3 points`."""
    return say_count("{count} point", "{count} points", count)


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(count: int) -> str:
    """Return a small number as a word, a larger one in digits."""
    return NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)


def within_sentence(title: str) -> str:
    """Return a title as it stands within a sentence: `Sad` as `sad`, but `VIP` and `G` as they are."""
    is_word = title[1:2].islower()
    return title[:1].lower() + title[1:] if is_word else title


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
