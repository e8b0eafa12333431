"""Routes of a challenge: past throws, their films, what would follow from another face, and what people decide."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.sentences import Reason
from web.authorization import actor, requires
from web.endpoint_decorators import CHANGE_REFUSALS, FILM, JPEG, cached_jpeg, json_endpoint, media_endpoint
from web.events import snapshot_now
from web.schemas.challenge_schemas import (
    BeforeAfterQuery,
    BeforeAfterResponse,
    ChallengeRequest,
    ChallengeResponse,
    PastThrowsResponse,
    ThrowQuery,
    WhatIfQuery,
    WhatIfResponse,
    faces_by_place,
)
from web.schemas.snapshot_schemas import SnapshotResponse
from web.services.access_backend import Role
from web.services.backends import challenges

blueprint = Blueprint("challenge", __name__)


@blueprint.get("/api/throws")
@requires(Role.WATCHER)
@json_endpoint(PastThrowsResponse, Reason.NOT_FOUND)
def throws() -> PastThrowsResponse:
    """Return the throws of the game that stand, newest first."""
    return challenges().throws()


@blueprint.get("/api/challenge")
@requires(Role.WATCHER)
@json_endpoint(ChallengeResponse, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT)
def sheet(query: ThrowQuery) -> ChallengeResponse:
    """Return a past throw with all that was kept of it."""
    return challenges().sheet(query.entry)


@blueprint.get("/api/challenge/what-if")
@requires(Role.WATCHER)
@json_endpoint(WhatIfResponse, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT)
def what_if(query: WhatIfQuery) -> WhatIfResponse:
    """Return what would follow if dice of a past throw had shown other faces."""
    return challenges().what_if(query.entry, query.action, faces_by_place(query.faces))


@blueprint.post("/api/challenge")
@requires(Role.PLAYER)
@json_endpoint(SnapshotResponse, *CHANGE_REFUSALS)
def challenge(body: ChallengeRequest) -> Response:
    """Take what people decided on a past throw."""
    faces = faces_by_place(body.faces)
    challenges().challenge(body.entry, body.action, faces, body.verdict, step=body.step, by=actor())
    return snapshot_now()


@blueprint.get("/api/breach")
@requires(Role.WATCHER)
@json_endpoint(BeforeAfterResponse, Reason.INVALID, Reason.NOT_FOUND)
def breach(query: BeforeAfterQuery) -> BeforeAfterResponse:
    """Return the table before and after a breach, with the dice that changed."""
    return challenges().breach(query.name)


@blueprint.get("/api/films/<name>")
@requires(Role.WATCHER)
@media_endpoint(FILM, Reason.NOT_FOUND, Reason.GONE)
def film(name: str) -> Response:
    """Return the film of a ruling: its pictures with their times, in one file."""
    return Response(challenges().film(name), mimetype=FILM)


@blueprint.get("/films/<name>/<int:number>.jpg")
@requires(Role.WATCHER)
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.GONE, cached=True)
def film_picture(name: str, number: int) -> Response:
    """Return one picture of a film."""
    return cached_jpeg(challenges().film_picture(name, number))


@blueprint.get("/films/<name>/die-<int:number>.jpg")
@requires(Role.WATCHER)
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.GONE, cached=True)
def film_crop(name: str, number: int) -> Response:
    """Return the picture of a die as it was ruled on."""
    return cached_jpeg(challenges().film_crop(name, number))
