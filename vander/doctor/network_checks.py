"""Checks of the network: where tablets find Vander, the MQTT broker, the hall, and the receivers of webhooks."""

from __future__ import annotations

import errno
import secrets
import socket
import ssl
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime

import psutil  # type: ignore[import-untyped]  # it ships no types

from hardware.mqtt_broker import BrokerAddress, NoBroker, try_broker
from referee.phrases import as_sentence, spell_list
from referee.sentences import as_whole, message_of, say, say_count
from vander.access.https import CertificateError, OwnerCertificate, describe_validity
from vander.access.page_addresses import EVERYWHERE, NetworkState, is_loopback_host, tablet_urls
from vander.doctor import CheckSubject
from vander.extras.webhooks.delivery import BrokenQueue, DeliveryQueue, ReceiverState
from vander.extras.webhooks.receivers import RECEIVERS_FILE, BadReceivers, read_receivers
from vander.storage.data_folder import HALL_FILE, WEBHOOK_QUEUE
from vander.storage.settings import Settings
from web.services.access_backend import Finding, JoinedHall

# Checks of the network: where Vander listens, and by which addresses tablets find it


ADDRESS = CheckSubject("address", say("Address"))
HTTPS = CheckSubject("https", say("Https"))
TLS_WAIT_S = 3.0


def check_address(settings: Settings, network: NetworkState, *, serving: bool) -> Finding:
    """Check that tablets can find the table. `serving`: Vander itself holds the port now."""
    hindrance = "" if serving else why_not_bindable(settings.host, settings.port)
    if hindrance:
        return ADDRESS.bad(hindrance, say("Choose another with VANDER_HOST and VANDER_PORT, or end the other program."))
    if settings.host not in EVERYWHERE and is_loopback_host(settings.host):
        return ADDRESS.unsure(
            say("Vander listens on {host} only, which no tablet can reach.", host=settings.host),
            say("Let tablets in with VANDER_HOST=0.0.0.0."),
        )
    reached = tablet_urls(settings, network)
    if not reached:
        return ADDRESS.unsure(
            say("The box is in no network."), say("Plug in a network cable, or give it the Wi-Fi's password.")
        )
    told = say("Tablets find the table at {addresses}.", addresses=spell_list(reached, "or"))
    if not network.local_name:
        return ADDRESS.good(told, say("A name such as vander.local comes with `sudo apt install avahi-daemon`."))
    return ADDRESS.good(told, say("If a tablet does not find the name, use the numbers."))


def check_https(settings: Settings, now: datetime, *, serving: bool) -> Finding:
    """Check that phones can reach the secure page. `serving`: Vander itself is running now."""
    if not settings.https:
        return HTTPS.good(say("The page is served by http alone. Only the camera of a phone needs more."))
    hindrance = "" if serving else why_not_bindable(settings.host, settings.https_port)
    if hindrance:
        return HTTPS.bad(hindrance, say("Choose another port with VANDER_HTTPS_PORT, or end the other program."))
    if serving and not _answers_by_tls(settings):
        return HTTPS.bad(
            say("The secure page on port {port} does not answer.", port=settings.https_port),
            say("The log says why. Choose another port with VANDER_HTTPS_PORT, then restart Vander."),
        )
    return _certificate_finding(settings, now)


def _certificate_finding(settings: Settings, now: datetime) -> Finding:
    if not settings.https_certificate:
        return HTTPS.good(say("The secure page is served on port {port}.", port=settings.https_port))
    try:
        wrong = describe_validity(OwnerCertificate.of(settings).certificate, now)
    except CertificateError as error:
        wrong = as_sentence(error)
    if wrong:
        return HTTPS.bad(wrong, say("Give a new one, or take https_certificate out so that the box makes its own."))
    return HTTPS.good(
        say("The secure page is served on port {port}, with your own certificate.", port=settings.https_port)
    )


def _answers_by_tls(settings: Settings) -> bool:
    """True if the secure port of this box speaks TLS; whose certificate it has does not matter here."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host = EVERYWHERE.get(settings.host, settings.host)
    try:
        with (
            socket.create_connection((host, settings.https_port), TLS_WAIT_S) as line,
            context.wrap_socket(line),
        ):
            return True
    except OSError:
        return False


def why_not_bindable(host: str, port: int) -> str:
    """Return a sentence why Vander could not serve there; '' if it could."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
            trial.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            program = _listening_program(port) or say("another program")
            return say("Port {port} is taken by {program}.", port=port, program=program)
        why = error.strerror or str(error)
        return say("Vander cannot listen at {place}: {why}.", place=f"{host}:{port}", why=why)
    return ""


