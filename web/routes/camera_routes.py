"""Routes of the choice of the camera: a page with a live picture of each, for keepers."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from referee.sentences import Reason
from web.endpoint_decorators import HTML, JPEG, json_endpoint, media_endpoint
from web.schemas.camera_schemas import (
    AdjustCameraRequest,
    CameraAddressRequest,
    CamerasResponse,
    ChooseCameraRequest,
)
from web.services.backends import cameras

blueprint = Blueprint("cameras", __name__)

_REFUSALS = (Reason.NOT_FOUND, Reason.CONFLICT, Reason.UNAVAILABLE)


@blueprint.get("/cameras")
@media_endpoint(HTML, Reason.NOT_FOUND)
def cameras_page() -> str:
    """Return the page on which the camera is chosen."""
    cameras()
    return render_template("cameras.html")


@blueprint.get("/api/cameras")
@json_endpoint(CamerasResponse, Reason.NOT_FOUND)
def cameras_now() -> CamerasResponse:
    """Return the cameras that can be chosen, and the one that is on."""
    return cameras().cameras()


@blueprint.post("/api/cameras")
@json_endpoint(CamerasResponse, *_REFUSALS)
def choose(body: ChooseCameraRequest) -> CamerasResponse:
    """Go on with another camera; a game that is on is kept."""
    return cameras().choose(body.key)


@blueprint.post("/api/cameras/address")
@json_endpoint(CamerasResponse, Reason.INVALID, *_REFUSALS)
def choose_address(body: CameraAddressRequest) -> CamerasResponse:
    """Go on with a camera in the network."""
    return cameras().choose_address(body.address)


@blueprint.post("/api/cameras/adjust")
@json_endpoint(CamerasResponse, Reason.INVALID, *_REFUSALS)
def adjust(body: AdjustCameraRequest) -> CamerasResponse:
    """Mirror the camera's pictures back, or turn them."""
    return cameras().adjust(body.mirrored, body.turned)


@blueprint.get("/cameras/<key>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.UNAVAILABLE, may_be_empty=True)
def camera_picture(key: str) -> Response:
    """Return a small picture of what a camera sees now."""
    found = cameras().picture(key)
    return Response(status=204) if found is None else Response(found, mimetype=JPEG)
