"""JSON of the test of the dice: how often each face was read, and how often a fair die is read so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from web.schemas.request_model import Digits, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel, rounded

Read = Annotated[float, rounded(1)]


@dataclass(frozen=True)
class FairFaceSchema(ResponseModel):
    """A face of a kind of dice."""

    face: str
    title: str
    read: Count
    expected: Read
    """How often a fair die is read so on average, this table's misreads included."""
    low: Read
    """Between `low` and `high` lie all faces of a fair die in 95 of 100 cases."""
    high: Read


@dataclass(frozen=True)
class FairKindSchema(ResponseModel):
    """A kind of dice: all dice of it are tested together."""

    kind: str
    title: str
    dice: Count
    needed: Count
    """How many dice find one loaded by 20 % in 8 of 10 cases; 0 while misreads are hardly known."""
    p_value: Annotated[float, rounded(4)]
    """The share of fair dice that are read as unevenly by chance."""
    is_suspicious: bool
    """True if fewer than 5 of 100 fair dice are read as unevenly."""
    faces: tuple[FairFaceSchema, ...]


@dataclass(frozen=True)
class FairnessResponse(ResponseModel):
    """The test of the dice of one set."""

    die_set: str
    title: str
    kinds: tuple[FairKindSchema, ...]
    """The kinds of which dice were read."""


@dataclass(frozen=True)
class ReadDieSet(ResponseModel):
    """A die set of which dice were read."""

    name: str
    title: str


@dataclass(frozen=True)
class FairnessOverview(ResponseModel):
    """The die sets that can be tested, and what the test rests on."""

    die_sets: tuple[ReadDieSet, ...]
    checked: Count
    """Of so many dice, chosen at random, people said whether they were read right."""
    wrong: Count
    """So many of these were read wrong."""
    uncounted: Count
    """How many ended games are not counted yet."""


@dataclass(frozen=True)
class CheckedDieSchema(ResponseModel):
    """A die that people checked: the titles of the face that was read, and of the one that it shows."""

    kind: str
    read: str
    shows: str
    is_wrong: bool


@dataclass(frozen=True)
class CheckedThrowSchema(ResponseModel):
    """A throw of which people said whether it was read right."""

    number: Count
    """The throws are numbered from 1 in the order of the answers."""
    at: str
    """When people said so: ISO 8601 in UTC."""
    game: str
    """The name of the game, '' where the journal does not hold it any more."""
    past_game: Count
    """The number of the game where it has ended, else 0."""
    entry: Count
    picture: str
    """The name of the kept picture, `/pictures/{name}.jpg`, or ''; old pictures give way to new ones."""
    dice: tuple[CheckedDieSchema, ...]


@dataclass(frozen=True)
class CheckedThrowsResponse(ResponseModel):
    """Some of the throws that people checked, the newest first."""

    throws: tuple[CheckedThrowSchema, ...]
    has_more: bool
    unnamed: Count
    """Of so many checked dice only the number is kept, since they were checked by an earlier version."""


class CheckedThrowsQuery(RequestModel):
    """Which throws are wanted: those below a number, 0 for the newest; only those with a die that was read wrong."""

    before: Annotated[Whole, Digits] = 0
    wrong: Annotated[Whole, Digits] = 0
    """1 for these only."""
    example: ClassVar = {"before": 20, "wrong": 1}
