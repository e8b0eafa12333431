"""`vander mat`: make a printable mat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from hardware.mat import MatError, write_mat
from vander.cli.command_options import command_app

EXPECTED_ERRORS = (MatError,)

app = command_app()


@app.command()
def mat(
    path: Annotated[Path, Argument(help="the PDF to write")],
    paper: Annotated[str, Option(help="a3, a4 or letter; markers: four to cut out, for a tray of any size")] = "a3",
) -> None:
    """Make a printable mat with the tray's markers and zones, or markers to cut out."""
    typer.echo(f"{path} is made: {write_mat(path, paper)}")
