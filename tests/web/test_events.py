"""The live events: who hears what, and how many may listen at once."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import Any

from access_scene import from_elsewhere, join
from browsers import tablet
from flask import Flask
from stub_game import StubGame
from test_game_routes import refused

from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.events import MOST_OF_ONE, Streams, end_streams
from web.languages import ENGLISH


def test_one_address_of_watchers_does_not_take_all_places(app: Flask, player: Any) -> None:
    watchers = from_elsewhere(app)
    taken = [watchers.get("/api/live", buffered=False) for _ in range(MOST_OF_ONE)]
    assert refused(watchers.get("/api/live"), 503)
    other = watchers.get("/api/live", buffered=False, environ_overrides={"REMOTE_ADDR": "192.168.1.21"})
    assert other.status_code == 200
    with player.get("/api/live", buffered=False) as own:
        assert own.status_code == 200
    other.close()
    for stream in taken:
        stream.close()
    with watchers.get("/api/live", buffered=False) as again:
        assert again.status_code == 200


def test_a_crowd_of_watchers_leaves_places_to_those_who_play(game_stub: StubGame, pairing: PairingService) -> None:
    app = create_app(Backends(game_stub, access=pairing), stream_s=0.05, streams=3)
    crowd = [
        from_elsewhere(app).get("/api/live", buffered=False, environ_overrides={"REMOTE_ADDR": f"10.0.0.{number}"})
        for number in range(3)
    ]
    assert [stream.status_code for stream in crowd] == [200, 200, 503]
    with tablet(app).get("/api/live", buffered=False) as own:
        assert own.status_code == 200
    for stream in crowd:
        stream.close()


def test_addresses_of_one_network_do_not_take_all_places_of_the_watchers(app: Flask) -> None:
    watchers = from_elsewhere(app)

    def listen(address: str) -> Any:
        return watchers.get("/api/live", buffered=False, environ_overrides={"REMOTE_ADDR": address})

    taken = [listen(f"2001:db8:1:2::{number}") for number in range(1, MOST_OF_ONE + 1)]
    assert refused(listen("2001:db8:1:2:ffff::1"), 503)
    taken.append(listen("2001:db8:1:3::1"))
    assert [stream.status_code for stream in taken] == [200] * (MOST_OF_ONE + 1)
    for stream in taken:
        stream.close()


def test_the_boxs_own_screen_listens_although_tablets_have_taken_all_places(
    game_stub: StubGame, pairing: PairingService
) -> None:
    app = create_app(Backends(game_stub, access=pairing), stream_s=0.05, streams=2)
    players = from_elsewhere(app)
    join(players, pairing)
    taken = [players.get("/api/live", buffered=False) for _ in range(2)]
    assert refused(players.get("/api/live"), 503)
    with tablet(app).get("/api/live", buffered=False) as own:
        assert own.status_code == 200
    for stream in taken:
        stream.close()


def test_a_stream_that_starts_late_still_gives_the_present_state(game_stub: StubGame) -> None:
    streams = Streams(1, heartbeat_s=600.0, stream_s=0.01)
    events = streams.events(game_stub, 0, ENGLISH)
    assert next(events).startswith(b"retry: ")
    sleep(0.05)
    assert next(events).startswith(b"id: ")
    assert list(events) == []


def test_a_quiet_stream_ends_with_the_program(game_stub: StubGame) -> None:
    app = create_app(Backends(game_stub), heartbeat_s=600.0, stream_s=600.0)
    with tablet(app).get("/api/live", buffered=False) as stream:
        events = iter(stream.response)
        assert [next(events)[:4] for _ in range(2)] == [b"retr", b"id: "]
        rest = Thread(target=list, args=(events,), daemon=True)
        rest.start()
        end_streams(app)
        rest.join(30.0)
        assert not rest.is_alive()
