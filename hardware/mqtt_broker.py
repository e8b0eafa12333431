"""An MQTT broker in the network: a client for it, its address as it is shown, and why it cannot be reached."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Final
from urllib.parse import unquote, urlsplit

from paho.mqtt.client import MQTT_LOG_ERR, Client, ConnectFlags
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from referee.sentences import say

# Why an MQTT broker cannot be reached, in words for people: over TLS the errors of OpenSSL are no sentences


@dataclass(frozen=True)
class BrokerTrouble:
    """Why a broker cannot be reached, as what follows "it cannot be reached:", and what helps, '' for the usual."""

    why: str
    advice: str = ""


EXPIRED = BrokerTrouble(
    say("its certificate has expired"),
    say("Renew the broker's certificate, or set this box's clock. Play goes on without it."),
)
NOT_YET = BrokerTrouble(
    say("its certificate is not valid yet"),
    say("Set this box's clock, or the one on which the certificate was made. Play goes on without it."),
)
OTHER_NAME = BrokerTrouble(
    say("its certificate is for another name or address"),
    say("Write the name that the certificate is for into VANDER_MQTT, then restart Vander. Play goes on without it."),
)
UNTRUSTED = BrokerTrouble(
    say("its certificate is of an authority that this box does not trust"),
    say(
        "Let this box trust that authority, as docs/home-assistant.md says, then restart Vander. "
        "Play goes on without it."
    ),
)
WANTS_CERTIFICATE = BrokerTrouble(
    say("it asks for a certificate, and Vander has a name and a password alone"),
    say("Let the broker take a password in the place of a client's certificate. Play goes on without it."),
)
REFUSES_TLS = BrokerTrouble(  # what it says when it hangs up may be lost on the way
    say("it refuses the TLS connection; it may ask for a certificate, and Vander has a name and a password alone"),
    WANTS_CERTIFICATE.advice,
)
NO_TLS = BrokerTrouble(
    say("it does not answer in TLS at this port"),
    say("Give the port of TLS, often 8883, or write mqtt:// for mqtts://. Play goes on without it."),
)
NO_ANSWER = BrokerTrouble(say("it does not answer as a broker does"))
_OF_CERTIFICATES: Final[Mapping[int, BrokerTrouble]] = {
    9: NOT_YET,
    10: EXPIRED,
    18: UNTRUSTED,
    19: UNTRUSTED,
    20: UNTRUSTED,
    21: UNTRUSTED,
    62: OTHER_NAME,
    64: OTHER_NAME,
}
"""By the numbers of `X509_V_ERR_` in OpenSSL's x509_vfy.h, which it will not change."""


def broker_trouble(error: BaseException | None, *, over_tls: bool) -> BrokerTrouble:
    """Return what an error means that ended the way to a broker."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _OF_CERTIFICATES.get(error.verify_code, BrokerTrouble(error.verify_message))
    if isinstance(error, ssl.SSLError):
        return _of_alert(error.reason or "")
    if over_tls and isinstance(error, ConnectionResetError):
        return NO_TLS
    return BrokerTrouble(getattr(error, "strerror", None) or str(error))


def _of_alert(reason: str) -> BrokerTrouble:
    """Return what OpenSSL's name of an error means.

    A client without a certificate is told so over TLS 1.3, after the handshake; over TLS 1.2 the handshake just fails.
    """
    if "CERTIFICATE_REQUIRED" in reason:
        return WANTS_CERTIFICATE
    return REFUSES_TLS if "ALERT" in reason else NO_TLS


# An MQTT broker in the network: a client for it, and its address, without its name and password where it is shown


PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The known schemes, each with the port that IANA registered for it; `mqtts` is MQTT over TLS."""
FORM = "mqtt://NAME:PASSWORD@HOST:PORT"
CONNECT_S = 5.0
"""How long a broker may take to accept a connection."""
KEEPALIVE_S = 30
"""A broker that hears nothing for one and a half times this takes the client for gone, and publishes its will."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1, 60
"""How long a client waits before it tries again, at first and at most; the wait doubles each time."""


class BadBrokerAddress(ValueError):
    """A text is no address of a broker; the message is a sentence that never repeats the text."""


class NoBroker(ConnectionError):
    """A broker cannot be reached, or refuses; the message says why, `is_refusal` whether it answered.

    `advice` is what helps, '' for the usual.
    """

    def __init__(self, why: str, *, is_refusal: bool = False, advice: str = "") -> None:
        super().__init__(why)
        self.is_refusal, self.advice = is_refusal, advice


@dataclass(frozen=True)
class BrokerAddress:
    """Where a broker is, and by which name and password it lets clients in; both are '' without any."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    @classmethod
    def parse(cls, text: str) -> BrokerAddress:
        """Return the address in a text. Raises BadBrokerAddress."""
        try:
            parts = urlsplit(text)
            host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
            host.encode("idna")  # what has no such form would end the client's thread
        except ValueError:
            host, port = "", 0
        if not host or not port or not text.isprintable() or " " in text:
            raise BadBrokerAddress(say("that is no address of an MQTT broker; write {form}", form=FORM))
        credentials = parts.netloc.rpartition("@")[0]
        if "@" in credentials or parts.path.strip("/") or parts.query or parts.fragment:
            raise BadBrokerAddress(say("in a broker's address, write @ as %40, / as %2F, # as %23 and ? as %3F"))
        user, _, password = credentials.partition(":")
        return cls(parts.scheme, host, port, unquote(user), unquote(password))

    @property
    def shown(self) -> str:
        """What people may see: the scheme, the host and the port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def secrets(self) -> Iterator[str]:
        """The texts that must not be seen."""
        return filter(None, (self.password, self.user))


def shown_broker(text: str) -> str:
    """Return a broker's address as people may see it, '' for none; of a text that is no address nothing is shown."""
    try:
        return BrokerAddress.parse(text).shown if text else ""
    except BadBrokerAddress:
        return "mqtt:?"


