"""Routes of a table's way to a hall: join it, leave it, and how it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from flask import Blueprint, Response

from referee.sentences import Reason, Refused, say
from vander.access.page_addresses import qr_svg
from vander.app.backends import game, hall_link
from web.authorization import caller
from web.endpoints import CHANGE_REFUSALS, SVG, change_endpoint, json_endpoint, media_endpoint
from web.schemas.access_schemas import JoinedHall, Role
from web.schemas.hall_schemas import HallInvitation, TableCode
from web.schemas.response_model import Count, Line, Name, NameRequest, RequestModel

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


blueprint = Blueprint("hall_link", __name__)


@blueprint.get("/api/hall-link")
@json_endpoint(HallLinkResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def hall_link_now() -> HallLinkResponse:
    """Return the hall that the table belongs to, who waits for a game here, and what the hall would have played."""
    """Return how it goes; addresses and troubles to keepers alone."""
    found, is_keeper = hall_link(), caller().role is Role.KEEPER
    joined, suggested = found.joined(), found.suggested if is_keeper else ""
    if joined is None:
        return HallLinkResponse(False, "", "", suggested, "", 0, "", "", (), None, "")
    status = joined.status
    return HallLinkResponse(
        joined=True,
        name=joined.name,
        address=joined.address if is_keeper else "",
        suggested=suggested,
        trouble=status.trouble if is_keeper else "",
        waiting_lines=status.waiting_lines,
        last_taken_at=status.last_taken_at.isoformat() if status.last_taken_at else "",
        join_url=_join_url(joined),
        players=status.players,
        invitation=status.invitation,
        game_title=_title(status.invitation),
    )


@blueprint.post("/api/hall-link/join")
@change_endpoint(hall_link_now, *CHANGE_REFUSALS)
def join_hall(body: HallLinkRequest) -> None:
    """Join a hall by the code that it shows."""
    hall_link().join(body.address, body.code, body.name)


@blueprint.post("/api/hall-link/leave")
@change_endpoint(hall_link_now, *CHANGE_REFUSALS)
def leave_hall() -> None:
    """Tell the hall nothing any more; what it has stays there."""
    hall_link().leave()


@blueprint.post("/api/hall-link/waiting/remove")
@change_endpoint(hall_link_now, *CHANGE_REFUSALS, role=Role.PLAYER)
def remove_waiting(body: NameRequest) -> None:
    """Take a player's name off the list of those who wait at this table, whichever phone gave it."""
    hall_link().remove_waiting(body.name)


@blueprint.get("/hall-join.svg")
@media_endpoint(SVG, Reason.NOT_FOUND, role=Role.WATCHER)
def hall_joining_code() -> Response:
    """Return a QR code by which a player's phone joins in at this table, on a page of the hall."""
    joined = hall_link().joined()
    if joined is None:
        raise Refused(say("This table belongs to no hall."), Reason.NOT_FOUND)
    return Response(qr_svg(_join_url(joined)), mimetype=SVG)


def _join_url(joined: JoinedHall) -> str:
    return f"{joined.address}/join/{joined.link}"


def _title(found: HallInvitation | None) -> str:
    """Return what the invitation's game is called, its name for one that this table does not know."""
    if found is None:
        return ""
    return next((one.title for one in game().games() if one.name == found.game), found.game)
