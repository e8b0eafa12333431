"""The table's link to Home Assistant: it follows the session as a tablet does, and tells an MQTT broker.

Two threads: paho's talks to the broker, and connects again with growing waits; the other sends the newest snapshot.
Neither is ever waited for by the session.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Protocol

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hardware.broker_troubles import REFUSES_TLS, BrokerTrouble, broker_trouble
from hardware.mqtt_broker import BrokerAddress, hear_tls_alerts, open_client
from referee.snapshot import Snapshot
from vander.home_assistant.device_discovery import DeviceFacts, device_discovery
from vander.home_assistant.mqtt_commands import CommandedTable, MqttCommands
from vander.home_assistant.mqtt_topics import BIRTH, BIRTH_TOPIC, OFFLINE, ONLINE, TableTopics
from vander.home_assistant.retained_topics import IDLE_S, SURE, RetainedTopics
from vander.home_assistant.table_state import is_same, spoken, table_state
from vander.home_assistant.trouble_log import TroubleLog

AT_MOST_ONCE = 0
"""The quality of service of commands: one that the broker sends twice would be done twice."""
CLOSE_S = 2.0
"""How long `close` waits for the broker to learn that the table is gone, and for each thread."""


class LinkedTable(CommandedTable, Protocol):
    """The session, as far as the link needs it."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """Return the first snapshot whose number is not `number`, or the present one after `timeout` seconds."""


@dataclass(frozen=True)
class TableOnBroker:
    """How a table appears: its kept name on the broker, what people read of it, and in which language."""

    node: str
    facts: Callable[[], DeviceFacts]
    language: Callable[[], str] = lambda: "en"


class HomeAssistantLink:
    """Tells a broker what goes on at the table, from `start` to `close`, and does what people press there."""

    def __init__(self, table: LinkedTable, address: BrokerAddress, shown: TableOnBroker) -> None:
        self._table, self._shown = table, shown
        self._topics = TableTopics(shown.node)
        self._client = open_client(address, shown.node)
        self._retained = RetainedTopics(self._client)
        self._commands = MqttCommands(table, self._report_answer)
        self._troubles, self._over_tls = TroubleLog(address.shown), address.scheme == "mqtts"
        self._state: dict[str, Any] = {}
        self._language = ""
        self._over, self._is_asked = Event(), Event()
        self._is_let_in = False
        self._thread = Thread(target=self._follow, name="home-assistant", daemon=True)
        self._wire()

    def start(self) -> None:
        """Start to connect, and to follow the session. Waits for nobody."""
        self._report_answer("")
        self._commands.start()
        self._client.loop_start()
        self._thread.start()

    def close(self) -> None:
        """Say that the table is gone, and disconnect; waits some seconds at most."""
        self._over.set()
        self._commands.close()
        if self._thread.is_alive():
            self._thread.join(2 * CLOSE_S)
        ending = Thread(target=self._end_client, daemon=True)  # the client's thread may hang in a look-up of a name
        ending.start()
        ending.join(CLOSE_S)

    def _end_client(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _wire(self) -> None:
        client = self._client
        client.suppress_exceptions = True  # one in a callback would end the thread that connects again
        client.will_set(self._topics.available, OFFLINE, SURE, retain=True)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail, client.on_message = self._on_connect_fail, self._on_message
        client.on_publish = self._on_publish
        hear_tls_alerts(client, self._report_unreached)

    # On the thread of this class

    def _follow(self) -> None:
        number, pause_s = -1, 0.0
        while not self._over.is_set():
            snapshot = self._table.wait(number, pause_s)
            number, pause_s = snapshot.number, IDLE_S
            try:
                self._want(snapshot)
                if self._client.is_connected():
                    pause_s = self._retained.send_one()
            except Exception as error:
                self._troubles.report(f"failed: {error}")
        self._say_goodbye()

    def _want(self, snapshot: Snapshot) -> None:
        """Let the broker keep what a snapshot shows, and what the device is where somebody may ask for it."""
        language, topics = self._shown.language(), self._topics
        if language != self._language or self._is_asked.is_set():
            self._is_asked.clear()
            self._language = language
            self._retained.want(topics.available, ONLINE)
            self._retained.want(topics.discovery, _json(device_discovery(topics, self._shown.facts(), language)))
        state = table_state(snapshot, language)
        if not is_same(state, self._state):
            self._state = state
            self._retained.want(topics.state, _json(state))

    def _say_goodbye(self) -> None:
        self._retained.want(self._topics.available, OFFLINE)
        until = time.monotonic() + CLOSE_S
        while self._client.is_connected() and not self._retained.is_settled and time.monotonic() < until:
            time.sleep(self._retained.send_one() / 2)

    def _report_answer(self, sentence: str) -> None:
        """Let the broker keep an answer; its number tells it from the same one to an earlier command."""
        answer = spoken(sentence, self._shown.language())
        self._retained.want(self._topics.answer, _json({"answer": answer, "number": time.time_ns() // 1_000_000}))

    # On the client's thread

    def _on_connect(
        self, client: Client, _: object, __: ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        if reason.is_failure:
            self._troubles.report(f"refused: {reason}")
            return
        self._is_let_in = True
        client.subscribe([(self._topics.commands, AT_MOST_ONCE), (BIRTH_TOPIC, SURE)])
        self._send_all_again()
        self._troubles.recovered()

    def _send_all_again(self) -> None:
        self._retained.send_all_again()
        self._is_asked.set()

    def _on_connect_fail(self, _: Client, __: object) -> None:
        error = sys.exception()  # the client calls this while it handles the error, and does not pass it on
        self._report_unreached(broker_trouble(error, over_tls=self._over_tls))

    def _report_unreached(self, trouble: BrokerTrouble) -> None:
        if not self._troubles.is_open:
            self._troubles.report(f"not reached: {trouble.why}")

    def _on_disconnect(
        self, _: Client, __: object, ___: DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        was_let_in, self._is_let_in = self._is_let_in, False
        if self._over.is_set() or self._troubles.is_open:
            return
        if self._over_tls and not was_let_in:
            self._report_unreached(REFUSES_TLS)
        else:
            self._troubles.report(f"connection lost: {reason}")

    def _on_publish(self, _: Client, __: object, number: int, ___: ReasonCode, ____: Properties) -> None:
        self._retained.acknowledge(number)

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        if message.topic == BIRTH_TOPIC:
            if message.payload == BIRTH:
                self._send_all_again()
        elif message.retain:
            self._troubles.note("a command that the broker has kept was ignored: send commands without retain")
        elif not self._over.is_set():
            self._commands.take(self._topics.command_of(message.topic), bytes(message.payload))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
