"""`vander pair`: show the code that lets a tablet join in."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer import Option

from vander.access.page_addresses import (
    LocalClient,
    NetworkState,
    ServerUnreachable,
    format_code,
    numbered_urls,
    request_code,
)
from vander.cli.command_options import DataDir, command_app
from vander.storage.settings import SettingError, load
from web.qr_codes import qr_terminal
from web.services.access_backend import joining_url

EXPECTED_ERRORS = (SettingError, ServerUnreachable)

app = command_app()


@app.command()
def pair(
    host: Annotated[str | None, Option(help="the address that Vander serves on")] = None,
    port: Annotated[int | None, Option(help="the port that Vander serves on")] = None,
    data_dir: DataDir = None,
) -> None:
    """Show the code that lets a tablet join in; Vander must be running."""
    settings = load(host=host, port=port, data_dir=data_dir)
    code = request_code(LocalClient(settings.data_dir, settings.host, settings.port))
    typer.echo(format_code(code.faces))
    urls = numbered_urls(settings, NetworkState.now())
    if urls and sys.stdout.isatty():
        typer.echo(f"Scan this to join in at {urls[0]}:\n{qr_terminal(joining_url(urls[0], code.faces))}")
    if code.makes_keeper:
        typer.echo("The tablet that gives it becomes the keeper's.")
