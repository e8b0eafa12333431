"""The threshold: who may come in, how large a request may be, what every answer carries, and how a refusal is said.

Requests that another site makes a browser send are turned away three times: by their Origin (and Sec-Fetch-Site, where
the browser tells it), by the cookie, which is SameSite=Strict, and, when they would change something, because they lack
JSON and the header `X-Vander`: a page of another site can send neither without asking first, and is never answered
that. A token in each form (Flask-WTF's CSRFProtect, for one) would prove no more: there are no forms, and a watcher has
no session to bind a token to.
"""

from __future__ import annotations

from http import HTTPStatus
from math import ceil

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from web import rights
from web.desk import Desk, TrayHands, Turned
from web.door import Role, TooSoon
from web.names import is_ours, name_of
from web.teaching import Checks, Teaching

LARGEST_BODY = 64 * 1024
"""Bytes. The longest honest request, a game with twelve players and every option, is a thirtieth of it."""

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
MARK = "X-Vander"
"""A header that every request that changes something has; what it says does not matter."""
_SENTENCES = {
    404: "There is nothing at this address; the table is at /.",
    405: "This address does not take that kind of request.",
    413: f"The request is larger than {LARGEST_BODY // 1024} KiB; nothing at the table needs so much.",
    500: "The referee stumbled over this; nothing was changed, and the log says why.",
}


def desk() -> Desk:
    """The desk of the application that serves this request."""
    found: Desk = current_app.extensions["desk"]
    return found


def tray() -> TrayHands:
    """The virtual tray's hands. Raises Turned (404) at a table with a real tray."""
    found: TrayHands | None = current_app.extensions["tray"]
    if found is None:
        raise Turned("This table has a real tray; the virtual tray comes with the camera named virtual.", 404)
    return found


def teaching() -> Teaching:
    """The teacher's desk. Raises Turned (404) at a table without one."""
    found: Teaching | None = current_app.extensions["teaching"]
    if found is None:
        raise Turned("No dice are taught at this table; it runs without a teacher's desk.", 404)
    return found


def checks() -> Checks:
    """The table's questions about its throws. Raises Turned (404) at a table that asks none."""
    found: Checks | None = current_app.extensions["checks"]
    if found is None:
        raise Turned("This table never asks whether a throw was read right.", 404)
    return found


def guard(app: Flask) -> None:
    """Put the checks, the headers and the refusals on an application."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(_check)
    app.after_request(_add_headers)
    app.context_processor(lambda: {"caller": rights.caller(), "door": rights.door()})
    app.register_error_handler(Turned, _turned)
    app.register_error_handler(HTTPException, _stumbled)


def _check() -> None:
    _check_name()
    _check_site()
    if request.routing_exception is not None:
        return
    if request.method == "POST":
        _check_post()
    rights.check()


def _check_name() -> None:
    host, door = request.headers.get("Host", ""), rights.door()
    if not is_ours(host, door.names if door else ()):
        raise Turned(
            f"The box is not called {name_of(host)[:60]!r}; use its address or its name in this network, "
            "or have its owner add the name to VANDER_NAMES.",
            421,
        )


def _check_site() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    foreign = origin is not None and origin.partition("://")[2].lower() != request.host.lower()
    followed = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link to the table
    if foreign or (site not in ("same-origin", "none") and not followed):
        raise Turned("This request comes from a page that is not the tablet's own.", 403)


def _check_post() -> None:
    if request.mimetype != "application/json":
        raise Turned("Requests to the table are JSON; send Content-Type: application/json.", 415)
    if MARK not in request.headers:
        raise Turned(f"A request that changes something needs the header {MARK}: tablet.", 403)


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _turned(turned: Turned) -> Response:
    answer = _refused(str(turned), turned.status, turned.rule)
    if isinstance(turned, TooSoon):
        answer.headers["Retry-After"] = str(ceil(turned.wait_s))
    return answer


def _stumbled(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    answer = _refused(_SENTENCES.get(code, f"The request could not be served ({error.name.lower()})."), code)
    if code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["Allow"] = dict(error.get_headers()).get("Allow", "")
    return answer


def _refused(sentence: str, status: int, rule: str = "") -> Response:
    if request.path.startswith("/api/"):
        answer = jsonify(error=sentence, rule=rule)
    else:
        watching = status == HTTPStatus.FORBIDDEN and rights.caller().role is Role.WATCHER
        answer = Response(render_template("refused.html", sentence=sentence, watching=watching))
    answer.status_code = status
    return answer
