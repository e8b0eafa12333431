"""Whole games, written by reasoning from the rules: every action legal, every score as written."""

from pathlib import Path

import pytest
from at_the_table import golden_games, heading, play_record

from referee.games import games


def test_every_game_has_a_golden_game() -> None:
    played = {heading(path.read_text("utf-8"), "game") for path in golden_games()}
    assert {game.name for game in games()} <= played


@pytest.mark.parametrize("path", list(golden_games()), ids=lambda path: path.stem)
def test_a_golden_game_comes_out_as_written(path: Path) -> None:
    text = path.read_text("utf-8")
    state, count = play_record(text)
    assert count > 10
    assert ", ".join(map(str, state.winner)) == heading(text, "winner")
