"""A hall's tables as they are shown, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from referee.dice import Die
from referee.past_steps import PastStep
from referee.snapshot import Snapshot


class TableTrouble(StrEnum):
    """What is wrong with a table: the hall refuses its entries, nothing is heard of it, or its clock is off.

    REFUSED: the hall does not count the game that is on the table, by the rules or since it was told twice.
    """

    QUARANTINED = "quarantined"
    REFUSED = "refused"
    SILENT = "silent"
    CLOCK = "clock"


class TableStage(StrEnum):
    """Stage of a table: a game is running, a game is over, or nothing happened for a while."""

    GOING = "going"
    OVER = "over"
    QUIET = "quiet"


@dataclass(frozen=True)
class ShownSeat:
    """A seat of the game on a table. `score` is None where nothing is scored."""

    seat: int
    name: str
    score: int | None
    acts: bool
    won: bool


@dataclass(frozen=True)
class ShownGame:
    """The game on a table in short. `ruling` is the referee's last sentence, '' before the first."""

    number: int
    name: str
    title: str
    seats: tuple[ShownSeat, ...]
    ruling: str
    is_over: bool
    refused: str
    """Why the hall does not count it, in a sentence, or ''."""


@dataclass(frozen=True)
class ShownTable:
    """A table as all tables are shown. `changed` is the number of the change after which it looks so."""

    number: int
    name: str
    changed: int
    stage: TableStage
    troubles: tuple[TableTrouble, ...]
    reason: str
    """Why it is quarantined, in a sentence, or ''."""
    game: ShownGame | None


@dataclass(frozen=True)
class TablesChange:
    """The tables that changed since a change, up to the one of this `number`; `there` are all tables, in order."""

    number: int
    there: tuple[int, ...]
    tables: tuple[ShownTable, ...]


@dataclass(frozen=True)
class LiveHint:
    """What a table says of itself between two entries. It is never counted. '' and () stand for nothing said.

    `dice` lie in the tray now; `waits_for` is what the table waits for, `camera` and `box` what is wrong with them.
    """

    dice: tuple[Die, ...] = ()
    waits_for: str = ""
    camera: str = ""
    box: str = ""


@dataclass(frozen=True)
class WatchedTable:
    """A table as its own page shows it.

    `snapshot` is the game as its entries have it, without a game where none was played; `rulings` are the last ones
    that stand, the newest first; `dice` are those of the last throw, or those that lie now where the table says so.
    """

    shown: ShownTable
    snapshot: Snapshot
    rulings: tuple[PastStep, ...]
    dice: tuple[Die, ...]
    hint: LiveHint


@dataclass(frozen=True)
class PastTableGame:
    """A game of a table, entry by entry, also of one that was removed. `ended_at` is None while it goes on."""

    table: int
    table_name: str
    game: ShownGame
    started_at: datetime
    ended_at: datetime | None
    steps: tuple[PastStep, ...]
