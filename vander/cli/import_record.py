"""`vander import`: put a game record into the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, ClassVar

import typer
from typer import Argument, Option

from models import die_sets
from models.die_sets import DieSetSource, NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from referee.actions import GameState
from referee.game import BadSheet, Game
from referee.games import NoSuchGame
from referee.journal import Deed
from referee.record_check import CheckedLine, check_record
from referee.record_parser import BadRecord, Claim, Record, RecordedEntry
from vander.cli.command_options import FAILED, DataDir, command_app
from vander.cli.open_records import OpenedRecord, RecordFileError, describe_fault, open_record
from vander.resources import data_stores, game_catalog
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.storage.settings import SettingError, load


class NotImported(ValueError):
    """A record holds what no journal may; nothing was changed."""

    exit_status: ClassVar[int] = FAILED


EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    BadSheet,
    BadDieSet,
    NoSuchDieSet,
    NoSuchGame,
    BadRecord,
    RecordFileError,
    NotImported,
)

app = command_app()


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
    with alone, data_stores.shared_journal(settings) as journal:
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
