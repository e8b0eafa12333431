"""Open the games, their printed sheets and the die sets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from models import die_sets
from models.die_sets import DieSetCatalog
from referee import games
from referee.dice import DieSet
from referee.game import BadSheet, Game
from vander.storage.settings import Settings

PLAIN_DICE = "d6"
"""The die set for a game that is played with any dice."""


def load_games(settings: Settings) -> tuple[Game, ...]:
    """Return all games, with the printed sheets of the data folder. Raises BadSheet."""
    return games_with_sheets(read_sheets(settings.data_dir / "sheets"))


def games_with_sheets(texts: Mapping[str, str]) -> tuple[Game, ...]:
    """Return all games, offering these printed sheets next to their own. Raises BadSheet."""
    return tuple(game.on_sheets(texts) if game.on_sheets and texts else game for game in games.games())


def read_sheets(folder: Path) -> dict[str, str]:
    """Return the texts of a folder's TOML files by file name without ending. Raises BadSheet."""
    return {path.stem: read_sheet(path) for path in sorted(folder.glob("*.toml"))}


def read_sheet(path: Path) -> str:
    """Return the text of a printed sheet's file. Raises BadSheet."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSheet(f"the sheet {path} cannot be read: {error}") from error


def open_die_sets(settings: Settings) -> DieSetCatalog:
    """Return the die sets that ship and those of the data folder. Raises BadDieSet."""
    return DieSetCatalog(settings.data_dir / "dice")


def initial_dice(settings: Settings) -> DieSet:
    """Return the die set to watch for before a game is set up: that of the setting `game`. Raises NoSuchGame."""
    return die_sets.load(games.named(settings.game).die_set or PLAIN_DICE)
