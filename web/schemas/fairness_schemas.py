"""JSON of the test of the dice: how often each face was read, and how often a fair die is read so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

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
