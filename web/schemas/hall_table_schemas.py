"""JSON of a hall's tables as people watch them, and of the phones of players who wait there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from referee.dice import Die
from referee.past_result import PastStep
from web.schemas.response_model import Count, Name, OptionalName, RequestModel, Whole
from web.schemas.season_schemas import EXACT, HallGame
from web.schemas.snapshot_schemas import SnapshotResponse, TitledDie

# JSON of a hall's tables as people watch them: all of them in short, one whole, and its games entry by entry


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
    """A seat of the game on a table."""

    seat: Count
    name: str
    score: int | None
    """null where nothing is scored."""
    acts: bool
    won: bool


@dataclass(frozen=True)
class ShownGame:
    """The game on a table in short."""

    number: Count
    name: str
    title: str
    seats: tuple[ShownSeat, ...]
    ruling: str
    """The referee's last sentence, '' before the first."""
    is_over: bool
    refused: str
    """Why the hall does not count it, in a sentence, or ''."""


@dataclass(frozen=True)
class ShownTable:
    """A table as all tables are shown. `changed` is the number of the change after which it looks so."""

    number: Count
    name: str
    changed: Annotated[int, Field(exclude=True)]
    stage: TableStage
    troubles: tuple[TableTrouble, ...]
    reason: str
    """Why it is quarantined, in a sentence, or ''."""
    game: ShownGame | None


@dataclass(frozen=True)
class TablesChange:
    """The tables that changed since a change."""

    number: Count
    """The number of the last change."""
    there: tuple[Count, ...]
    """The numbers of all tables, in the order of their names."""
    tables: tuple[ShownTable, ...]


@dataclass(frozen=True)
class LiveHint:
    """What a table says of itself between two entries; it is never counted. '' and () stand for nothing said.

    `dice` lie in the tray now; `waits_for` is what the table waits for, `camera` and `box` what is wrong with them.
    """

    dice: Annotated[tuple[Die, ...], Field(exclude=True)] = ()
    waits_for: str = ""
    camera: str = ""
    box: str = ""


@dataclass(frozen=True)
class WatchedTable:
    """A table as its own page shows it."""

    table: ShownTable
    snapshot: SnapshotResponse
    """The game as its entries have it, in the shape of the table's own snapshots; nothing is offered in it."""
    rulings: tuple[PastStep, ...]
    """The last rulings that stand, the newest first."""
    dice: tuple[TitledDie, ...]
    """The dice of the last throw, or those that lie now where the table says so."""
    hint: LiveHint


@dataclass(frozen=True)
class TableGamesResponse:
    """Ended games of a table, the last first."""

    games: tuple[HallGame, ...]


@dataclass(frozen=True)
class PastTableGame:
    """A game of a table, also of one that was removed, with all that happened in it, in order."""

    table: Count
    table_name: str
    game: ShownGame
    started_at: Annotated[datetime, EXACT]
    ended_at: Annotated[datetime | None, EXACT]
    """'' while it goes on."""
    steps: tuple[PastStep, ...]


# What the pages of a hall ask and are answered


class TableStanding(StrEnum):
    """How a table stands with the hall: its entries are taken, or refused until it is paired again."""

    LIVE = "live"
    QUARANTINED = "quarantined"


@dataclass(frozen=True)
class HallTable:
    """A table of the hall, as its keeper sees it."""

    number: int
    name: str
    standing: TableStanding
    reason: str
    """Why it is quarantined, else ''."""
    taken: int
    """How many lines the hall has taken."""
    clock_off_s: float
    """How many seconds the table's clock is ahead of the hall's."""
    version: str
    seen_at: Annotated[datetime | None, EXACT]
    """When it last sent something, ISO 8601, or ''."""


@dataclass(frozen=True)
class HallTablesResponse:
    """The tables of the hall, and the code that lets another one join."""

    tables: tuple[HallTable, ...]
    code: tuple[int, ...]
    """Six dice; empty when no code is shown."""


class RemoveTableRequest(RequestModel):
    """Which table is to go."""

    number: Whole


# JSON of a player's phone at a table of the hall: who waits there, and joining in


class WaitRequest(RequestModel):
    """Who joins in at the table, or is taken off its list."""

    example: ClassVar = {"name": "Ann"}

    name: Name


class NamesQuery(RequestModel):
    """How a player's name begins."""

    example: ClassVar = {"begins": "An"}

    begins: OptionalName = ""


@dataclass(frozen=True)
class WaitingResponse:
    """A table and who waits there, in the order of joining."""

    table: str
    waiting: tuple[str, ...]
    own: str
    """The name that this phone waits under, else the one that it gave last, '' for none."""
    joined: bool
    """Whether this phone waits here: a name alone may be another player's."""


@dataclass(frozen=True)
class StillWaitingResponse:
    """Who waits at a table, in the order of joining."""

    waiting: tuple[str, ...]


@dataclass(frozen=True)
class OfferedNamesResponse:
    """Names of players of the hall."""

    names: tuple[str, ...]
