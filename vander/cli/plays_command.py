"""`vander plays`: all plays for other programs."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet
from referee.games import named
from referee.sentences import Refused
from vander.cli.command_options import DataDir, command_app
from vander.cli.open_records import RecordFileError, check_file_name
from vander.cli.players_commands import open_statistics
from vander.extras.players.exports import bg_stats_link, records_archive
from vander.resources import data_stores, game_catalog
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, StorageError, BadDieSet, BadSheet, RecordFileError, Refused)


class PlaysForm(StrEnum):
    """In which form plays are written."""

    CSV = "csv"
    JSON = "json"
    RECORDS = "records"


app = command_app()


@app.command("plays")
def plays_command(
    path: Annotated[
        Path | None, Argument(help="the file to write; without it, standard output", metavar="FILE")
    ] = None,
    form: Annotated[PlaysForm, Option(help="csv, json, or the records of all games in one zip")] = PlaysForm.CSV,
    bg_stats: Annotated[int, Option(help="print the link that opens BG Stats with the game of this number")] = 0,
    data_dir: DataDir = None,
) -> None:
    """Write all ended games for other programs: CSV, JSON, records, BG Stats."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        if form is PlaysForm.RECORDS:
            known = game_catalog.open_die_sets(settings)
            _write_pieces(records_archive(journal, game_catalog.load_games(settings), known), path)
            return
        statistics = open_statistics(settings, journal)
        statistics.count()
        if bg_stats:
            game = statistics.played_game(bg_stats)
            typer.echo(bg_stats_link(game, named(game.game).title))
            return
        pieces = statistics.plays(form)
        if path is not None and form is PlaysForm.CSV:
            pieces = chain((BOM_UTF8,), pieces)  # by this mark a spreadsheet knows the file's letters
        _write_pieces(pieces, path)


def _write_pieces(pieces: Iterator[bytes], path: Path | None) -> None:
    """Write an export to a new file, or to standard output. Raises RecordFileError, and leaves no part of a file."""
    if path is None:
        sys.stdout.buffer.writelines(pieces)
        return
    check_file_name(path, "a name such as plays.csv")
    try:
        with path.open("xb") as file, _deleted_on_failure(path):
            file.writelines(pieces)
    except FileExistsError:
        raise RecordFileError(f"{path} is there already; name another file, or take that one away") from None
    except OSError as error:
        raise RecordFileError(f"the archive {path} cannot be written: {error.strerror or error}") from error


@contextmanager
def _deleted_on_failure(path: Path) -> Iterator[None]:
    """Delete a file that was begun, where the rest of it cannot be written."""
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise
