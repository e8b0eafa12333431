"""JSON of a hall's tables, of its players' phones, and of its wire."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from referee.dice import Die
from referee.past_result import PastStep
from referee.sentences import say
from web.schemas.response_model import FIELD, Count, Line, Name, Needs, OptionalName, OptionalText, RequestModel, Whole
from web.schemas.snapshot_schemas import SnapshotResponse, TitledDie
from web.schemas.tournament_schemas import EXACT, HallGame

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
    clock_doubted: bool
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


# JSON of a player's phone at a table of the hall: who waits there, and joining in


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


WIRE = 1
"""The version of what is sent. A hall refuses another one."""
MOST_LINES = 200
"""Lines in one request."""
LONGEST_BODY = 20_000
"""Characters of a line's body: a note may be long."""
LONGEST_FILE = 20_000
"""Characters of a printed sheet, or of the file of a die set."""
HEX_DIGITS = 64

Hash = Annotated[
    str,
    Field(pattern=f"^([0-9a-f]{{{HEX_DIGITS}}})?$"),
    Needs(say("The request needs {field} as 64 hexadecimal digits, or empty.", field=FIELD)),
]
Kind = Annotated[
    Literal["game", "entry", "ended", "names"],
    Needs(say("The request needs {field} as game, entry, ended or names.", field=FIELD)),
]
Files = Annotated[
    dict[Annotated[str, Line(40)], Annotated[str, Field(max_length=LONGEST_FILE)]],
    Needs(say("The request needs {field} as texts by name.", field=FIELD)),
]

TableCode = Annotated[
    list[Annotated[int, Field(ge=1, le=6)]],
    Field(min_length=6, max_length=6),
    Needs(say("The request needs {field}, a list of six whole numbers from 1 to 6.", field=FIELD)),
]


class LineRequest(RequestModel):
    """A line of a table's outbox; see `vander.storage.outbox_tables`."""

    sequence: Whole
    kind: Kind
    body: Annotated[
        str, Field(max_length=LONGEST_BODY), Needs(say("The request needs {field} as a shorter text.", field=FIELD))
    ]
    hash: Hash


class EntriesRequest(RequestModel):
    """Lines of a table's outbox in order, and where the table stands."""

    example: ClassVar = {
        "wire": WIRE,
        "version": "0.1.0",
        "now": "2026-03-04T19:30:00+00:00",
        "head": 0,
        "previous": "",
        "lines": [],
    }

    wire: Whole
    """The version of what is sent."""
    version: Annotated[str, Line(40, called=say("a version"))]
    """The table's Vander."""
    now: Annotated[str, Line(40, called=say("a time"))]
    """The table's clock, as ISO 8601 with its zone."""
    head: Whole
    """The number of the last line that the table has written; 0 for none."""
    previous: Hash
    """The hash of the line before the first of `lines`, or, without lines, of the last that the table has written."""
    lines: Annotated[
        list[LineRequest],
        Field(max_length=MOST_LINES),
        Needs(say("The request needs {field} as a list of at most {most} lines.", field=FIELD, most=MOST_LINES)),
    ]
    sheets: Files = Field(default_factory=dict)
    """The printed sheets of the table's own that its games use."""
    die_sets: Files = Field(default_factory=dict)
    """The files of the die sets of the table's own that its games use."""
    node: OptionalText = ""
    """The table's name on an MQTT broker, `` for none."""


@dataclass(frozen=True)
class HallInvitation:
    """A game that the hall would have played at this table: its people take it up or not."""

    number: int
    title: str
    """The tournament's name and the round."""
    game: str
    players: tuple[str, ...]
    options: dict[str, str]
    tournament: str = ""
    """The tournament's name, of which the title is made; '' from a hall that does not tell it."""
    round: int = 0


@dataclass(frozen=True)
class EntriesResponse:
    """How many lines of this table the hall has taken, and what it would have the table's people know."""

    taken: int
    waiting: tuple[str, ...] = ()
    """The players who have joined in at this table by its code, in order, and wait for a game."""
    invitation: HallInvitation | None = None


class JoinHallRequest(RequestModel):
    """The code that the hall shows, and what the table is called."""

    example: ClassVar = {"code": [3, 1, 4, 1, 5, 2], "name": "Table 4", "wire": WIRE, "version": "0.1.0"}

    code: TableCode
    name: Name
    wire: Whole
    version: Annotated[str, Line(40, called=say("a version"))]


@dataclass(frozen=True)
class JoinHallResponse:
    """What a table needs to send to a hall."""

    key: str
    """The secret that goes with each request, `Authorization: Bearer KEY`."""
    link: str
    """The name of this pairing."""
    name: str
    """The table's name in the hall."""


@dataclass(frozen=True)
class WaitingList:
    """What a table is called and who waits there, in the order of joining.

    `own` joined with the secret that was given, '' for nobody.
    """

    table: str
    names: tuple[str, ...]
    own: str
