"""Who may look at past throws and who may decide on them, and what bad requests are answered."""

from __future__ import annotations

from typing import Any

import pytest
from test_game_routes import refused

from web.schemas.access_schemas import Role
from web.schemas.game_schemas import faces_by_place

ROLES = {
    "GET /api/breach": Role.WATCHER,
    "GET /api/challenge": Role.WATCHER,
    "GET /api/challenge/what-if": Role.WATCHER,
    "GET /api/throws": Role.WATCHER,
    "GET /api/films/{name}": Role.WATCHER,
    "GET /films/{name}/{number}.jpg": Role.WATCHER,
    "GET /films/{name}/die-{number}.jpg": Role.WATCHER,
    "POST /api/challenge": Role.PLAYER,
}
GOOD = {"entry": 7, "action": "1 roll d6:pip-2", "faces": "0:pip-3", "verdict": "correct"}


@pytest.mark.parametrize("query", ["", "entry=0", "entry=-1", "entry=one", "entry=1.5", "entry=99999999999"])
def test_a_throw_is_named_by_its_entry(query: str, client: Any) -> None:
    assert "'entry'" in refused(client.get(f"/api/challenge?{query}"), 400)


@pytest.mark.parametrize("faces", ["star", "0:", "0:star,1:star", "x:star", "0:<b>", "0:star  1:star"])
def test_faces_are_given_by_the_places_of_dice(faces: str, client: Any) -> None:
    answer = client.get("/api/challenge/what-if", query_string={"entry": 1, "faces": faces})
    assert "'faces'" in refused(answer, 400)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"verdict": "maybe"}, "'verdict'"), ({"verdict": None}, "'verdict'"), ({"entry": "7"}, "'entry'")],
)
def test_what_people_decide_is_one_of_three(wrong: dict[str, object], said: str, client: Any) -> None:
    assert said in refused(client.post("/api/challenge", json={**GOOD, **wrong}), 400)


def test_a_table_without_past_throws_says_so(client: Any) -> None:
    for address in (
        "/api/throws",
        "/api/challenge?entry=1",
        "/api/films/game-1-entry-1",
    ):
        assert "keeps no past throws" in refused(client.get(address), 404)
    assert "keeps no past throws" in refused(client.post("/api/challenge", json=GOOD), 404)


def test_faces_read_back() -> None:
    assert faces_by_place("0:star 12:pip-3") == {0: "star", 12: "pip-3"}
    assert faces_by_place("") == {}
