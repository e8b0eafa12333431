"""Routes of a player's phone: join in at a table of the hall by the code that the table shows, and leave."""

from __future__ import annotations

from urllib.parse import quote, unquote

from flask import Blueprint, Response, after_this_request, render_template, request

from referee.player_names import as_read
from referee.refused import Reason
from web.authorization import requires
from web.endpoint_decorators import CHANGE_REFUSALS, HTML, json_endpoint, media_endpoint
from web.schemas.request_model import LONGEST_NAME
from web.schemas.waiting_schemas import NamesQuery, OfferedNamesResponse, WaitingResponse, WaitRequest
from web.services.access_backend import Role
from web.services.backends import hall

blueprint = Blueprint("waiting", __name__)

NAME_COOKIE = "vander-name"
"""The cookie that holds the name which a phone gave last. It is no secret and gives no right."""
YEAR_S = 365 * 24 * 3600


@blueprint.get("/join/<link>")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def join_page(link: str) -> str:
    """Return the page on which a player joins in at a table."""
    table, _ = hall().waiting_at(link)
    return render_template("hall/join_table.html", table=table, link=link)


@blueprint.get("/api/hall/join/<link>")
@requires(Role.WATCHER)
@json_endpoint(WaitingResponse, Reason.NOT_FOUND)
def waiting_now(link: str) -> WaitingResponse:
    """Return who waits at a table."""
    return _waiting(link, _own_name())


@blueprint.get("/api/hall/join/<link>/names")
@requires(Role.WATCHER)
@json_endpoint(OfferedNamesResponse, Reason.INVALID, Reason.NOT_FOUND)
def offered_names(link: str, query: NamesQuery) -> OfferedNamesResponse:
    """Return names of players of the hall that begin so, at least two letters."""
    hall().waiting_at(link)
    return OfferedNamesResponse(tuple(hall().known_names(query.begins)))


@blueprint.post("/api/hall/join/<link>")
@requires(Role.WATCHER)
@json_endpoint(WaitingResponse, *CHANGE_REFUSALS, Reason.INVALID, Reason.TOO_SOON)
def join_table(link: str, body: WaitRequest) -> WaitingResponse:
    """Wait for a game at a table."""
    hall().add_waiting(link, body.name)

    @after_this_request
    def remember(response: Response) -> Response:
        response.set_cookie(
            NAME_COOKIE, quote(body.name), max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure
        )
        return response

    return _waiting(link, body.name)


@blueprint.post("/api/hall/join/<link>/leave")
@requires(Role.WATCHER)
@json_endpoint(WaitingResponse, *CHANGE_REFUSALS)
def leave_table(link: str) -> WaitingResponse:
    """Wait no more: the player whose name this phone gave."""
    hall().remove_waiting(link, _own_name())
    return _waiting(link, _own_name())


def _own_name() -> str:
    return unquote(request.cookies.get(NAME_COOKIE, ""))[:LONGEST_NAME]


def _waiting(link: str, own: str) -> WaitingResponse:
    """Return who waits; the phone's own name is said as the hall writes it."""
    table, names = hall().waiting_at(link)
    return WaitingResponse(table, names, next((name for name in names if as_read(name) == as_read(own)), own))
