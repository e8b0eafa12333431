"""`vander check`: check game records against the rules. What opens records is here too, for other commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from typer import Argument, Option

from models import die_sets
from models.die_sets import BadDieSet, DieSetSource, NoSuchDieSet
from referee.actions import GameState
from referee.dice import DieSet
from referee.game import BadSheet, Game
from referee.games import NoSuchGame, named
from referee.phrases import counted
from referee.record_check import CheckedLine, check_record, claims_of_the_game, start_of_record
from referee.record_parser import LONGEST_LINE, BadRecord, Record, RecordedEntry, parse_record, visible
from vander.cli import BAD_INPUT, FAILED, AsJson, DataDir, command_app
from vander.resources import game_catalog
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load


class RecordFileError(OSError):
    """A record's file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    BadSheet,
    BadDieSet,
    NoSuchDieSet,
    NoSuchGame,
    BadRecord,
    RecordFileError,
)

app = command_app()


# `vander check`: check game records against the rules, in words or as JSON


FINE, BROKEN, UNREADABLE = 0, FAILED, BAD_INPUT
"""Exit statuses: nothing is wrong; a breach, or a claim that is not so; a record that cannot be read."""


@app.command()
def check(
    paths: Annotated[list[str], Argument(help="game records; - for standard input", metavar="RECORD...")],
    as_json: AsJson = False,
    sheet: Annotated[list[Path] | None, Option(help="a printed sheet of your own; may be given several times")] = None,
    data_dir: DataDir = None,
) -> None:
    """Check game records against the rules, and name what breaks them."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        known = game_catalog.open_die_sets(settings)
        raise typer.Exit(check_all(paths, sheet or (), as_json, known))


def check_all(paths: Sequence[str], sheets: Sequence[Path], as_json: bool, known: DieSetSource = die_sets) -> int:
    """Print the result of each record, and return the worst exit status. Raises BadSheet.

    Without sheets only the games of the records are imported.
    """
    games = game_catalog.games_with_sheets(_read_sheets(sheets)) if sheets else ()
    return max(_check_one(path, games, as_json, known) for path in paths)


def _read_sheets(sheets: Sequence[Path]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in sheets:
        if path.stem in texts:
            raise BadSheet(f"two sheets have the name {path.stem}; {path} needs another")
        texts[path.stem] = game_catalog.read_sheet(path)
    return texts


def _check_one(path: str, games: Sequence[Game], as_json: bool, known: DieSetSource) -> int:
    name = "standard input" if path == STANDARD_INPUT else path
    try:
        record = open_record(path, games, known)
        return _print_json(name, record) if as_json else _print_words(name, record)
    except BadRecord as wrong:
        print(visible(f"vander: {name}, {wrong}"), file=sys.stderr)
    except RecordFileError as wrong:
        print(f"vander: {wrong}", file=sys.stderr)
    return UNREADABLE


def _print_json(name: str, record: OpenedRecord) -> int:
    """Print an object for each entry and for each false claim, then the standing; return the exit status."""
    state, status = record.start, FINE
    for checked in check_record(record.game, record.start, record.record):
        state = checked.state
        status = max(status, BROKEN if checked.refusal else FINE)
        if checked.refusal or isinstance(checked.line, RecordedEntry):
            print(json.dumps({"record": name, **_ruling_json(record.game, checked)}))
    print(json.dumps({"record": name, "standing": _standing_json(record.game, state)}))
    return status


def _ruling_json(game: Game, checked: CheckedLine) -> dict[str, Any]:
    why = checked.refusal
    return {
        "line": checked.line.line_number,
        "number": checked.number,
        "action": str(checked.line),
        "accepted": why is None,
        "rule": why.rule if why else "",
        "sentence": why.sentence if why else "",
        "calls": [{"sentence": call.sentence, "rule": call.rule} for call in checked.calls],
        "scores": list(checked.state.scores),
        **_facts_json(game, checked.state),
    }


def _facts_json(game: Game, state: GameState) -> dict[str, Any]:
    return {"turn_points": game.turn_points(state), "left": list(state.gone), "state": game.facts(state)}


def _standing_json(game: Game, state: GameState) -> dict[str, Any]:
    return {
        "players": [player.name for player in state.players],
        "scores": list(state.scores),
        "winner": list(state.winner),
        "to_act": list(state.to_act),
        "over": not state.to_act,
        **_facts_json(game, state),
    }


def _print_words(name: str, record: OpenedRecord) -> int:
    """Print a line for each fault, and one for the whole record; return the exit status."""
    state, wrong, is_broken = record.start, 0, False
    for checked in check_record(record.game, record.start, record.record):
        state = checked.state
        if checked.refusal:
            wrong += 1
            is_broken = checked.is_last
            print(visible(f"{name}, {describe_fault(checked)}"))
    print(visible(f"{name}: {_summary(record, wrong, is_broken)} {_describe_standing(record.game, state)}"))
    return BROKEN if wrong else FINE


def _summary(record: OpenedRecord, wrong: int, is_broken: bool) -> str:
    if is_broken:
        return "What follows that line is not ruled on, for the game has no state there. Up to it:"
    count = len(record.record.entries)
    return f"{counted(count, 'entry')}, {'otherwise ' if wrong else ''}all within the rules."


def _describe_standing(game: Game, state: GameState) -> str:
    """Return the scores, what else the game counts, and how it ended, such as `Ann 5600, Bob 300. Ann has won.`."""
    scores = (f" {score}" for score in state.scores) if state.scores else ("" for _ in state.players)
    standing = ", ".join(f"{player.name}{score}" for player, score in zip(state.players, scores, strict=True))
    return " ".join([f"{standing}.", *_describe_facts(game, state), _describe_end(game, state)])


def _describe_facts(game: Game, state: GameState) -> Iterator[str]:
    """Yield what the game counts besides scores, in the words of a record's claims: `chips: 53, 57.`."""
    yield from (f"{claim}." for claim in claims_of_the_game(game, state))
    if state.gone:
        yield f"{state.names(state.gone)} {'has' if len(state.gone) == 1 else 'have'} left."
    if state.to_act and game.turn_points(state):
        yield f"The turn has {game.turn_points(state)} so far."


