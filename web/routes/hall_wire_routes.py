"""Routes by which tables join a hall and send it their entries. A table is known by its key, not by a cookie."""

from __future__ import annotations

from flask import Blueprint, request

from referee.sentences import Reason
from web.authorization import requires
from web.client_network import client_network
from web.endpoint_decorators import CHANGE_REFUSALS, json_endpoint
from web.schemas.hall_table_schemas import StillWaitingResponse, WaitRequest
from web.schemas.hall_wire_schemas import EntriesRequest, EntriesResponse, JoinHallRequest, JoinHallResponse
from web.schemas.response_model import DoneResponse
from web.services.access_backend import Role
from web.services.backends import hall

blueprint = Blueprint("hall_wire", __name__)

BEARER = "Bearer "


@blueprint.post("/api/hall/entries")
@requires(Role.WATCHER)
@json_endpoint(EntriesResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON)
def take_entries(body: EntriesRequest) -> EntriesResponse:
    """Take a table's entries, each once."""
    return hall().take_entries(_key(), body, client_network(request.remote_addr or ""))


@blueprint.post("/api/hall/join")
@requires(Role.WATCHER)
@json_endpoint(JoinHallResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON)
def join(body: JoinHallRequest) -> JoinHallResponse:
    """Pair a table by the code that the hall shows."""
    return hall().join(body, request.remote_addr or "")


@blueprint.post("/api/hall/leave")
@requires(Role.WATCHER)
@json_endpoint(DoneResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED)
def leave() -> DoneResponse:
    """Take nothing of the table any more that has this key; its games stay, and its name is free."""
    hall().leave(_key())
    return DoneResponse()


@blueprint.post("/api/hall/waiting/remove")
@requires(Role.WATCHER)
@json_endpoint(StillWaitingResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON)
def remove_waiting(body: WaitRequest) -> StillWaitingResponse:
    """Take a player's name off the list of the table that has this key, whichever phone gave it."""
    return StillWaitingResponse(hall().remove_waiting(_key(), body.name, client_network(request.remote_addr or "")))


def _key() -> str:
    """Return the key that the request carries, '' for none."""
    return request.headers.get("Authorization", "").removeprefix(BEARER)
