"""Routes of a player's phone: join in at a table of the hall by the code that the table shows, and leave."""

from __future__ import annotations

import secrets
from urllib.parse import quote, unquote

from flask import Blueprint, Response, after_this_request, render_template, request

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import CHANGE_REFUSALS, HTML, json_endpoint, media_endpoint
from web.schemas.hall_table_schemas import NamesQuery, OfferedNamesResponse, WaitingResponse, WaitRequest
from web.schemas.response_model import LONGEST_NAME
from web.services.access_backend import Role
from web.services.backends import hall

blueprint = Blueprint("waiting", __name__)

NAME_COOKIE = "vander-name"
"""The cookie that holds the name which a phone gave last. It is no secret and gives no right."""
PHONE_COOKIE = "vander-waiting"
"""The cookie that holds the secret of a phone's joining: who has it may leave, or go to another table."""
YEAR_S, DAY_S = 365 * 24 * 3600, 24 * 3600


@blueprint.get("/join/<link>")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def join_page(link: str) -> str:
    """Return the page on which a player joins in at a table."""
    table = hall().waiting_at(link).table
    if not _secret():
        _keep(PHONE_COOKIE, _new_secret(), DAY_S)  # before the joining, whose answer may be lost
    return render_template("hall/join_table.html", table=table, link=link)


@blueprint.get("/api/hall/join/<link>")
@requires(Role.WATCHER)
@json_endpoint(WaitingResponse, Reason.NOT_FOUND)
def waiting_now(link: str) -> WaitingResponse:
    """Return who waits at a table."""
    return _waiting(link, _secret())


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
    secret = _secret() or _new_secret()
    hall().add_waiting(link, body.name, secret)
    _keep(PHONE_COOKIE, secret, DAY_S)
    _keep(NAME_COOKIE, quote(body.name), YEAR_S)
    return _waiting(link, secret)


@blueprint.post("/api/hall/join/<link>/leave")
@requires(Role.WATCHER)
@json_endpoint(WaitingResponse, *CHANGE_REFUSALS, Reason.TOO_SOON)
def leave_table(link: str) -> WaitingResponse:
    """Wait no more: the player who joined with this phone. The next joining has a secret of its own."""
    hall().leave_waiting(link, _secret())
    _keep(PHONE_COOKIE, _new_secret(), DAY_S)
    return _waiting(link, "")


def _waiting(link: str, secret: str) -> WaitingResponse:
    found = hall().waiting_at(link, secret)
    own = found.own or unquote(request.cookies.get(NAME_COOKIE, ""))[:LONGEST_NAME]
    return WaitingResponse(found.table, found.names, own, bool(found.own))


def _secret() -> str:
    """Return the secret that the phone has, '' for none."""
    return request.cookies.get(PHONE_COOKIE, "")


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _keep(name: str, value: str, max_age_s: int) -> None:
    """Have the phone keep a cookie, which no script reads, and no other site sends with a change."""

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            name, value, max_age=max_age_s, httponly=True, samesite="Lax", secure=request.is_secure, path="/"
        )
        return response
