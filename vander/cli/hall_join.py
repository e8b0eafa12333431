"""`vander hall-join`: let this table join a hall."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, Option

from vander.access.page_addresses import LocalClient, ServerUnreachable
from vander.cli.command_options import DataDir, command_app
from vander.storage.settings import SettingError, load

TIMEOUT_S = 60.0
"""How long to wait for the running Vander, which asks the hall."""
CODE_DICE = 6


class NoTableCode(ValueError):
    """What was typed is no code of six dice. The message is one sentence."""


EXPECTED_ERRORS = (SettingError, ServerUnreachable, NoTableCode)

app = command_app()


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
    client = LocalClient(settings.data_dir, settings.host, settings.port, TIMEOUT_S)
    joined = client.post("/api/hall-link/join", {"address": address, "code": read_code(code), "name": name})
    typer.echo(f"This table is {joined['name']} in the hall at {joined['address']}.")


def read_code(text: str) -> list[int]:
    """Return the six dice of a code as a person types it. Raises NoTableCode."""
    dice = "".join(text.replace(",", " ").replace("-", " ").split())
    if len(dice) != CODE_DICE or not set(dice) <= set("123456"):
        raise NoTableCode("the code is six dice, such as 314152")
    return [int(face) for face in dice]
