"""The certificates of https as files: the box's own authority, what it issues, or an owner's own certificate."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Protocol

from cryptography import x509

from models.atomic_files import PRIVATE_FOLDER, write_atomically
from referee.error_messages import cause_of
from referee.sentences import say
from vander.access.certificate_authority import (
    SignedKey,
    create_authority,
    is_current,
    issue,
    read_signed_key,
)
from vander.storage.settings import Settings

FOLDER: Final = "https"
"""The folder in the data folder: the authority's key and certificate, and the one file that the server reads."""
CHECKED_EVERY: Final = timedelta(minutes=1)
"""How often the box's addresses and the end of the certificate are looked at, while connections come."""
AUTHORITY_KEY, AUTHORITY_CERTIFICATE, SERVER = "authority.key", "authority.crt", "server.pem"

_log = logging.getLogger(__name__)


class CertificateError(OSError):
    """Https is not possible; the message is one sentence that says why and what helps."""

    def __str__(self) -> str:
        return str(self.args[0])


class Certificates(Protocol):
    """What the web server needs for https."""

    def context(self) -> ssl.SSLContext:
        """Return the present certificate, ready for a server; it is renewed when it is due. Raises CertificateError."""

    @property
    def certificate(self) -> x509.Certificate:
        """The certificate that is served. Raises CertificateError."""

    @property
    def authority(self) -> x509.Certificate | None:
        """The box's own authority, None where the owner gave a certificate."""


class Loaded(NamedTuple):
    """A certificate, and the same ready for a server."""

    certificate: x509.Certificate
    context: ssl.SSLContext


def utc_now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(UTC)


