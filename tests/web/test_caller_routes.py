"""The voices that a family records: who may, in what form, and which page may ask for a microphone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from access_scene import from_elsewhere, join
from browsers import tablet
from flask import Flask
from stub_game import StubGame
from test_game_routes import refused

from referee.spoken_parts import LARGEST_RECORDING
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.extras.voice.box_caller import BoxCallerSwitch
from vander.extras.voice.family_voices import FamilyVoices
from vander.extras.voice.voice_pack import Waveform, wav_bytes
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import load
from web.authorization import required_role
from web.schemas.access_schemas import Role

HUM = wav_bytes(Waveform((0.2 * np.sin(np.arange(12000) / 6)).astype(np.float32), 16000))
ROLES = {
    "GET /caller": Role.KEEPER,
    "GET /api/caller": Role.WATCHER,
    "GET /api/caller/sentences": Role.KEEPER,
    "POST /api/caller/box": Role.KEEPER,
    "POST /api/caller/voices": Role.KEEPER,
    "POST /api/caller/voices/{voice}/delete": Role.KEEPER,
    "POST /api/caller/voices/{voice}/recording": Role.KEEPER,
    "GET /api/caller/voices/{voice}/recording": Role.KEEPER,
    "GET /api/caller/voices/{voice}/clips/{language}.json": Role.WATCHER,
    "GET /api/caller/voices/{voice}/clips/{language}.mp3": Role.WATCHER,
}
"""Which role each route of these pages takes."""
TURN = "recording?language=en&key=your-turn"


@pytest.fixture
def caller_app(game_stub: StubGame, pairing: PairingService, tmp_path: Path) -> Flask:
    switch = BoxCallerSwitch(PreferenceStore(tmp_path), load(data_dir=tmp_path), lambda: ("aplay",))
    return create_app(Backends(game_stub, access=pairing, caller=FamilyVoices(tmp_path), box_caller=switch))


@pytest.fixture
def box(caller_app: Flask) -> Any:
    return tablet(caller_app)


def record(client: Any, voice: str, sent: bytes = HUM, where: str = TURN, mimetype: str = "audio/wav") -> Any:
    return client.post(f"/api/caller/voices/{voice}/{where}", data=sent, content_type=mimetype)


def test_a_voice_is_recorded_heard_and_deleted(box: Any) -> None:
    voice = box.post("/api/caller/voices", json={"name": "Ann"}).json["voice"]
    assert record(box, voice).json["recorded"] == [{"language": "en", "keys": ["your-turn"]}]
    heard = box.get(f"/api/caller/voices/{voice}/{TURN}")
    assert (heard.mimetype, heard.data[:4]) == ("audio/wav", b"RIFF")
    index = box.get(f"/api/caller/voices/{voice}/clips/en.json")
    assert list(index.json["clips"]) == ["your-turn"]
    sound = box.get(f"/api/caller/voices/{voice}/clips/en.mp3")
    assert sound.mimetype == "audio/mpeg"
    kept = {"If-None-Match": sound.headers["ETag"]}
    assert box.get(f"/api/caller/voices/{voice}/clips/en.mp3", headers=kept).status_code == 304
    assert box.post(f"/api/caller/voices/{voice}/delete", json={}).json["voices"] == []


def test_a_keeper_chooses_what_the_box_says(box: Any) -> None:
    assert box.get("/api/caller").json["box"] == "off"
    assert box.post("/api/caller/box", json={"level": "low", "language": "de"}).json["box"] == "low"
    assert box.get("/api/caller").json["box"] == "low"
    assert refused(box.post("/api/caller/box", json={"level": "all", "language": "xx"}), 404) == (
        "The caller has no voice for that language."
    )
    assert refused(box.post("/api/caller/box", json={"level": "loud", "language": "de"}), 400)
    assert box.get("/api/caller").json["box"] == "low"


def test_the_page_lists_what_is_read_aloud(box: Any) -> None:
    listed = box.get("/api/caller").json
    assert [each["language"] for each in listed["languages"]] == ["de", "en"]
    sentences = box.get("/api/caller/sentences?language=de").json["sentences"]
    assert len(sentences) == listed["languages"][0]["sentences"]
    assert sentences[0] == {"key": "your-turn", "text": "Du bist dran."}


def test_a_recording_that_is_refused_says_why_with_the_right_status(box: Any) -> None:
    voice = box.post("/api/caller/voices", json={"name": "Ann"}).json["voice"]
    assert refused(record(box, voice, b"no"), 400) == "That is no recording. Record it again."
    assert refused(record(box, voice, bytes(LARGEST_RECORDING + 1)), 413).startswith("A recording may have 316 KB")
    assert refused(record(box, voice, mimetype="application/json"), 415) == (
        "Recordings are WAV; send Content-Type: audio/wav."
    )
    assert refused(record(box, "00000000"), 404) == "There is no such voice any more."
    assert refused(record(box, voice, where="recording?language=en&key=nothing"), 404)
    assert refused(record(box, voice, where="recording?language=en"), 400)
    assert refused(box.get(f"/api/caller/voices/{voice}/clips/en.mp3"), 404) == (
        "Nothing is recorded in that language yet."
    )
    assert refused(box.post("/api/caller/voices", json={"name": "ann"}), 409)


def test_a_keeper_records_and_everybody_may_hear(caller_app: Flask, pairing: PairingService, box: Any) -> None:
    voice = box.post("/api/caller/voices", json={"name": "Ann"}).json["voice"]
    record(box, voice)
    keeper, player, watcher = from_elsewhere(caller_app), from_elsewhere(caller_app), from_elsewhere(caller_app)
    join(keeper, pairing, "Kitchen")
    join(player, pairing, "Phone")
    assert keeper.get("/caller").status_code == 200
    assert record(keeper, voice).status_code == 200
    for other in (player, watcher):
        assert record(other, voice).status_code == 403
        assert other.get("/caller").status_code == 403
        assert other.get("/api/caller").status_code == 200
        assert other.get(f"/api/caller/voices/{voice}/clips/en.mp3").status_code == 200


def test_every_change_is_a_keepers(caller_app: Flask) -> None:
    changes = [rule.endpoint for rule in caller_app.url_map.iter_rules() if rule.rule.startswith("/api/caller/voices")]
    posts = [name for name in changes if not name.startswith("caller.voice_")]
    assert len(posts) == 4
    assert {required_role(caller_app, name) for name in posts} == {Role.KEEPER}


def test_only_the_page_that_records_may_ask_for_a_microphone(box: Any) -> None:
    assert "microphone=(self)" in box.get("/caller").headers["Permissions-Policy"]
    assert "camera=()" in box.get("/caller").headers["Permissions-Policy"]
    for address in ("/", "/box", "/api/caller"):
        assert "microphone=()" in box.get(address).headers["Permissions-Policy"], address


def test_a_table_that_keeps_no_voices_says_so(bare_client: Any) -> None:
    assert refused(bare_client.get("/api/caller"), 404) == "This table keeps no voices of its own."
