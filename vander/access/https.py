"""Https: a certificate authority of the box's own, its certificates as files, and what the pages show of them."""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Protocol

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from models.atomic_files import PRIVATE_FOLDER, write_atomically
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, cause_of, say
from vander.access.page_addresses import NetworkState, secure_urls
from vander.storage.settings import Settings
from web.authorization import PRIVATE_DOMAINS
from web.schemas.access_schemas import BoxAuthority

# A certificate authority of the box's own, and the certificates that it issues for the box's addresses
#
# Browsers give a page the camera only over https, and accept a certificate only from an authority that they know. No
# public authority signs for addresses of a home network, so that the box has one of its own, which its owner may
# install on a phone. By its name constraints (RFC 5280, 4.2.1.10) it can vouch for the box's own names and for
# addresses of private networks alone: who steals its key cannot pretend to be a site of the Internet.


PRIVATE_NETWORKS: Final = tuple(
    ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""Networks that are nobody's in the Internet: RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291."""
VALID: Final = timedelta(days=397)
"""How long an issued certificate is valid. Apple's devices accept 825 days at most from an authority of one's own."""
RENEWED_BEFORE: Final = timedelta(days=60)
"""A certificate that ends sooner is renewed."""
SLACK: Final = timedelta(days=2)
"""Tolerated clock difference: a certificate is valid from this long before it is issued."""
FIRST_DAY: Final = datetime(2025, 1, 1, tzinfo=UTC)
LAST_DAY: Final = datetime(2049, 12, 31, tzinfo=UTC)
"""When the authority is valid: fixed days, since a Raspberry Pi without a network may not know the date. Those after
2049 are written in another form, which old devices do not read."""


@dataclass(frozen=True)
class SignedKey:
    """A private key with its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def key_pem(self) -> bytes:
        """Return the private key as PEM, not encrypted: the file's mode guards it."""
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)


def read_signed_key(key_pem: bytes, certificate_pem: bytes) -> SignedKey:
    """Return a key with its certificate. Raises ValueError where they cannot be read or do not belong together."""
    key = serialization.load_pem_private_key(key_pem, None)
    certificate = x509.load_pem_x509_certificate(certificate_pem)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ValueError("the key does not belong to the certificate")
    return SignedKey(key, certificate)


def create_authority(host: str, further: Iterable[str] = ()) -> SignedKey:
    """Return a new authority for a box with this host name, and with `further` names that its owner gave it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _subject(f"Vander on {host}"[:64])
    builder = _certificate(name, name, key.public_key(), FIRST_DAY, LAST_DAY)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_key_usage(signs=True), critical=True)
    builder = builder.add_extension(_constraints(host, further), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    return SignedKey(key, builder.sign(key, hashes.SHA256()))


def issue(authority: SignedKey, names: Iterable[str], now: datetime) -> SignedKey:
    """Return a new key with a certificate for those of the names and addresses that the authority may vouch for."""
    key = ec.generate_private_key(ec.SECP256R1())
    allowed = sorted(set(permitted(authority.certificate, names)))
    issuer = authority.certificate.subject
    builder = _certificate(_subject("Vander"), issuer, key.public_key(), now - SLACK, now + VALID)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_key_usage(signs=False), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    builder = builder.add_extension(x509.SubjectAlternativeName([_general_name(name) for name in allowed]), False)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    builder = builder.add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False
    )
    return SignedKey(key, builder.sign(authority.key, hashes.SHA256()))


def permitted(authority: x509.Certificate, names: Iterable[str]) -> list[str]:
    """Return those of the names and addresses for which the authority may vouch."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    domains = [one.value for one in constraints.permitted_subtrees or () if isinstance(one, x509.DNSName)]
    return [name for name in _plain_names(names) if _is_permitted(name, domains)]


def is_current(certificate: x509.Certificate, authority: x509.Certificate, names: Iterable[str], now: datetime) -> bool:
    """True if the authority issued the certificate, it is valid for long enough, and it holds all permitted names."""
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    held = set(certificate_names(certificate))
    return begins <= now <= ends - RENEWED_BEFORE and set(permitted(authority, names)) <= held


def certificate_names(certificate: x509.Certificate) -> list[str]:
    """Return the names and addresses that a certificate is for."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(one.value) for one in found if isinstance(one, x509.DNSName | x509.IPAddress)]


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of a certificate as phones show it: pairs of digits."""
    return certificate.fingerprint(hashes.SHA256()).hex(" ").upper()


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, begins: datetime, ends: datetime
) -> x509.CertificateBuilder:
    named = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    dated = named.not_valid_before(begins).not_valid_after(ends)
    return dated.serial_number(x509.random_serial_number())


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _key_usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _constraints(host: str, further: Iterable[str]) -> x509.NameConstraints:
    own = host.partition(".")[0]
    private = [f"{own}.{domain}" for domain in PRIVATE_DOMAINS] if own else []  # `own` alone may be a domain like .box
    domains = dict.fromkeys(_plain_names(("localhost", *private, *further)))
    subtrees: list[x509.GeneralName] = [x509.DNSName(domain) for domain in domains]
    subtrees += [x509.IPAddress(network) for network in PRIVATE_NETWORKS]
    return x509.NameConstraints(permitted_subtrees=subtrees, excluded_subtrees=None)


def _plain_names(names: Iterable[str]) -> list[str]:
    """Return names as certificates hold them, in small letters of ASCII (RFC 5891); what is no name is left out."""
    found = []
    for name in names:
        with suppress(UnicodeError):
            found.append(name.strip().lower().encode("idna").decode())
    return [name for name in found if name]


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_permitted(name: str, domains: Iterable[str]) -> bool:
    try:
        address = ip_address(name)
    except ValueError:
        return any(name == domain or name.endswith(f".{domain}") for domain in domains)
    return any(address in network for network in PRIVATE_NETWORKS)


# The certificates of https as files: the box's own authority, what it issues, or an owner's own certificate


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


# Https of the running program: its certificates, its addresses, and what the pages show of them


class HttpsService:
    """The pages' view of https."""

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