def _describe_end(game: Game, state: GameState) -> str:
    """Return how the game ended, in its own words, or who is to act."""
    if not state.to_act:
        return game.tell(state)
    return f"{' or '.join(state.name(seat) for seat in state.to_act)} is to act."


# Open game records from files and standard input, and say what is wrong with a line


STANDARD_INPUT = "-"


@dataclass(frozen=True)
class OpenedRecord:
    """A record that could be read, with its game and its start."""

    record: Record
    game: Game
    dice: DieSet
    start: GameState


def open_record(path: str, games: Sequence[Game], known: DieSetSource = die_sets) -> OpenedRecord:
    """The record in a file, or on standard input for `-`, of one of these games, with dice that are known.

    Raises RecordFileError and BadRecord.
    """
    with _open_lines(path) as lines:
        record = parse_record(lines)
    try:
        game = named(record.game, games)
    except NoSuchGame as wrong:
        raise BadRecord(record.line_of("game"), str(wrong)) from None
    dice = _find_dice(record, game, known)
    return OpenedRecord(record, game, dice, start_of_record(record, game, dice))


def check_file_name(path: Path, rather: str) -> None:
    """Check that the name of a new file is no number, by which a game was meant. Raises RecordFileError."""
    if path.name.isdecimal():
        raise RecordFileError(f"{path} is a number and no name of a file; give {rather}")


def _find_dice(record: Record, game: Game, known: DieSetSource) -> DieSet:
    name = record.dice or game.die_set
    if not name:
        names = ", ".join(known.names())
        raise BadRecord(
            record.line_of("game"), f"{game.title} is played with any dice; name them: dice: one of {names}"
        )
    try:
        return known.load(name)
    except die_sets.NoSuchDieSet as wrong:
        raise BadRecord(record.line_of("dice"), str(wrong)) from None


@contextmanager
def _open_lines(path: str) -> Iterator[Iterator[str]]:
    try:
        if path == STANDARD_INPUT:
            yield _decode_lines(sys.stdin.buffer)
            return
        with Path(path).open("rb") as file:
            yield _decode_lines(file)
    except OSError as error:
        raise RecordFileError(f"the record {path} cannot be read: {error.strerror or error}") from error


def _decode_lines(file: BinaryIO) -> Iterator[str]:
    """Yield a file's lines, each cut soon after LONGEST_LINE; bytes that are no UTF-8 pass as surrogates."""
    while line := file.readline(4 * (LONGEST_LINE + 1)):
        yield line.decode("utf-8", "surrogateescape")


def describe_fault(checked: CheckedLine) -> str:
    """Return one sentence: the line and its entry, why the rules refuse it, and the rule; '' if they do not."""
    why = checked.refusal
    if why is None:
        return ""
    rule = f" ({why.rule})" if why.rule else ""
    said = "recorded at the table" if checked.is_recorded else str(checked.line)
    entry = f", entry {checked.number}" if isinstance(checked.line, RecordedEntry) else ""
    return visible(f"line {checked.line.line_number}{entry}, {said}: {why.sentence}{rule}")
