from pathlib import Path

import pytest
from cards import CARDS

from referee import games
from referee.game import BadSheet, Game
from vander.resources import game_catalog
from vander.storage.settings import load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sheets").mkdir()
    return tmp_path


def test_without_sheets_the_games_are_those_that_come_with_vander(tmp_path: Path) -> None:
    assert game_catalog.load_games(load(data_dir=tmp_path)) == games.games()


def test_an_owners_sheets_are_read_by_their_names(folder: Path) -> None:
    (folder / "sheets/ours.toml").write_text("title = 'Ours'\n")
    (folder / "sheets/notes.txt").write_text("no sheet")
    assert game_catalog.read_sheets(folder / "sheets") == {"ours": "title = 'Ours'\n"}
    assert CARDS.on_sheets is not None
    (option,) = CARDS.on_sheets(game_catalog.read_sheets(folder / "sheets")).options
    assert option.read("ours") == "ours"


def test_a_sheet_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "sheets/ours.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSheet, match=r"ours\.toml cannot be read"):
        game_catalog.load_games(load(data_dir=folder))


def test_every_game_that_takes_sheets_says_what_is_wrong_with_one(folder: Path) -> None:
    (folder / "sheets/ours.toml").write_text("title = = 1\n")
    takers = [game for game in games.games() if game.on_sheets]
    if takers:
        with pytest.raises(BadSheet, match="ours"):
            game_catalog.load_games(load(data_dir=folder))


@pytest.mark.parametrize("game", games.games(), ids=lambda game: game.name)
def test_every_game_has_dice_that_lie_ready(game: Game) -> None:
    assert game_catalog.initial_dice(load(game=game.name)).name == (game.die_set or "d6")
