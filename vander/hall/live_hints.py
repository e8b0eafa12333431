"""What tables tell an MQTT broker of this moment: the dice as they lie, what is waited for, what is wrong.

These are hints and no more: whoever may write to the broker may write them. Scores, turns and rulings on the hall's
pages come from the entries alone, and without a broker the pages show those.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Annotated

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hardware.mqtt_broker import BrokerAddress, open_client

LARGEST_HINT = 16_384
"""Bytes of a message that is read at all."""
MOST_NODES = 200
"""Tables whose hints are kept: four times as many as a hall has."""
TOPICS = "vander/+/state"
AT_MOST_ONCE = 0
_log = logging.getLogger(__name__)

Word = Annotated[str, Field(max_length=60)]
Said = Annotated[str, Field(max_length=1000)]


class HintedDie(BaseModel):
    """A die as the table's camera reads it now."""

    model_config = ConfigDict(frozen=True)
    kind: Word
    face: Word


class TableHint(BaseModel):
    """The part of a table's state that the hall shows besides what its entries say; `ok` where nothing is wrong."""

    model_config = ConfigDict(frozen=True)
    waits_for: Said = ""
    dice: Annotated[tuple[HintedDie, ...], Field(max_length=60)] = ()
    camera: Said = "ok"
    box: Said = "ok"


@dataclass(frozen=True)
class _KeptHint:
    hint: TableHint
    text: bytes


class LiveHints:
    """The hints of all tables, from `start` to `close`. Any thread may call it; a broker that is away stops nothing.

    `tell` is called with the name on the broker of a table whose hint has changed.
    """

    def __init__(self, address: BrokerAddress, client_id: str, tell: Callable[[str], None]) -> None:
        self._tell, self._lock = tell, Lock()
        self._kept: OrderedDict[str, _KeptHint] = OrderedDict()
        self._client = open_client(address, client_id)
        self._client.suppress_exceptions = True  # one in a callback would end the thread that connects again
        self._client.on_connect, self._client.on_message = self._on_connect, self._on_message
        self._client.on_disconnect = self._on_disconnect

    def start(self) -> None:
        """Begin to listen; waits for nobody."""
        self._client.loop_start()

    def close(self) -> None:
        """Listen no more."""
        self._client.disconnect()
        self._client.loop_stop()

    def hint(self, node: str) -> TableHint | None:
        """Return the hint of the table of that name on the broker; None without one, or while no broker answers."""
        with self._lock:
            found = self._kept.get(node)
            return found.hint if found else None

    def _on_connect(
        self, client: Client, _: object, __: ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        if reason.is_failure:
            _log.warning("hall: the MQTT broker refuses: %s", reason)
            return
        client.subscribe(TOPICS, AT_MOST_ONCE)

    def _on_disconnect(
        self, _: Client, __: object, ___: DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        """Drop all hints, since they may be old at the reconnect; the broker then sends the retained ones again."""
        with self._lock:
            nodes = tuple(self._kept)
            self._kept.clear()
        for node in nodes:
            self._tell(node)

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        node, text = message.topic.split("/")[1], bytes(message.payload)
        hint = _read(text)
        with self._lock:
            before = self._kept.pop(node, None)
            if hint is not None:
                self._kept[node] = _KeptHint(hint, text)
            while len(self._kept) > MOST_NODES:
                self._kept.popitem(last=False)
        if (before.hint if before else None) != hint:
            self._tell(node)


def _read(text: bytes) -> TableHint | None:
    """Return the hint in a message; None for one that is none."""
    if len(text) > LARGEST_HINT:
        return None
    try:
        return TableHint.model_validate(json.loads(text))
    except (ValidationError, ValueError, RecursionError):
        return None
