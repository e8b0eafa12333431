"""Checks of the network: where Vander listens, and by which addresses tablets find it."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types

from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding

ADDRESS = CheckSubject("address", "Address")

EVERYWHERE = ("0.0.0.0", "::", "*")  # noqa: S104 - what a server may be told to listen on
AVAHI = "run/avahi-daemon/pid"
"""The process file of the service that publishes NAME.local."""


@dataclass(frozen=True)
class NetworkState:
    """The machine's addresses, and its name NAME.local, '' if nobody publishes it."""

    addresses: tuple[str, ...]
    local_name: str = ""

    @classmethod
    def now(cls, root: Path = Path("/")) -> NetworkState:
        """Return the present state."""
        name = f"{socket.gethostname().split('.')[0]}.local" if (root / AVAHI).exists() else ""
        return cls(tuple(_local_addresses()), name)


def check_address(settings: Settings, network: NetworkState, *, serving: bool) -> Finding:
    """Check that tablets can find the table. `serving`: Vander itself holds the port now."""
    hindrance = "" if serving else why_not_bindable(settings.host, settings.port)
    if hindrance:
        return ADDRESS.bad(hindrance, "Choose another with VANDER_HOST and VANDER_PORT, or end the other program.")
    if settings.host not in EVERYWHERE and _is_loopback(settings.host):
        return ADDRESS.unsure(
            f"Vander listens on {settings.host} only, which no tablet can reach.",
            "Let tablets in with VANDER_HOST=0.0.0.0.",
        )
    reached = tuple(_urls(settings, network))
    if not reached:
        return ADDRESS.unsure("The box is in no network.", "Plug in a network cable, or give it the Wi-Fi's password.")
    return _reachable_finding(reached, network)


def _reachable_finding(reached: Sequence[str], network: NetworkState) -> Finding:
    told = f"Tablets find the table at {' or '.join(reached)}."
    if not network.local_name:
        return ADDRESS.good(told, "A name such as vander.local comes with `sudo apt install avahi-daemon`.")
    return ADDRESS.good(told, "Where a tablet does not know the name, the numbers serve.")


def _urls(settings: Settings, network: NetworkState) -> Iterator[str]:
    """Yield the addresses as they are typed into a browser, the name first."""
    if network.local_name and (settings.host in EVERYWHERE or settings.host in network.addresses):
        yield f"http://{network.local_name}:{settings.port}"
    for one in network.addresses if settings.host in EVERYWHERE else (settings.host,):
        yield f"http://{f'[{one}]' if ':' in one else one}:{settings.port}"


def _local_addresses() -> Iterator[str]:
    """Yield the addresses that a tablet in the same network can use, IPv4 first."""
    entries = [entry for entries in psutil.net_if_addrs().values() for entry in entries]
    found = [parsed for entry in entries if (parsed := _parse_address(entry.address)) is not None]
    usable = [one for one in found if not (one.is_loopback or one.is_link_local or one.is_unspecified)]
    for version in (4, 6):
        yield from (str(one) for one in usable if one.version == version)


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, or None for other text: the list holds hardware addresses too."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    parsed = _parse_address(host)
    return host == "localhost" if parsed is None else parsed.is_loopback


def why_not_bindable(host: str, port: int) -> str:
    """Return a sentence why Vander could not serve there; '' if it could."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
            trial.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} is taken by {_listening_program(port) or 'another program'}."
        return f"Vander cannot listen at {host}:{port}: {error.strerror or error}."
    return ""


def _listening_program(port: int) -> str:
    """Return the program that listens on a port, or ''. Only root sees the programs of other users."""
    try:
        held = [one.pid for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port and one.pid]
        return f"{psutil.Process(held[0]).name()} (process {held[0]})" if held else ""
    except (psutil.Error, OSError):
        return ""
