"""What a table and its hall send each other, in both programs the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from referee.sentences import say
from web.schemas.response_model import FIELD, Line, Name, Needs, OptionalText, RequestModel, Whole

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
