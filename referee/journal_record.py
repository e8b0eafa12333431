"""The entries of a journal as lines of a game record.

What changes no state and was not recorded as a breach (answers, remarks, challenges) stands in comments: a record
counts its entries without them, so that any reader of records can follow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.fair_play import LEANED
from referee.journal import SAID, Actor, Deed, Entry
from referee.record_parser import RecordedEntry

COMMENTED = SAID
"""The deeds that a record has no line for."""


@dataclass(frozen=True)
class JournalLines:
    """Entries as a record has them, and the comments before each, by its place; those at the end come last."""

    entries: tuple[RecordedEntry, ...]
    comments: Mapping[int, tuple[str, ...]]


def journal_lines(entries: Sequence[Entry]) -> JournalLines:
    """Return the entries of a journal as lines of a record; targets are numbered as the record counts its entries."""
    numbers, lines, comments = dict[int, int](), list[RecordedEntry](), dict[int, tuple[str, ...]]()
    for entry in entries:
        if said := comment_of(entry):
            comments[len(lines)] = (*comments.get(len(lines), ()), said)
        if entry.deed not in COMMENTED:
            numbers[entry.number] = len(lines) + 1
            note = "" if entry.deed is Deed.UNDO or entry.note == LEANED else entry.note
            lines.append(RecordedEntry.of(replace(entry, target=numbers.get(entry.target, entry.target), note=note)))
    return JournalLines(tuple(lines), comments)


def comment_of(entry: Entry) -> str:
    """Return what a record says of an entry in a comment: the note, and whose device and seat it was; '' for none."""
    note = " ".join(filter(None, (f"{entry.deed}:", entry.note, entry.rule and f"({entry.rule})")))
    taken_back = f"taken back: {entry.note}" if entry.deed is Deed.UNDO and entry.note else ""
    leaned = LEANED if entry.note == LEANED else ""
    return " ".join(filter(None, (note if entry.deed in COMMENTED else taken_back or leaned, signature(entry.by))))


def signature(by: Actor) -> str:
    """Return who did something, as a comment says it: `by Ann's phone, seat 1`; '' where nobody knows."""
    seat = f"seat {by.seat}" if by.seat else ""
    who = ", ".join(filter(None, (by.device, seat)))
    return f"by {who}" if who else ""
