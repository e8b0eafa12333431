"""Who may do what: who sends a request, and who one must be for it.

What is not named here is the keeper's, so that a new address is shut until somebody opens it.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, request

from referee.refused import Reason, Refused
from web.services.access_protocol import COOKIE, AccessBackend, Role, Tablet
from web.services.backends import backends
from web.trusted_hosts import OF_THE_BOX, is_loopback, name_of

_TO_WATCH = frozenset(
    {
        "static",
        "pages.table",
        "pages.tray_page",
        "teaching.check",
        "door.door",
        "door.pair_page",
        "door.ask",
        "door.pair",
        "description.description",
    }
)
_TO_PLAY = frozenset({"teaching.checked", "door.leave"})
_ROOMS_OF_PLAY = frozenset({"counter", "live", "tray"})
"""Here anybody may look, and who has joined in may do all there is to do."""
_SENT_ON = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_", "HTTP_X_REAL_IP", "HTTP_VIA")
"""Headers of a request that another program sent on for somebody."""

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


def needed(endpoint: str, method: str) -> Role:
    """Who one must be at least to ask this."""
    blueprint = endpoint.partition(".")[0]
    if endpoint in _TO_WATCH:
        return Role.WATCHER
    if endpoint in _TO_PLAY:
        return Role.PLAYER
    if blueprint in _ROOMS_OF_PLAY:
        return Role.PLAYER if method == "POST" else Role.WATCHER
    return Role.KEEPER


def check() -> None:
    """Turn away (403) who may not ask this."""
    least, role = needed(request.endpoint or "", request.method), caller().role
    if role >= least:
        return
    if least is Role.KEEPER:
        raise Refused(KEEPERS, Reason.NOT_ALLOWED)
    raise Refused(JOIN_IN, Reason.NOT_ALLOWED)
