"""Commands for the journal: its games, its players and its dice."""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, ClassVar

import typer
from typer import Argument, Option

from models import die_sets
from models.die_sets import BadDieSet, DieSetSource, NoSuchDieSet
from referee.actions import GameState
from referee.fair_play import fair_play, told
from referee.game import BadSheet, Game
from referee.games import NoSuchGame, named
from referee.journal import Deed, OpenGame
from referee.known_players import COLOURS, PICTURES, ForgetWishes, as_read
from referee.past_result import GameSum
from referee.phrases import counted
from referee.record_check import CheckedLine, check_record
from referee.record_parser import BadRecord, Claim, Record, RecordedEntry
from referee.sentences import Refused
from vander.access import PairingService
from vander.cli import FAILED, AsJson, DataDir, command_app
from vander.cli.check import OpenedRecord, RecordFileError, check_file_name, describe_fault, open_record
from vander.extras.players import exports
from vander.extras.players.dice_fairness import FairnessFinding, find_kind_fairness
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService, told_of
from vander.extras.players.result_counting import collect_read_dice
from vander.extras.webhooks.delivery import renaming_with
from vander.learning.accuracy import AccuracyLog
from vander.resources import game_catalog, models_and_stores
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.storage.settings import SettingError, Settings, load
from vander.table.journal_writer import GameRecord, list_open


class NotImported(ValueError):
    """A record holds what no journal may; nothing was changed."""

    exit_status: ClassVar[int] = FAILED


EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    BadDieSet,
    BadSheet,
    NoSuchDieSet,
    NoSuchGame,
    BadRecord,
    RecordFileError,
    exports.NoSuchJournalGame,
    NotImported,
    Refused,
)

app = command_app()


# `vander games`: the games that stand open


