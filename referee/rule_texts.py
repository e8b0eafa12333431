"""The rules' own texts, read from the pages in referee/rules: what a rule number says, for people at the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

# The rules' own texts, read from the pages in referee/rules: what a rule number says, for people at the table
#
# A page is Markdown in a small form: a title, chapters, paragraphs, lists and tables. A paragraph or an item that
# begins with a number in bold is that rule; a row of the table of options bears its number in the last cell.


_PAGES: Final = files("referee").joinpath("rules")
_AGREEMENTS: Final = "agreements"
_NUMBER: Final = r"[A-Z]\.[0-9]+(?:-[0-9]+)?|AMB-[A-Z]-[0-9]+"
_NUMBERED: Final = re.compile(rf"\*\*({_NUMBER})\*\* (.*)")
_LINK: Final = re.compile(r"\[([^]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class RuleText:
    """A rule with its number, a paragraph (number '') or a table (`rows`, the first of which are its headings)."""

    number: str = ""
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class RuleChapter:
    """Rules under one heading, in the page's order."""

    title: str
    texts: tuple[RuleText, ...]


@dataclass(frozen=True)
class RulePage:
    """All rules that a game's rulings may cite; those of agreements come last."""

    title: str
    chapters: tuple[RuleChapter, ...]

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(text.number for chapter in self.chapters for text in chapter.texts if text.number)


@cache
def rule_page(name: str, language: str = "") -> RulePage | None:
    """Return the page of the game of that name, with the agreements of all games; None where it has no page.

    It is in the language of that code, and in English where no page of the game is written in that language.
    """
    folder = _PAGES.joinpath(language) if language else _PAGES
    if language and not folder.joinpath(f"{name}.md").is_file():
        return rule_page(name)
    page = folder.joinpath(f"{name}.md")
    if not re.fullmatch(r"[a-z0-9-]+", name) or name == _AGREEMENTS or not page.is_file():
        return None
    own = read_rule_page(page.read_text("utf-8"))
    agreed = read_rule_page(folder.joinpath(f"{_AGREEMENTS}.md").read_text("utf-8"))
    texts = tuple(text for chapter in agreed.chapters for text in chapter.texts)
    return RulePage(own.title, (*own.chapters, RuleChapter(agreed.title, texts)))


def read_rule_page(text: str) -> RulePage:
    title, *chapters = re.split(r"^#{1,2} ", text, flags=re.MULTILINE)[1:]
    heading, _, opening = title.partition("\n")
    return RulePage(heading.strip(), (_chapter("", opening), *(_chapter(*_head(body)) for body in chapters)))


def _head(body: str) -> tuple[str, str]:
    title, _, rest = body.partition("\n")
    return title.strip(), rest


def _chapter(title: str, body: str) -> RuleChapter:
    blocks = (block for block in re.split(r"\n\s*\n|\n(?=- )", body.strip()) if block.strip())
    return RuleChapter(title, tuple(text for block in blocks for text in _texts(block)))


def _texts(block: str) -> Iterator[RuleText]:
    for is_table, grouped in groupby(block.splitlines(), key=lambda line: line.startswith("|")):
        lines = [line.strip() for line in grouped]
        yield from _table(lines) if is_table else [_paragraph(" ".join(lines))]


def _paragraph(text: str) -> RuleText:
    words = text.removeprefix("- ")
    found = _NUMBERED.fullmatch(words)
    return RuleText(found[1], _plain(found[2])) if found else RuleText(text=_plain(words))


def _table(lines: list[str]) -> Iterator[RuleText]:
    heads, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    if heads[0] == "option":
        yield from map(_option, rows)
    else:
        yield RuleText(rows=tuple(tuple(map(_plain, row)) for row in [heads, *rows]))


def _option(cells: list[str]) -> RuleText:
    """Return an option as a rule: what is usual, and how else a table may play."""
    _, usual, other, number = cells
    by_house = f" By a house rule: {_reading(other)}." if other else ""
    return RuleText(number.strip("*"), f"Usual: {_reading(usual)}.{by_house}")


def _reading(cell: str) -> str:
    """Return the readings of a cell without their names: `any`: a happy face ..."""
    return _plain(re.sub(r"`[^`]+`: ", "", cell))


def _plain(text: str) -> str:
    return re.sub(r"[*`]", "", _LINK.sub(r"\1", text)).strip()


# The numbers of a game's rules, as its page in referee/rules has them


def numbered(letter: str, rules: int, ambiguities: int) -> frozenset[str]:
    """Return `I.1` for the dice, `I.2-1` to `I.2-23` for the rules, `AMB-I-1` to `AMB-I-18` for what is left open."""
    play = (f"{letter}.2-{number}" for number in range(1, rules + 1))
    left_open = (f"AMB-{letter}-{number}" for number in range(1, ambiguities + 1))
    return frozenset((f"{letter}.1", *play, *left_open))
