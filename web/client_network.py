"""Which connections count as one guest's: a browser may come from many addresses of one network."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

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
