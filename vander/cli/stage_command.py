"""`vander stage`: let a cheat or a mishap be played on the virtual tray of the running Vander."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, BadParameter, Option

from vander.access.page_addresses import LocalClient, ServerUnreachable
from vander.cli.command_options import DataDir, command_app
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, ServerUnreachable)

app = command_app()


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
    client = LocalClient(settings.data_dir, settings.host, settings.port)
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
