"""By which names a browser may call the box.

A page of another site can point a name of its own at the box's address and then speak to it as if it were its own
(DNS rebinding); the browser tells the name in the Host header, so a name that anybody could own is turned away.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import IPv6Address, ip_address
from socket import gethostname

OF_THE_BOX = frozenset({"localhost", "127.0.0.1", "::1"})
"""What a browser on the box itself calls it."""
_OF_HOMES = tuple(
    f".{name}"
    for name in ("local", "localhost", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain")
)
"""Names that nobody can own in the Internet: RFC 6762 with its appendix G, RFC 6761, RFC 8375, and `internal`."""
_OF_ROUTERS = (".fritz.box",)
"""Names that widespread routers give, and whose makers own them."""


_ONE_WORD = re.compile(r"[a-z0-9_-]+")
"""A name without a dot, which is nobody's in the Internet either."""


def name_of(host: str) -> str:
    """The name or address of a Host header, in small letters, without the port, brackets or a closing dot."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].removesuffix(".")


def is_ours(host: str, further: Collection[str] = ()) -> bool:
    """Whether a Host header calls the box by an address, a name without a dot, a home's name, or one of `further`."""
    name = name_of(host)
    return (
        bool(_ONE_WORD.fullmatch(name))
        or _is_address(name)
        or name.endswith(_OF_HOMES + _OF_ROUTERS)
        or name in further
        or name == gethostname().lower()
    )


def is_loopback(address: str | None) -> bool:
    """Whether a peer's address is the box's own."""
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
