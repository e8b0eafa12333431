"""What a broker is to keep, topic by topic: the newest payload alone is sent, and not too often."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from paho.mqtt.client import Client

GAP_S = 0.1
"""The least time between two messages: ten a second."""
IDLE_S = 0.2
"""How long to wait where nothing is due: somebody may ask for everything meanwhile."""
SURE = 1
"""The quality of service: the broker acknowledges each message, and gets it again until it does."""


class RetainedTopics:
    """Payloads that the broker keeps. Any thread may call any method; `send_one` and `is_settled` are one thread's.

    Of a topic nothing is sent until the broker has acknowledged what was sent before: after a reconnect the older
    message, which is sent once more then, would come last and stay.
    """

    def __init__(self, client: Client, clock: Callable[[], float] = time.monotonic) -> None:
        self._client, self._clock, self._lock = client, clock, Lock()
        self._wanted: dict[str, str] = {}
        self._sent: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._acknowledged: set[int] = set()
        self._last_at = float("-inf")

    def want(self, topic: str, payload: str) -> None:
        """Let the broker keep this; what was wanted before and is not sent yet is dropped. Older topics go first."""
        with self._lock:
            self._wanted[topic] = payload

    def send_all_again(self) -> None:
        """Take nothing for sent, after a reconnect or when somebody asks for everything."""
        with self._lock:
            self._sent.clear()

    def acknowledge(self, number: int) -> None:
        """Take in that the broker has the message of that number.

        The client holds a lock of its own meanwhile, which `publish` takes too: no other lock may be taken here.
        """
        self._acknowledged.add(number)

    @property
    def is_settled(self) -> bool:
        """True if the broker has all that is wanted."""
        with self._lock:
            return self._sent == self._wanted and all(map(self._is_free, self._wanted))

    def send_one(self) -> float:
        """Send the first that is due; return how many seconds later it is worth looking again."""
        with self._lock:
            wait_s = self._last_at + GAP_S - self._clock()
            due = [topic for topic in self._wanted if self._is_due(topic)]
            if not due or wait_s > 0:
                return max(wait_s, 0.0) if due else IDLE_S
            topic, self._last_at = due[0], self._clock()
            payload = self._sent[topic] = self._wanted[topic]
        self._numbers[topic] = self._client.publish(topic, payload, SURE, retain=True).mid
        return GAP_S

    def _is_due(self, topic: str) -> bool:
        return self._sent.get(topic) != self._wanted[topic] and self._is_free(topic)

    def _is_free(self, topic: str) -> bool:
        """True if no message of the topic waits for the broker's acknowledgement."""
        number = self._numbers.get(topic)
        if number is not None and number in self._acknowledged:
            self._acknowledged.discard(number)
            del self._numbers[topic]
        return topic not in self._numbers
