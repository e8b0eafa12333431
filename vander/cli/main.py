"""The command line: `vander play`, `vander check` and the others; `vander --help` lists them.

Of the modules of the commands only that of the command which was typed is imported: `vander check` needs neither OpenCV
nor a database. The exit status is 0 for success, 1 for a breach or a failed check, and 2 for bad input,
with one sentence on standard error.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Annotated

import typer
from typer import Option

from vander.cli import BAD_INPUT, command_app
from vander.storage.data_folder import private_files

COMMANDS = {
    "play": ("play", "Serve the table: read the dice, keep the journal, show the page for the tablets."),
    "read": ("tray_commands", "Read the dice in photographs."),
    "check": ("check", "Check game records against the rules, and name what breaks them."),
    "export": ("journal_commands", "Write a game of the journal as a game record."),
    "games": (
        "journal_commands",
        "List the games that stand open: number, players, scores, and when something happened last.",
    ),
    "plays": ("journal_commands", "Write all ended games for other programs: CSV, JSON, records, BG Stats."),
    "fairness": ("journal_commands", "Test whether dice are fair, with this table's misreads folded in."),
    "players": ("journal_commands", "List the players and their figures; rename, merge and forget them."),
    "report": ("journal_commands", "Print what people, hands and blind moments did to a game: its fair-play report."),
    "backup": (
        "backup_commands",
        "Pack games, settings, evidence and taught dice into one file, also while Vander runs.",
    ),
    "restore": ("backup_commands", "Replace the data folder by a backup; the old files are kept in before-restore."),
    "doctor": ("doctor", "Examine camera, light, models, disk, power, clock and address, and say what helps."),
    "support": ("doctor", "Pack log, settings and findings, without secrets, into one file for support."),
    "pair": ("running_commands", "Show the code that lets a tablet join in; Vander must be running."),
    "webhooks": ("webhooks_command", "List who is told of the games by webhooks, and what waits for them."),
    "stage": ("running_commands", "Stage a cheat or a mishap on the virtual tray of the running Vander."),
    "import": ("journal_commands", "Put a game record into the journal, as a game of its own that has ended."),
    "calibrate": ("tray_commands", "Say whether the camera sees the tray's markers, and at what scale."),
    "voice": ("voice_command", "List what the caller says, and render it into the clips of a language."),
    "mat": ("tray_commands", "Make a printable mat with the tray's markers and zones, or markers to cut out."),
    "teach": ("learning_commands", "Learn to read dice from their pictures."),
    "hall": ("hall_command", "Serve a hall: take the entries of many tables, and show them all."),
    "hall-join": ("running_commands", "Let this table join a hall by the code that it shows; Vander must be running."),
    "bench": ("bench_commands", "Measure how well and how fast dice are read, and how fast games are ruled on."),
    "capture": ("learning_commands", "Take pictures of dice, and exchange them with other programs."),
}
"""The module of each command in this package, and its line in `vander --help`. Each module has an `app` with its
commands, and EXPECTED_ERRORS: what a person can put right, said in one sentence without a traceback."""

PROGRAM = "vander"
OPENCV_ERRORS = 2
"""OpenCV's log level that shows errors and nothing less."""


def main(words: Sequence[str] | None = None) -> None:
    """Run the command that `words` (by default the program's arguments) name, and exit; its files are private."""
    with private_files():
        _run(sys.argv[1:] if words is None else list(words))


def _run(typed: Sequence[str]) -> None:
    typed = typed or _words_to_complete()
    module = load_command(typed[0]) if typed and typed[0] in COMMANDS else None
    try:
        command_line(typed)(args=typed, prog_name=PROGRAM)
    except getattr(module, "EXPECTED_ERRORS", ()) as error:
        print(f"vander: {' '.join(str(error).split())}", file=sys.stderr)
        raise SystemExit(getattr(error, "exit_status", BAD_INPUT)) from None


def _words_to_complete() -> list[str]:
    """Return what a shell asks to complete without the program's name; nothing where it does not ask."""
    if f"_{PROGRAM.upper()}_COMPLETE" not in os.environ:
        return []
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()[1:]


def command_line(words: Sequence[str]) -> typer.Typer:
    """Return the command line for `words`: the command that they begin with, and the help lines of the others."""
    app = command_app(text="Vander, a referee for real dice on a real table.", completes=True)
    app.callback()(vander)
    typed = [COMMANDS[word][0] for word in words[:1] if word in COMMANDS]
    for word in words[: len(typed)]:
        app.add_typer(load_command(word).app)
    for name, (module, line) in COMMANDS.items():
        if module not in typed:
            app.command(name, help=line)(_not_loaded)
    return app


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(PROGRAM, version(PROGRAM))
        raise typer.Exit


def vander(
    _version: Annotated[
        bool, Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Vander, a referee for real dice on a real table."""


def load_command(name: str) -> ModuleType:
    gc.disable()  # next to nothing of what a module makes is garbage: to look for it took a fifth of the time
    try:
        module = import_module(f"vander.cli.{COMMANDS[name][0]}")
    finally:
        gc.enable()
    if "cv2" in sys.modules:
        _silence_opencv()
    return module


def _not_loaded() -> None:
    """Stand in `--help` for a command that was not typed."""


def _silence_opencv() -> None:
    """Keep OpenCV's warnings off standard error, where a command says one sentence."""
    import cv2  # noqa: PLC0415  only for commands that have imported it

    # Debian 12 pins OpenCV at 4.11, which has no `cv2.setLogLevel`.
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(OPENCV_ERRORS)
