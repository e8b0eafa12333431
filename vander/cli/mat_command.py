"""`vander mat`: make a printable mat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from hardware.mat import MatError, mat_pdf
from vander.cli.command_options import command_app

EXPECTED_ERRORS = (MatError,)

app = command_app()


@app.command()
def mat(
    path: Annotated[Path, Argument(help="the PDF to write")],
    paper: Annotated[str, Option(help="a3, a4 or letter")] = "a3",
) -> None:
    """Make a printable mat with the tray's markers and zones."""
    size = mat_pdf(path, paper).rectangle
    typer.echo(
        f"{path} is made; the settings are VANDER_TRAY_WIDTH_MM={size.width:g} VANDER_TRAY_HEIGHT_MM={size.height:g}"
    )
