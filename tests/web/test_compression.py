"""Which answers are compressed, and that live events are not held back by that."""

from __future__ import annotations

import gzip
import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import scenes
from browsers import served
from flask import Flask
from flask.testing import FlaskClient
from stub_game import StubGame, StubSimulator

from vander.app.backends import Backends
from vander.app.web_app import create_app

GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def app(game_stub: StubGame, tray: StubSimulator) -> Flask:
    return create_app(Backends(game_stub, tray, face_pictures=game_stub))


@pytest.fixture
def stream(app: Flask) -> Iterator[http.client.HTTPResponse]:
    """The live events as a browser asks a real server for them."""
    with served(app) as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        connection.request("GET", "/api/live", headers=GZIP)
        yield connection.getresponse()
        connection.close()


@pytest.mark.parametrize("address", ["/", "/tray", "/api/snapshot", "/api/games", "/manifest.webmanifest", "/away"])
def test_pages_and_json_are_compressed(app: Flask, address: str) -> None:
    client: FlaskClient = app.test_client()
    plain, packed = client.get(address), client.get(address, headers=GZIP)
    assert (plain.content_encoding, packed.content_encoding) == (None, "gzip")
    assert gzip.decompress(packed.data) == plain.data
    assert int(packed.headers["Content-Length"]) == len(packed.data) < 0.7 * len(plain.data)
    assert "Accept-Encoding" in plain.vary
    assert packed.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in packed.headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["/view.jpg", "/tray.jpg", "/faces/intersection/traffic/sad.jpg"])
def test_pictures_are_sent_as_they_are(app: Flask, address: str) -> None:
    answer = app.test_client().get(address, headers=GZIP)
    assert answer.content_encoding is None
    assert answer.data.startswith(b"\xff\xd8")


def test_a_small_answer_is_not_worth_it(app: Flask) -> None:
    answer = app.test_client().get("/api/by-hand", headers=GZIP)
    assert (answer.status_code, answer.content_encoding) == (200, None)


def test_a_live_event_arrives_while_the_stream_goes_on(stream: http.client.HTTPResponse, game_stub: StubGame) -> None:
    assert stream.getheader("Content-Encoding") is None
    assert stream.getheader("Content-Type", "").startswith("text/event-stream")
    for scene in (scenes.IDLE, scenes.PLAYING, scenes.IDLE):
        _read_event(stream)
        game_stub.show(scene)
    assert _read_event(stream) == f"id: {game_stub.snapshot().number}"


def _read_event(stream: http.client.HTTPResponse) -> str:
    """Read on to the end of the next event with a number; a socket that stays silent for 5 s fails the test."""
    number = ""
    for line in iter(stream.readline, b""):
        number = line.decode().strip() if line.startswith(b"id: ") else number
        if number and line == b"\n":
            return number
    raise AssertionError("The stream has ended.")
