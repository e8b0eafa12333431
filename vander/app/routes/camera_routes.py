"""Routes of the camera: its choice, a phone that is the camera, and the tapped corners of a tray without markers."""

from __future__ import annotations

from flask import Blueprint, Response, after_this_request, render_template

from referee.sentences import Reason, Refused, say
from vander.access.page_addresses import qr_svg
from vander.app.backends import PHONES, backends, camera_kind, cameras, phone_camera, tray_corners
from vander.app.routes.access_routes import ONLY_HERE, page_urls
from web.authorization import KEEPERS, THE_BOX, caller
from web.endpoints import HTML, JPEG, SVG, json_endpoint, media_endpoint, posted_file
from web.schemas import camera_schemas as shapes
from web.schemas.access_schemas import Role, TraySight
from web.schemas.response_model import NumberQuery

blueprint = Blueprint("cameras", __name__)

_REFUSALS = (Reason.NOT_FOUND, Reason.CONFLICT, Reason.UNAVAILABLE)


@blueprint.get("/cameras")
@media_endpoint(HTML, Reason.NOT_FOUND)
def cameras_page() -> str:
    """Return the page on which the camera is chosen."""
    cameras()
    return render_template("cameras.html")


@blueprint.get("/api/cameras")
@json_endpoint(shapes.CamerasResponse, Reason.NOT_FOUND)
def cameras_now() -> shapes.CamerasResponse:
    """Return the cameras that can be chosen, and the one that is on."""
    return cameras().cameras()


@blueprint.post("/api/cameras")
@json_endpoint(shapes.CamerasResponse, *_REFUSALS)
def choose(body: shapes.ChooseCameraRequest) -> shapes.CamerasResponse:
    """Go on with another camera; a game that is on is kept."""
    return cameras().choose(body.key)


@blueprint.post("/api/cameras/address")
@json_endpoint(shapes.CamerasResponse, Reason.INVALID, *_REFUSALS)
def choose_address(body: shapes.CameraAddressRequest) -> shapes.CamerasResponse:
    """Go on with a camera in the network."""
    return cameras().choose_address(body.address)


@blueprint.post("/api/cameras/adjust")
@json_endpoint(shapes.CamerasResponse, Reason.INVALID, *_REFUSALS)
def adjust(body: shapes.AdjustCameraRequest) -> shapes.CamerasResponse:
    """Mirror the camera's pictures back, or turn them."""
    return cameras().adjust(body.mirrored, body.turned)


