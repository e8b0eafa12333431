"""A real Mosquitto of a test's own, on a free port of the loopback, and a listener that keeps what it was sent."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.waiting import wait_until
from vander.access.https import SignedKey

WAIT_S = 60.0
"""How long a test waits for what must happen: an idle machine needs a fraction of a second."""
USER, PASSWORD = "vander-test", "Gehe1m/wort"


class Broker:
    """A Mosquitto that can be stopped, started again on its port, and halted. `password` asks for USER and PASSWORD.

    With `tls` it speaks TLS alone, with that key and certificate; `further` are more lines of its configuration.
    """

    def __init__(
        self, folder: Path, *, password: bool = False, tls: SignedKey | None = None, further: Sequence[str] = ()
    ) -> None:
        program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            missing("mosquitto")
        assert program is not None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        lines = [f"listener {self.port} 127.0.0.1", f"user {getpass.getuser()}"]
        if password:
            kept = folder / "passwords"
            words = ["mosquitto_passwd", "-b", "-c", str(kept), USER, PASSWORD]
            subprocess.run(words, check=True, capture_output=True)  # noqa: S603
            lines += [f"password_file {kept}"]
        lines += [f"allow_anonymous {str(not password).lower()}", *further]
        self._folder, self.scheme = folder, "mqtts" if tls else "mqtt"
        if tls:
            self.show(tls)
            lines += [f"certfile {folder / 'broker.pem'}", f"keyfile {folder / 'broker.key'}"]
        config = folder / "mosquitto.conf"
        config.write_text("\n".join(lines) + "\n", "utf-8")
        self._words, self._log = [program, "-c", str(config)], folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The address for the setting VANDER_MQTT, without a password."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def show(self, signed: SignedKey) -> None:
        """Let it have another certificate from its next start on."""
        (self._folder / "broker.pem").write_bytes(signed.certificate_pem())
        (self._folder / "broker.key").write_bytes(signed.key_pem())

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._words, stdout=log, stderr=log)  # noqa: S603
        wait_until(self._is_listening, self._log.read_text)

    def stop(self) -> None:
        """End it at once, as a pulled plug does: what it kept in memory is lost."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.wait()
            self._process = None

    def halt(self, *, halted: bool) -> None:
        """Let it hang, or go on: its connections stay open, and nobody answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if halted else signal.SIGCONT)

    def _is_listening(self) -> bool:
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0


class Listener:
    """A client that keeps each message with its time of arrival, and sends commands."""

    def __init__(self, broker: Broker, user: str = "", password: str = "", topics: str = "#") -> None:
        self.messages: list[tuple[float, str, bytes, bool]] = []
        self._client = Client(CallbackAPIVersion.VERSION2)
        if user:
            self._client.username_pw_set(user, password)
        if broker.scheme == "mqtts":
            self._client.tls_set_context(ssl.create_default_context())
        self._client.on_message = self._keep
        self._client.on_connect = lambda client, *_: client.subscribe(topics, 1)
        self._client.connect("127.0.0.1", broker.port)
        self._client.reconnect_delay_set(1, 1)
        self._client.loop_start()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def send(self, topic: str, payload: str | bytes, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain).wait_for_publish(WAIT_S)

    def on(self, topic: str) -> list[bytes]:
        """All payloads that came on a topic so far."""
        return [payload for _, each, payload, _ in self.messages if each == topic]

    def last(self, topic: str) -> Any:
        """The last payload of a topic as JSON; None where none came."""
        found = self.on(topic)
        return json.loads(found[-1]) if found and found[-1] else None

    def _keep(self, _: Client, __: object, message: MQTTMessage) -> None:
        self.messages.append((time.monotonic(), message.topic, bytes(message.payload), message.retain))


@contextmanager
def listening(broker: Broker, user: str = "", password: str = "") -> Iterator[Listener]:
    listener = Listener(broker, user, password)
    try:
        yield listener
    finally:
        listener.close()


def missing(what: str) -> None:
    """Skip the test, but not where everything is to be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing: apt install {what}")
    pytest.skip(f"{what} is missing")
