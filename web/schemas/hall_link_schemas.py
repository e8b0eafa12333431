"""JSON of a table's way to a hall: whether it belongs to one, and how it joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from referee.sentences import say
from web.schemas.hall_wire_schemas import HallInvitation, TableCode
from web.schemas.response_model import Count, Line, Name, RequestModel

LONGEST_ADDRESS = 200


class HallLinkRequest(RequestModel):
    """The hall, the code that it shows, and what this table is called there."""

    example: ClassVar = {"address": "https://hall.local:8443", "code": [3, 1, 4, 1, 5, 2], "name": "Table 4"}

    address: Annotated[str, Line(LONGEST_ADDRESS, called=say("an address"))]
    code: TableCode
    name: Name


@dataclass(frozen=True)
class HallLinkResponse:
    """The hall that the table belongs to; addresses and troubles are for keepers alone, '' for others."""

    joined: bool
    name: str
    """What the table is called there, '' at a table without a hall."""
    address: str
    """The hall's address."""
    suggested: str
    """The address that the owner chose in the settings, '' for none."""
    trouble: str
    """Why the hall takes nothing now, in one sentence, or ''."""
    waiting_lines: Count
    """How many entries the hall has not taken yet."""
    last_taken_at: str
    """When the hall last answered, ISO 8601; '' where it did not since the start."""
    join_url: str
    """The page of the hall on which a player's phone joins in at this table, '' at a table without a hall."""
    players: tuple[str, ...]
    """Who has joined in by the table's code and waits for a game."""
    invitation: HallInvitation | None
    """The game that the hall would have played here."""
    game_title: str
    """What that game is called, '' for none."""