class BoxCertificates:
    """Certificates of the box's own authority, made on first use in the data folder. Any thread may call any method.

    `names` returns the box's names and addresses now; a change of them, and the end of a certificate, renews it.
    `further` are names that the owner gave the box.
    """

    def __init__(
        self,
        data_dir: Path,
        host: str,
        names: Callable[[], Sequence[str]],
        further: Sequence[str] = (),
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._folder, self._host, self._further = data_dir / FOLDER, host, tuple(further)
        self._names, self._now, self._checked_at = names, now, datetime.min.replace(tzinfo=UTC)
        self._lock = Lock()
        self._authority: SignedKey | None = None
        self._loaded: Loaded | None = None

    @property
    def authority(self) -> x509.Certificate:
        """The authority's certificate, for phones to install. Raises CertificateError."""
        with self._lock:
            return self._own_authority().certificate

    @property
    def certificate(self) -> x509.Certificate:
        """The certificate that is served. Raises CertificateError."""
        return self._current().certificate

    def context(self) -> ssl.SSLContext:
        """Return the present certificate, ready for a server; it is renewed when it is due. Raises CertificateError."""
        return self._current().context

    def _current(self) -> Loaded:
        with self._lock:
            now = self._now()
            if self._loaded is None or abs(now - self._checked_at) >= CHECKED_EVERY:
                self._loaded, self._checked_at = self._checked(now), now
            return self._loaded

    def _checked(self, now: datetime) -> Loaded:
        """Return the certificate, renewed if that is due; one that cannot be renewed is served on."""
        authority, names = self._own_authority(), (*self._names(), *self._further)
        held = self._loaded.certificate if self._loaded else self._stored_certificate()
        if held is not None and is_current(held, authority.certificate, names, now):
            return self._loaded or Loaded(held, _load_context(self._folder / SERVER))
        try:
            return Loaded(self._renew(authority, names), _load_context(self._folder / SERVER))
        except CertificateError as error:
            if self._loaded is None:
                raise
            _log.warning("https: the certificate is not renewed, %s", error)
            return self._loaded

    def _own_authority(self) -> SignedKey:
        if self._authority is None:
            self._authority = self._stored_authority() or self._new_authority()
        return self._authority

    def _stored_authority(self) -> SignedKey | None:
        key, certificate = self._folder / AUTHORITY_KEY, self._folder / AUTHORITY_CERTIFICATE
        try:
            return read_signed_key(key.read_bytes(), certificate.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _log.warning("https: the authority in %s cannot be read, a new one is made: %s", self._folder, error)
            return None

    def _new_authority(self) -> SignedKey:
        made = create_authority(self._host, self._further)
        self._write({AUTHORITY_KEY: made.key_pem(), AUTHORITY_CERTIFICATE: made.certificate_pem()})
        return made

    def _stored_certificate(self) -> x509.Certificate | None:
        with suppress(OSError, ValueError):
            return x509.load_pem_x509_certificate((self._folder / SERVER).read_bytes())
        return None

    def _renew(self, authority: SignedKey, names: Sequence[str]) -> x509.Certificate:
        issued = issue(authority, names, self._now())
        self._write({SERVER: issued.certificate_pem() + issued.key_pem()})
        return issued.certificate

    def _write(self, files: dict[str, bytes]) -> None:
        try:
            self._folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
            for name, contents in files.items():
                write_atomically(self._folder / name, contents)
        except OSError as error:
            raise CertificateError(say("the certificate cannot be kept: {cause}", cause=cause_of(error))) from error


class OwnerCertificate:
    """A certificate file of the owner, with its key in the same or another file. It is reloaded when it changes.

    Raises CertificateError where it cannot be read.
    """

    authority = None

    def __init__(self, certificate: Path, key: Path | None) -> None:
        self._file, self._key = certificate, key or certificate
        self._lock = Lock()
        self._stamp: tuple[tuple[int, int], ...] = ()
        self._loaded: Loaded | None = None
        self.context()

    @classmethod
    def of(cls, settings: Settings) -> OwnerCertificate:
        """Return the certificate that the settings name. Raises CertificateError."""
        return cls(Path(settings.https_certificate), Path(settings.https_key) if settings.https_key else None)

    @property
    def certificate(self) -> x509.Certificate:
        """The certificate that is served. Raises CertificateError."""
        return self._load().certificate

    def context(self) -> ssl.SSLContext:
        """Return the certificate, ready for a server. Raises CertificateError."""
        return self._load().context

    def _load(self) -> Loaded:
        with self._lock:
            try:
                stamp = tuple((one.stat().st_mtime_ns, one.stat().st_size) for one in (self._file, self._key))
                if self._loaded is None or self._stamp != stamp:
                    certificate = x509.load_pem_x509_certificate(self._file.read_bytes())
                    self._loaded, self._stamp = Loaded(certificate, _load_context(self._file, self._key)), stamp
            except (OSError, ValueError) as error:
                if self._loaded is None:
                    raise CertificateError(
                        say(
                            "the certificate {file} cannot be used: {cause}; "
                            "it must be PEM, with its key in the same file or in https_key",
                            file=self._file,
                            cause=cause_of(error),
                        )
                    ) from error
                _log.warning("https: the certificate %s cannot be read anew: %s", self._file, error)
            return self._loaded


def describe_validity(certificate: x509.Certificate, now: datetime) -> str:
    """Return what is wrong with a certificate's time, in one sentence; '' if it is valid."""
    if now > certificate.not_valid_after_utc:
        return say("The certificate ran out on {day}.", day=str(certificate.not_valid_after_utc.date()))
    if now < certificate.not_valid_before_utc:
        begins = str(certificate.not_valid_before_utc.date())
        return say("The certificate is valid only from {day} on; is the clock right?", day=begins)
    return ""


def _load_context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except OSError as error:
        raise CertificateError(
            say("the certificate {certificate} cannot be used: {cause}", certificate=certificate, cause=cause_of(error))
        ) from error
    return context


def _no_password() -> str:
    """Stand in for a password, so that nobody is asked on a terminal; a key with one is refused as unreadable."""
    return ""
