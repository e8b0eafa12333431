"""`vander export`: write a game of the journal as a game record."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from models import die_sets
from models.die_sets import DieSetSource, NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from referee.fair_play import fair_play, told
from referee.game import BadSheet, Game
from referee.games import NoSuchGame
from referee.journal import Entry
from referee.journal_record import JournalLines, journal_lines
from referee.record_claims import claims_of_the_game
from referee.record_format import BadRecord, Claim, Record, RecordedEntry, write_record
from referee.record_parser import parse_record
from vander.cli.command_options import DataDir, command_app
from vander.cli.open_records import RecordFileError, find_game
from vander.resources import data_stores, game_catalog
from vander.session.match import Match
from vander.storage.journal_store import Journal
from vander.storage.settings import SettingError, load
from vander.storage.storage_errors import StorageError
from vander.storage.stored_game import KeptGame


class NoSuchJournalGame(LookupError):
    """The journal holds no game of that number."""

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
    NoSuchJournalGame,
)

app = command_app()


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
    with closing(data_stores.open_journal(settings)) as journal:
        games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
        write_text(export_game(journal, games, number, known), path)


def export_game(
    journal: Journal, games: Sequence[Game], number: int | None = None, known: DieSetSource = die_sets
) -> str:
    """Return a journal's game as a record, by default the latest.

    Raises NoSuchJournalGame, BadRecord and BrokenJournal.
    """
    kept = find_journal_game(journal, number)
    entries = journal.entries(kept.number)
    said = journal_lines(entries)
    lines: tuple[RecordedEntry | Claim, ...] = (*said.entries, *_claims(kept, entries, games, known))
    heading = (kept.game, kept.players, kept.options, kept.die_set, kept.started_at, kept.ended_at)
    record = Record(*heading, lines, comments=_comments(said, entries, len(lines)))
    text = write_record(record)
    if parse_record(text) != record:
        raise BadRecord(1, f"the journal's game {kept.number} holds what a record has no words for")
    return text


def _comments(said: JournalLines, entries: Sequence[Entry], end: int) -> Mapping[int, tuple[str, ...]]:
    """Return the comments of a record, the fair-play report after its last line."""
    return {**said.comments, end: (*said.comments.get(end, ()), *told(fair_play(entries)))}


def find_journal_game(journal: Journal, number: int | None) -> KeptGame:
    """Return the game of that number, by default the latest. Raises NoSuchJournalGame."""
    games = journal.games()
    if number is None and games:
        return games[-1]
    found = next((kept for kept in games if kept.number == number), None)
    if found is None:
        there = ", ".join(str(kept.number) for kept in games[-20:]) or "no games yet"
        raise NoSuchJournalGame(f"the journal has no game {number or ''}".rstrip() + f"; it has {there}")
    return found


def _claims(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource) -> tuple[Claim, ...]:
    """Return the claims that end the record, scores and winner last; none where the rules cannot replay the game."""
    try:
        match = Match.of(kept, find_game(kept.game, games), known.load(kept.die_set), entries)
    except (LookupError, ValueError):
        return ()
    scores, winner = Claim("scores", match.state.scores), Claim("winner", match.state.winner)
    return tuple(claim for claim in (*claims_of_the_game(match.game, match.state), scores, winner) if claim.numbers)


def write_text(text: str, path: Path | None) -> None:
    """Write a record to a new file, or to standard output. Raises RecordFileError."""
    if path is None:
        sys.stdout.buffer.write(text.encode())
        return
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RecordFileError(f"{path} is there already; name another file, or take that one away") from None
    except OSError as error:
        raise RecordFileError(f"the record {path} cannot be written: {error.strerror or error}") from error
