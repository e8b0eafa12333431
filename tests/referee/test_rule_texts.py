"""The rules' texts: what a number says, as it is read from the page of a game."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from referee.game import Game
from referee.games import games
from referee.rule_texts import RulePage, RuleText, read_rule_page, rule_page

PAGE = """# Highest: the rules

Each ruling cites a number, and [agreements](agreements.md) have theirs.

## The dice

**H.1** Two `ordinary` dice.
They are alike:

| face | worth |
| --- | --- |
| six | 6 |

## The game

- **H.2-1** Each player rolls
  both dice once.
- **H.2-2** The highest sum wins.

| option | first reading, the default | other reading | number |
| --- | --- | --- | --- |
| `tie` | `shared`: they share the win | `again`: they roll again | **AMB-H-1** |
| `dice` | `own`: those of the box | | **AMB-H-2** |
"""


def texts(page: RulePage) -> list[RuleText]:
    return [text for chapter in page.chapters for text in chapter.texts]


def test_a_page_is_read_into_chapters_rules_paragraphs_and_tables() -> None:
    page = read_rule_page(PAGE)
    assert (page.title, [chapter.title for chapter in page.chapters]) == (
        "Highest: the rules",
        ["", "The dice", "The game"],
    )
    assert texts(page) == [
        RuleText("", "Each ruling cites a number, and agreements have theirs."),
        RuleText("H.1", "Two ordinary dice. They are alike:"),
        RuleText(rows=(("face", "worth"), ("six", "6"))),
        RuleText("H.2-1", "Each player rolls both dice once."),
        RuleText("H.2-2", "The highest sum wins."),
        RuleText("AMB-H-1", "Usual: they share the win. By a house rule: they roll again."),
        RuleText("AMB-H-2", "Usual: those of the box."),
    ]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_each_rule_of_a_game_has_a_text_without_marks(game: Game) -> None:
    page = rule_page(game.name)
    assert page
    assert game.rules < page.numbers
    for text in texts(page):
        assert text.text or text.rows
        assert not {"*", "`", "|", "]("} & set(text.text)
        assert len(text.text) > 10 or not text.number


def test_a_game_without_a_page_has_no_rules_and_no_path_leads_out_of_the_folder() -> None:
    assert rule_page("chess") is None
    assert rule_page("agreements") is None
    assert rule_page("../rules/dice") is None


RULES = files("referee").joinpath("rules")


def written(folder: str = "") -> set[str]:
    return {page.name.removesuffix(".md") for page in RULES.joinpath(folder).iterdir() if page.name.endswith(".md")}


def test_all_rules_are_written_in_german() -> None:
    assert written("de") == written()


@pytest.mark.parametrize("name", sorted(written() - {"agreements"}))
def test_a_german_page_has_the_same_rules_in_the_same_order(name: str) -> None:
    english, german = rule_page(name), rule_page(name, "de")
    assert english
    assert german
    assert english.title != german.title
    assert [text.number for text in texts(german) if text.number] == [
        text.number for text in texts(english) if text.number
    ]


def test_a_page_that_is_not_in_a_language_is_in_english() -> None:
    assert rule_page("toss-up", "en") == rule_page("toss-up")


@pytest.mark.parametrize("name", sorted(written()))
def test_a_german_table_has_the_same_figures(name: str) -> None:
    def figures(folder: str) -> list[list[list[str]]]:
        page = read_rule_page(RULES.joinpath(folder, f"{name}.md").read_text("utf-8"))
        return [[re.findall("[0-9]+", cell) for cell in row] for text in texts(page) for row in text.rows]

    assert figures("de") == figures("")
