"""What the lines of a table's outbox say: their bodies, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from referee.journal import Entry
from referee.sentences import say
from vander.storage.journal_columns import read_entry

LARGEST = 2**31 - 1
MOST_PLAYERS = 40
YEARS = range(2000, 2100)
"""The years that a time may be of: a database cannot give all others back."""
Number = Annotated[int, Field(ge=0, le=LARGEST)]
GameNumber = Annotated[int, Field(ge=1, le=LARGEST)]


class BadLine(ValueError):
    """A line whose body cannot be read. The message is one sentence."""


def _in_range(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        raise ValueError(f"the year {moment.year} is none of a game")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]


def _shown_as_it_is(name: str) -> str:
    """Refuse a name that turns the words around it on a page, or shows nothing; no table takes one either."""
    if not name.isprintable():
        raise ValueError("a name has characters that cannot be shown")
    return name


PlayerNames = Annotated[
    list[Annotated[str, Field(max_length=60), AfterValidator(_shown_as_it_is)]], Field(max_length=MOST_PLAYERS)
]


class _LineBody(BaseModel):
    """The JSON of a line."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GameBody(_LineBody):
    """A game was begun."""

    number: GameNumber
    game: Annotated[str, Field(max_length=40)]
    players: PlayerNames
    options: dict[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=60)]]
    die_set: Annotated[str, Field(max_length=40)]
    started_at: Moment
    clock_doubted: bool


class EntryBody(_LineBody):
    """An entry, with the columns of the journal's table."""

    game: GameNumber
    number: GameNumber
    at: Moment
    source: Annotated[str, Field(max_length=10)]
    deed: Annotated[str, Field(max_length=10)]
    action: str
    target: Number
    note: str
    rule: Annotated[str, Field(max_length=20)]
    evidence: Annotated[str, Field(max_length=120)]
    device: Annotated[str, Field(max_length=60)]
    seat: Annotated[int, Field(ge=0, le=MOST_PLAYERS)]
    dice: str

    def entry(self, players: Iterable[str]) -> Entry:
        """Return the entry of a game with these players. Raises BadLine."""
        try:
            return read_entry(self, players)
        except ValueError as error:
            raise BadLine(say("entry {number} cannot be read: {cause}", number=self.number, cause=error)) from error


class EndedBody(_LineBody):
    """A game is over, or goes on after all."""

    game: GameNumber
    at: Moment | None


class NamesBody(_LineBody):
    """Players of a game have other names now."""

    game: GameNumber
    players: PlayerNames


Body = GameBody | EntryBody | EndedBody | NamesBody
_KINDS: Mapping[str, type[_LineBody]] = {"game": GameBody, "entry": EntryBody, "ended": EndedBody, "names": NamesBody}


@dataclass(frozen=True)
class ToldLine:
    """A line as it came, and what it says."""

    sequence: int
    kind: str
    text: str
    body: Body
    taken_at: datetime


def read_line(sequence: int, kind: str, text: str, now: datetime) -> ToldLine:
    """Return what a line says. Raises BadLine."""
    if "\\u0000" in text or "\0" in text:
        raise BadLine(say("line {sequence} holds a character that no text has", sequence=sequence))
    try:
        body = _KINDS[kind].model_validate_json(text)
    except (ValidationError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
        where = ".".join(map(str, first["loc"])) or "it"
        raise BadLine(
            say("line {sequence} cannot be read: {where}: {cause}", sequence=sequence, where=where, cause=first["msg"])
        ) from error
    assert isinstance(body, GameBody | EntryBody | EndedBody | NamesBody)  # noqa: S101 - for mypy: all of _KINDS
    return ToldLine(sequence, kind, text, body, now)
