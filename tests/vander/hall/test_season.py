"""A season of a hall: standings, a player's games, all plays as files, and the keys of a club's programs."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playing_table import PlayingTable
from random_matches import finished_match
from sqlalchemy import event, update
from sqlalchemy.engine import Engine

from referee.games import named
from referee.record_parser import parse_record
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import GAMES, SEATS
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.live_tables import HallTableService
from vander.hall.season import REQUESTS_OF_KEY, SeasonService
from vander.hall.table_registry import MOST_STRANGERS
from web.openapi import describe
from web.schemas.tournament_schemas import SeasonFilter

OpenTable = Callable[[str], PlayingTable]
PAIRS = (("Ann", "Bob"), ("Bob", "Cid"), ("=Ann", "Dot"), ("Ann", "Cid"))


@pytest.fixture
def winners(open_playing_table: OpenTable) -> list[str]:
    """Play four games at two tables to their ends, and return who won them."""
    tables, won = [open_playing_table("Table 1"), open_playing_table("Table 2")], []
    for seed, players in enumerate(PAIRS):
        match = finished_match(named("toss-up"), seed, players, {})
        tables[seed % 2].tell(match.entries, "toss-up", players)
        won += [players[seat - 1] for seat in match.state.winner]
    for table in tables:
        table.send_all()
    return won


@pytest.fixture
def client(hall: HallService, engine: Engine) -> Any:
    season = SeasonService(engine, clock=lambda: 0.0)
    return create_hall_app(HallBackends(hall=hall, hall_tables=HallTableService(hall), season=season)).test_client()


def test_standings_count_the_games_that_were_finished(winners: list[str], client: Any) -> None:
    rows = client.get("/api/hall/standings").get_json()["rows"]
    assert {row["name"]: row["wins"] for row in rows if row["wins"]} == dict(Counter(winners))
    assert {row["name"]: row["games"] for row in rows} == dict(Counter(name for pair in PAIRS for name in pair))
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert rows[0]["wins"] == max(Counter(winners).values())


def test_a_season_has_a_beginning_and_an_end(winners: list[str], client: Any, engine: Engine) -> None:
    long_ago = datetime(2020, 5, 1, tzinfo=UTC)
    with engine.begin() as connection:
        for table in (GAMES, SEATS):
            connection.execute(update(table).where(table.c.table_id == 1).values(ended_at=long_ago))
    old = client.get("/api/hall/standings?since=2020-05-01&until=2020-05-02").get_json()["rows"]
    assert {row["name"] for row in old} == {"Ann", "Bob", "=Ann", "Dot"}
    assert client.get("/api/hall/standings?until=2020-05-01").get_json()["rows"] == []
    assert client.get("/api/hall/standings?game=rollers").get_json()["rows"] == []
    refused = client.get("/api/hall/standings?since=yesterday")
    assert (refused.status_code, refused.get_json()["error"]) == (400, "'yesterday' is no time such as 2026-09-01.")


def test_a_player_has_a_history_of_games_the_last_first(winners: list[str], client: Any) -> None:
    (ann,) = client.get("/api/hall/players?name=ann&most=1").get_json()["players"]
    found = client.get(f"/api/hall/players/{ann['number']}").get_json()
    ended = [game["ended_at"] for game in found["games"]]
    assert ended == sorted(ended, reverse=True)
    assert all("Ann" in game["seats"][0]["name"] or "=Ann" in game["seats"][0]["name"] for game in found["games"])
    later = client.get(f"/api/hall/players/{ann['number']}?before={ended[0].replace('+', '%2B')}").get_json()
    assert [game["ended_at"] for game in later["games"]] == ended[1:]
    assert client.get("/api/hall/players/999").status_code == 404


def test_all_plays_come_as_csv_json_and_records(winners: list[str], client: Any) -> None:
    found = client.get("/api/hall/plays.csv").data
    assert found.startswith(BOM_UTF8)
    rows = list(csv.DictReader(io.StringIO(found.decode("utf-8-sig"))))
    assert len(rows) == 8
    assert "'=Ann" in {row["player"] for row in rows}
    plays = json.loads(client.get("/api/hall/plays.json").data)["plays"]
    assert sorted(seat["player"] for play in plays for seat in play["seats"] if seat["won"]) == sorted(winners)
    archive = zipfile.ZipFile(io.BytesIO(client.get("/api/hall/records.zip").data))
    assert len(archive.namelist()) == 4
    for name in archive.namelist():
        assert parse_record(archive.read(name).decode()).game == "toss-up"


def test_times_by_a_wrong_clock_are_marked_wherever_they_are_shown(
    winners: list[str], client: Any, engine: Engine
) -> None:
    def doubted() -> list[list[object]]:
        rows = csv.DictReader(io.StringIO(client.get("/api/hall/plays.csv").data.decode("utf-8-sig")))
        plays = json.loads(client.get("/api/hall/plays.json").data)["plays"]
        shown = client.get(f"/api/hall/players/{ann}").get_json()["games"]
        game = client.get("/api/hall/tables/1/games/1").get_json()
        marks = [row["clock_doubted"] == "True" for row in rows], [play["clock_doubted"] for play in plays]
        return [*map(list, marks), [each["clock_doubted"] for each in shown], [game["clock_doubted"]]]

    ann = client.get("/api/hall/players?name=ann&most=1").get_json()["players"][0]["number"]
    noon = datetime(2020, 5, 1, 12, tzinfo=UTC)
    right = {"started_at": noon, "ended_at": noon, "clock_doubted": False, "clock_off_s": 0.0}
    earlier = {"ended_at": noon - timedelta(hours=1)}
    for wrong in ({}, {"clock_doubted": True}, {"clock_off_s": -3600.0}, earlier):
        with engine.begin() as connection:
            connection.execute(update(GAMES).values(right | wrong))
        assert {mark for marks in doubted() for mark in marks} == {bool(wrong)}, wrong


def test_an_export_goes_through_many_pages(winners: list[str], engine: Engine) -> None:
    from vander.hall import season

    found = []
    for game in season.ended_games(engine, SeasonFilter(), at_once=1):
        assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # a slow reader holds no connection
        found.append(game)
    assert len({(game.table, game.number) for game in found}) == 4
    assert all(game.ended_at - game.started_at < timedelta(days=30_000) for game in found)


def test_a_program_reads_with_a_key_and_without_one_it_does_not(winners: list[str], client: Any) -> None:
    assert client.get("/api/club/v1/standings").status_code == 403
    made = client.post("/api/hall/keys/make", json={"name": "Club site"}, headers={"X-Vander": "t"}).get_json()
    with_key = {"Authorization": f"Bearer {made['secret']}"}
    assert made["secret"] not in client.get("/api/hall/keys").text
    assert client.get("/api/club/v1/standings", headers=with_key).get_json()["rows"]
    assert client.get("/api/club/v1/plays.csv", headers=with_key).text.startswith("table,number,game")
    again = client.post("/api/hall/keys/make", json={"name": "Club site"}, headers={"X-Vander": "t"})
    assert again.status_code == 409
    for _ in range(REQUESTS_OF_KEY):
        flooded = client.get("/api/club/v1/players/1", headers=with_key)
    assert flooded.status_code == 429
    gone = client.post("/api/hall/keys/drop", json={"number": made["keys"][0]["number"]}, headers={"X-Vander": "t"})
    assert gone.get_json()["keys"] == []
    assert client.get("/api/club/v1/standings", headers=with_key).status_code == 403


def test_unknown_keys_are_refused_without_the_database_and_starve_no_program(
    winners: list[str], client: Any, engine: Engine
) -> None:
    made = client.post("/api/hall/keys/make", json={"name": "Club site"}, headers={"X-Vander": "t"}).get_json()
    address, asked = "/api/club/v1/standings", list[str]()
    client.get(address, headers={"Authorization": "Bearer first"})
    event.listen(engine, "before_cursor_execute", lambda *found: asked.append(found[2]))
    guesses = [
        client.get(address, headers={"Authorization": f"Bearer guess-{number}"}).status_code
        for number in range(MOST_STRANGERS + 5)
    ]
    assert asked == []
    assert (guesses[0], guesses[-1]) == (403, 429)
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get(address, headers={"Authorization": "Bearer guess"}, environ_base=elsewhere).status_code == 403
    assert client.get(address, headers={"Authorization": f"Bearer {made['secret']}"}).get_json()["rows"]


def test_the_hall_describes_its_api(client: Any) -> None:
    paths = describe(client.application)["paths"]
    assert {"/api/hall/standings", "/api/club/v1/standings", "/api/hall/entries"} <= paths.keys()


def test_a_seat_without_a_name_is_no_player_of_a_season_and_takes_no_rank(
    open_playing_table: OpenTable, client: Any
) -> None:
    table, won = open_playing_table("Table 1"), 0
    for seed in range(6):
        match = finished_match(named("toss-up"), seed, ("Player 1", "Ann"), {})
        table.tell(match.entries, "toss-up", ("Player 1", "Ann"))
        won += 2 in match.state.winner
    table.send_all()
    rows = client.get("/api/hall/standings").get_json()["rows"]
    assert won <= 3
    assert [(row["rank"], row["name"], row["wins"]) for row in rows] == [(1, "Ann", won)]
    found = client.get("/api/hall/players?part=player&lang=de").get_json()
    assert "Spieler 1" in [player["name"] for player in found["players"]]
