"""Checks of every request before its view runs, and headers of every answer.

Requests that another site makes a browser send (CSRF) are refused three times: by Origin and Sec-Fetch-Site; by the
cookie, which is SameSite=Strict; and, if they would change something, because they lack JSON (JPEG or WAV, where a
route takes that) and the header `X-Vander`: a page of another site can send neither without a CORS preflight, which is
never granted. A token in each form (Flask-WTF's CSRFProtect) would prove no more: there are no forms, and a watcher has
no session to bind a token to.
"""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, current_app, request

from referee.sentences import Reason, Refused, say
from web import authorization
from web.endpoint_decorators import JPEG, JSON, WAV, endpoint_of
from web.errors import LARGEST_BODY, OtherMediaType, UnknownHost, register_error_handlers
from web.services.backends import backends
from web.trusted_hosts import host_name, is_trusted_host

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_FILE_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""For a file of the pages: by itself it may load nothing."""
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
MARK_HEADER = "X-Vander"
"""The header that a request which changes something must have; its value does not matter."""
NOT_JSON = say("Requests to the table are JSON; send Content-Type: {type}.", type=JSON)
NOT_A_PICTURE = say("Pictures of the tray are JPEG; send Content-Type: {type}.", type=JPEG)
NOT_A_RECORDING = say("Recordings are WAV; send Content-Type: {type}.", type=WAV)
NOT_TAKEN = {JSON: NOT_JSON, JPEG: NOT_A_PICTURE, WAV: NOT_A_RECORDING}
"""What is said to a request whose body is of another type than its route takes."""


def secure(app: Flask) -> None:
    """Add the checks, the headers and the error handlers to an application."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(_check)
    app.after_request(_add_headers)
    app.context_processor(lambda: {"caller": authorization.caller(), "door": backends().access})
    register_error_handlers(app)


def _check() -> None:
    _check_host()
    _check_origin()
    if request.routing_exception is not None:
        return
    authorization.check_role()  # first: whoever may not ask is told that, and nothing of what the route takes
    if request.method == "POST":
        _check_post()


def _check_host() -> None:
    host, access = request.headers.get("Host", ""), backends().access
    if not is_trusted_host(host, access.names if access else ()):
        raise UnknownHost(
            say(
                "The box is not called {name}. Use its address or its name in this network, "
                "or add the name to VANDER_NAMES.",
                name=repr(host_name(host)[:60]),
            )
        )


def _check_origin() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    foreign = origin is not None and origin.partition("://")[2].lower() != request.host.lower()
    followed = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link to the table
    if foreign or (site not in ("same-origin", "none") and not followed):
        raise Refused(say("This request comes from a page that is not the tablet's own."), Reason.NOT_ALLOWED)


def _check_post() -> None:
    takes = endpoint_of(current_app, request.endpoint or "").takes
    if request.mimetype != takes:
        raise OtherMediaType(NOT_TAKEN[takes])
    if MARK_HEADER not in request.headers:
        raise Refused(
            say("A request that changes something needs the header {header}: tablet.", header=MARK_HEADER),
            Reason.NOT_ALLOWED,
        )


def _add_headers(response: Response) -> Response:
    is_file = request.endpoint == "static" and response.status_code < HTTPStatus.BAD_REQUEST
    if is_file:
        response.headers.setdefault("Content-Security-Policy", _FILE_POLICY)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if not is_file:
        response.headers.setdefault("Cache-Control", "no-store")
    return response
