"""Why an MQTT broker cannot be reached, in words for people: over TLS the errors of OpenSSL are no sentences."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.sentences import say


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
