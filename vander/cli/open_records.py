"""Open game records from files and standard input, and say what is wrong with a line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from models import die_sets
from models.die_sets import DieSetSource
from referee.actions import GameState
from referee.dice import DieSet
from referee.game import Game
from referee.games import NoSuchGame, named
from referee.record_check import CheckedLine, start_of_record
from referee.record_parser import LONGEST_LINE, BadRecord, Record, RecordedEntry, parse_record, visible

STANDARD_INPUT = "-"


class RecordFileError(OSError):
    """A record's file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


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
        game = find_game(record.game, games)
    except NoSuchGame as wrong:
        raise BadRecord(record.line_of("game"), str(wrong)) from None
    dice = _find_dice(record, game, known)
    return OpenedRecord(record, game, dice, start_of_record(record, game, dice))


def check_file_name(path: Path, rather: str) -> None:
    """Check that the name of a new file is no number, by which a game was meant. Raises RecordFileError."""
    if path.name.isdecimal():
        raise RecordFileError(f"{path} is a number and no name of a file; give {rather}")


def find_game(name: str, games: Sequence[Game]) -> Game:
    """Return the game of that name, preferably from `games`, which may have more printed sheets. Raises NoSuchGame."""
    return next((game for game in games if game.name == name), None) or named(name)


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
