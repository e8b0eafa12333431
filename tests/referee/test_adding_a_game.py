"""The game in docs/adding-a-game.md is a whole one: it is taken out of the page and played."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from models.die_sets import parse
from referee.actions import Action
from referee.board import BoardPart, DicePlace, Tally, Token, Track
from referee.dice import DieSet, Seen, SeenDie, Zone
from referee.game import Game, begin
from referee.judge import judge
from referee.umpire import explain

PAGE = (Path(__file__).parent.parent.parent / "docs/adding-a-game.md").read_text("utf-8")


def block(language: str, holding: str) -> str:
    """The page's block of code in that language which holds these words."""
    return next(code for code in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if holding in code)


@pytest.fixture
def highest() -> Iterator[Game]:
    module = ModuleType("highest_of_the_page")
    sys.modules[module.__name__] = module
    exec(compile(block("python", "GAME"), "docs/adding-a-game.md", "exec"), vars(module))  # noqa: S102 -- our own page
    yield vars(module)["GAME"]
    del sys.modules[module.__name__]


@pytest.fixture
def two_dice() -> DieSet:
    return parse(tomllib.loads(block("toml", "two-dice")))


def test_the_game_of_the_page_is_played_to_its_end(highest: Game, two_dice: DieSet) -> None:
    state = begin(highest, ["Ann", "Bob", "Cy"], two_dice)
    for text in ("1 roll d6:pip-3 d6:pip-4", "2 roll d6:pip-6 d6:pip-6", "3 roll d6:pip-6 d6:pip-6"):
        assert highest.legal(state) == (Action(state.to_act[0], "roll", state.dice_awaited),)
        ruling = judge(highest, state, Action.parse(text))
        assert not ruling.refusal
        assert all(f"`**{call.rule}**`" in PAGE for call in ruling.calls)
        state = ruling.state
    assert (state.scores, state.winner, state.to_act) == ((7, 12, 12), (2, 3), ())
    assert highest.tell(state) == "Bob and Cy share the win with 12."
    assert highest.rules == set(re.findall(r"`\*\*(H\.[0-9-]+)\*\*`", PAGE.partition("## A whole game")[2]))


def test_the_game_of_the_page_refuses_with_a_rule(highest: Game, two_dice: DieSet) -> None:
    state = begin(highest, ["Ann", "Bob"], two_dice)
    for text in ("1 roll d6:pip-3", "1 sing", "2 roll d6:pip-3 d6:pip-4"):
        refusal = judge(highest, state, Action.parse(text)).refusal
        assert refusal
        assert f"`**{refusal.rule}**`" in PAGE


def test_the_umpire_sees_the_game_of_the_page(highest: Game, two_dice: DieSet) -> None:
    state = begin(highest, ["Ann", "Bob"], two_dice)
    face = two_dice.kinds[0].faces[2]
    dice = tuple(SeenDie(number, two_dice.kinds[0].name, ((face, 1.0),), Zone.FIELD, 1) for number in (1, 2))
    assert explain(highest, state, Seen(), Seen(dice, 1)).ways == ((Action.parse("1 roll d6:pip-3 d6:pip-3"),),)
    one = explain(highest, state, Seen(), Seen(dice[:1], 1))
    assert not one.ways
    assert one.breach or one.unfinished


def test_every_part_of_a_game_that_the_page_explains_is_there(highest: Game) -> None:
    parts = re.findall(r"^\| `?([a-z]\w*)`?(?:, `(\w+)`)? \| ", PAGE, re.MULTILINE)
    named = {name for pair in parts for name in pair if name}
    assert len(named) > 15
    assert all(hasattr(highest, name) or hasattr(highest.verbs[0], name) for name in named)


def test_the_game_of_the_page_has_a_board_without_describing_one(highest: Game, two_dice: DieSet) -> None:
    state = begin(highest, ["Ann", "Bob"], two_dice)
    (board,) = highest.boards(state)
    assert [part.title for part in board.parts] == ["Ann throws", "Ann", "Bob"]
    assert board.parts[0] == DicePlace("awaited", "Ann throws", state.dice_awaited)
    later = judge(highest, state, Action.parse("1 roll d6:pip-3 d6:pip-4")).state
    assert highest.boards(later)[0].parts[1] == Tally("points-1", "Ann", 7, of=7)


def test_the_board_of_the_page_is_one(highest: Game, two_dice: DieSet) -> None:
    names = vars(sys.modules["highest_of_the_page"])
    exec(compile(block("python", "def boards"), "docs/adding-a-game.md", "exec"), names)  # noqa: S102 -- our own page
    state = begin(replace(highest, boards=names["boards"]), ["Ann", "Bob"], two_dice)
    (board,) = names["boards"](state)
    assert board.parts == (Track("road", "Highest sum", 12, (Token(1, 0), Token(2, 0))),)


def test_every_value_of_a_board_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"^\| `([A-Z]\w+)` \| ", PAGE, re.MULTILINE))
    assert named == {kind.__name__ for kind in get_args(BoardPart)}