def broker_secrets(text: str) -> tuple[str, ...]:
    """Return the texts of a broker's address that must not be seen: all of it where it is none."""
    try:
        return tuple(BrokerAddress.parse(text).secrets) if text else ()
    except BadBrokerAddress:
        return (text,)


class _ClosedOnFailure(ssl.SSLSocket):
    """A socket that is closed where its handshake fails: paho leaves it open, and tries again for days."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def open_client(address: BrokerAddress, client_id: str) -> Client:
    """Return a client that will connect to the broker once its loop runs, and again whenever the connection is lost.

    A broker of `mqtts` must have a certificate that the system trusts (`SSL_CERT_FILE` names further ones).
    """
    client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
    client.connect_timeout = CONNECT_S
    client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)
    if address.user or address.password:
        client.username_pw_set(address.user, address.password)
    if address.scheme == "mqtts":
        context = ssl.create_default_context()
        context.sslsocket_class = _ClosedOnFailure
        client.tls_set_context(context)
    client.connect_async(address.host, address.port, KEEPALIVE_S)
    return client


def hear_tls_alerts(client: Client, hear: Callable[[BrokerTrouble], None]) -> None:
    """Have a client say what a broker objects to after the handshake: to a callback it would be a lost connection."""

    def on_log(_: Client, __: object, level: int, ___: str) -> None:
        error = sys.exception()  # the client logs this while it handles the error, and does not pass it on
        if level == MQTT_LOG_ERR and isinstance(error, ssl.SSLError) and "ALERT" in (error.reason or ""):
            hear(broker_trouble(error, over_tls=True))

    client.on_log = on_log


def try_broker(address: BrokerAddress, client_id: str) -> None:
    """Connect once, and disconnect. Raises NoBroker; takes some seconds more than CONNECT_S at most."""
    client, answered, said = open_client(address, client_id), Event(), list[ReasonCode]()
    troubles = [REFUSES_TLS if address.scheme == "mqtts" else NO_ANSWER]

    def on_connect(_: Client, __: object, ___: ConnectFlags, reason: ReasonCode, ____: Properties | None) -> None:
        said.append(reason)
        answered.set()

    client.on_connect = on_connect
    client.on_disconnect = lambda *_: answered.set()
    hear_tls_alerts(client, troubles.append)
    try:
        client.reconnect()
    except OSError as error:
        found = broker_trouble(error, over_tls=address.scheme == "mqtts")
        raise NoBroker(found.why, advice=found.advice) from error
    client.loop_start()
    answered.wait(CONNECT_S)
    client.disconnect()
    client.loop_stop()
    if not said:
        raise NoBroker(troubles[-1].why, advice=troubles[-1].advice)
    if said[0].is_failure:
        raise NoBroker(str(said[0]), is_refusal=True)
