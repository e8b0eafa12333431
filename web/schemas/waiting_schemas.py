"""JSON of a player's phone at a table of the hall: who waits there, and joining in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from web.schemas.request_model import Name, OptionalName, RequestModel
from web.schemas.response_model import ResponseModel


class WaitRequest(RequestModel):
    """Who joins in at the table, or is taken off its list."""

    example: ClassVar = {"name": "Ann"}

    name: Name


class NamesQuery(RequestModel):
    """How a player's name begins."""

    example: ClassVar = {"begins": "An"}

    begins: OptionalName = ""


@dataclass(frozen=True)
class WaitingResponse(ResponseModel):
    """A table and who waits there, in the order of joining."""

    table: str
    waiting: tuple[str, ...]
    own: str
    """The name that this phone waits under, else the one that it gave last, '' for none."""
    joined: bool
    """Whether this phone waits here: a name alone may be another player's."""


@dataclass(frozen=True)
class StillWaitingResponse(ResponseModel):
    """Who waits at a table, in the order of joining."""

    waiting: tuple[str, ...]


@dataclass(frozen=True)
class OfferedNamesResponse(ResponseModel):
    """Names of players of the hall."""

    names: tuple[str, ...]
