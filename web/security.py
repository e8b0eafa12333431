"""The threshold: who may come in, how large a request may be, what every answer carries, and how a refusal is said.

Requests that another site makes a browser send are turned away three times: by their Origin (and Sec-Fetch-Site, where
the browser tells it), by the cookie, which is SameSite=Strict, and, when they would change something, because they lack
JSON and the header `X-Vander`: a page of another site can send neither without asking first, and is never answered
that. A token in each form (Flask-WTF's CSRFProtect, for one) would prove no more: there are no forms, and a watcher has
no session to bind a token to.
"""

from __future__ import annotations

from flask import Flask, Response, request

from referee.refused import Reason, Refused
from web import authorization
from web.errors import LARGEST_BODY, NotJson, UnknownHost, register_error_handlers
from web.services.backends import backends
from web.trusted_hosts import is_ours, name_of

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


def guard(app: Flask) -> None:
    """Put the checks, the headers and the refusals on an application."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(_check)
    app.after_request(_add_headers)
    app.context_processor(lambda: {"caller": authorization.caller(), "door": backends().access})
    register_error_handlers(app)


def _check() -> None:
    _check_name()
    _check_site()
    if request.routing_exception is not None:
        return
    if request.method == "POST":
        _check_post()
    authorization.check_role()


def _check_name() -> None:
    host, access = request.headers.get("Host", ""), backends().access
    if not is_ours(host, access.names if access else ()):
        raise UnknownHost(
            f"The box is not called {name_of(host)[:60]!r}; use its address or its name in this network, "
            "or have its owner add the name to VANDER_NAMES."
        )


def _check_site() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    foreign = origin is not None and origin.partition("://")[2].lower() != request.host.lower()
    followed = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link to the table
    if foreign or (site not in ("same-origin", "none") and not followed):
        raise Refused("This request comes from a page that is not the tablet's own.", Reason.NOT_ALLOWED)


def _check_post() -> None:
    if request.mimetype != "application/json":
        raise NotJson("Requests to the table are JSON; send Content-Type: application/json.")
    if MARK not in request.headers:
        raise Refused(f"A request that changes something needs the header {MARK}: tablet.", Reason.NOT_ALLOWED)


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
