"""What the caller says in a language: one file of phrases, words for rules, and numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PHRASES = Path(__file__).parent / "phrases"
TO_99, HUNDREDS, THOUSANDS = 100, 9, 20
"""How many words a language has for 0 to 99, for 100 to 900 and for 1000 to 20000."""

MOST_SAID = ("your-turn", "your-score", *map(str, (*range(1, 20), *range(20, 100, 10))), "hundred", "thousand")
"""What a family records first: `tests/bench/clip_use.py` counts how often each recording is said in whole games."""


class BadPhrases(ValueError):
    """A language's file that is not there, or does not hold what the caller needs; the message names the place."""


@dataclass(frozen=True)
class SpokenPhrases:
    """All that is said in a language. `language` is its code, such as `de`; `title` its own name, such as `Deutsch`.

    `clips` maps a clip's key to its text: a phrase (`bust`), a rule (`rule:T.2-5`), a number at the end of what is said
    (`24`), or one that goes on (`2000+`), whose text ends with a comma so that the voice does not fall.
    `recorded` is what a family records in place of all clips, what is said most first: a clip or a part of numbers
    (`hundred`), with its text. `spelled` are the recordings of which a number's clip is put together, in order.
    """

    language: str
    title: str
    clips: Mapping[str, str]
    recorded: Mapping[str, str]
    spelled: Mapping[str, tuple[str, ...]]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have phrases, in order."""
    return tuple(sorted(path.stem for path in PHRASES.glob("*.toml")))


def load_phrases(language: str) -> SpokenPhrases:
    """Return what is said in a language. Raises BadPhrases."""
    path = PHRASES / f"{language}.toml"
    if language not in languages():
        raise BadPhrases(f"there are no phrases for {language!r}; write {path.name}, or use {', '.join(languages())}")
    try:
        return read_phrases(path.read_text("utf-8"))
    except (BadPhrases, tomllib.TOMLDecodeError) as error:
        raise BadPhrases(f"{path.name}: {error}") from error


def read_phrases(text: str) -> SpokenPhrases:
    """Read the text of a language's file. Raises BadPhrases, or TOMLDecodeError for what is no TOML."""
    table = tomllib.loads(text)
    numbers = _part(table, "numbers", dict)
    clips = {
        **_texts(_part(table, "phrases", dict), "phrases"),
        **{f"rule:{rule}": said for rule, said in _texts(_part(table, "rules", dict), "rules").items()},
        **{str(value): said for value, said in enumerate(_row(numbers, "to_99", TO_99))},
        **_steps(_row(numbers, "hundreds", HUNDREDS), 100),
        **_steps(_row(numbers, "thousands", THOUSANDS), 1000),
    }
    recording = _part(table, "recorded", dict)
    recorded = _recorded(recording, clips)
    return SpokenPhrases(
        _part(table, "language", str), _part(table, "title", str), clips, recorded, _spelled(recording, recorded, clips)
    )


def _recorded(recording: Mapping[str, Any], clips: Mapping[str, str]) -> dict[str, str]:
    """Return what a family records: all that is no number, whole numbers, and the parts of others."""
    sentences = {key: said for key, said in clips.items() if not key.rstrip("+").isdigit()}
    whole = {str(value): clips[str(value)] for value in _part(recording, "whole", list) if str(value) in clips}
    found = sentences | whole | _texts(_part(recording, "parts", dict), "recorded.parts")
    order = {key: place for place, key in enumerate(MOST_SAID)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


def _spelled(
    recording: Mapping[str, Any], recorded: Mapping[str, str], clips: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the recordings of each number. Raises BadPhrases for one that is not recorded."""
    numbers = [key for key in clips if key.rstrip("+").isdigit()]
    spelled = {key: _spelling(recording, int(key.rstrip("+"))) for key in numbers}
    missing = [part for parts in spelled.values() for part in parts if part not in recorded]
    if missing:
        raise BadPhrases(f"numbers are put together of {missing[0]!r}, which is not in 'recorded'")
    return spelled


def _spelling(recording: Mapping[str, Any], value: int) -> tuple[str, ...]:
    if value in recording["whole"]:
        return (str(value),)
    exceptions: Mapping[str, str] = recording.get("exceptions", {})
    size, name = (1, "to_99") if value < 100 else (100, "hundreds") if value < 1000 else (1000, "thousands")
    pattern = exceptions.get(str(value)) or str(_part(recording, name, str))
    filled = pattern.format(ones=value % 10, tens=value - value % 10, place=value // size)
    return tuple(filled.split())


def _steps(words: list[str], size: int) -> dict[str, str]:
    ending = {str(place * size): said for place, said in enumerate(words, start=1)}
    return ending | {f"{value}+": f"{said}," for value, said in ending.items()}


def _part(table: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401  what TOML holds there
    if not isinstance(table.get(name), kind):
        raise BadPhrases(f"{name!r} is missing, or is no {kind.__name__}")
    return table[name]


def _texts(table: Mapping[str, Any], where: str) -> dict[str, str]:
    empty = [key for key, said in table.items() if not isinstance(said, str) or not said.strip()]
    if empty:
        raise BadPhrases(f"nothing is said for {empty[0]!r} in {where}")
    return dict(table)


def _row(numbers: Mapping[str, Any], name: str, length: int) -> list[str]:
    words: list[str] = _part(numbers, name, list)
    if len(words) != length or not all(isinstance(word, str) and word.strip() for word in words):
        raise BadPhrases(f"{name!r} has to hold {length} words")
    return words
