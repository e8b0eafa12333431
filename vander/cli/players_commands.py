"""`vander players`: the players who are remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Annotated

import typer
from typer import Argument, Option

from referee.known_players import COLOURS, PICTURES
from referee.player_names import as_read
from referee.refused import Refused
from vander.access import PairingService
from vander.cli.command_options import AsJson, DataDir, command_app
from vander.memory.player_service import PlayerService, told_of
from vander.resources import data_stores
from vander.storage import instance_lock
from vander.storage.settings import SettingError, load
from vander.storage.storage_errors import StorageError

EXPECTED_ERRORS = (SettingError, StorageError, Refused)
PLAYER = "a player: the name, or the number that `vander players list` shows"

app = command_app("players", "List the players who are remembered; change them while Vander is stopped.")

PlayerName = Annotated[str, Argument(help=PLAYER, metavar="PLAYER")]
Other = Annotated[str, Argument(help="the player who keeps all games", metavar="INTO")]


@app.command("list")
def list_command(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the players, and in how many games each sat."""
    settings = load(data_dir=data_dir)
    with closing(data_stores.open_journal(settings)) as journal:
        for player in PlayerService(journal, settings.data_dir).players():
            if as_json:
                typer.echo(json.dumps(asdict(player), default=str))
            else:
                look = f"{player.colour} {player.picture}"
                typer.echo(f"{player.number:4}  {player.name:24}  {look:14}  {player.games:6} games")


@app.command("change")
def change_command(
    player: PlayerName,
    name: Annotated[str, Option(help="the new name, in all games")] = "",
    colour: Annotated[str, Option(help=f"one of {', '.join(COLOURS)}")] = "",
    picture: Annotated[str, Option(help=f"one of {', '.join(PICTURES)}")] = "",
    data_dir: DataDir = None,
) -> None:
    """Give a player another name, colour or picture."""
    with _opened(data_dir) as players:
        players.change(find_player(players, player), name=name, colour=colour, picture=picture)


@app.command("merge")
def merge_command(player: PlayerName, into: Other, data_dir: DataDir = None) -> None:
    """Make one player of two who are one person."""
    with _opened(data_dir) as players:
        players.merge(find_player(players, player), find_player(players, into))


@app.command("forget")
def forget_command(player: PlayerName, data_dir: DataDir = None) -> None:
    """Take a player's name out of all games and files; the games stay."""
    with _opened(data_dir) as players:
        number = find_player(players, player)
        name = players.player(number).name
        for line in told_of(players.forget(number), name):
            typer.echo(line)


@app.command("tidy")
def tidy_command(data_dir: DataDir = None) -> None:
    """Write the journal's file afresh, without traces of what was replaced in it."""
    settings = load(data_dir=data_dir)
    with instance_lock.hold(settings.data_dir), closing(data_stores.open_journal(settings)) as journal:
        journal.rewrite_file()


def find_player(players: PlayerService, wanted: str) -> int:
    """Return the number of a player who is named, or numbered. Raises Refused (NOT_FOUND)."""
    for player in players.players():
        if as_read(player.name) == as_read(wanted) or wanted == str(player.number):
            return player.number
    names = ", ".join(player.name for player in players.players()) or "nobody yet"
    raise Refused(f"No player is called {wanted}; remembered are: {names}.")


@contextmanager
def _opened(data_dir: DataDir) -> Iterator[PlayerService]:
    """Open the players for a change; no other program may use the data folder meanwhile."""
    settings = load(data_dir=data_dir)
    with (
        instance_lock.hold(settings.data_dir),
        closing(data_stores.open_journal(settings)) as journal,
        closing(PairingService(settings.data_dir)) as pairing,
    ):
        yield PlayerService(journal, settings.data_dir, renamed=pairing.rename_player)
