"""The command line: each command in the module of its subject; options and exit statuses that several share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from hardware.cameras import NAMES

FAILED, BAD_INPUT = 1, 2
"""Exit statuses: a breach or a failed check; input that cannot be used."""

CameraName = Annotated[str | None, Option("--camera", help=NAMES)]
DataDir = Annotated[Path | None, Option("--data-dir", help="the folder that holds the journal and the evidence")]
AsJson = Annotated[bool, Option("--json", help="one JSON object a line on standard output, and nothing else")]


def command_app(
    name: str | None = None, text: str | None = None, *, runs_alone: bool = False, completes: bool = False
) -> typer.Typer:
    """Return an application for commands: with a name a group of them, which `runs_alone` makes a command itself.

    One that `completes` has the options that let a shell complete its words.
    """
    return typer.Typer(
        name=name,
        help=text,
        no_args_is_help=not runs_alone,
        invoke_without_command=runs_alone,
        add_completion=completes,
        pretty_exceptions_enable=False,
    )