def _listening_program(port: int) -> str:
    """Return the program that listens on a port, or ''. Only root sees the programs of other users."""
    try:
        held = [one.pid for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port and one.pid]
        if not held:
            return ""
        return say("{program} (process {number})", program=psutil.Process(held[0]).name(), number=held[0])
    except (psutil.Error, OSError):
        return ""


# The check of the MQTT broker, by which Home Assistant and a hall get what goes on at the table


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


# The check of the table's way to its hall


HALL = CheckSubject("hall", say("Hall"))
PLAYS_ON = say("Play goes on, and what waits is sent as soon as the hall takes it.")
SLOW_LINES = 20
"""From how many entries on that wait the hall lags behind: a few are on their way at any moment of play."""


def check_hall(settings: Settings, hall: Callable[[], JoinedHall | None] | None) -> Finding:
    """Check whether the table's hall takes what is sent to it; `hall` is None where nothing is sent now."""
    if hall is None:
        if (settings.data_dir / HALL_FILE).exists():
            return HALL.good(say("This table belongs to a hall; what waits is sent while Vander runs."))
        return HALL.good(say("This table belongs to no hall."))
    joined = hall()
    if joined is None:
        return HALL.good(say("This table belongs to no hall."))
    waiting = joined.status.waiting_lines
    if joined.status.trouble:
        return HALL.unsure(as_sentence(joined.status.trouble), PLAYS_ON)
    if waiting >= SLOW_LINES:
        return HALL.unsure(
            say_count("{count} entry waits for the hall.", "{count} entries wait for the hall.", waiting), PLAYS_ON
        )
    return HALL.good(say("This table is {name} in the hall at {address}.", name=joined.name, address=joined.address))


# The check of the webhooks: whether their file can be used, and whether each receiver takes what it is told


WEBHOOKS = CheckSubject("webhooks", say("Webhooks"))
FAILING = 3
"""From so many failures in a row a receiver counts as one that does not answer."""
RESUME = say("Mend the receiver, then `vander webhooks resume {name}`.", name="NAME")


def check_webhooks(settings: Settings) -> Finding:
    """Check that each receiver takes what it is told, and that nothing was given up."""
    folder = settings.data_dir
    try:
        receivers = read_receivers(folder)
        if not receivers:
            return WEBHOOKS.good(say("Webhooks send the games to no other program."))
        if stat.S_IMODE((folder / RECEIVERS_FILE).stat().st_mode) & 0o077:
            return WEBHOOKS.unsure(
                say("Other users of this computer can read webhooks.toml, which holds secrets."),
                say("Close it with `chmod 600 webhooks.toml` in the data folder."),
            )
        states = _states(settings) if (folder / WEBHOOK_QUEUE).exists() else ()
    except BadReceivers as error:
        return WEBHOOKS.bad(as_whole(error.args[0]), say("Mend the file, then restart Vander."))
    except BrokenQueue as error:
        return WEBHOOKS.bad(
            as_whole(error.args[0]), say("Make room on the disk; if the file is damaged, move webhooks.sqlite away.")
        )
    return _finding(len(receivers), states)


def _states(settings: Settings) -> Sequence[ReceiverState]:
    with closing(DeliveryQueue.in_folder(settings.data_dir)) as queue:
        return queue.states()


def _finding(receivers: int, states: Sequence[ReceiverState]) -> Finding:
    gone = [state.name for state in states if state.is_gone]
    if gone:
        named = spell_list(gone, "and")
        return WEBHOOKS.unsure(say("Switched off, since it answered that it is gone: {names}.", names=named), RESUME)
    dropped = sum(state.dropped for state in states)
    if dropped:
        named = spell_list([state.name for state in states if state.dropped], "and")
        told = say_count(
            "{count} message was given up, for {names}.",
            "{count} messages were given up, for {names}.",
            dropped,
            names=named,
        )
        return WEBHOOKS.unsure(told, RESUME)
    failing = [state for state in states if state.failures >= FAILING]
    if failing:
        named = spell_list([f"{state.name} ({state.last_answer})" for state in failing], "and")
        waiting = sum(state.waiting for state in failing)
        told = say("Not taken, and tried again: {names}; {count} wait.", names=named, count=waiting)
        return WEBHOOKS.unsure(told, say("See whether the receiver runs: `vander webhooks test`."))
    waiting = sum(state.waiting for state in states)
    return WEBHOOKS.good(
        say("Receivers of webhooks: {count}; messages that wait: {waiting}.", count=receivers, waiting=waiting)
    )
