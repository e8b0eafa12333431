"""The remembered players by the web: who may look, who may change a name, and who may forget one."""

from __future__ import annotations

import csv
import json
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from access_scene import from_elsewhere, join
from browsers import tablet
from past_scene import TURNED, keep_past_game
from stub_game import StubGame
from test_game_routes import refused

from referee.game_results import SeatResult
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService
from vander.storage.journal_store import Journal
from vander.storage.player_tables import uncounted_games, write_results
from web.schemas.access_schemas import Role

ROLES = {
    "GET /api/history": Role.WATCHER,
    "GET /history": Role.WATCHER,
    "GET /history/{number}": Role.WATCHER,
    "GET /api/history/{number}": Role.WATCHER,
    "GET /history/{number}/result": Role.WATCHER,
    "GET /api/history/{number}/result": Role.WATCHER,
    "GET /api/history/{number}/record.txt": Role.PLAYER,
    "GET /api/history/{number}/bg-stats": Role.PLAYER,
    "GET /api/plays.csv": Role.KEEPER,
    "GET /api/plays.json": Role.KEEPER,
    "GET /api/records.zip": Role.KEEPER,
    "GET /api/players/{number}/statistics": Role.WATCHER,
    "GET /api/players/{number}/results.json": Role.PLAYER,
    "GET /api/players/{number}/results.csv": Role.PLAYER,
    "GET /api/players/{number}/achievements": Role.WATCHER,
    "GET /players": Role.WATCHER,
    "GET /players/{number}": Role.WATCHER,
    "GET /fairness": Role.WATCHER,
    "GET /api/fairness": Role.WATCHER,
    "GET /fairness/checked": Role.WATCHER,
    "GET /api/checked-throws": Role.WATCHER,
    "GET /api/fairness/{name}": Role.WATCHER,
    "GET /api/players": Role.WATCHER,
    "POST /api/players/{number}/change": Role.PLAYER,
    "POST /api/players/{number}/merge": Role.KEEPER,
    "POST /api/players/{number}/forget": Role.KEEPER,
    "GET /api/players/{number}/traces": Role.KEEPER,
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
    service = PlayerService(journal, tmp_path, renaming=pairing.renaming_player)
    history = PlayStatisticsService(journal)
    client = from_elsewhere(create_app(Backends(game_stub, access=pairing, players=service, history=history)))
    join(client, pairing, "Ann's phone")
    return client


def test_everybody_may_see_who_is_remembered(remembering: Any) -> None:
    answer = remembering.get("/api/players").get_json()
    assert [(player["name"], player["games"]) for player in answer["players"]] == [("Ann", 1), ("Bob", 1), ("Annie", 0)]
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


# Past games and figures


def count_by_hand(journal: Journal) -> None:
    """Let Ann have won the first game by 40 to 30; the second is still going on."""
    with journal.writing() as connection:
        assert uncounted_games(connection) == [1]
        ann = SeatResult(1, True, True, 40, turns=5, throws=9, best_turn=12, best_entry=7, stops=1, stop_chance=1.25)
        bob = SeatResult(2, True, False, 30, turns=5, throws=9, stops=2, stop_chance=1.5, stop_variance=1.0)
        write_results(connection, 1, (ann, bob), entries=0)


def test_past_games_are_listed_with_their_winners(remembering: Any, journal: Journal) -> None:
    count_by_hand(journal)
    answer = remembering.get("/api/history?player=1&against=2").get_json()
    (game,) = answer["games"]
    assert (game["number"], game["finished"], answer["uncounted"]) == (1, True, 0)
    assert [(seat["name"], seat["won"], seat["score"]) for seat in game["seats"]] == [
        ("Ann", True, 40),
        ("Bob", False, 30),
    ]
    assert remembering.get("/api/history?before=1").get_json()["games"] == []
    assert "'before'" in refused(remembering.get("/api/history?before=x"), 400)


def test_past_games_are_narrowed_to_dice_and_to_a_face_that_was_read(remembering: Any, journal: Journal) -> None:
    number = keep_past_game(journal)

    def numbers(query: str) -> list[int]:
        return [game["number"] for game in remembering.get(f"/api/history?{query}").get_json()["games"]]

    assert numbers("dice=toss-up") == [number, 1]
    assert numbers("dice=rollers") == []
    assert numbers("dice=toss-up&face=tossup:green") == [number]
    assert numbers("dice=toss-up&face=tossup:blue") == []
    assert "kind:face" in refused(remembering.get("/api/history?face=green"), 400)
    steps = remembering.get(f"/api/history/{number}").get_json()["steps"]
    assert ["tossup:red" in step["read"] for step in steps] == [False, False, False, True, False]


def test_a_past_game_is_told_entry_by_entry(remembering: Any, journal: Journal) -> None:
    number = keep_past_game(journal)
    answer = remembering.get(f"/api/history/{number}").get_json()
    assert [seat["name"] for seat in answer["game"]["seats"]] == ["Ann", "Bob"]
    first, _, breach, _, last = answer["steps"]
    assert (first["entry"], first["seat"], first["picture"]) == (1, 1, "evidence-1")
    assert first["calls"][0]["rule"].startswith("T.")
    assert (breach["is_play"], breach["calls"]) == (False, [{"sentence": TURNED, "rule": "T.2-1"}])
    assert (first["scores"], last["scores"]) == ([0, 0], [3, 4])
    for address in ("/api/history/2", "/api/history/99"):
        assert "still going on" in refused(remembering.get(address), 404)
    assert remembering.get("/history/2").status_code == 404


def test_figures_name_the_games_behind_them_and_compare_two_players(remembering: Any, journal: Journal) -> None:
    count_by_hand(journal)
    answer = remembering.get("/api/players/1/statistics?against=2").get_json()
    (own,), (theirs,) = answer["games"], answer["theirs"]
    assert (own["wins"], own["best_turn"], own["best_turn_in"], own["best_turn_entry"]) == (1, 12, 1, 7)
    assert (own["luck"], theirs["luck"], theirs["wins"]) == (None, -0.5, 0)
    assert remembering.get("/api/players/1/statistics").get_json()["theirs"] == []


def test_a_players_results_are_a_file_that_names_nobody_else(remembering: Any, journal: Journal) -> None:
    count_by_hand(journal)
    answer = remembering.get("/api/players/1/results.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    content = answer.get_json()
    assert (content["player"]["name"], content["games"][0]["result"]["score"]) == ("Ann", 40)
    assert content["games"][0]["players"] == 2
    assert "Bob" not in answer.text
    assert "no such player" in refused(remembering.get("/api/players/9/results.json"), 404)


def test_a_table_that_keeps_no_past_games_says_so(game_stub: StubGame) -> None:
    client = tablet(create_app(Backends(game_stub)))
    for address in (
        "/api/history",
        "/api/history/1",
        "/api/players/1/statistics",
        "/api/players/1/results.json",
    ):
        assert "keeps no past games" in refused(client.get(address), 404)


def test_all_plays_are_files_for_a_keeper(remembering: Any, journal: Journal) -> None:
    count_by_hand(journal)
    found = remembering.get("/api/plays.csv").data
    assert found.startswith(BOM_UTF8)
    rows = list(csv.DictReader(found.decode("utf-8-sig").splitlines()))
    assert [(row["player"], row["score"], row["won"]) for row in rows] == [
        ("Ann", "40", "True"),
        ("Bob", "30", "False"),
    ]
    (play,) = remembering.get("/api/plays.json").get_json()["plays"]
    assert [seat["player"] for seat in play["seats"]] == ["Ann", "Bob"]
    archive = remembering.get("/api/records.zip")
    assert "attachment" in archive.headers["Content-Disposition"]
    with zipfile.ZipFile(BytesIO(archive.data)) as packed:
        assert packed.namelist() == ["game-1-toss-up.txt"]


def test_a_play_opens_bg_stats_by_a_link_that_no_server_sees(remembering: Any, journal: Journal) -> None:
    count_by_hand(journal)
    link = remembering.get("/api/history/1/bg-stats").get_json()["link"]
    address, _, data = link.partition("?data=")
    assert address == "bgstats://app.bgstatsapp.com/createPlay.html"
    play = json.loads(unquote(data))
    assert (play["game"]["name"], play["sourceName"]) == ("Toss Up!", "Vander")
    assert [(one["name"], one["score"], one["winner"]) for one in play["players"]] == [
        ("Ann", 40, True),
        ("Bob", 30, False),
    ]
    assert refused(remembering.get("/api/history/2/bg-stats"), 404)
