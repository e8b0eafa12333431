"""A real Mosquitto that speaks TLS: each trouble is one sentence, play goes on, and the link comes back by itself."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from mosquitto_broker import PASSWORD, USER, Broker, listening
from test_home_assistant_link import TOPICS, linked

from hardware import mqtt_broker
from hardware.mqtt_broker import BrokerTrouble, broker_trouble
from tests.waiting import wait_until
from vander.access.https import SignedKey, create_authority, issue
from vander.extras.home_assistant.home_assistant_link import check_mqtt
from vander.storage.settings import load
from vander.table.session import Session
from web.schemas.access_schemas import Verdict

ENCODED = PASSWORD.replace("/", "%2F")
ASKS_FOR_ONE = (mqtt_broker.WANTS_CERTIFICATE, mqtt_broker.REFUSES_TLS)
"""What is said of a broker that asks for a certificate: what it says itself may be lost, since it hangs up at once."""
HERE = ("127.0.0.1", "localhost")


def signed(authority: SignedKey, *names: str, days_ago: int = 0) -> SignedKey:
    return issue(authority, names or HERE, datetime.now(UTC) - timedelta(days=days_ago))


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SignedKey:
    """An authority that this box trusts, by the file that OpenSSL reads."""
    made = create_authority("box")
    (tmp_path / "authority.pem").write_bytes(made.certificate_pem())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return made


def told(folder: Path, broker: Broker, *, scheme: str = "mqtts", password: str = ENCODED) -> tuple[Verdict, str, str]:
    """What the doctor finds, says and advises; without the address."""
    address = f"{scheme}://{USER}:{password}@127.0.0.1:{broker.port}"
    finding = check_mqtt(load(data_dir=folder, mqtt=address))
    assert password not in f"{finding}"
    shown = f"{scheme}://127.0.0.1:{broker.port}"
    return finding.verdict, finding.told.replace(shown, "BROKER"), finding.advice


@contextmanager
def running(broker: Broker) -> Iterator[None]:
    broker.start()
    try:
        yield
    finally:
        broker.stop()


def unreached(trouble: BrokerTrouble) -> tuple[Verdict, str, str]:
    return Verdict.BAD, f"The broker BROKER cannot be reached: {trouble.why}.", trouble.advice


def test_the_doctor_says_each_trouble_of_a_certificate_in_one_sentence(tmp_path: Path, authority: SignedKey) -> None:
    broker = Broker(tmp_path, password=True, tls=signed(authority))
    wrong = {
        mqtt_broker.UNTRUSTED: signed(create_authority("box")),
        mqtt_broker.EXPIRED: signed(authority, days_ago=500),
        mqtt_broker.NOT_YET: signed(authority, days_ago=-500),
        mqtt_broker.OTHER_NAME: signed(authority, "box.local"),
    }
    for trouble, shown in wrong.items():
        broker.show(shown)
        with running(broker):
            assert told(tmp_path, broker) == unreached(trouble)
    broker.show(signed(authority))
    with running(broker):
        assert told(tmp_path, broker) == (Verdict.GOOD, "The broker BROKER lets Vander in.", "")
        verdict, said, _ = told(tmp_path, broker, password="falsch99")  # noqa: S106
        assert (verdict, said) == (Verdict.BAD, "The broker BROKER refuses Vander: Not authorized.")


def test_a_broker_that_asks_for_a_clients_certificate_is_said_to(tmp_path: Path, authority: SignedKey) -> None:
    asks = (f"cafile {tmp_path / 'authority.pem'}", "require_certificate true")
    broker = Broker(tmp_path, password=True, tls=signed(authority), further=asks)
    with running(broker):
        assert told(tmp_path, broker) in map(unreached, ASKS_FOR_ONE)


def test_a_port_without_tls_is_said_to_be_one(tmp_path: Path) -> None:
    broker = Broker(tmp_path, password=True)
    with running(broker):
        assert told(tmp_path, broker) == unreached(mqtt_broker.NO_TLS)


@pytest.mark.parametrize(
    ("reason", "trouble"),
    [
        pytest.param("TLSV13_ALERT_CERTIFICATE_REQUIRED", mqtt_broker.WANTS_CERTIFICATE, id="over-1.3"),
        pytest.param("SSLV3_ALERT_HANDSHAKE_FAILURE", mqtt_broker.REFUSES_TLS, id="over-1.2"),
        pytest.param("WRONG_VERSION_NUMBER", mqtt_broker.NO_TLS, id="no-tls"),
    ],
)
def test_the_names_of_openssl_are_words_for_people(reason: str, trouble: BrokerTrouble) -> None:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    assert broker_trouble(error, over_tls=True) == trouble


@pytest.mark.parametrize("asks", [False, True], ids=["expired", "asks-for-a-certificate"])
def test_play_goes_on_and_the_link_comes_back_when_the_broker_is_mended(
    table: Session, tmp_path: Path, authority: SignedKey, caplog: pytest.LogCaptureFixture, *, asks: bool
) -> None:
    caplog.set_level(logging.WARNING)
    wants = (f"cafile {tmp_path / 'authority.pem'}", "require_certificate true")
    wrong = signed(authority) if asks else signed(authority, days_ago=500)
    broker = Broker(tmp_path, tls=wrong, further=wants if asks else ())
    troubles = ASKS_FOR_ONE if asks else (mqtt_broker.EXPIRED,)
    lines: list[str] = []

    def is_told() -> list[str]:
        lines[:] = [
            each.getMessage() for each in caplog.records if each.name.startswith("vander.extras.home_assistant")
        ]
        return lines

    about = f"home assistant: broker {broker.address}"
    with ExitStack() as on_exit:
        with running(broker):
            on_exit.enter_context(linked(table, broker.address))
            wait_until(is_told)
            assert lines[0] in [f"{about}: not reached: {trouble.why}" for trouble in troubles]
            table.start("intersection", ["Ann"], {})
        config = tmp_path / "mosquitto.conf"
        config.write_text(config.read_text("utf-8").replace("require_certificate true\n", ""), "utf-8")
        broker.show(signed(authority))
        on_exit.enter_context(running(broker))
        with listening(broker) as home:
            wait_until(lambda: home.last(TOPICS.state))
            assert home.last(TOPICS.state)["turn"] == "Ann"
        assert is_told()[1:] == [f"{about}: connected again"]
    assert not any(each.exc_info for each in caplog.records)
