"""The odds: found in the folder of a game, and figures that a table can show in every game that has them."""

from __future__ import annotations

from math import isfinite

import pytest
from any_game import QUIET, dice_of, played_at_random
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.chances import Chance, has_odds, odds
from referee.game import Game, begin
from referee.games import games, named
from referee.games.toss_up import TossUpState
from referee.games.toss_up.odds import chances


def test_a_game_s_odds_are_found_in_its_folder() -> None:
    game = named("toss-up")
    state = begin(game, ("Ann", "Bob"), dice_of(game))
    assert isinstance(state, TossUpState)
    assert odds(state) == chances(state) != ()
    assert has_odds(game)


def test_a_game_without_a_module_for_them_has_no_odds() -> None:
    game = named("dice")
    assert odds(begin(game, ("Ann", "Bob"), dice_of(game))) == ()
    assert not has_odds(game)


def test_nothing_is_advised_unless_said() -> None:
    assert Chance("Roll 3 dice: a red light", 0.5, "chance") == Chance("Roll 3 dice: a red light", 0.5, "chance", False)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
@settings(QUIET, max_examples=8)
@given(st.data())
def test_every_figure_can_be_shown(game: Game, data: st.DataObject) -> None:
    state = data.draw(played_at_random(game, most=12)).end
    figures = odds(state)
    assert len({figure.what for figure in figures}) == len(figures)
    assert sum(figure.advised for figure in figures) <= 1
    for figure in figures:
        assert figure.what.strip() == figure.what != ""
        assert isfinite(figure.value)
        assert figure.value >= 0
        assert figure.value <= 1 or figure.unit != "chance"
        assert figure.unit in ("chance", "points", "turns", "cards")
