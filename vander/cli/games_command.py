"""`vander games`: the games that stand open."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet
from referee.journal import OpenGame
from vander.cli.command_options import AsJson, DataDir, command_app
from vander.resources import data_stores, game_catalog
from vander.storage.data_folder import StorageError
from vander.storage.evidence_store import EvidenceStore
from vander.storage.settings import SettingError, load
from vander.table.journal_writer import GameRecord
from vander.table.open_games import list_open

EXPECTED_ERRORS = (SettingError, StorageError, BadDieSet, BadSheet)

app = command_app()


@app.command("games")
def games_command(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the games that stand open: number, players, scores, and when something happened last."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        record = GameRecord(journal, EvidenceStore(settings.data_dir / "evidence"))
        found = list_open(record, game_catalog.load_games(settings), game_catalog.open_die_sets(settings))
    for game in found:
        typer.echo(json.dumps(asdict(game), default=str) if as_json else _line(game))


def _line(game: OpenGame) -> str:
    scores = game.scores or ("?",) * len(game.players)
    players = ", ".join(f"{name} {score}" for name, score in zip(game.players, scores, strict=True))
    return f"{game.number:4}  {game.title:20}  {game.played_at:%Y-%m-%d %H:%M}  {players}"
