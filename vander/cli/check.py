"""`vander check`: check game records against the rules, in words or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from models import die_sets
from models.die_sets import DieSetSource, NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from referee.actions import GameState
from referee.game import BadSheet, Game
from referee.games import NoSuchGame
from referee.record_check import CheckedLine, check_record, claims_of_the_game
from referee.record_parser import BadRecord, RecordedEntry, visible
from vander.cli.command_options import BAD_INPUT, FAILED, AsJson, DataDir, command_app
from vander.cli.open_records import STANDARD_INPUT, OpenedRecord, RecordFileError, describe_fault, open_record
from vander.resources import game_catalog
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

FINE, BROKEN, UNREADABLE = 0, FAILED, BAD_INPUT
"""Exit statuses: nothing is wrong; a breach, or a claim that is not so; a record that cannot be read."""

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
    entries = "one entry" if count == 1 else f"{count} entries"
    return f"{entries}, {'otherwise ' if wrong else ''}all within the rules."


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
