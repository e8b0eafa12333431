"""`vander report`: what people, hands and blind moments did to the games of the journal."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from referee.fair_play import fair_play, told
from vander.cli.command_options import DataDir, command_app
from vander.extras.players.exports import NoSuchJournalGame, find_journal_game
from vander.resources import data_stores
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, StorageError, NoSuchJournalGame)

app = command_app()


@app.command("report")
def report_command(
    number: Annotated[
        int | None, Option("--game-number", help="the game's number in the journal; by default the latest")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print what people, hands and blind moments did to a game: its fair-play report."""
    with data_stores.shared_journal(load(data_dir=data_dir)) as journal:
        kept = find_journal_game(journal, number)
        typer.echo(f"Game {kept.number}, {kept.game}: {', '.join(kept.players)}")
        for line in told(fair_play(journal.entries(kept.number))):
            typer.echo(line)
