"""Hints of what goes on at a table, by a real Mosquitto: shown while it is there, missed by nobody when it is not."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from paho.mqtt.client import Client
from playing_table import PlayingTable

from hardware.mqtt_broker import BrokerAddress, open_client
from tests.waiting import wait_until
from vander.hall.hall_server import LocalMosquitto, NoLocalService
from vander.hall.hall_service import HallService
from vander.hall.live_tables import LARGEST_HINT, HallTableService, LiveHints, NodeNumbers, follow_hints

STATE = {"waits_for": "Ann throws.", "dice": [{"kind": "d6", "face": "pip-3"}], "camera": "ok", "box": "ok", "turn": 1}


@pytest.fixture
def broker() -> Iterator[LocalMosquitto]:
    folder = Path(tempfile.mkdtemp(prefix="vander-mosquitto-"))
    folder.chmod(0o755)
    started = LocalMosquitto(folder)
    try:
        started.start()
    except NoLocalService as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    yield started
    started.stop()
    rmtree(folder, ignore_errors=True)


@pytest.fixture
def table(broker: LocalMosquitto) -> Iterator[Client]:
    client = open_client(BrokerAddress.parse(broker.address), "table")
    client.loop_start()
    yield client
    client.disconnect()
    client.loop_stop()


def test_a_hint_comes_goes_with_the_broker_and_comes_again(broker: LocalMosquitto, table: Client) -> None:
    told: list[str] = []
    hints = LiveHints(BrokerAddress.parse(broker.address), "hall", told.append)
    hints.start()
    table.publish("vander/a/state", json.dumps(STATE), qos=1, retain=True)
    wait_until(lambda: hints.hint("a"))
    found = hints.hint("a")
    assert found is not None
    assert (found.waits_for, found.dice[0].face, hints.hint("b")) == ("Ann throws.", "pip-3", None)
    broker.stop()
    wait_until(lambda: hints.hint("a") is None)
    broker.start()
    table.publish("vander/a/state", json.dumps(STATE), qos=1, retain=True)
    wait_until(lambda: hints.hint("a"))
    assert set(told) == {"a"}
    hints.close()


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"[" * 9000,
        b'{"dice": 3}',
        b'{"waits_for": "' + b"x" * 2000 + b'"}',
        b" " * (LARGEST_HINT + 1),
    ],
    ids=["empty", "no text", "deep", "no dice", "long", "large"],
)
def test_what_is_no_hint_takes_the_old_one_away(broker: LocalMosquitto, table: Client, payload: bytes) -> None:
    hints = LiveHints(BrokerAddress.parse(broker.address), "hall", lambda _node: None)
    hints.start()
    table.publish("vander/a/state", json.dumps(STATE), qos=1, retain=True)
    wait_until(lambda: hints.hint("a"))
    table.publish("vander/a/state", payload, qos=1)
    wait_until(lambda: hints.hint("a") is None)
    hints.close()


def test_the_dice_that_a_table_tells_are_on_its_page_and_no_others(
    broker: LocalMosquitto, table: Client, playing_table: PlayingTable, hall: HallService
) -> None:
    playing_table.play(10)
    asks = {"wire": 1, "version": "0.1.0", "now": "x", "head": 99, "previous": "0" * 64, "lines": [], "node": "a"}
    playing_table.client.post("/api/hall/entries", asks, playing_table.membership.key)
    told = json.dumps(STATE | {"camera": "The lens is covered."})
    tables = HallTableService(hall)
    with follow_hints(broker.address, hall.engine, tables.live):
        for name in ("a", "stranger"):
            table.publish(f"vander/{name}/state", told, qos=1, retain=True)
        wait_until(lambda: tables.table(1).hint.waits_for)
        shown = tables.table(1)
    assert (shown.dice[0].face, shown.hint.camera, shown.hint.box) == ("pip-3", "The lens is covered.", "")
    assert len(tables.shown().tables) == 1
    assert tables.table(1).dice == ()  # the broker has gone


def test_a_table_that_gives_another_ones_name_on_the_broker_gets_none_of_its_hints(
    open_playing_table: Callable[[str], PlayingTable], hall: HallService
) -> None:
    tables = [open_playing_table(name) for name in ("Honest", "Liar", "Liar 2")]
    asks = {"wire": 1, "version": "0.1.0", "now": "x", "head": 0, "previous": "", "lines": []}
    for table in tables:
        table.client.post("/api/hall/entries", asks | {"node": "vander_a"}, table.membership.key)
    assert NodeNumbers(hall.engine).number("vander_a") == 1
