"""The check of the MQTT broker, by which Home Assistant and a hall get what goes on at the table."""

from __future__ import annotations

import secrets

from hardware.mqtt_broker import BrokerAddress, NoBroker, try_broker
from referee.error_messages import message_of
from referee.sentences import say
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding

MQTT = CheckSubject("mqtt", say("MQTT"))


def check_mqtt(settings: Settings) -> Finding:
    """Check that the broker of the settings lets this box in; takes some seconds where nobody answers."""
    if not settings.mqtt:
        return MQTT.good(say("No MQTT broker is set, so that Home Assistant hears nothing of the table."))
    address = BrokerAddress.parse(settings.mqtt)
    try:
        try_broker(address, f"vander_doctor_{secrets.token_hex(4)}")
    except NoBroker as error:
        return _no_broker(address, error)
    return MQTT.good(say("The broker {address} lets Vander in.", address=address.shown))


def _no_broker(address: BrokerAddress, error: NoBroker) -> Finding:
    if error.is_refusal:
        return MQTT.bad(
            say("The broker {address} refuses Vander: {why}.", address=address.shown, why=message_of(error)),
            say("Put the broker's name and password into VANDER_MQTT, then restart Vander. Play goes on without it."),
        )
    return MQTT.bad(
        say("The broker {address} cannot be reached: {why}.", address=address.shown, why=message_of(error)),
        error.advice
        or say("Check the address in VANDER_MQTT, and that the broker is running. Play goes on without it."),
    )
