"""A Home Assistant with a real Mosquitto and a Vander, all on the loopback of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from bench.box.soak.served import Assistant

HOUSE = Path(__file__).parents[3]
sys.path.append(str(HOUSE / "tests/vander"))

from mosquitto_broker import Broker, Listener  # noqa: E402  # a module of the quick tests

PORT = int(os.environ.get("VANDER_BOX_PORT", "8450"))
"""Two ports from here on are used."""
PATIENCE_S = 600.0
PLAIN = {"set_client_cert": False, "set_ca_cert": "off"}
"""What newer releases ask for as well: a broker without TLS."""
CLIENT = f"http://127.0.0.1:{PORT}/"
CONFIGURATION = f"""\
http:
  server_host: 127.0.0.1
  server_port: {PORT}
api:
config:
onboarding:
automation: !include automations.yaml
logger:
  default: warning
"""
AUTOMATIONS = """\
- alias: Lamp
  use_blueprint:
    path: vander/lamp-for-turn.yaml
    input: {lamp: {entity_id: light.table_lamp}}
- alias: Troubles
  use_blueprint:
    path: vander/tell-troubles.yaml
    input: {patience: {seconds: 1}}
"""


def until(is_so: Callable[[], object], said: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, said
        time.sleep(0.1)


class HomeAssistant:
    """A Home Assistant that knows nothing but its API, the broker and the blueprints of the documentation."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder, self._program, self._token = folder, program, ""
        folder.mkdir()
        (folder / "configuration.yaml").write_text(CONFIGURATION, "utf-8")
        (folder / "automations.yaml").write_text(AUTOMATIONS, "utf-8")
        blueprints = folder / "blueprints/automation/vander"
        blueprints.mkdir(parents=True)
        for name in ("lamp-for-turn.yaml", "tell-troubles.yaml"):
            (blueprints / name).write_text((HOUSE / "docs/home-assistant" / name).read_text("utf-8"), "utf-8")
        self._process: subprocess.Popen[bytes] | None = None
        self.said = ""

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "out.log").open("ab") as log:
            words = [self._program, "--config", str(self.folder)]
            self._process = subprocess.Popen(words, stdout=log, stderr=log)  # noqa: S603
        until(self._answers, "Home Assistant does not answer")

    def stop(self) -> None:
        """Let it leave, and keep what it wrote into its log."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE_S)
            self._process = None
            self.said += (self.folder / "home-assistant.log").read_text("utf-8")

    def _answers(self) -> bool:
        with suppress(OSError, HTTPException):
            return self._send("GET", "/api/onboarding" if not self._token else "/api/", None)[0] in (200, 401)
        return False

    def _send(self, method: str, path: str, body: str | None, kind: str = "application/json") -> tuple[int, Any]:
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {self._token}"} if self._token else {})
        with closing(HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE_S)) as line:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            contents = answer.read().decode()
        try:
            return answer.status, json.loads(contents)
        except ValueError:
            return answer.status, contents

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return what is answered, which must be no refusal."""
        status, told = self._send(method, path, None if body is None else json.dumps(body))
        assert status in (200, 201), f"{method} {path}: {status} {told}"
        return told

    def settle_in(self, broker_port: int) -> None:
        """Make the first user, and take up MQTT, as the page does it."""
        user = {"client_id": CLIENT, "name": "Owner", "username": "owner", "password": "p4ssw0rd", "language": "en"}
        code = self.ask("POST", "/api/onboarding/users", user)["auth_code"]
        form = urlencode({"grant_type": "authorization_code", "code": code, "client_id": CLIENT})
        status, told = self._send("POST", "/auth/token", form, "application/x-www-form-urlencoded")
        assert status == 200, told
        self._token = told["access_token"]
        flow = self.ask("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        sections = {each["name"]: PLAIN for each in flow["data_schema"] if each.get("type") == "expandable"}
        answers = {"broker": "127.0.0.1", "port": broker_port, **sections}
        done = self.ask("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", answers)
        assert done["type"] == "create_entry", done

    def states(self) -> dict[str, dict[str, Any]]:
        """All entities by their id."""
        return {each["entity_id"]: each for each in self.ask("GET", "/api/states")}

    def state(self, entity: str) -> str:
        """What an entity says; '' where it is not there."""
        return str(self.states().get(entity, {}).get("state", ""))

    def press(self, button: str) -> None:
        """Press a button."""
        self.ask("POST", "/api/services/button/press", {"entity_id": button})


@pytest.fixture(scope="session")
def hass() -> str:
    """The program."""
    cache = Path(os.environ.get("VANDER_BOX_CACHE", HOUSE / "build/box/home_assistant"))
    found = Path(os.environ.get("VANDER_BOX_HASS", cache / "venv/bin/hass"))
    if not found.is_file():
        pytest.fail(f"Home Assistant is not installed; run bench/box/home_assistant/build.sh {cache} first")
    return str(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def broker(folder: Path) -> Iterator[Broker]:
    (folder / "broker").mkdir()
    broker = Broker(folder / "broker")
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def listener(broker: Broker) -> Iterator[Listener]:
    """Somebody on the broker, to whom a lamp belongs."""
    listener = Listener(broker)
    lamp = {
        "name": "Table lamp",
        "unique_id": "table_lamp",
        "schema": "json",
        "command_topic": "lamp/set",
        "supported_color_modes": ["rgb"],
        "brightness": True,
    }
    listener.send("homeassistant/light/table_lamp/config", json.dumps(lamp), retain=True)
    yield listener
    listener.close()


@pytest.fixture(scope="module")
def vander(folder: Path, broker: Broker) -> Iterator[Assistant]:
    names = {"VANDER_MQTT": broker.address, "VANDER_MQTT_NAME": "Kitchen table"}
    assistant = Assistant(folder / "data", PORT + 1, **names)
    assistant.start()
    yield assistant
    assistant.stop()


@pytest.fixture(scope="module")
def home(folder: Path, hass: str, broker: Broker, listener: Listener, vander: Assistant) -> Iterator[HomeAssistant]:
    home = HomeAssistant(folder / "config", hass)
    home.start()
    try:
        home.settle_in(broker.port)
        yield home
    finally:
        home.stop()
