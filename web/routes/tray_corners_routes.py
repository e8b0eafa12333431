"""Routes of a tray without markers: a still, and the four corners that are tapped in it."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.sentences import Reason, Refused, say
from web.authorization import KEEPERS, caller, requires
from web.endpoint_decorators import JPEG, json_endpoint, media_endpoint
from web.schemas.camera_schemas import CornersRequest, CornersResponse, CornersStill, StillQuery
from web.services.access_backend import Role
from web.services.backends import PHONES, camera_kind, tray_corners
from web.services.camera_backend import Phone

blueprint = Blueprint("tray_corners", __name__)


@blueprint.get("/api/corners")
@requires(Role.CAMERA)
@json_endpoint(CornersResponse, Reason.NOT_FOUND)
def corners_now() -> CornersResponse:
    """Return the tapped corners, and whether they fit the present picture."""
    _phone()
    return tray_corners().now()


@blueprint.post("/api/corners/still")
@requires(Role.CAMERA)
@json_endpoint(CornersStill, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def take_still() -> CornersStill:
    """Take a still of what the camera shows now."""
    return tray_corners().take_still(_phone())


@blueprint.get("/corners.jpg")
@requires(Role.CAMERA)
@media_endpoint(JPEG, Reason.INVALID, Reason.NOT_FOUND, Reason.GONE)
def still_jpeg(query: StillQuery) -> Response:
    """Return the last still."""
    return Response(tray_corners().still_jpeg(_phone(), query.number), mimetype=JPEG)


@blueprint.post("/api/corners")
@requires(Role.CAMERA)
@json_endpoint(CornersResponse, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, Reason.GONE, Reason.UNAVAILABLE)
def keep_corners(body: CornersRequest) -> CornersResponse:
    """Use the corners that were tapped in a still."""
    return tray_corners().keep(_phone(), body)


@blueprint.post("/api/corners/forget")
@requires(Role.CAMERA)
@json_endpoint(CornersResponse, Reason.NOT_FOUND, Reason.CONFLICT, Reason.UNAVAILABLE)
def forget_corners() -> CornersResponse:
    """Take the tapped corners away."""
    return tray_corners().forget(_phone())


def _phone() -> Phone | None:
    """Return the camera phone that asks, None for a keeper. Raises Refused (NOT_ALLOWED) for a player's tablet."""
    asking = caller()
    if asking.role is Role.KEEPER:
        return None
    if asking.role is Role.PLAYER or asking.tablet is None:
        raise Refused(KEEPERS, Reason.NOT_ALLOWED)
    if camera_kind() not in PHONES:
        raise Refused(say("This table has another camera; a keeper taps its corners."), Reason.NOT_ALLOWED)
    return Phone(asking.tablet.number, asking.tablet.name)
