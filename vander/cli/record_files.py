"""Game records on disk and in the journal: `vander export` and `vander import`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from models import die_sets
from models.die_sets import DieSetSource
from referee.dice import DieSet
from referee.game import Game, GameState
from referee.games import NoSuchGame, named
from referee.journal import Deed, Entry
from referee.record import BadRecord, Claim, Record, RecordedEntry, visible, write_record
from referee.record_check import CheckedLine, check_record, start_of_record
from referee.record_parser import LONGEST_LINE, parse_record
from vander.session.match import Match
from vander.storage.journal_store import Journal, KeptGame

STANDARD_INPUT = "-"


class RecordFileError(OSError):
    """A record's file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class NoSuchJournalGame(LookupError):
    """The journal holds no game of that number."""

    def __str__(self) -> str:
        return str(self.args[0])


class NotImported(ValueError):
    """A record holds what no journal may; nothing was changed."""


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
    with _lines(path) as lines:
        record = parse_record(lines)
    try:
        game = _game(record.game, games)
    except NoSuchGame as wrong:
        raise BadRecord(record.line_of("game"), str(wrong)) from None
    dice = _dice(record, game, known)
    return OpenedRecord(record, game, dice, start_of_record(record, game, dice))


def _game(name: str, games: Sequence[Game]) -> Game:
    """The game of that name, on its owner's sheets where these games are. Raises NoSuchGame."""
    return next((game for game in games if game.name == name), None) or named(name)


def _dice(record: Record, game: Game, known: DieSetSource) -> DieSet:
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
def _lines(path: str) -> Iterator[Iterator[str]]:
    try:
        if path == STANDARD_INPUT:
            yield _decoded(sys.stdin.buffer)
            return
        with Path(path).open("rb") as file:
            yield _decoded(file)
    except OSError as error:
        raise RecordFileError(f"the record {path} cannot be read: {error.strerror or error}") from error


def _decoded(file: BinaryIO) -> Iterator[str]:
    """The lines of a file, none much longer than a record may have them; what is no text is left for `parse`."""
    while line := file.readline(4 * (LONGEST_LINE + 1)):
        yield line.decode("utf-8", "surrogateescape")


# Out of the journal


def exported(journal: Journal, games: Sequence[Game], number: int | None = None, known: DieSetSource = die_sets) -> str:
    """Return a journal's game as a record, by default the latest.

    Raises NoSuchJournalGame, BadRecord and BrokenJournal.
    """
    kept = _kept(journal, number)
    entries = journal.entries(kept.number)
    lines: tuple[RecordedEntry | Claim, ...] = (
        *map(RecordedEntry.of, entries),
        *_standing(kept, entries, games, known),
    )
    record = Record(kept.game, kept.players, kept.options, kept.die_set, kept.started_at, kept.ended_at, lines)
    text = write_record(record)
    if parse_record(text) != record:
        raise BadRecord(1, f"the journal's game {kept.number} holds what a record has no words for")
    return text


def _kept(journal: Journal, number: int | None) -> KeptGame:
    games = journal.games()
    if number is None and games:
        return games[-1]
    found = next((kept for kept in games if kept.number == number), None)
    if found is None:
        there = ", ".join(str(kept.number) for kept in games[-20:]) or "no games yet"
        raise NoSuchJournalGame(f"the journal has no game {number or ''}".rstrip() + f"; it has {there}")
    return found


def _standing(
    kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource
) -> tuple[Claim, ...]:
    """What the game came to, for readers and for `vander check`; nothing where the rules cannot say."""
    try:
        match = Match.of(kept, _game(kept.game, games), known.load(kept.die_set), entries)
    except (LookupError, ValueError):
        return ()
    scores, winner = Claim("scores", match.state.scores), Claim("winner", match.state.winner)
    return tuple(claim for claim in (scores, winner) if claim.numbers)


def put_out(text: str, path: Path | None) -> None:
    """Write a record to a file that is not there yet, or to standard output. Raises RecordFileError."""
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


# Into the journal


def imported(
    journal: Journal, path: str, games: Sequence[Game], *, go_on: bool = False, known: DieSetSource = die_sets
) -> tuple[KeptGame, str]:
    """Put a record into the journal as a game of its own, whole or not at all: the game, and what has to be said.

    It is stored as ended unless `go_on`, and as timed by a clock that nobody here knows. A last entry that the rules
    refuse is kept as a breach, since it happened.
    Raises RecordFileError, BadRecord, NotImported and what the journal raises.
    """
    opened = open_record(path, games, known)
    record, told, state = _without_broken_end(opened)
    if go_on:
        _may_go_on(journal, state)
    started = record.started or datetime.now(UTC)
    entries = record.journal_entries(started)
    ended = None if go_on else record.ended or max((started, *(entry.at for entry in entries)))
    kept = KeptGame(
        0, record.game, record.players, record.options, opened.dice.name, started, ended, clock_doubted=True
    )
    return journal.keep(kept, entries), told


def _without_broken_end(opened: OpenedRecord) -> tuple[Record, str, GameState]:
    """The record as a journal may hold it, what was changed, and where the game stands."""
    state = opened.start
    for checked in check_record(opened.game, opened.start, opened.record):
        state = checked.state
        if checked.refusal and not checked.is_recorded:
            record = _with_breach(opened.record, checked)
            return record, f"{fault(checked)} It is kept as a breach.", state
    return opened.record, "", state


def _with_breach(record: Record, broken: CheckedLine) -> Record:
    said, why = broken.line, broken.refusal
    if isinstance(said, Claim) or why is None or said is not record.entries[-1]:
        further = "" if isinstance(said, Claim) else " What follows it has no meaning then."
        raise NotImported(f"{fault(broken)}{further} Nothing is imported.")
    breach = RecordedEntry(
        Deed.BREACH, note=f"{said}: {why.sentence}", rule=why.rule, origin=said.origin, line_number=said.line_number
    )
    return replace(record, lines=(*record.lines[: record.lines.index(said)], breach))


def _may_go_on(journal: Journal, state: GameState) -> None:
    """Whether the table may go on with this game: it is not over, and no other is going on."""
    if not state.to_act:
        raise NotImported("The game of this record is over; it cannot go on. Nothing is imported.")
    other = journal.latest()
    if other:
        raise NotImported(f"Game {other.number} ({other.game}) is going on; end it first. Nothing is imported.")


def fault(checked: CheckedLine) -> str:
    """What is wrong with a line, in words: the line, what it says, why it cannot be, and the rule."""
    why = checked.refusal
    if why is None:
        return ""
    rule = f" ({why.rule})" if why.rule else ""
    said = ", recorded at the table" if checked.is_recorded else f", {checked.line}"
    return visible(f"line {checked.line.line_number}{said}: {why.sentence}{rule}")
