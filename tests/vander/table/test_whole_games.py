"""Games on the virtual tray with the shipped models: nothing goes wrong without a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from whole_games import seat_player

from referee.games import games
from vander.resources.models_and_stores import LoadedModels

THROWS = 2
SEED = 4
GOLDEN = Path(__file__).parents[2] / "referee/golden/intersection-solo.txt"
NEARLY = "scores: 4900\n"
SOLO_SEED = 8
"""Five throws to the end, of the signal too, of which one is made again."""


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.name for game in games()])
def test_what_is_ruled_on_is_what_was_thrown(game: str, models: LoadedModels, tmp_path: Path) -> None:
    player = seat_player(tmp_path, game, SEED, models=models)
    try:
        account = player.play(THROWS)
    finally:
        player.simulated.close()
    assert account.throws >= THROWS
    assert account.faults == [], account.told()


@pytest.mark.slow
def test_a_solo_game_is_played_to_its_end_with_no_tap_but_the_decisions(models: LoadedModels, tmp_path: Path) -> None:
    lines = GOLDEN.read_text("utf-8").partition(NEARLY)[0].splitlines()
    player = seat_player(tmp_path, "intersection", SOLO_SEED, players=1, models=models)
    try:
        player.go_on_after([line for line in lines if line.startswith("1 ")])
        account = player.play_out()
    finally:
        player.simulated.close()
    assert (player.true.winner, account.faults) == ((1,), []), account.told()
    assert account.throws > 1
