"""A snapshot's JSON: as it was recorded for each game, and encoded once for all who listen."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import scenes
from golden_snapshots import GOLDEN, golden_names, snapshot_of
from stub_game import StubGame

from referee.snapshot import Snapshot
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.events import SnapshotEncoder


@pytest.mark.parametrize("name", golden_names())
def test_the_snapshot_of_a_golden_moment_is_as_recorded(name: str) -> None:
    recorded = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    assert recorded == snapshot_of(name), "after an intended change run tests/web/golden_snapshots.py"


def test_every_game_has_a_recorded_snapshot_and_no_other_is_left() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(golden_names())


def test_a_snapshot_is_encoded_once_for_all_who_ask() -> None:
    encoder = SnapshotEncoder()
    with ThreadPoolExecutor(12) as listeners:
        events = list(listeners.map(lambda _: encoder.encode(scenes.SHEETS).event, range(24)))
    assert len({id(event) for event in events}) == 1


def test_another_snapshot_under_the_same_number_is_encoded_too() -> None:
    encoder = SnapshotEncoder()
    first = encoder.encode(scenes.PLAYING)
    second = encoder.encode(replace(scenes.PLAYING, notice="Look here."))
    assert first.body != second.body
    assert encoder.encode(scenes.PLAYING) is first


def test_listeners_get_the_very_bytes_of_the_snapshot(game_stub: StubGame) -> None:
    client: Any = create_app(Backends(game_stub), stream_s=0.05).test_client()
    event = client.get("/api/live").data.split(b"\n\n")[1]
    assert event == b"id: 3\ndata: " + client.get("/api/snapshot").data


def test_a_sentence_with_a_path_that_is_no_utf_8_is_encoded() -> None:
    strange = "/data/caf\udce9 cannot be written"
    body = SnapshotEncoder().encode(Snapshot(1, alerts=(strange,))).body
    assert json.loads(body)["extras"]["worries"] == strange
