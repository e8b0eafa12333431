"""Certificates for https: what the box's authority may vouch for, and how they are kept and renewed."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from vander.access.https import (
    FIRST_DAY,
    FOLDER,
    LAST_DAY,
    VALID,
    BoxCertificates,
    CertificateError,
    HttpsService,
    OwnerCertificate,
    certificate_names,
    create_authority,
    describe_validity,
    fingerprint,
    is_current,
    issue,
    open_https,
)
from vander.storage.settings import SettingError, load

NOW = datetime(2027, 3, 4, 12, tzinfo=UTC)
HOME = ("localhost", "127.0.0.1", "vander.local", "192.168.1.20")


class Clock:
    """A clock that a test sets."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Network:
    """The box's names and addresses, as a test says."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self) -> tuple[str, ...]:
        return self.names


def verified(name: str, served: x509.Certificate, authority: x509.Certificate, now: datetime = NOW) -> bool:
    """Whether a client that trusts the authority accepts the certificate for a name."""
    builder = PolicyBuilder().store(Store([authority])).time(now)
    subject = x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name)
    try:
        builder.build_server_verifier(subject).verify(served, [])
    except VerificationError:
        return False
    return True


def test_a_phone_that_trusts_the_authority_accepts_all_names_of_the_box() -> None:
    authority = create_authority("vander")
    served = issue(authority, HOME, NOW)
    assert {name: verified(name, served.certificate, authority.certificate) for name in HOME} == dict.fromkeys(
        HOME, True
    )
    assert not verified("other.local", served.certificate, authority.certificate)


def test_the_authority_vouches_for_nothing_outside_the_home() -> None:
    authority = create_authority("vander")
    served = issue(
        authority, ("example.org", "vander.example.org", "8.8.8.8", "2003::1", "other.local", "10.1.2.3"), NOW
    )
    assert certificate_names(served.certificate) == ["10.1.2.3"]


def test_a_stolen_key_of_the_authority_signs_no_page_of_the_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    authority = create_authority("vander")
    monkeypatch.setattr("vander.access.https.permitted", lambda _, names: list(names))
    forged = issue(authority, ("bank.example", "8.8.8.8", "vander.local"), NOW)
    assert not verified("bank.example", forged.certificate, authority.certificate)
    assert not verified("8.8.8.8", forged.certificate, authority.certificate)


def test_a_name_that_the_owner_gave_the_box_is_vouched_for() -> None:
    authority = create_authority("vander", ["dice.example.org"])
    served = issue(authority, ("dice.example.org",), NOW)
    assert verified("dice.example.org", served.certificate, authority.certificate)


def test_times_are_those_that_old_phones_accept() -> None:
    authority = create_authority("vander")
    served = issue(authority, HOME, NOW).certificate
    assert timedelta(days=398) > VALID
    assert served.not_valid_after_utc - NOW == VALID
    assert (authority.certificate.not_valid_before_utc, authority.certificate.not_valid_after_utc) == (
        FIRST_DAY,
        LAST_DAY,
    )


def test_the_certificates_are_made_once_and_for_their_owner_alone(tmp_path: Path) -> None:
    made = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock())
    made.context()
    found = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / FOLDER).iterdir()}
    assert found == {"authority.key": 0o600, "authority.crt": 0o600, "server.pem": 0o600}
    again = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock())
    assert fingerprint(again.authority) == fingerprint(made.authority)
    assert again.certificate.serial_number == made.certificate.serial_number


@pytest.mark.parametrize("days", [VALID.days - 30, VALID.days + 30, -30])
def test_a_certificate_is_renewed_before_it_ends_and_when_the_clock_was_wrong(tmp_path: Path, days: int) -> None:
    clock = Clock()
    kept = BoxCertificates(tmp_path, "vander", Network(*HOME), now=clock)
    first, authority = kept.certificate, kept.authority
    clock.now += timedelta(days=days)
    assert kept.certificate.serial_number != first.serial_number
    assert verified("vander.local", kept.certificate, authority, clock.now)


def test_a_certificate_is_kept_while_nothing_changes(tmp_path: Path) -> None:
    clock, network = Clock(), Network(*HOME)
    kept = BoxCertificates(tmp_path, "vander", network, now=clock)
    first, context = kept.certificate, kept.context()
    clock.now += timedelta(days=100)
    network.names = HOME[:-1]
    assert kept.certificate.serial_number == first.serial_number
    assert kept.context() is context


def test_a_new_address_brings_a_new_certificate(tmp_path: Path) -> None:
    clock, network = Clock(), Network(*HOME)
    kept = BoxCertificates(tmp_path, "vander", network, now=clock)
    assert not verified("10.0.0.9", kept.certificate, kept.authority)
    network.names = (*HOME, "10.0.0.9")
    clock.now += timedelta(minutes=2)
    assert verified("10.0.0.9", kept.certificate, kept.authority)


def test_a_certificate_that_cannot_be_renewed_is_served_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, network = Clock(), Network(*HOME)
    kept = BoxCertificates(tmp_path, "vander", network, now=clock)
    first, context = kept.certificate, kept.context()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vander.access.https.write_atomically", refuse)
    network.names = (*HOME, "10.0.0.9")
    clock.now += timedelta(minutes=2)
    assert kept.context() is context
    assert kept.certificate.serial_number == first.serial_number
    assert "is not renewed, the certificate cannot be kept: No space left on device" in caplog.text
    told = len(caplog.messages)
    kept.context()
    assert len(caplog.messages) == told, "it is tried again only after a while"
    monkeypatch.undo()
    clock.now += timedelta(minutes=2)
    assert verified("10.0.0.9", kept.certificate, kept.authority, clock.now)


@pytest.mark.parametrize("host", ["games", "box", ""])
def test_a_host_that_is_called_like_a_domain_vouches_for_none_of_its_names(host: str) -> None:
    authority = create_authority(host)
    served = issue(authority, ("steam.games", "fritz.box", host, "example.org", "games.local", "10.1.2.3"), NOW)
    held = certificate_names(served.certificate)
    assert "10.1.2.3" in held
    assert not {"steam.games", "fritz.box", "example.org", host} & set(held)
    assert ("games.local" in held) is (host == "games")


def test_names_are_taken_as_people_write_them(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path, https=True, names=" Dice.Example.org , würfel.example, ..bad..")
    https = open_https(settings)
    assert https is not None
    certificate = https.certificates.certificate
    assert {"dice.example.org", "xn--wrfel-kva.example"} <= set(certificate_names(certificate))
    assert https.certificates.authority is not None
    assert verified("dice.example.org", certificate, https.certificates.authority, datetime.now(UTC))


@pytest.mark.parametrize("name", ["authority.key", "authority.crt"])
def test_a_damaged_authority_is_replaced_and_its_certificates_too(tmp_path: Path, name: str) -> None:
    before = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock()).certificate
    (tmp_path / FOLDER / name).write_bytes(b"-----BEGIN NONSENSE-----\n")
    after = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock())
    assert verified("vander.local", after.certificate, after.authority)
    assert not is_current(before, after.authority, HOME, NOW)


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file stands in the way")
    with pytest.raises(CertificateError, match=r"^the certificate cannot be kept: "):
        BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock()).context()


def owner_files(folder: Path, *names: str) -> tuple[Path, Path]:
    """Write a certificate and its key into two files."""
    folder.mkdir(exist_ok=True)
    signed = issue(create_authority("elsewhere", names), names, NOW)
    certificate, key = folder / "own.crt", folder / "own.key"
    certificate.write_bytes(signed.certificate_pem())
    key.write_bytes(signed.key_pem())
    return certificate, key


def test_an_owners_certificate_is_served_and_read_anew_when_it_changes(tmp_path: Path) -> None:
    files = owner_files(tmp_path, "dice.example.org")
    own = OwnerCertificate(*files)
    first = own.certificate
    assert certificate_names(first) == ["dice.example.org"]
    assert own.authority is None
    owner_files(tmp_path, "dice.example.org", "more.example.org")
    assert len(certificate_names(own.certificate)) == 2
    files[0].write_text("half a fi")
    assert len(certificate_names(own.certificate)) == 2, "what was good goes on being served"


@pytest.mark.parametrize(
    "contents", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_an_owners_file_that_is_none_is_refused_in_one_sentence(tmp_path: Path, contents: bytes) -> None:
    certificate, key = owner_files(tmp_path, "dice.example.org")
    certificate.write_bytes(contents)
    with pytest.raises(CertificateError, match=r"own\.crt cannot be used: .*it must be PEM"):
        OwnerCertificate(certificate, key)


def test_a_key_of_another_certificate_or_with_a_password_is_refused(tmp_path: Path) -> None:
    certificate, _ = owner_files(tmp_path / "one", "dice.example.org")
    _, other_key = owner_files(tmp_path / "two", "dice.example.org")
    with pytest.raises(CertificateError, match=r"cannot be used"):
        OwnerCertificate(certificate, other_key)
    with pytest.raises(CertificateError, match=r"cannot be used"):
        OwnerCertificate(certificate, tmp_path / "nowhere.key")


def test_settings_choose_between_none_the_boxs_own_and_the_owners(tmp_path: Path) -> None:
    assert open_https(load(data_dir=tmp_path)) is None
    boxes = open_https(load(data_dir=tmp_path, https=True, host="0.0.0.0"))  # noqa: S104 - no server is started
    assert boxes is not None
    authority = boxes.authority()
    assert authority is not None
    assert authority.certificate_pem == (tmp_path / FOLDER / "authority.crt").read_bytes()
    certificate, key = owner_files(tmp_path / "own", "dice.example.org")
    owners = open_https(load(data_dir=tmp_path, https=True, https_certificate=str(certificate), https_key=str(key)))
    assert owners is not None
    assert owners.authority() is None
    assert owners.urls() == ("https://localhost:8443",)


def test_both_ports_must_differ(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="port and https_port must differ"):
        load(data_dir=tmp_path, https=True, port=8443)


def test_the_context_offers_no_old_protocol(tmp_path: Path) -> None:
    context = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock()).context()
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_what_is_wrong_with_the_time_of_a_certificate_is_said() -> None:
    served = issue(create_authority("vander"), HOME, NOW).certificate
    assert describe_validity(served, NOW) == ""
    assert describe_validity(served, NOW + timedelta(days=500)) == "The certificate ran out on 2028-04-04."
    assert "valid only from 2027-03-02" in describe_validity(served, NOW - timedelta(days=9))
    assert served.public_bytes(Encoding.PEM).startswith(b"-----BEGIN CERTIFICATE-----")


def test_the_page_says_that_the_owners_certificate_ran_out_and_nothing_of_the_boxs_own(tmp_path: Path) -> None:
    own = OwnerCertificate(*owner_files(tmp_path, "dice.example.org"))
    settings = load(data_dir=tmp_path)
    late = NOW + timedelta(days=500)
    assert HttpsService(settings, own, lambda: NOW).trouble() == ""
    assert HttpsService(settings, own, lambda: late).trouble() == "The certificate ran out on 2028-04-04."
    boxs = BoxCertificates(tmp_path, "vander", Network(*HOME), now=Clock())
    assert HttpsService(settings, boxs, lambda: late).trouble() == ""
