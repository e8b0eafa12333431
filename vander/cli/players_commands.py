"""`vander players`: the players who are remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet
from referee.known_players import COLOURS, PICTURES, ForgetWishes, as_read
from referee.past_result import GameSum
from referee.phrases import counted
from referee.sentences import Refused
from vander.access import PairingService
from vander.cli.command_options import AsJson, DataDir, command_app
from vander.cli.export_record import write_text
from vander.cli.open_records import RecordFileError
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService, told_of
from vander.extras.webhooks.delivery import renaming_with
from vander.resources import data_stores, game_catalog
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.journal_store import Journal
from vander.storage.settings import SettingError, Settings, load

EXPECTED_ERRORS = (SettingError, StorageError, Refused, BadDieSet, BadSheet, RecordFileError)
PLAYER = "a player: the name, or the number that `vander players list` shows"

app = command_app("players", "List the players and their figures; rename, merge and forget them.")

PlayerName = Annotated[str, Argument(help=PLAYER, metavar="PLAYER")]
Other = Annotated[str, Argument(help="the player who keeps all games", metavar="INTO")]


@app.command("list")
def list_command(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the players, and in how many games that ended each sat."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        for player in PlayerService(journal, settings.data_dir).players():
            if as_json:
                typer.echo(json.dumps(asdict(player), default=str))
            else:
                look = f"{player.colour} {player.picture}"
                typer.echo(f"{player.number:4}  {player.name:24}  {look:14}  {counted(player.games, 'game'):>12}")


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
def forget_command(
    player: PlayerName,
    delete_voices: Annotated[
        bool, Option("--delete-voices", help="delete recorded voices that bear the name; else they get another one")
    ] = False,
    delete_copies: Annotated[
        bool, Option("--delete-copies", help="delete backups and exports in the data folder too")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Take a player's name out of all games and files; the games stay."""
    with _opened(data_dir) as players:
        number = find_player(players, player)
        name = players.player(number).name
        copies = players.traces(number).copies if delete_copies else ()
        wishes = ForgetWishes("delete" if delete_voices else "rename", copies)
        for line in told_of(players.forget(number, wishes), name):
            typer.echo(line)


@app.command("statistics")
def statistics_command(
    player: PlayerName,
    against: Annotated[str, Option(help="another player: only the games of both")] = "",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print a player's figures, game by game; games that are not counted yet are counted first."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        players, statistics = PlayerService(journal, settings.data_dir), open_statistics(settings, journal)
        statistics.count()
        wanted = [find_player(players, name) for name in (player, against) if name]
        for one, other in (wanted, wanted[::-1]) if against else ((wanted[0], 0),):
            name = players.player(one).name
            for found in statistics.sums(one, other):
                typer.echo(json.dumps({"player": name, **asdict(found)}) if as_json else told_figures(name, found))


@app.command("results")
def results_command(
    player: PlayerName,
    path: Annotated[Path | None, Argument(help="the file to write; without it, standard output")] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a player's results as a JSON file to take along; other players are not named in it."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        statistics = open_statistics(settings, journal)
        statistics.count()
        write_text(statistics.results_of(find_player(PlayerService(journal, settings.data_dir), player)), path)


@app.command("count")
def count_command(
    again: Annotated[bool, Option("--again", help="count all games again")] = False, data_dir: DataDir = None
) -> None:
    """Count the ended games whose results are missing, for the statistics."""
    settings = load(data_dir=data_dir)
    with data_stores.shared_journal(settings) as journal:
        typer.echo(f"{counted(open_statistics(settings, journal).count(again=again), 'game')} counted")


@app.command("tidy")
def tidy_command(data_dir: DataDir = None) -> None:
    """Write the journal's file afresh, without traces of what was replaced in it."""
    settings = load(data_dir=data_dir)
    with data_folder.hold(settings.data_dir), closing(data_stores.open_journal(settings)) as journal:
        journal.rewrite_file()


def open_statistics(settings: Settings, journal: Journal) -> PlayStatisticsService:
    """Open the statistics of a journal, with the die sets and the printed sheets of the data folder."""
    sheets = game_catalog.read_sheets(settings.data_dir / "sheets")
    return PlayStatisticsService(journal, game_catalog.open_die_sets(settings), sheets)


def told_figures(name: str, found: GameSum) -> str:
    """Return a player's figures at one game in one line."""
    parts = [
        f"{name}, {found.game}: {counted(found.games, 'game')}, {found.wins} of {found.with_others} won",
        f"{found.average:.1f} points on average, {found.best_score} at most (game {found.best_score_in})",
        f"best turn {found.best_turn} (game {found.best_turn_in}, entry {found.best_turn_entry})",
    ]
    if found.luck is not None:
        parts.append(f"{found.stops} throws stopped, {found.stop_chance:.1f} on average: luck {found.luck:+.1f}")
    if found.risk_taken is not None:
        parts.append(f"risk taken {100 * found.risk_taken:.0f} % a throw")
    return "; ".join(parts)


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
        data_folder.hold(settings.data_dir),
        closing(data_stores.open_journal(settings)) as journal,
        closing(PairingService(settings.data_dir)) as pairing,
    ):
        renaming = renaming_with(pairing.renaming_player, settings.data_dir)
        yield PlayerService(journal, settings.data_dir, renaming=renaming)
