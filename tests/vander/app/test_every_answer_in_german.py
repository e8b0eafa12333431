"""Every address of the whole program, asked well and badly: no answer has a sentence that German lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hostile_numbers import faults

from referee.games import games
from vander.access.page_addresses import open_pairing
from vander.app.composition import compose
from vander.app.server import build_app, open_cameras
from vander.doctor.health_checks import DiagnosticsService, RunningState
from vander.storage.settings import load
from web import languages

HEADERS = {"X-Vander": "tablet", "Host": "localhost"}
UNSUITED = ("/api/box/power-off", "/api/description.json", "/api/live", "/api/plays.json")
"""Addresses that shut down, never end, or answer with what is for programs."""
QUERY = "?number=99&entry=99&faces=x&seat=99&row=x&name=y&player=99&against=3&before=x&most=0"
BODY = {
    "action": "9 fly", "agrees": True, "check_one_in": 5, "choice": "x", "code": [1, 2, 3, 4, 5, 6], "colour": "mud",
    "degrees": 9, "dice": [99], "die": 99, "edge_mm": 1, "entry": 77, "face": "moon", "faces": "0:star",
    "game": "chess", "inside": True, "into": 99, "keep_play": True, "keeper": False,
    "kinds": [{"title": "a", "faces": ["x", "x"]}], "kind": "moon", "look": "gold", "name": "nobody", "number": 9,
    "on": True, "options": {"x": "y"}, "other": "star", "picture": "dog", "pictures": ["c-1"], "player": "Cy",
    "players": ["Ann"], "question": 5, "quota_mb": 500, "set": "moon", "shown": True, "step": "x", "title": "t",
    "verdict": "correct", "version": 9, "wanted": [], "x": 0.5, "y": 0.5,
}  # fmt: skip
"""A body with something of all that any address asks for, most of it wrong."""
NEUTRAL = {"action", "rule", "step", "run", "value", "camera"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """The whole program on a new data folder, with the virtual tray and a game that is on."""
    with ExitStack() as on_exit:
        settings = load(data_dir=tmp_path, camera="virtual")
        parts = compose(settings, on_exit)
        pairing = on_exit.enter_context(closing(open_pairing(settings)))
        cameras = on_exit.enter_context(closing(open_cameras(parts, settings)))
        doctor = DiagnosticsService(settings, RunningState(), seconds=0.1, root=tmp_path)
        app = build_app(parts, pairing, doctor, cameras)
        tablet(app, "en").post("/api/game", json={"game": "toss-up", "players": ["Ann", "Bob"]}, headers=HEADERS)
        yield app


def tablet(app: Flask, language: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie(languages.COOKIE, language)
    return client


def requests(app: Flask) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield a method, an address and what is sent, for each address several."""
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<[^>]*>", "99", rule.rule)
        if address in UNSUITED or address.startswith("/static/"):
            continue
        if "GET" in (rule.methods or ()):
            yield from (("GET", address, {}), ("GET", address + QUERY, {}))
        if "POST" in (rule.methods or ()):
            yield from (("POST", address, {"json": {}}), ("POST", address, {"json": BODY}))
            yield "POST", address, {"data": "{", "content_type": "application/json"}


def the_same(english: object, german: object, key: str = "") -> Iterator[str]:
    """Yield the texts of several words that are the same in both answers."""
    if isinstance(english, str) and key not in NEUTRAL:
        if english == german and re.search(r"[a-z.,] [A-Za-z]", english):
            yield f"{key}: {english}"
    elif isinstance(english, Mapping) and isinstance(german, Mapping):
        for name in english.keys() & german.keys():
            yield from the_same(english[name], german[name], name)
    elif isinstance(english, list) and isinstance(german, list):
        for one, other in zip(english, german, strict=False):
            yield from the_same(one, other, key)


@pytest.mark.slow
def test_no_answer_has_a_sentence_that_german_lacks(app: Flask) -> None:
    english, german, found = tablet(app, "en"), tablet(app, "de"), set[str]()
    for method, address, sent in requests(app):
        if not address.startswith("/api/"):
            continue
        answers = [each.open(address, method=method, headers=HEADERS, **sent) for each in (english, german)]
        if all(answer.mimetype == "application/json" for answer in answers):
            found |= set(the_same(*(answer.get_json() for answer in answers)))
    titles = {game.title for game in games()}
    assert {each for each in found if each.partition(": ")[2] not in titles} == set()


@pytest.mark.slow
def test_no_number_fails_the_program_or_shows_where_the_box_keeps_things(app: Flask, tmp_path: Path) -> None:
    assert faults(app, tablet(app, "en"), str(tmp_path)) == []
