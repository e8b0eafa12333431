"""Small words that several games share: dice and seats in a sentence, and who comes after whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from referee.dice import Die
from referee.sentences import Sentence, say_count

T = TypeVar("T")


def spell(dice: Iterable[Die]) -> str:
    """Return what dice show, in words: `happy, 2 x star and go`; dice without a known face are left out."""
    faces = Counter(die.face for die in dice if die.face)
    return spell_list([face if count == 1 else f"{count} x {face}" for face, count in faces.items()], "and")


def spell_list(words: Sequence[str], last: str) -> str:
    """Return words in a row, with `last` (and, or) before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def as_sentence(message: Exception | str) -> str:
    """Return an error's message, or a doubt, with a capital letter at its beginning and one full stop at its end."""
    said = str(message).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}."


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