@blueprint.get("/cameras/<key>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.UNAVAILABLE, may_be_empty=True)
def camera_picture(key: str) -> Response:
    """Return a small picture of what a camera sees now."""
    found = cameras().picture(key)
    return Response(status=204) if found is None else Response(found, mimetype=JPEG)


phone_camera_blueprint = Blueprint("phone_camera", __name__)

SECURE = "https:"
OWN_CAMERA = "camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""The Permissions-Policy of the camera's page, which alone may ask for a camera."""


@phone_camera_blueprint.get("/camera")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def camera_page() -> str:
    """Return the page by which a phone becomes the camera."""
    phone_camera()
    after_this_request(_allow_camera)
    return render_template("phone_camera.html")


@phone_camera_blueprint.get("/camera.svg")
@media_endpoint(SVG, Reason.NOT_FOUND, role=Role.WATCHER)
def scanning_code() -> Response:
    """Return a QR code of the camera's page; a keeper's lets the phone in, with the code that the box shows."""
    phone_camera()
    urls, found = _urls(), backends().access
    if not urls:
        raise Refused(ONLY_HERE, Reason.NOT_FOUND)
    code = found.code() if found and caller().role is Role.KEEPER else None
    return Response(qr_svg(shapes.camera_url(urls[0], code or ())), mimetype=SVG)


@phone_camera_blueprint.get("/api/camera")
@json_endpoint(shapes.PhoneCameraResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def camera_now() -> shapes.PhoneCameraResponse:
    """Return the phone that sends pictures now, and the addresses of its page."""
    sender, urls = phone_camera().sender, tuple(shapes.camera_url(url, ()) for url in _urls())
    return shapes.PhoneCameraResponse(
        sends=sender is not None,
        name=sender.name if sender else "",
        urls=urls,
        is_secure=bool(urls) and urls[0].startswith(SECURE),
    )


@phone_camera_blueprint.post("/api/camera/begin")
@json_endpoint(shapes.StreamResponse, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.CAMERA)
def begin() -> shapes.StreamResponse:
    """Begin to send pictures."""
    return shapes.StreamResponse(phone_camera().begin(_phone()))


@phone_camera_blueprint.post("/api/camera/picture")
@json_endpoint(
    shapes.PictureAnswer, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, Reason.GONE, takes=JPEG, role=Role.CAMERA
)
def picture(query: shapes.PictureQuery) -> shapes.PictureAnswer:
    """Send the next picture: a small JPEG, and behind it the same picture in full where the box needs that."""
    found, phone, body = phone_camera(), _phone(), _read_picture()
    small, full = body[: query.small_bytes], body[query.small_bytes :]
    sent = shapes.SentPicture(query.stream, query.number, query.taken_ms, query.pace == "resting", small, full)
    return found.take(phone, sent)


@phone_camera_blueprint.post("/api/camera/photograph")
@json_endpoint(TraySight, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, takes=JPEG, role=Role.CAMERA)
def photograph() -> TraySight:
    """Send a photograph of dice at rest, a JPEG, where the browser lends no live camera."""
    return phone_camera().photograph(_phone(), _read_picture())


def _phone() -> shapes.Phone:
    """Return who sends. Raises Refused for a player's tablet, which holds its camera where it likes."""
    asking = caller()
    if asking.role is Role.PLAYER:
        raise Refused(
            say("This phone is a player's. Open the page /camera on it to make it the camera."), Reason.NOT_ALLOWED
        )
    return shapes.Phone(asking.tablet.number, asking.tablet.name) if asking.tablet else shapes.Phone(0, THE_BOX)


def _read_picture() -> bytes:
    most = shapes.LARGEST_PICTURE // 1024
    return posted_file(
        shapes.LARGEST_PICTURE,
        lambda size: say("A picture may have {most} KB, and this one has {size} KB.", most=most, size=size),
    )


def _urls() -> tuple[str, ...]:
    """Return the addresses of the table, those first where a phone may show a live picture: those of https."""
    https = backends().https
    return (*(https.urls() if https else ()), *page_urls())


def _allow_camera(response: Response) -> Response:
    response.headers["Permissions-Policy"] = OWN_CAMERA
    return response


tray_corners_blueprint = Blueprint("tray_corners", __name__)


@tray_corners_blueprint.get("/api/corners")
@json_endpoint(shapes.CornersResponse, Reason.NOT_FOUND, role=Role.CAMERA)
def corners_now() -> shapes.CornersResponse:
    """Return the tapped corners, and whether they fit the present picture."""
    _tapping_phone()
    return tray_corners().now()


@tray_corners_blueprint.post("/api/corners/still")
@json_endpoint(shapes.CornersStill, Reason.NOT_FOUND, Reason.UNAVAILABLE, role=Role.CAMERA)
def take_still() -> shapes.CornersStill:
    """Take a still of what the camera shows now."""
    return tray_corners().take_still(_tapping_phone())


@tray_corners_blueprint.get("/corners.jpg")
@media_endpoint(JPEG, Reason.INVALID, Reason.NOT_FOUND, Reason.GONE, role=Role.CAMERA)
def still_jpeg(query: NumberQuery) -> Response:
    """Return the last still."""
    return Response(tray_corners().still_jpeg(_tapping_phone(), query.number), mimetype=JPEG)


@tray_corners_blueprint.post("/api/corners")
@json_endpoint(
    shapes.CornersResponse,
    Reason.INVALID,
    Reason.NOT_FOUND,
    Reason.CONFLICT,
    Reason.GONE,
    Reason.UNAVAILABLE,
    role=Role.CAMERA,
)
def keep_corners(body: shapes.CornersRequest) -> shapes.CornersResponse:
    """Use the corners that were tapped in a still."""
    return tray_corners().keep(_tapping_phone(), body)


@tray_corners_blueprint.post("/api/corners/forget")
@json_endpoint(shapes.CornersResponse, Reason.NOT_FOUND, Reason.CONFLICT, Reason.UNAVAILABLE, role=Role.CAMERA)
def forget_corners() -> shapes.CornersResponse:
    """Take the tapped corners away."""
    return tray_corners().forget(_tapping_phone())


def _tapping_phone() -> shapes.Phone | None:
    """Return the camera phone that asks, None for a keeper. Raises Refused (NOT_ALLOWED) for a player's tablet."""
    asking = caller()
    if asking.role is Role.KEEPER:
        return None
    if asking.role is Role.PLAYER or asking.tablet is None:
        raise Refused(KEEPERS, Reason.NOT_ALLOWED)
    if camera_kind() not in PHONES:
        raise Refused(say("This table has another camera; a keeper taps its corners."), Reason.NOT_ALLOWED)
    return shapes.Phone(asking.tablet.number, asking.tablet.name)
