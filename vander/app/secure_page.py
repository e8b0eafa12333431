"""Https of a running table: from the start as the settings have it, or from when a phone is chosen as the camera."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from referee.phrases import as_sentence
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.access.https_certificates import CertificateError
from vander.access.https_service import HttpsService, open_https
from vander.access.page_addresses import is_loopback_host
from vander.app.page_server import PageServer, SecurePort
from vander.storage.settings import Settings
from web.services.https_backend import BoxAuthority

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones are let in when a keeper chooses one
NOT_SERVED = say(
    "This table is not served by https. That begins when a phone is chosen under “Camera”, or with VANDER_HTTPS=true."
)
SHUT_IN = say("Vander serves this machine alone, by https too. Start it with VANDER_HOST=0.0.0.0 to let a phone in.")

_log = logging.getLogger(__name__)


class SecurePage:
    """The `HttpsBackend` of a table. Raises CertificateError where the settings want it, and it cannot be."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened = open_https(settings)
        self._served: HttpsService | None = None
        self._server: PageServer | None = None

    def serve(self, server: PageServer) -> None:
        """Begin as the settings have it. Where that fails, play goes on; the log and the doctor say why."""
        self._server = server
        if self._opened is not None and open_secure_port(server, self._settings, self._opened):
            self._served = self._opened

    def let_phones_in(self) -> None:
        """Serve the network by https, if it is not done already. Raises Refused (UNAVAILABLE)."""
        is_shut_in = is_loopback_host(self._settings.host)
        if self._served is not None:
            if is_shut_in and self._served is self._opened:
                raise Refused(SHUT_IN, Reason.UNAVAILABLE)
            return
        host = EVERYWHERE if is_shut_in else self._settings.host
        settings = self._settings.model_copy(update={"https": True, "host": host})
        try:
            found = open_https(settings)
            if found is not None:
                found.certificates.context()
                self._open(SecurePort(settings.https_port, found.certificates.context, host))
        except CertificateError as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
        except OSError as error:
            told = say(
                "A phone cannot come in: port {port} is not free. Choose another one with VANDER_HTTPS_PORT.",
                port=settings.https_port,
            )
            raise Refused(told, Reason.UNAVAILABLE) from error
        self._served = found

    def urls(self) -> Sequence[str]:
        """Return the addresses by which phones reach the page by https; () while it is not served."""
        return self._served.urls() if self._served is not None else ()

    def authority(self) -> BoxAuthority | None:
        """Return the box's own authority, None where the owner gave a certificate. Raises Refused."""
        return self._now().authority()

    def trouble(self) -> str:
        """Return what is wrong with the owner's certificate, in one sentence."""
        return self._now().trouble()

    def _now(self) -> HttpsService:
        if self._served is None:
            raise Refused(NOT_SERVED, Reason.NOT_FOUND)
        return self._served

    def _open(self, port: SecurePort) -> None:
        server = self._server
        if server is None:
            raise OSError("no page is served yet")
        server.between_passes(lambda: server.open_secure(port))


def open_secure_port(server: PageServer, settings: Settings, https: HttpsService) -> bool:
    """Serve https in addition to http; return False if that fails. Play continues, the log and the doctor say why."""
    try:
        https.certificates.context()
        server.open_secure(SecurePort(settings.https_port, https.certificates.context))
    except CertificateError as error:
        _log.warning("https is not served: %s", error)
    except OSError as error:
        _log.warning("https is not served: port %s: %s", settings.https_port, error.strerror or error)
    return bool(server.secure_port)
