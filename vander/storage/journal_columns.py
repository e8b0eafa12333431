"""An entry as the columns of a table: how it is written to a journal or a hall, and read back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol

from referee.actions import Action
from referee.dice import Die
from referee.journal import Deed, Entry, Source
from referee.sentences import Remembered


class JournalColumns(Protocol):
    """The columns of an entry: a row of a database, or a line of an outbox.

    `action` and `dice` are texts, '' for none; `source` and `deed` are the values of their enumerations.
    """

    number: int
    at: datetime
    source: str
    deed: str
    action: str
    target: int
    note: str
    rule: str
    evidence: str
    device: str
    seat: int
    dice: str


def read_entry(columns: JournalColumns, players: Iterable[str]) -> Entry:
    """Return the entry of a game with these players. Raises ValueError for one that cannot be read."""
    return Entry(
        number=columns.number,
        at=columns.at,
        source=Source(columns.source),
        deed=Deed(columns.deed),
        action=Action.parse(columns.action) if columns.action else None,
        target=columns.target,
        note=Remembered(columns.note, players),
        rule=columns.rule,
        evidence=columns.evidence,
        device=columns.device,
        seat=columns.seat,
        dice=tuple(map(Die.parse, columns.dice.split())),
    )


def entry_columns(entry: Entry) -> dict[str, Any]:
    """Return the columns of an entry, by name."""
    return {
        "number": entry.number,
        "at": entry.at,
        "source": str(entry.source),
        "deed": str(entry.deed),
        "action": str(entry.action) if entry.action else "",
        "target": entry.target,
        "note": str(entry.note),
        "rule": entry.rule,
        "evidence": entry.evidence,
        "device": str(entry.device),
        "seat": entry.seat,
        "dice": " ".join(map(str, entry.dice)),
    }
