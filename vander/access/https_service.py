"""Https of the running program: its certificates, its addresses, and what the pages show of them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from cryptography.hazmat.primitives.serialization import Encoding

from referee.phrases import as_sentence
from referee.refused import Reason, Refused
from vander.access.certificate_authority import fingerprint
from vander.access.https_certificates import (
    BoxCertificates,
    CertificateError,
    Certificates,
    OwnerCertificate,
    describe_validity,
    utc_now,
)
from vander.access.page_addresses import NetworkState, secure_urls
from vander.storage.settings import Settings
from web.services.https_backend import BoxAuthority


class HttpsService:
    """The pages' view of https; implements `web.services.HttpsBackend`."""

    def __init__(self, settings: Settings, certificates: Certificates, now: Callable[[], datetime] = utc_now) -> None:
        self._settings, self.certificates, self._now = settings, certificates, now

    def urls(self) -> Sequence[str]:
        """Return the addresses by which phones reach the page by https, the best for a QR code first."""
        return secure_urls(self._settings, NetworkState.now())

    def authority(self) -> BoxAuthority | None:
        """Return the box's own authority, None where the owner gave a certificate. Raises Refused (UNAVAILABLE)."""
        try:
            found = self.certificates.authority
        except CertificateError as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
        return BoxAuthority(found.public_bytes(Encoding.PEM), fingerprint(found)) if found else None

    def trouble(self) -> str:
        """Return what is wrong with the owner's certificate, in one sentence; the box renews its own by itself."""
        if not isinstance(self.certificates, OwnerCertificate):
            return ""
        try:
            return describe_validity(self.certificates.certificate, self._now())
        except CertificateError as error:
            return as_sentence(error)


def open_https(settings: Settings) -> HttpsService | None:
    """Return https as the settings have it, None without. Raises CertificateError for an owner's unusable file."""
    if not settings.https:
        return None
    if settings.https_certificate:
        return HttpsService(settings, OwnerCertificate.of(settings))
    host, further = socket.gethostname(), [name.strip() for name in settings.names.split(",") if name.strip()]
    return HttpsService(settings, BoxCertificates(settings.data_dir, host, partial(box_names, host), further))


def box_names(host: str) -> tuple[str, ...]:
    """Return the names and addresses of this machine now, for its certificate."""
    network = NetworkState.now()
    local = [network.local_name] if network.local_name else []
    return ("localhost", "127.0.0.1", "::1", host.lower(), *local, *network.addresses)
