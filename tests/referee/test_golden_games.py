"""Whole games, written by reasoning from the rules: every action legal, every score as written."""

from pathlib import Path

import pytest
from at_the_table import golden_games, play_record

from referee.games import games
from referee.record_parser import Claim, parse_record


def test_every_game_has_a_golden_game() -> None:
    played = {parse_record(path.read_text("utf-8")).game for path in golden_games()}
    assert {game.name for game in games()} <= played


@pytest.mark.parametrize("path", list(golden_games()), ids=lambda path: path.stem)
def test_a_golden_game_comes_out_as_written(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    state = play_record(record)
    assert len(record.entries) > 10
    if state.winner:
        assert record.lines[-1] == Claim("winner", state.winner)
