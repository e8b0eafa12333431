"""`vander backup`: pack the data folder into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from vander import backup
from vander.cli.command_options import DataDir, command_app
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, StorageError)

app = command_app()


@app.command("backup")
def back_up(
    to: Annotated[Path, Argument(help="a new file, a folder for one named by the day, or - for standard output")],
    data_dir: DataDir = None,
) -> None:
    """Pack games, settings, evidence and taught dice into one file, also while Vander runs."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        summary = backup.create_backup(settings.data_dir, to, settings.database)
    typer.echo(summary, err=str(to) == "-")
