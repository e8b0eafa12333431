"""A certificate authority of the box's own, and the certificates that it issues for the box's addresses.

Browsers give a page the camera only over https, and accept a certificate only from an authority that they know. No
public authority signs for addresses of a home network, so that the box has one of its own, which its owner may install
on a phone. By its name constraints (RFC 5280, 4.2.1.10) it can vouch for the box's own names and for addresses of
private networks alone: who steals its key cannot pretend to be a site of the Internet.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.trusted_hosts import PRIVATE_DOMAINS

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
        """Return the certificate as PEM."""
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
