"""`vander export`: write a game of the journal as a game record."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet
from referee.games import NoSuchGame
from referee.record_parser import BadRecord
from vander.cli.command_options import DataDir, command_app
from vander.cli.open_records import RecordFileError, check_file_name
from vander.extras.players.exports import NoSuchJournalGame, export_game
from vander.resources import data_stores, game_catalog
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    BadSheet,
    BadDieSet,
    NoSuchDieSet,
    NoSuchGame,
    BadRecord,
    RecordFileError,
    NoSuchJournalGame,
)

app = command_app()


@app.command("export")
def export_command(
    path: Annotated[
        Path | None, Argument(help="the file to write; without it, standard output", metavar="FILE")
    ] = None,
    number: Annotated[
        int | None, Option("--game-number", help="the game's number in the journal; by default the latest")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a game of the journal as a game record."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
        write_text(export_game(journal, games, number, known), path)


def write_text(text: str, path: Path | None) -> None:
    """Write a record to a new file, or to standard output. Raises RecordFileError."""
    if path is None:
        sys.stdout.buffer.write(text.encode())
        return
    check_file_name(path, f"--game-number {path.name} for that game, or a name such as game-{path.name}.txt")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RecordFileError(f"{path} is there already; name another file, or take that one away") from None
    except OSError as error:
        raise RecordFileError(f"the record {path} cannot be written: {error.strerror or error}") from error
