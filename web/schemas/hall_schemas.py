"""What the pages of a hall ask and are answered."""

from __future__ import annotations

from dataclasses import dataclass

from web.schemas.request_model import RequestModel, Whole
from web.schemas.response_model import ResponseModel


@dataclass(frozen=True)
class HallTableResponse(ResponseModel):
    """A table of the hall, as its keeper sees it."""

    number: int
    name: str
    standing: str
    """`live`, or `quarantined`."""
    reason: str
    """Why it is quarantined, else ''."""
    taken: int
    """How many lines the hall has taken."""
    clock_off_s: float
    """How many seconds the table's clock is ahead of the hall's."""
    version: str
    seen_at: str
    """When it last sent something, ISO 8601, or ''."""


@dataclass(frozen=True)
class HallTablesResponse(ResponseModel):
    """The tables of the hall, and the code that lets another one join."""

    tables: tuple[HallTableResponse, ...]
    code: tuple[int, ...]
    """Six dice; empty when no code is shown."""


class RemoveTableRequest(RequestModel):
    """Which table is to go."""

    number: Whole
