"""`vander restore`: replace the data folder by a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from vander import backup
from vander.cli.command_options import DataDir, command_app
from vander.storage.settings import SettingError, load
from vander.storage.storage_errors import StorageError

EXPECTED_ERRORS = (SettingError, StorageError)

app = command_app()


@app.command()
def restore(
    archive: Annotated[Path, Argument(help="a file that `vander backup` made, or - for standard input")],
    data_dir: DataDir = None,
) -> None:
    """Replace the data folder by a backup; the old files are kept in before-restore."""
    settings = load(data_dir=data_dir)
    typer.echo(backup.restore_backup(settings.data_dir, archive, settings.database))
