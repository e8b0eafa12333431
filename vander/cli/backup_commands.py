"""`vander backup` and `vander restore`: pack the data folder into one file, and replace it by one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from vander import backup
from vander.backup import RestoreChoices
from vander.backup.creation import STDIO
from vander.cli import DataDir, command_app
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
)

app = command_app()


# `vander backup`: pack the data folder into one file


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


# `vander restore`: replace the data folder by a backup


TERMINAL = Path("/dev/tty")
"""The terminal of whoever typed the command, also where standard input is the backup."""


@app.command()
def restore(
    archive: Annotated[Path, Argument(help="a file that `vander backup` made, or - for standard input")],
    data_dir: DataDir = None,
    *,
    yes: Annotated[bool, Option("--yes", help="take all that comes along, such as paired tablets, unasked")] = False,
    without_devices: Annotated[
        bool, Option("--without-devices", help="keep this box's own tablets, and leave out the backup's")
    ] = False,
    without_foreign: Annotated[
        bool, Option("--without-foreign", help="leave out files that Vander does not write")
    ] = False,
) -> None:
    """Replace the data folder by a backup; the old files are kept in before-restore."""
    settings = load(data_dir=data_dir)
    choices = RestoreChoices(partial(_agrees, archive, yes), without_devices, without_foreign)
    typer.echo(backup.restore_backup(settings.data_dir, archive, settings.database, choices))


def _agrees(archive: Path, yes: bool, sentences: Sequence[str]) -> bool:
    """Tell what comes along, and return whether the owner wants it; False where nobody can be asked."""
    if yes:
        for sentence in sentences:
            typer.echo(sentence, err=True)
        return True
    return _ask("\n".join((*sentences, "Restore it? [y/N] ")), from_terminal=archive == STDIO)


def _ask(question: str, from_terminal: bool) -> bool:
    """Ask on standard input, or on the terminal where standard input is the backup. False where there is neither."""
    if not from_terminal:
        return sys.stdin.isatty() and _is_yes(input(question))
    try:
        with TERMINAL.open("w", encoding="utf-8") as asks, TERMINAL.open(encoding="utf-8") as answers:
            print(question, end="", file=asks, flush=True)
            return _is_yes(answers.readline())
    except OSError:
        return False


def _is_yes(answer: str) -> bool:
    return answer.strip().lower() in ("y", "yes")
