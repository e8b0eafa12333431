"""A journal that nobody can read any more while Vander runs: pages say so in one sentence, and the table goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from vander.access.pairing import PairingService
from vander.app.composition import compose
from vander.app.server import build_app, open_cameras
from vander.storage.settings import load

MARK = {"X-Vander": "tablet"}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[FlaskClient]:
    """The box's own page; a game is on, and another one stands open."""
    with ExitStack() as on_exit:
        settings = load(data_dir=tmp_path, camera="virtual")
        parts = compose(settings, on_exit)
        pairing = on_exit.enter_context(closing(PairingService(tmp_path)))
        client = build_app(parts, pairing, None, open_cameras(parts, settings)).test_client()
        for names in (["Ann", "Bob"], ["Cy"]):
            setup = {"game": "toss-up", "players": names, "leave_open": True}
            setup |= {"game": "intersection"} if len(names) == 1 else {}
            answer = client.post("/api/game", json=setup, headers=MARK)
            assert answer.status_code < 300, answer.get_json()
        yield client


@pytest.mark.parametrize("address", ["/api/open-games", "/api/history", "/api/players", "/api/fair-play"])
def test_what_cannot_be_read_is_one_sentence_and_the_table_goes_on(
    page: FlaskClient, tmp_path: Path, address: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE games SET ended_at = started_at WHERE id = 1")
        database.execute("UPDATE games SET started_at = 'once'")
        database.execute("UPDATE players SET made_at = 'once' WHERE id = 1")
    answer = page.get(address)
    assert answer.status_code == 503
    assert answer.get_json()["error"].startswith("The journal ")
    assert page.get("/api/snapshot").get_json()["game"]["name"] == "intersection"
    assert page.post("/api/act", json={"action": "1 begin"}, headers=MARK).status_code < 500