@app.command("games")
def games_command(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the games that stand open: number, players, scores, and when something happened last."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        record = GameRecord(journal, EvidenceStore(settings.data_dir / "evidence"))
        found = list_open(record, game_catalog.load_games(settings), game_catalog.open_die_sets(settings))
    for game in found:
        typer.echo(json.dumps(asdict(game), default=str) if as_json else _line(game))


def _line(game: OpenGame) -> str:
    scores = game.scores or ("?",) * len(game.players)
    players = ", ".join(f"{name} {score}" for name, score in zip(game.players, scores, strict=True))
    return f"{game.number:4}  {game.title:20}  {game.played_at:%Y-%m-%d %H:%M}  {players}"


# `vander export`: write a game of the journal as a game record


@app.command("export")
def export_command(
    path: Annotated[
        Path | None, Argument(help="the file to write; without it, standard output", metavar="FILE")
    ] = None,
    number: Annotated[
        int | None, Option("--game-number", help="the game's number in the journal; by default the latest")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a game of the journal as a game record."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
        write_text(exports.export_game(journal, games, number, known), path)


def write_text(text: str, path: Path | None) -> None:
    """Write a record to a new file, or to standard output. Raises RecordFileError."""
    if path is None:
        sys.stdout.buffer.write(text.encode())
        return
    check_file_name(path, f"--game-number {path.name} for that game, or a name such as game-{path.name}.txt")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RecordFileError(f"{path} is there already; name another file, or take that one away") from None
    except OSError as error:
        raise RecordFileError(f"the record {path} cannot be written: {error.strerror or error}") from error


# `vander import`: put a game record into the journal


@app.command("import")
def import_command(
    path: Annotated[str, Argument(help="a game record; - for standard input", metavar="RECORD")],
    go_on: Annotated[bool, Option("--go-on", help="let the table continue with it when Vander starts next")] = False,
    data_dir: DataDir = None,
) -> None:
    """Put a game record into the journal, as a game of its own that has ended."""
    settings = load(data_dir=data_dir)
    # a running Vander has its own game on the table, and would end this one with its next
    alone = data_folder.hold(settings.data_dir) if go_on else nullcontext()
    with alone, models_and_stores.shared_journal(settings) as journal:
        games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
        kept, note = import_game(journal, path, games, go_on=go_on, known=known)
    typer.echo(" ".join(filter(None, (note, f"{path} is game {kept.number} of the journal."))))


def import_game(
    journal: Journal, path: str, games: Sequence[Game], *, go_on: bool = False, known: DieSetSource = die_sets
) -> tuple[KeptGame, str]:
    """Put a record into the journal as a new game, whole or not at all; return the game, and a note for the user or ''.

    The game is stored as ended unless `go_on`, and with `clock_doubted`. A last entry that the rules refuse is kept
    as a breach, since it happened.
    Raises RecordFileError, BadRecord, NotImported and what the journal raises.
    """
    opened = open_record(path, games, known)
    record, note, state = _with_last_breach(opened)
    if go_on:
        _check_can_go_on(journal, state)
    started = record.started or datetime.now(UTC)
    entries = record.journal_entries(started)
    ended = None if go_on else record.ended or max((started, *(entry.at for entry in entries)))
    kept = KeptGame(
        0, record.game, record.players, _options_of(opened), opened.dice.name, started, ended, clock_doubted=True
    )
    return journal.keep(kept, entries), note


def _options_of(opened: OpenedRecord) -> Mapping[str, str]:
    """Return the options of a record, and those by which a journal would take it for an older game without them."""
    newer = [option.name for option in opened.game.options if option.before]
    return {name: opened.start.options[name] for name in newer} | dict(opened.record.options)


def _with_last_breach(opened: OpenedRecord) -> tuple[Record, str, GameState]:
    """Return the record with a refused last entry as a breach, a note about that or '', and the last state."""
    state = opened.start
    for checked in check_record(opened.game, opened.start, opened.record):
        state = checked.state
        if checked.refusal and not checked.is_recorded:
            record = _with_breach(opened.record, checked)
            return record, f"{describe_fault(checked)} It is kept as a breach.", state
    return opened.record, "", state


def _with_breach(record: Record, broken: CheckedLine) -> Record:
    said, why = broken.line, broken.refusal
    if isinstance(said, Claim) or why is None or said is not record.entries[-1]:
        further = "" if isinstance(said, Claim) else " What follows it has no meaning then."
        raise NotImported(f"{describe_fault(broken)}{further} Nothing is imported.")
    breach = RecordedEntry(
        Deed.BREACH, note=f"{said}: {why.sentence}", rule=why.rule, origin=said.origin, line_number=said.line_number
    )
    return replace(record, lines=(*record.lines[: record.lines.index(said)], breach))


def _check_can_go_on(journal: Journal, state: GameState) -> None:
    """Check that the game is not over and that no other game is going on. Raises NotImported."""
    if not state.to_act:
        raise NotImported("The game of this record is over; it cannot go on. Nothing is imported.")
    other = journal.latest()
    if other:
        raise NotImported(f"Game {other.number} ({other.game}) is going on; end it first. Nothing is imported.")


# `vander report`: what people, hands and blind moments did to the games of the journal


@app.command("report")
def report_command(
    number: Annotated[
        int | None, Option("--game-number", help="the game's number in the journal; by default the latest")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print what people, hands and blind moments did to a game: its fair-play report."""
    with models_and_stores.shared_journal(load(data_dir=data_dir)) as journal:
        kept = exports.find_journal_game(journal, number)
        typer.echo(f"Game {kept.number}, {kept.game}: {', '.join(kept.players)}")
        for line in told(fair_play(journal.entries(kept.number))):
            typer.echo(line)


# `vander plays`: all plays for other programs


class PlaysForm(StrEnum):
    """In which form plays are written."""

    CSV = "csv"
    JSON = "json"
    RECORDS = "records"


@app.command("plays")
def plays_command(
    path: Annotated[
        Path | None, Argument(help="the file to write; without it, standard output", metavar="FILE")
    ] = None,
    form: Annotated[PlaysForm, Option(help="csv, json, or the records of all games in one zip")] = PlaysForm.CSV,
    bg_stats: Annotated[int, Option(help="print the link that opens BG Stats with the game of this number")] = 0,
    data_dir: DataDir = None,
) -> None:
    """Write all ended games for other programs: CSV, JSON, records, BG Stats."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        if form is PlaysForm.RECORDS:
            known = game_catalog.open_die_sets(settings)
            _write_pieces(exports.records_archive(journal, game_catalog.load_games(settings), known), path)
            return
        statistics = open_statistics(settings, journal)
        statistics.count()
        if bg_stats:
            game = statistics.played_game(bg_stats)
            typer.echo(exports.bg_stats_link(game, named(game.game).title))
            return
        pieces = statistics.plays(form)
        if path is not None and form is PlaysForm.CSV:
            pieces = chain((BOM_UTF8,), pieces)  # by this mark a spreadsheet knows the file's letters
        _write_pieces(pieces, path)


def _write_pieces(pieces: Iterator[bytes], path: Path | None) -> None:
    """Write an export to a new file, or to standard output. Raises RecordFileError, and leaves no part of a file."""
    if path is None:
        sys.stdout.buffer.writelines(pieces)
        return
    check_file_name(path, "a name such as plays.csv")
    try:
        with path.open("xb") as file, _deleted_on_failure(path):
            file.writelines(pieces)
    except FileExistsError:
        raise RecordFileError(f"{path} is there already; name another file, or take that one away") from None
    except OSError as error:
        raise RecordFileError(f"the archive {path} cannot be written: {error.strerror or error}") from error


@contextmanager
def _deleted_on_failure(path: Path) -> Iterator[None]:
    """Delete a file that was begun, where the rest of it cannot be written."""
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


# `vander fairness`: whether the dice of a set are fair, by what was read of them


@app.command("fairness")
def fairness_command(
    die_set: Annotated[str, Argument(help="the dice: a die set's name", metavar="SET")], data_dir: DataDir = None
) -> None:
    """Test whether dice are fair, with this table's misreads folded in."""
    settings = load(data_dir=data_dir)
    known = game_catalog.open_die_sets(settings)
    with models_and_stores.shared_journal(settings) as journal, closing(AccuracyLog(settings.data_dir)) as log:
        dice, counts = collect_read_dice(journal, die_set, known), log.tally
        for kind in known.load(die_set).kinds:
            if not any(die.kind == kind.name for die in dice.read):
                typer.echo(f"{kind.title}: none were read yet")
                continue
            finding = find_kind_fairness(kind, dice, counts.checked, counts.checked - counts.right)
            typer.echo(f"{kind.title}: {told_finding(finding, counts.checked)}")


def told_finding(finding: FairnessFinding, checked: int) -> str:
    """Return what a test found, in one line for people."""
    if not checked:
        return "nobody has answered yet whether throws were read right, so nothing can be said"
    verdict = "uneven beyond chance" if finding.is_suspicious else "nothing speaks against fair dice"
    enough = "" if finding.dice >= finding.needed else f"; a die loaded by 20 % takes {finding.needed} to be found"
    if not finding.needed:
        enough = "; no number of dice finds one loaded by 20 % until more throws were said to be read right or wrong"
    read = counted(finding.dice, "die")
    return f"{read} read, chance of so uneven a count {100 * finding.p_value:.1f} %: {verdict}{enough}"


# `vander players`: the players who are remembered


PLAYER = "a player: the name, or the number that `vander players list` shows"

players_app = command_app("players", "List the players and their figures; rename, merge and forget them.")
app.add_typer(players_app)

PlayerName = Annotated[str, Argument(help=PLAYER, metavar="PLAYER")]
Other = Annotated[str, Argument(help="the player who keeps all games", metavar="INTO")]


@players_app.command("list")
def list_command(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the players, and in how many games that ended each sat."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        for player in PlayerService(journal, settings.data_dir).players():
            if as_json:
                typer.echo(json.dumps(asdict(player), default=str))
            else:
                look = f"{player.colour} {player.picture}"
                typer.echo(f"{player.number:4}  {player.name:24}  {look:14}  {counted(player.games, 'game'):>12}")


@players_app.command("change")
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


@players_app.command("merge")
def merge_command(player: PlayerName, into: Other, data_dir: DataDir = None) -> None:
    """Make one player of two who are one person."""
    with _opened(data_dir) as players:
        players.merge(find_player(players, player), find_player(players, into))


@players_app.command("forget")
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


@players_app.command("statistics")
def statistics_command(
    player: PlayerName,
    against: Annotated[str, Option(help="another player: only the games of both")] = "",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print a player's figures, game by game; games that are not counted yet are counted first."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        players, statistics = PlayerService(journal, settings.data_dir), open_statistics(settings, journal)
        statistics.count()
        wanted = [find_player(players, name) for name in (player, against) if name]
        for one, other in (wanted, wanted[::-1]) if against else ((wanted[0], 0),):
            name = players.player(one).name
            for found in statistics.sums(one, other):
                typer.echo(json.dumps({"player": name, **asdict(found)}) if as_json else told_figures(name, found))


@players_app.command("results")
def results_command(
    player: PlayerName,
    path: Annotated[Path | None, Argument(help="the file to write; without it, standard output")] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a player's results as a JSON file to take along; other players are not named in it."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        statistics = open_statistics(settings, journal)
        statistics.count()
        write_text(statistics.results_of(find_player(PlayerService(journal, settings.data_dir), player)), path)


@players_app.command("count")
def count_command(
    again: Annotated[bool, Option("--again", help="count all games again")] = False, data_dir: DataDir = None
) -> None:
    """Count the ended games whose results are missing, for the statistics."""
    settings = load(data_dir=data_dir)
    with models_and_stores.shared_journal(settings) as journal:
        typer.echo(f"{counted(open_statistics(settings, journal).count(again=again), 'game')} counted")


@players_app.command("tidy")
def tidy_command(data_dir: DataDir = None) -> None:
    """Write the journal's file afresh, without traces of what was replaced in it."""
    settings = load(data_dir=data_dir)
    with data_folder.hold(settings.data_dir), closing(models_and_stores.open_journal(settings)) as journal:
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
        stopped = counted(found.stops, "throw")
        parts.append(f"{stopped} stopped, {found.stop_chance:.1f} on average: luck {found.luck:+.1f}")
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
        closing(models_and_stores.open_journal(settings)) as journal,
        closing(PairingService(settings.data_dir)) as pairing,
    ):
        renaming = renaming_with(pairing.renaming_player, settings.data_dir)
        yield PlayerService(journal, settings.data_dir, renaming=renaming)
