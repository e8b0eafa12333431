"""A real session on a real Mosquitto: what Home Assistant reads there, and what it may do to the table."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mosquitto_broker import PASSWORD, USER, Broker, Listener, listening
from session_scenes import entries

from hardware.mqtt_broker import BrokerAddress, NoBroker, try_broker
from referee.journal import Deed
from tests.waiting import wait_until
from vander.extras.home_assistant.home_assistant_link import (
    UNKNOWN,
    DeviceFacts,
    HomeAssistantLink,
    TableOnBroker,
    TableTopics,
)
from vander.storage.data_folder import mqtt_node
from vander.table.session import Session

NODE = "vander_0123456789ab"
TOPICS = TableTopics(NODE)
TAKE_BACK = TOPICS.command("take-back")
KEPT = (TOPICS.discovery, TOPICS.state, TOPICS.available, TOPICS.answer)


@contextmanager
def linked(table: Session, address: str, language: str = "en") -> Iterator[HomeAssistantLink]:
    facts = DeviceFacts("Living room", "0.1.0", "http://192.168.1.9:8080")
    shown = TableOnBroker(NODE, lambda: facts, lambda: language)
    link = HomeAssistantLink(table, BrokerAddress.parse(address), shown)
    link.start()
    try:
        yield link
    finally:
        link.close()


def answered(home: Listener, topic: str, payload: str = "PRESS") -> str:
    """Press a button, and return the sentence with which the table answers. An answer must have come before."""
    before = home.last(TOPICS.answer)["number"]
    home.send(topic, payload)
    wait_until(lambda: home.last(TOPICS.answer)["number"] != before)
    return str(home.last(TOPICS.answer)["answer"])


def test_the_broker_keeps_the_device_its_state_and_that_it_is_there(solo: Session, dice: Any, broker: Broker) -> None:
    with listening(broker) as home:
        with linked(solo, broker.address):
            wait_until(lambda: home.last(TOPICS.state) and home.on(TOPICS.discovery))
            began = home.last(TOPICS.state)
            assert (began["turn"], began["seat"], began["game"], began["over"]) == ("Ann", 1, "intersection", False)
            assert (began["camera"], began["box"]) == ("ok", "ok")
            assert list(began) == [
                *("turn", "seat", "game", "scores", "ruling", "waits_for", "dice", "camera", "box", "over", "number"),
            ]
            solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
            wait_until(lambda: home.last(TOPICS.state)["ruling"] != began["ruling"])
            now = home.last(TOPICS.state)
            assert now["ruling"].startswith("Ann ")
            assert {"kind": "traffic", "face": "star"} in now["dice"]
            assert now["scores"] == [{"name": "Ann", "score": 0}]
            assert now["number"] > began["number"]
        wait_until(lambda: home.on(TOPICS.available)[-1] == b"offline")
    with listening(broker) as later:
        wait_until(lambda: len(later.messages) >= 4)
        assert all(retained for _, _, _, retained in later.messages)


def test_a_table_that_dies_is_offline_by_its_last_will(solo: Session, broker: Broker) -> None:
    with listening(broker) as home, linked(solo, broker.address) as link:
        wait_until(lambda: home.on(TOPICS.available)[-1:] == [b"online"])
        link._client.socket().close()
        wait_until(lambda: b"offline" in home.on(TOPICS.available))
        wait_until(lambda: home.on(TOPICS.available)[-1] == b"online")


def test_sentences_and_names_are_in_the_language_of_the_box(solo: Session, broker: Broker) -> None:
    with listening(broker) as home, linked(solo, broker.address, "de"):
        wait_until(lambda: home.last(TOPICS.discovery) and home.last(TOPICS.state))
        assert home.last(TOPICS.discovery)["components"]["take_back"]["name"] == "Zurücknehmen"


def test_everything_is_said_again_when_home_assistant_starts(solo: Session, broker: Broker) -> None:
    with listening(broker) as home, linked(solo, broker.address):
        wait_until(lambda: all(home.on(topic) for topic in KEPT))
        home.send("homeassistant/status", "online")
        wait_until(lambda: all(len(home.on(topic)) == 2 for topic in KEPT))


def test_a_flood_of_snapshots_is_thinned_out_and_ends_with_the_newest(
    table: Session, dice: Any, broker: Broker
) -> None:
    with listening(broker) as home, linked(table, broker.address):
        wait_until(lambda: all(home.on(topic) for topic in KEPT))
        first, began = len(home.messages), time.monotonic()
        for count in range(12):
            table.start("intersection", [f"Ann {count}"], {})
            time.sleep(0.02)
        wait_until(lambda: home.last(TOPICS.state)["turn"] == "Ann 11")
        sent = len(home.messages) - first
        assert 2 <= sent <= 10 * (home.messages[-1][0] - began) + 2


def test_a_broker_that_is_gone_hangs_or_restarts_keeps_nobody_from_playing(
    table: Session, broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    table.start("intersection", ["Ann"], {})
    with listening(broker) as home, linked(table, broker.address):
        wait_until(lambda: home.last(TOPICS.state))
        broker.halt(halted=True)
        for name in ("Ben", "Cem", "Dan"):  # one who waited for the broker would wait for ever
            table.start("intersection", [name], {})
        broker.halt(halted=False)
        wait_until(lambda: home.last(TOPICS.state)["turn"] == "Dan")
        broker.stop()
        table.start("intersection", ["Eva"], {})
        home.messages.clear()
        broker.start()
        wait_until(lambda: home.last(TOPICS.state) and home.last(TOPICS.discovery))
        assert home.last(TOPICS.state)["turn"] == "Eva"
    lines = [record.getMessage() for record in caplog.records if "broker" in record.getMessage()]
    assert len(lines) == 2, lines  # lost, and there again


def test_a_wrong_password_is_one_line_in_the_log_without_it(
    table: Session, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    broker = Broker(tmp_path, password=True)
    broker.start()
    wrong = f"mqtt://{USER}:falsch99@127.0.0.1:{broker.port}"
    with linked(table, wrong):
        wait_until(lambda: caplog.records)
        time.sleep(1.5)  # in which it tries again
        table.start("intersection", ["Ann"], {})
    right = wrong.replace("falsch99", PASSWORD.replace("/", "%2F"))
    with listening(broker, USER, PASSWORD) as home, linked(table, right):
        wait_until(lambda: home.last(TOPICS.state))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1, lines
    assert "refused: Not authorized" in lines[0]
    assert "falsch99" not in caplog.text
    with pytest.raises(NoBroker, match="Not authorized"):
        try_broker(BrokerAddress.parse(wrong), "vander_doctor")
    broker.stop()


def test_take_back_undoes_the_last_step_in_the_name_of_home_assistant(
    solo: Session, dice: Any, broker: Broker, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    with listening(broker) as home, linked(solo, broker.address):
        wait_until(lambda: home.on(TOPICS.answer))
        said = solo.snapshot().last[0]
        assert answered(home, TAKE_BACK) == f"Taken back: {said}"
        last = entries(tmp_path)[-1]
        assert (last.deed, last.by.device, last.by.seat) == (Deed.UNDO, "Home Assistant", 0)
        assert len(home.on(TOPICS.answer)) == 2  # each is told once: the empty one of the start is not told again


def test_a_command_that_the_broker_has_kept_is_ignored_after_every_reconnect(
    solo: Session, dice: Any, broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    with listening(broker) as home:
        home.send(TAKE_BACK, "PRESS", retain=True)
        for _ in range(2):
            with linked(solo, broker.address):
                home.messages.clear()
                wait_until(lambda: home.last(TOPICS.state))
                wait_until(lambda: "without retain" in caplog.text)
        assert entries(tmp_path)[-1].deed is Deed.PLAY


def test_unknown_commands_and_floods_are_refused(solo: Session, dice: Any, broker: Broker, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    with listening(broker) as home, linked(solo, broker.address):
        wait_until(lambda: home.on(TOPICS.answer))
        for topic, payload in ((TOPICS.command("shutdown"), "PRESS"), (TAKE_BACK, "press"), (TAKE_BACK, "\0" * 9999)):
            home.send(topic, payload)
        wait_until(lambda: home.last(TOPICS.answer)["answer"] == UNKNOWN)
        assert entries(tmp_path)[-1].deed is Deed.PLAY
        for _ in range(50):
            home.send(TAKE_BACK, "PRESS")
        wait_until(lambda: Deed.UNDO in [entry.deed for entry in entries(tmp_path)])
        wait_until(lambda: home.last(TOPICS.answer)["answer"] != UNKNOWN)
        time.sleep(0.3)
        assert [entry.deed for entry in entries(tmp_path)].count(Deed.UNDO) == 1


def test_the_name_on_the_broker_is_kept_and_made_again_only_where_it_is_damaged(tmp_path: Path) -> None:
    made = mqtt_node(tmp_path)
    assert mqtt_node(tmp_path) == made
    (tmp_path / "mqtt-node").write_text("+/#")
    assert mqtt_node(tmp_path) not in (made, "+/#")
