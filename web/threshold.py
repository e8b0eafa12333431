"""The threshold: who may come in, how large a request may be, what every answer carries, and how a refusal is said."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from web.desk import Desk, TrayHands, Turned
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
}
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
    app.before_request(_check_post)
    app.after_request(_add_headers)
    app.register_error_handler(Turned, lambda turned: _refused(str(turned), turned.status, turned.rule))
    app.register_error_handler(HTTPException, _stumbled)


def _check_post() -> None:
    if request.method != "POST" or request.routing_exception is not None:
        return
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2].lower() != request.host.lower():
        raise Turned("This request comes from a page that is not the tablet's own.", 403)
    if request.mimetype != "application/json":
        raise Turned("Requests to the table are JSON; send Content-Type: application/json.", 415)


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


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
        answer = Response(render_template("refused.html", sentence=sentence))
    answer.status_code = status
    return answer
