"""Random whole games: they come to their end, and what a state holds does not grow with the length of its game."""

import json

import pytest
from typer.testing import CliRunner

from referee.games import games
from vander.bench.speed_benchmark import ENDLESS_RULINGS
from vander.cli.main import command_line


@pytest.fixture(scope="module")
def paces() -> dict[str, dict[str, int]]:
    words = ["bench", "games", "--games", "1", "--seed", "5", "--json"]
    asked = CliRunner().invoke(command_line(words), words)
    assert asked.exit_code == 0
    return {pace["game"]: pace for pace in map(json.loads, asked.stdout.splitlines())}


def test_every_game_is_played(paces: dict[str, dict[str, int]]) -> None:
    assert set(paces) == {game.name for game in games()}


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_random_game_comes_to_its_end(game, paces: dict[str, dict[str, int]]) -> None:  # noqa: ANN001
    pace = paces[game.name]
    assert pace["finished"] == (pace["rulings"] != ENDLESS_RULINGS)
    assert pace["rulings"] >= 10
    assert pace["rulings_a_second"] > 0


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_what_a_state_holds_does_not_grow_with_the_length_of_its_game(game, paces: dict[str, dict[str, int]]) -> None:  # noqa: ANN001
    pace = paces[game.name]
    assert pace["late_bytes"] < 1.5 * pace["early_bytes"]
