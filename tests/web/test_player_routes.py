"""The remembered players by the web: who may look, who may change a name, and who may forget one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from access_scene import from_elsewhere, join
from browsers import tablet
from stub_game import StubGame
from test_game_routes import refused

from vander.access import PairingService
from vander.memory.player_service import PlayerService
from vander.storage.journal_store import Journal
from web import Backends, create_app
from web.services.access_backend import Role

ROLES = {
    "GET /api/players": Role.WATCHER,
    "POST /api/players/{number}/change": Role.PLAYER,
    "POST /api/players/{number}/merge": Role.KEEPER,
    "POST /api/players/{number}/forget": Role.KEEPER,
}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        opened.begin("toss-up", ("Ann", "Bob"), {}, "toss-up")
        opened.begin("toss-up", ("Annie",), {}, "toss-up")
        yield opened


@pytest.fixture
def remembering(journal: Journal, game_stub: StubGame, pairing: PairingService, tmp_path: Path) -> Any:
    """A table that remembers its players, seen by a keeper's phone."""
    service = PlayerService(journal, tmp_path, renamed=pairing.rename_player)
    client = from_elsewhere(create_app(Backends(game_stub, access=pairing, players=service)))
    join(client, pairing, "Ann's phone")
    return client


def test_everybody_may_see_who_is_remembered(remembering: Any) -> None:
    answer = remembering.get("/api/players").get_json()
    assert [(player["name"], player["games"]) for player in answer["players"]] == [("Ann", 1), ("Bob", 1), ("Annie", 1)]
    assert answer["players"][0]["picture"] in answer["pictures"]
    assert answer["players"][0]["colour"] in answer["colours"]
    with remembering.get(f"/static/players/{answer['players'][0]['picture']}.svg") as drawn:
        assert drawn.status_code == 200


def test_a_player_is_changed(remembering: Any, journal: Journal) -> None:
    changed = {"name": "Anna", "colour": "teal", "picture": "whale"}
    answer = remembering.post("/api/players/1/change", json=changed)
    assert answer.get_json()["players"][0] | changed == answer.get_json()["players"][0]
    assert journal.games()[0].players == ("Anna", "Bob")


def test_a_player_is_merged_and_forgotten_and_the_phone_with_the_name_too(
    remembering: Any, journal: Journal, pairing: PairingService
) -> None:
    merged = remembering.post("/api/players/3/merge", json={"into": 1}).get_json()
    assert [player["name"] for player in merged["players"]] == ["Ann", "Bob"]
    assert remembering.post("/api/players/1/forget", json={}).get_json() == {"games": 2, "removed": [], "left": []}
    assert [game.players for game in journal.games()] == [("Player 1", "Bob"), ("Player 1",)]
    assert [one.name for one in pairing.tablets()] == ["Tablet 1"]


@pytest.mark.parametrize(
    ("address", "body", "status", "said"),
    [
        ("/api/players/9/change", {"name": "Cy"}, 404, "no such player"),
        ("/api/players/1/change", {"name": "bob"}, 409, "Merge the two"),
        ("/api/players/1/change", {"colour": "beige"}, 400, "no colour"),
        ("/api/players/1/change", {"name": 7}, 400, "'name'"),
        ("/api/players/2/merge", {"into": 1}, 409, "two people"),
        ("/api/players/2/merge", {}, 400, "'into'"),
        ("/api/players/9/forget", {}, 404, "no such player"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    address: str, body: dict[str, object], status: int, said: str, remembering: Any, journal: Journal
) -> None:
    before = journal.games()
    assert said in refused(remembering.post(address, json=body), status)
    assert journal.games() == before


def test_a_table_that_remembers_nobody_says_so(game_stub: StubGame) -> None:
    client = tablet(create_app(Backends(game_stub)))
    assert "remembers no players" in refused(client.get("/api/players"), 404)
