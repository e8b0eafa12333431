"""Commands that ask the running Vander: show the pairing code, join a hall, stage a cheat on the virtual tray."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer import Argument, BadParameter, Option

from vander.access import page_addresses
from vander.cli import DataDir, command_app
from vander.storage.settings import SettingError, load
from web.schemas.access_schemas import joining_url


class NoTableCode(ValueError):
    """What was typed is no code of six dice. The message is one sentence."""


EXPECTED_ERRORS = (
    SettingError,
    page_addresses.ServerUnreachable,
    NoTableCode,
)

app = command_app()


# `vander pair`: show the code that lets a tablet join in


@app.command()
def pair(
    host: Annotated[str | None, Option(help="the address that Vander serves on")] = None,
    port: Annotated[int | None, Option(help="the port that Vander serves on")] = None,
    data_dir: DataDir = None,
) -> None:
    """Show the code that lets a tablet join in; Vander must be running."""
    settings = load(host=host, port=port, data_dir=data_dir)
    code = page_addresses.request_code(page_addresses.LocalClient(settings.data_dir, settings.host, settings.port))
    typer.echo(page_addresses.format_code(code.faces))
    urls = page_addresses.numbered_urls(settings, page_addresses.NetworkState.now())
    if urls and sys.stdout.isatty():
        typer.echo(
            f"Scan this to join in at {urls[0]}:\n{page_addresses.qr_terminal(joining_url(urls[0], code.faces))}"
        )
    if code.makes_keeper:
        typer.echo("The tablet that gives it becomes the keeper's.")


# `vander hall-join`: let this table join a hall


TIMEOUT_S = 60.0
"""How long to wait for the running Vander, which asks the hall."""
CODE_DICE = 6


@app.command("hall-join")
def hall_join(  # noqa: PLR0913, PLR0917  each is an option of the command
    address: Annotated[str, Argument(help="the hall's address, such as https://hall.local:8443")],
    code: Annotated[str, Argument(help="the six dice that the hall shows, such as 314152")],
    name: Annotated[str, Option(help="what this table is called in the hall")],
    host: Annotated[str | None, Option(help="the address that Vander serves on")] = None,
    port: Annotated[int | None, Option(help="the port that Vander serves on")] = None,
    data_dir: DataDir = None,
) -> None:
    """Let this table join a hall by the code that it shows; Vander must be running."""
    settings = load(host=host, port=port, data_dir=data_dir)
    client = page_addresses.LocalClient(settings.data_dir, settings.host, settings.port, TIMEOUT_S)
    joined = client.post("/api/hall-link/join", {"address": address, "code": read_code(code), "name": name})
    typer.echo(f"This table is {joined['name']} in the hall at {joined['address']}.")


def read_code(text: str) -> list[int]:
    """Return the six dice of a code as a person types it. Raises NoTableCode."""
    dice = "".join(text.replace(",", " ").replace("-", " ").split())
    if len(dice) != CODE_DICE or not set(dice) <= set("123456"):
        raise NoTableCode("the code is six dice, such as 314152")
    return [int(face) for face in dice]


# `vander stage`: let a cheat or a mishap be played on the virtual tray of the running Vander


@app.command()
def stage(
    name: Annotated[str, Argument(help="the situation; without it all are listed")] = "",
    dice: Annotated[str, Option(help="numbers of dice, such as 1,2; all in the field if none is given")] = "",
    host: Annotated[str | None, Option(help="the address that Vander serves on")] = None,
    port: Annotated[int | None, Option(help="the port that Vander serves on")] = None,
    data_dir: DataDir = None,
) -> None:
    """Stage a cheat or a mishap on the virtual tray of the running Vander.

    Without a name, list what can be staged.
    """
    numbers = _numbers(dice)
    settings = load(host=host, port=port, data_dir=data_dir)
    client = page_addresses.LocalClient(settings.data_dir, settings.host, settings.port)
    if name:
        client.post("/api/tray/stage", {"name": name, "dice": numbers})
        return
    for each in client.get("/api/tray/situations")["situations"]:
        typer.echo(f"{each['name']:<26} {each['intent']:<7} {each['title']}")


def _numbers(typed: str) -> list[int]:
    try:
        return [int(number) for number in typed.split(",") if number.strip()]
    except ValueError:
        raise BadParameter(f"'{typed}' is no list of numbers such as 1,2", param_hint="--dice") from None
