"""Routes of the phone that is the camera: its page, its QR code, and its pictures."""

from __future__ import annotations

from flask import Blueprint, Response, after_this_request, render_template, request

from referee.sentences import Reason, Refused, say
from web.authorization import THE_BOX, caller, requires
from web.endpoint_decorators import HTML, JPEG, SVG, json_endpoint, media_endpoint
from web.errors import FileTooLarge
from web.qr_codes import qr_svg
from web.routes.access_routes import ONLY_HERE, page_urls
from web.schemas.camera_schemas import PhoneCameraResponse, PictureAnswer, PictureQuery, StreamResponse, camera_url
from web.schemas.diagnostics_schemas import TraySight
from web.services.access_backend import Role
from web.services.backends import backends, phone_camera
from web.services.camera_backend import LARGEST_PICTURE, Phone, SentPicture

blueprint = Blueprint("phone_camera", __name__)

SECURE = "https:"
OWN_CAMERA = "camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""The Permissions-Policy of the camera's page, which alone may ask for a camera."""


@blueprint.get("/camera")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def camera_page() -> str:
    """Return the page by which a phone becomes the camera."""
    phone_camera()
    after_this_request(_allow_camera)
    return render_template("phone_camera.html")


@blueprint.get("/camera.svg")
@requires(Role.WATCHER)
@media_endpoint(SVG, Reason.NOT_FOUND)
def scanning_code() -> Response:
    """Return a QR code of the camera's page; a keeper's lets the phone in, with the code that the box shows."""
    phone_camera()
    urls, found = _urls(), backends().access
    if not urls:
        raise Refused(ONLY_HERE, Reason.NOT_FOUND)
    code = found.code() if found and caller().role is Role.KEEPER else None
    return Response(qr_svg(camera_url(urls[0], code or ())), mimetype=SVG)


@blueprint.get("/api/camera")
@requires(Role.WATCHER)
@json_endpoint(PhoneCameraResponse, Reason.NOT_FOUND)
def camera_now() -> PhoneCameraResponse:
    """Return the phone that sends pictures now, and the addresses of its page."""
    sender, urls = phone_camera().sender, tuple(camera_url(url, ()) for url in _urls())
    return PhoneCameraResponse(
        sends=sender is not None,
        name=sender.name if sender else "",
        urls=urls,
        is_secure=bool(urls) and urls[0].startswith(SECURE),
    )


@blueprint.post("/api/camera/begin")
@requires(Role.CAMERA)
@json_endpoint(StreamResponse, Reason.NOT_FOUND, Reason.CONFLICT)
def begin() -> StreamResponse:
    """Begin to send pictures."""
    return StreamResponse(phone_camera().begin(_phone()))


@blueprint.post("/api/camera/picture")
@requires(Role.CAMERA)
@json_endpoint(PictureAnswer, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, Reason.GONE, takes=JPEG)
def picture(query: PictureQuery) -> PictureAnswer:
    """Send the next picture: a small JPEG, and behind it the same picture in full where the box needs that."""
    found, phone, body = phone_camera(), _phone(), _read_picture()
    small, full = body[: query.small_bytes], body[query.small_bytes :]
    sent = SentPicture(query.stream, query.number, query.taken_ms, query.pace == "resting", small, full)
    return found.take(phone, sent)


@blueprint.post("/api/camera/photograph")
@requires(Role.CAMERA)
@json_endpoint(TraySight, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, takes=JPEG)
def photograph() -> TraySight:
    """Send a photograph of dice at rest, a JPEG, where the browser lends no live camera."""
    return phone_camera().photograph(_phone(), _read_picture())


def _phone() -> Phone:
    """Return who sends. Raises Refused for a player's tablet, which holds its camera where it likes."""
    asking = caller()
    if asking.role is Role.PLAYER:
        raise Refused(
            say("This phone is a player's. Open the page /camera on it to make it the camera."), Reason.NOT_ALLOWED
        )
    return Phone(asking.tablet.number, asking.tablet.name) if asking.tablet else Phone(0, THE_BOX)


def _read_picture() -> bytes:
    length = request.content_length or 0
    if length > LARGEST_PICTURE:
        raise FileTooLarge(
            say(
                "A picture may have {most} KB, and this one has {size} KB.",
                most=LARGEST_PICTURE // 1024,
                size=length // 1024,
            )
        )
    request.max_content_length = LARGEST_PICTURE
    return request.get_data(cache=False)


def _urls() -> tuple[str, ...]:
    """Return the addresses of the table, those first where a phone may show a live picture: those of https."""
    https = backends().https
    return (*(https.urls() if https else ()), *page_urls())


def _allow_camera(response: Response) -> Response:
    response.headers["Permissions-Policy"] = OWN_CAMERA
    return response
