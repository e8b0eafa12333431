"""Which host names a browser may use to call the box.

A page of another site can point a name of its own at the box's address and then talk to the box as if to its own
server (DNS rebinding). The browser sends the name in the Host header, so a name that anybody could own is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import IPv6Address, ip_address
from socket import gethostname

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
