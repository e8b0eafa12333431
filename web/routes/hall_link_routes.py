"""Routes of a table's way to a hall: join it, leave it, and how it goes."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.sentences import Reason, Refused, say
from web.authorization import caller, requires
from web.endpoint_decorators import CHANGE_REFUSALS, SVG, json_endpoint, media_endpoint
from web.qr_codes import qr_svg
from web.schemas.hall_link_schemas import HallLinkRequest, HallLinkResponse
from web.schemas.hall_table_schemas import WaitRequest
from web.schemas.hall_wire_schemas import HallInvitation
from web.services.access_backend import JoinedHall, Role
from web.services.backends import game, hall_link

blueprint = Blueprint("hall_link", __name__)


@blueprint.get("/api/hall-link")
@requires(Role.WATCHER)
@json_endpoint(HallLinkResponse, Reason.NOT_FOUND)
def hall_link_now() -> HallLinkResponse:
    """Return the hall that the table belongs to, who waits for a game here, and what the hall would have played."""
    return _link()


@blueprint.post("/api/hall-link/join")
@json_endpoint(HallLinkResponse, *CHANGE_REFUSALS)
def join_hall(body: HallLinkRequest) -> HallLinkResponse:
    """Join a hall by the code that it shows."""
    hall_link().join(body.address, body.code, body.name)
    return _link()


@blueprint.post("/api/hall-link/leave")
@json_endpoint(HallLinkResponse, *CHANGE_REFUSALS)
def leave_hall() -> HallLinkResponse:
    """Tell the hall nothing any more; what it has stays there."""
    hall_link().leave()
    return _link()


@blueprint.post("/api/hall-link/waiting/remove")
@requires(Role.PLAYER)
@json_endpoint(HallLinkResponse, *CHANGE_REFUSALS)
def remove_waiting(body: WaitRequest) -> HallLinkResponse:
    """Take a player's name off the list of those who wait at this table, whichever phone gave it."""
    hall_link().remove_waiting(body.name)
    return _link()


@blueprint.get("/hall-join.svg")
@requires(Role.WATCHER)
@media_endpoint(SVG, Reason.NOT_FOUND)
def hall_joining_code() -> Response:
    """Return a QR code by which a player's phone joins in at this table, on a page of the hall."""
    joined = hall_link().joined()
    if joined is None:
        raise Refused(say("This table belongs to no hall."), Reason.NOT_FOUND)
    return Response(qr_svg(_join_url(joined)), mimetype=SVG)


def _join_url(joined: JoinedHall) -> str:
    return f"{joined.address}/join/{joined.link}"


def _link() -> HallLinkResponse:
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


def _title(found: HallInvitation | None) -> str:
    """Return what the invitation's game is called, its name for one that this table does not know."""
    if found is None:
        return ""
    return next((one.title for one in game().games() if one.name == found.game), found.game)
