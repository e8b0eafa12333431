"""Checks of the network: where Vander listens, and by which addresses tablets find it."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence

import psutil  # type: ignore[import-untyped]  # it ships no types

from vander.access.page_addresses import EVERYWHERE, NetworkState, is_loopback_host, tablet_urls
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding

ADDRESS = CheckSubject("address", "Address")


def check_address(settings: Settings, network: NetworkState, *, serving: bool) -> Finding:
    """Check that tablets can find the table. `serving`: Vander itself holds the port now."""
    hindrance = "" if serving else why_not_bindable(settings.host, settings.port)
    if hindrance:
        return ADDRESS.bad(hindrance, "Choose another with VANDER_HOST and VANDER_PORT, or end the other program.")
    if settings.host not in EVERYWHERE and is_loopback_host(settings.host):
        return ADDRESS.unsure(
            f"Vander listens on {settings.host} only, which no tablet can reach.",
            "Let tablets in with VANDER_HOST=0.0.0.0.",
        )
    reached = tablet_urls(settings, network)
    if not reached:
        return ADDRESS.unsure("The box is in no network.", "Plug in a network cable, or give it the Wi-Fi's password.")
    return _reachable_finding(reached, network)


def _reachable_finding(reached: Sequence[str], network: NetworkState) -> Finding:
    told = f"Tablets find the table at {' or '.join(reached)}."
    if not network.local_name:
        return ADDRESS.good(told, "A name such as vander.local comes with `sudo apt install avahi-daemon`.")
    return ADDRESS.good(told, "Where a tablet does not know the name, the numbers serve.")


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
