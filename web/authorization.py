"""Who sends a request, which role a route requires, and which host names a browser may use.

The declaration of each route names its role (`web/endpoints.py`). A route without one is for keepers: a new address is
closed until somebody opens it.

A page of another site can point a name of its own at the box's address and then talk to the box as if to its own
server (DNS rebinding). The browser sends the name in the Host header, so a name that anybody could own is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from socket import gethostname
from typing import Protocol, TypeVar

from flask import Flask, current_app, g, request

from referee.journal import NOBODY, Actor, seat_of
from referee.sentences import Reason, Refused, Sentence, say
from referee.snapshot import Snapshot
from web.schemas.access_schemas import COOKIE, SECURE_COOKIE, Role, Tablet

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""How a browser on the box itself calls it."""
PRIVATE_DOMAINS = ("local", "localhost", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain")
"""Domains that nobody can own in the Internet: RFC 6762 with its appendix G, RFC 6761, RFC 8375, and `internal`."""
_PRIVATE_SUFFIXES = tuple(f".{name}" for name in PRIVATE_DOMAINS)
_ROUTER_SUFFIXES = (".fritz.box",)
"""Domains that widespread routers give to home networks, and whose makers own them."""
_SINGLE_LABEL = re.compile(r"[a-z0-9_-]+")
"""A name without a dot, which nobody can own in the Internet either."""


def host_name(header: str) -> str:
    """Return the name or address of a Host header, in small letters, without port, brackets and final dot."""
    name = header.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].removesuffix(".")


def is_trusted_host(header: str, further: Collection[str] = ()) -> bool:
    """True if a Host header holds an address, a name without a dot, a private domain's name, or one of `further`."""
    name = host_name(header)
    return (
        bool(_SINGLE_LABEL.fullmatch(name))
        or _is_address(name)
        or name.endswith(_PRIVATE_SUFFIXES + _ROUTER_SUFFIXES)
        or name in further
        or name == gethostname().lower()
    )


def is_loopback(address: str | None) -> bool:
    """True if a peer's address is the box's own."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


# What all pages need of the running program, whichever it is; routes know the services themselves


class PairedTablets(Protocol):
    """Who has joined in. Any thread may call any method."""

    trust_local: bool
    """True if a browser on the box itself is a keeper without a code."""
    names: frozenset[str]
    """Further host names, in small letters, by which a browser may call this box."""

    def tablet(self, key: str) -> Tablet | None:
        """Return the tablet that has this key, or None."""


class SnapshotSource(Protocol):
    """The table as tablets show it. Any thread may call any method."""

    def snapshot(self) -> Snapshot:
        """Return the present snapshot: the same object until the table changes."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """Return the first snapshot whose number is not `number`, or the present one after `timeout` seconds."""


class Services(Protocol):
    """What the running program gives every application; without `access` every caller is a keeper."""

    @property
    def game(self) -> SnapshotSource | None:
        """The table, None in a hall."""

    @property
    def access(self) -> PairedTablets | None:
        """Who has joined in."""


def services() -> Services:
    """Return the services of the application that serves the current request."""
    found: Services = current_app.extensions["backends"]
    return found


Service = TypeVar("Service")


def there(found: Service | None, sentence: Sentence) -> Service:
    """Return a service. Raises Refused (NOT_FOUND) where there is none."""
    if found is None:
        raise Refused(sentence, Reason.NOT_FOUND)
    return found


def snapshot_source() -> SnapshotSource:
    return there(services().game, NO_GAME)


NO_GAME = say("Nobody plays at this address; it is a hall, and its tables play.")

_PROXY_HEADERS = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_", "HTTP_X_REAL_IP", "HTTP_VIA")
"""Prefixes of the WSGI names of headers that a proxy adds to a request that it forwards."""

JOIN_IN = say("You are watching. Join in to decide.")
THE_BOX = say("The box itself")
"""The name of a browser that runs on the box."""
SHOWS_THE_TRAY = say("This phone is the camera. Decide with another one.")
KEEPERS = say("This is for the table's keeper alone; a keeper can make your tablet one, too.")


@dataclass(frozen=True)
class Caller:
    """The sender of a request: its role, its tablet if it is a paired one, and True if it runs on the box itself."""

    role: Role
    tablet: Tablet | None = None
    at_the_box: bool = False


def device_key() -> str:
    """Return the key of the device that asks, '' for none; by https one that came by http counts too."""
    own = request.cookies.get(SECURE_COOKIE, "") if request.is_secure else ""
    return own or request.cookies.get(COOKIE, "")


def caller() -> Caller:
    """Return the sender of the current request."""
    if "caller" not in g:
        g.caller = _caller(services().access)
    found: Caller = g.caller
    return found


def actor() -> Actor:
    """Return who asks, as the journal keeps it: a paired tablet by its name, else the box itself or nobody known."""
    found = caller()
    if found.tablet is not None:
        state = snapshot_source().snapshot().state
        return Actor(found.tablet.name, seat_of(found.tablet.player, state.players) if state else 0)
    return Actor(THE_BOX) if found.at_the_box else NOBODY


def _caller(access: PairedTablets | None) -> Caller:
    if access is None:
        return Caller(Role.KEEPER)
    key = device_key()
    tablet = access.tablet(key) if key else None
    at_the_box = access.trust_local and _at_the_box()
    if at_the_box:
        return Caller(Role.KEEPER, tablet, at_the_box)
    return Caller(tablet.role if tablet else Role.WATCHER, tablet)


def _at_the_box() -> bool:
    """True if a browser on the box itself asks, by a name that only such a browser uses, and not through a proxy."""
    forwarded = any(name.startswith(_PROXY_HEADERS) for name in request.environ)
    by_loopback_name = host_name(request.headers.get("Host", "")) in LOOPBACK_NAMES
    return is_loopback(request.remote_addr) and by_loopback_name and not forwarded


def required_role(app: Flask, endpoint: str) -> Role:
    """Return the role that an endpoint requires; KEEPER where its view does not say."""
    role: Role = vars(app.view_functions[endpoint]).get("required_role", Role.KEEPER)
    return role


def check_role() -> None:
    """Raise Refused (NOT_ALLOWED) when the caller's role is below what the requested endpoint requires."""
    required = required_role(current_app, request.endpoint or "")
    if caller().role >= required:
        return
    watching = SHOWS_THE_TRAY if caller().role is Role.CAMERA else JOIN_IN
    raise Refused(KEEPERS if required is Role.KEEPER else watching, Reason.NOT_ALLOWED)


ONE_GUEST_BITS = 64
"""Leading bits of an IPv6 address that a single device cannot choose: it may take any address within them."""


def client_network(address: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address; a mapped IPv4 address is the IPv4 address.

    The loopback addresses and what is no address stay as they are.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address) or found.is_loopback:
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), ONE_GUEST_BITS), strict=False))
