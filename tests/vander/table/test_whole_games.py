"""A few turns of every game on the virtual tray with the shipped models: nothing goes wrong without a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from whole_games import seat_player

from referee.games import games
from vander.resources.vision_models import LoadedModels

THROWS = 3
SEED = 4


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
