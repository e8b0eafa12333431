"""The titles in the data files of games, for `make messages`: pyproject.toml names the files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import BinaryIO

UNKNOWN_LINE = 1
"""TOML as it is read here does not say on which line a value stands."""

Found = tuple[int, None, str, list[str]]
"""What Babel wants of a message: its line, the function around it, the message, and comments."""


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
