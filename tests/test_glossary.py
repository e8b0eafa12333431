"""One word has one meaning: docs/glossary.md is held against the names in the code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
ROOMS = ("referee", "vision", "models", "hardware", "web", "vander")
CLASSES = re.compile(r"^ *class (\w+)[(:]", re.MULTILINE)
FUNCTIONS = re.compile(r"^ *def ([a-zA-Z]\w*)\(", re.MULTILINE)
GLOSSARY = (HOUSE / "docs/glossary.md").read_text("utf-8")
PARTS_OF_A_GAME = {"state", "verbs", "scoring", "boards", "odds"}
"""Every game's folder has the same parts: there the name of the folder tells them apart."""


def section(title: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its head."""
    text = re.split(r"^## ", GLOSSARY, flags=re.MULTILINE)
    found = next(part for part in text if part.startswith(title))
    rows = [line for line in found.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


@cache
def sources() -> tuple[Path, ...]:
    return tuple(sorted(path for room in ROOMS for path in (HOUSE / room).rglob("*.py")))


def named(definitions: re.Pattern[str], paths: Iterable[Path]) -> tuple[tuple[str, Path], ...]:
    """Return the names that files define, with their files."""
    return tuple((name, path) for path in paths for name in definitions.findall(path.read_text("utf-8")))


@cache
def classes() -> tuple[tuple[str, Path], ...]:
    return named(CLASSES, sources())


@cache
def all_names() -> tuple[tuple[str, Path], ...]:
    """Return the public names of the product, and the classes and helper modules of tests and pages."""
    tests, scripts = (
        sorted((HOUSE / folder).rglob(f"*.{end}")) for folder, end in (("tests", "py"), ("web/static", "js"))
    )
    helpers = [path for path in tests if not path.stem.startswith(("test_", "__"))]
    files = [(path.stem, path) for path in (*helpers, *(path for path in scripts if "vendor" not in path.parts))]
    return (*classes(), *modules(), *named(FUNCTIONS, sources()), *named(CLASSES, tests), *files)


def modules() -> list[tuple[str, Path]]:
    return [(path.stem, path) for path in sources() if not path.stem.startswith("__")]


@cache
def words_of(name: str) -> set[str]:
    """Split `HealthMonitor` or `health_monitor` into its words, in lower case and in the singular."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return {word.lower().removesuffix("s") if len(word) > 3 else word.lower() for word in words}


def is_part_of_a_game(path: Path) -> bool:
    return path.stem in PARTS_OF_A_GAME and path.parents[1] == HOUSE / "referee/games"


def test_a_modules_name_is_used_once() -> None:
    paths = defaultdict(list)
    for name, path in modules():
        if not is_part_of_a_game(path):
            paths[name].append(str(path.relative_to(HOUSE)))
    assert {name: found for name, found in paths.items() if len(found) > 1} == {}


def test_a_classs_name_is_used_once() -> None:
    paths = defaultdict(list)
    for name, path in classes():
        paths[name].append(str(path.relative_to(HOUSE)))
    assert {name: found for name, found in paths.items() if len(found) > 1} == {}


@pytest.mark.parametrize("row", section("The table's words"), ids=lambda row: row[0])
def test_a_word_of_the_table_names_nothing_else(row: list[str]) -> None:
    word, _, rooms = row
    allowed = [HOUSE / room.strip() for room in rooms.split(",")]
    assert all(room.is_dir() for room in allowed), rooms
    users = [(name, path) for name, path in (*classes(), *modules()) if set(word.split()) <= words_of(name)]
    strangers = [(name, path) for name, path in users if not any(room in path.parents for room in allowed)]
    assert [f"{name} in {path.relative_to(HOUSE)}" for name, path in strangers] == []


@pytest.mark.parametrize("row", section("Words that name no code"), ids=lambda row: row[0])
def test_a_word_that_was_given_up_does_not_come_back(row: list[str]) -> None:
    given_up, instead = {word.strip() for word in row[0].split(",")}, row[1]
    found = [f"{name} in {path.relative_to(HOUSE)}" for name, path in all_names() if words_of(name) & given_up]
    assert found == [], f"say {instead}"


def test_every_word_is_explained_once() -> None:
    words = [row[0] for title in ("The table's words", "The trade's words") for row in section(title)]
    assert len(words) == len(set(words))
    assert all(row[1] for title in ("The table's words", "The trade's words") for row in section(title))


def test_the_words_of_each_table_are_in_order() -> None:
    for title in ("The table's words", "The trade's words", "Words that name no code"):
        words = [row[0] for row in section(title)]
        assert words == sorted(words)
