"""The titles in the files of the die sets that ship, for `make messages`: pyproject.toml names the files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import BinaryIO

from models.die_sets import parse
from referee.dice import DieSet, counted_templates, without_die

UNKNOWN_LINE = 1
"""TOML as it is read here does not say on which line a value stands."""

Found = tuple[int, str, str | tuple[str, str], list[str]]
"""What Babel wants of a message: its line, the function around it, the message or its two forms, and comments."""


def extract_titles(file: BinaryIO, *_asked: object, **_options: object) -> Iterator[Found]:
    """Yield the titles of a die set, its kinds and its faces, and the words that count a kind's dice."""
    dice = parse(tomllib.load(file))
    yield from ((UNKNOWN_LINE, "say", title, []) for title in _titles(dice) if any(map(str.isalpha, title)))
    kinds = (without_die(kind.title) for kind in dice.kinds)
    yield from ((UNKNOWN_LINE, "say_count", counted_templates(kind), []) for kind in kinds if kind)


def _titles(dice: DieSet) -> Iterator[str]:
    yield dice.title
    for kind in dice.kinds:
        yield kind.title
        yield from (side.title for side in kind.sides)
