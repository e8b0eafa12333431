"""Who sends a request, and which role a route requires.

`@requires(role)` stands beside each route. A route without it is for keepers: a new address is closed until somebody
opens it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import Flask, current_app, g, request

from referee.refused import Reason, Refused
from web.services.access_protocol import COOKIE, AccessBackend, Role, Tablet
from web.services.backends import backends
from web.trusted_hosts import OF_THE_BOX, is_loopback, name_of

View = TypeVar("View", bound=Callable[..., object])

_SENT_ON = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_", "HTTP_X_REAL_IP", "HTTP_VIA")
"""WSGI names of the headers that a proxy adds to a request that it forwards."""

JOIN_IN = "You are watching. Join in to decide."
KEEPERS = "This is for the table's keeper alone; a keeper can make your tablet one, too."


@dataclass(frozen=True)
class Caller:
    """Who sends a request: the role, the tablet where it has joined in, and whether it is on the box itself."""

    role: Role
    tablet: Tablet | None = None
    at_the_box: bool = False


def caller() -> Caller:
    """Who sends this request."""
    if "caller" not in g:
        g.caller = _caller(backends().access)
    found: Caller = g.caller
    return found


def _caller(access: AccessBackend | None) -> Caller:
    if access is None:
        return Caller(Role.KEEPER)
    key = request.cookies.get(COOKIE, "")
    tablet = access.tablet(key) if key else None
    at_the_box = access.trust_local and _at_the_box()
    if at_the_box:
        return Caller(Role.KEEPER, tablet, at_the_box)
    return Caller(tablet.role if tablet else Role.WATCHER, tablet)


def _at_the_box() -> bool:
    """Whether a browser on the box itself asks, by a name that only such a browser uses, and nobody sent it on."""
    sent_on = any(name.startswith(_SENT_ON) for name in request.environ)
    return is_loopback(request.remote_addr) and name_of(request.headers.get("Host", "")) in OF_THE_BOX and not sent_on


def requires(role: Role) -> Callable[[View], View]:
    """Decorate a view: callers below `role` are refused."""

    def mark(view: View) -> View:
        vars(view)["required_role"] = role
        return view

    return mark


def required_role(app: Flask, endpoint: str) -> Role:
    """Return the role that an endpoint requires; KEEPER where its view does not say."""
    role: Role = vars(app.view_functions[endpoint]).get("required_role", Role.KEEPER)
    return role


def check_role() -> None:
    """Raise Refused (NOT_ALLOWED) when the caller's role is below what the requested endpoint requires."""
    required = required_role(current_app, request.endpoint or "")
    if caller().role >= required:
        return
    raise Refused(KEEPERS if required is Role.KEEPER else JOIN_IN, Reason.NOT_ALLOWED)
