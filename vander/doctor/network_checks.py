"""Checks of the network: where tablets find Vander, and whether phones reach the secure page."""

from __future__ import annotations

import errno
import socket
import ssl
from datetime import datetime

import psutil  # type: ignore[import-untyped]  # it ships no types

from referee.phrases import as_sentence, spell_list
from referee.sentences import say
from vander.access.https import CertificateError, OwnerCertificate, describe_validity
from vander.access.page_addresses import EVERYWHERE, NetworkState, is_loopback_host, tablet_urls
from vander.doctor import CheckSubject
from vander.storage.settings import Settings
from web.services.access_backend import Finding

# Checks of the network: where Vander listens, and by which addresses tablets find it


ADDRESS = CheckSubject("address", say("Address"))
HTTPS = CheckSubject("https", say("Https"))
TLS_WAIT_S = 3.0


def check_address(settings: Settings, network: NetworkState, *, serving: bool) -> Finding:
    """Check that tablets can find the table. `serving`: Vander itself holds the port now."""
    hindrance = "" if serving else why_not_bindable(settings.host, settings.port)
    if hindrance:
        return ADDRESS.bad(hindrance, say("Choose another with VANDER_HOST and VANDER_PORT, or end the other program."))
    if settings.host not in EVERYWHERE and is_loopback_host(settings.host):
        return ADDRESS.unsure(
            say("Vander listens on {host} only, which no tablet can reach.", host=settings.host),
            say("Let tablets in with VANDER_HOST=0.0.0.0."),
        )
    reached = tablet_urls(settings, network)
    if not reached:
        return ADDRESS.unsure(
            say("The box is in no network."), say("Plug in a network cable, or give it the Wi-Fi's password.")
        )
    told = say("Tablets find the table at {addresses}.", addresses=spell_list(reached, "or"))
    if not network.local_name:
        return ADDRESS.good(told, say("A name such as vander.local comes with `sudo apt install avahi-daemon`."))
    return ADDRESS.good(told, say("If a tablet does not find the name, use the numbers."))


def check_https(settings: Settings, now: datetime, *, serving: bool) -> Finding:
    """Check that phones can reach the secure page. `serving`: Vander itself is running now."""
    if not settings.https:
        return HTTPS.good(say("The page is served by http alone. Only the camera of a phone needs more."))
    hindrance = "" if serving else why_not_bindable(settings.host, settings.https_port)
    if hindrance:
        return HTTPS.bad(hindrance, say("Choose another port with VANDER_HTTPS_PORT, or end the other program."))
    if serving and not _answers_by_tls(settings):
        return HTTPS.bad(
            say("The secure page on port {port} does not answer.", port=settings.https_port),
            say("The log says why. Choose another port with VANDER_HTTPS_PORT, then restart Vander."),
        )
    return _certificate_finding(settings, now)


def _certificate_finding(settings: Settings, now: datetime) -> Finding:
    if not settings.https_certificate:
        return HTTPS.good(say("The secure page is served on port {port}.", port=settings.https_port))
    try:
        wrong = describe_validity(OwnerCertificate.of(settings).certificate, now)
    except CertificateError as error:
        wrong = as_sentence(error)
    if wrong:
        return HTTPS.bad(wrong, say("Give a new one, or take https_certificate out so that the box makes its own."))
    return HTTPS.good(
        say("The secure page is served on port {port}, with your own certificate.", port=settings.https_port)
    )


def _answers_by_tls(settings: Settings) -> bool:
    """True if the secure port of this box speaks TLS; whose certificate it has does not matter here."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host = EVERYWHERE.get(settings.host, settings.host)
    try:
        with (
            socket.create_connection((host, settings.https_port), TLS_WAIT_S) as line,
            context.wrap_socket(line),
        ):
            return True
    except OSError:
        return False


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
            program = _listening_program(port) or say("another program")
            return say("Port {port} is taken by {program}.", port=port, program=program)
        why = error.strerror or str(error)
        return say("Vander cannot listen at {place}: {why}.", place=f"{host}:{port}", why=why)
    return ""


def _listening_program(port: int) -> str:
    """Return the program that listens on a port, or ''. Only root sees the programs of other users."""
    try:
        held = [one.pid for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port and one.pid]
        if not held:
            return ""
        return say("{program} (process {number})", program=psutil.Process(held[0]).name(), number=held[0])
    except (psutil.Error, OSError):
        return ""
