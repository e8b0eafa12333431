"""The tablet's API: what each address answers to good and to bad requests."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import Any

import fair_scenes
import pytest
import scenes
from stub_game import StubGame, StubSimulator

from referee.sentences import Reason, Refused
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import Role

GOOD = {
    "/api/game": {"game": "intersection", "players": ["Ann", "Bob"], "options": {"below-300": "nothing"}},
    "/api/act": {"action": "1 end"},
    "/api/open-games/end": {"number": 3},
    "/api/correct": {"die": 2, "face": "star"},
    "/api/undo": {},
    "/api/confirm": {"number": 12, "agrees": True},
    "/api/void": {},
    "/api/tray/throw": {"dice": [1, 2]},
    "/api/tray/move": {"die": 1, "x": 0.5, "y": 0.25},
    "/api/tray/tip": {"die": 2},
    "/api/tray/twist": {"die": 2, "degrees": -30},
    "/api/tray/knock-off": {"die": 3},
    "/api/tray/set-aside": {"dice": [1]},
    "/api/tray/put-back": {"wanted": [{"kind": "traffic", "face": "two", "zone": "field"}]},
    "/api/tray/hand": {"inside": True},
    "/api/tray/set-out": {"set": "strange", "look": "unseen-1"},
    "/api/tray/trouble": {"kind": "covered"},
    "/api/tray/stage": {"name": "turn", "dice": [2]},
}
ROLES = {
    "GET /": Role.WATCHER,
    "GET /api/agreements": Role.WATCHER,
    "GET /api/by-hand": Role.WATCHER,
    "GET /api/fair-play": Role.WATCHER,
    "GET /fair-play": Role.WATCHER,
    "GET /api/games": Role.WATCHER,
    "GET /api/live": Role.WATCHER,
    "GET /api/odds": Role.WATCHER,
    "GET /api/open-games": Role.WATCHER,
    "GET /api/offers": Role.WATCHER,
    "GET /api/question": Role.WATCHER,
    "GET /api/question/film": Role.WATCHER,
    "GET /api/rules/{name}": Role.WATCHER,
    "GET /api/snapshot": Role.WATCHER,
    "GET /api/tray/cupboard": Role.WATCHER,
    "GET /api/tray/dice": Role.WATCHER,
    "GET /api/tray/situations": Role.WATCHER,
    "GET /faces/{die_set}/{kind}/{face}.jpg": Role.WATCHER,
    "GET /pictures/{name}.jpg": Role.WATCHER,
    "GET /tray": Role.WATCHER,
    "GET /view.jpg": Role.WATCHER,
    "GET /camera.jpg": Role.KEEPER,
    "GET /tray.jpg": Role.WATCHER,
    "POST /api/act": Role.PLAYER,
    "POST /api/answer": Role.PLAYER,
    "POST /api/by-hand": Role.PLAYER,
    "POST /api/correct": Role.PLAYER,
    "POST /api/game": Role.PLAYER,
    "POST /api/open-games/end": Role.PLAYER,
    "POST /api/game/again": Role.PLAYER,
    "POST /api/play-on": Role.PLAYER,
    "POST /api/tray/hand": Role.PLAYER,
    "POST /api/tray/knock-off": Role.PLAYER,
    "POST /api/tray/move": Role.PLAYER,
    "POST /api/tray/put-back": Role.PLAYER,
    "POST /api/tray/set-aside": Role.PLAYER,
    "POST /api/tray/set-out": Role.PLAYER,
    "POST /api/tray/stage": Role.PLAYER,
    "POST /api/tray/throw": Role.PLAYER,
    "POST /api/tray/tip": Role.PLAYER,
    "POST /api/tray/trouble": Role.PLAYER,
    "POST /api/tray/twist": Role.PLAYER,
    "POST /api/confirm": Role.PLAYER,
    "POST /api/undo": Role.PLAYER,
    "POST /api/void": Role.PLAYER,
}
"""The role that each route of these tests requires: a change of authorization is a change of this list."""


def refused(answer: Any, status: int) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    body = answer.get_json()
    assert set(body) == {"error", "rule"}
    assert body["error"].endswith(".")
    assert "Traceback" not in answer.text
    return str(body["error"])


def test_the_snapshot_tells_all_that_a_tablet_shows(client: Any) -> None:
    shown = client.get("/api/snapshot").get_json()
    assert shown["number"] == 3
    heading = shown["game"]
    assert [heading[name] for name in ("name", "title", "die_set")] == ["intersection", "Intersection", "intersection"]
    assert [kind["kind"] for kind in heading["kinds"]] == ["traffic", "signal"]
    assert shown["state"]["players"][0] == {"seat": 1, "name": "Ann", "score": 1250, "left": False}
    assert shown["state"]["to_act"] == [1]
    assert shown["state"]["tell"].startswith("Ann, 250 parked")
    call = {"sentence": "Ann parked two happies and a star for 250.", "rule": "I.2-10", "moment": "", "sum": None}
    assert shown["calls"][1] == call
    assert shown["offers"][1]["action"] == "1 end"
    assert [offer["grave"] for offer in shown["offers"]] == [False, False, False, True, True]
    assert shown["offers"][3]["means"] == "Give up the turn for nothing."
    assert [shown["offers"][1][name] for name in ("player", "verb", "choice", "means")] == [1, "end", "", ""]
    assert (shown["odds"], shown["boards"]) == (True, [])
    assert [die["sure"] for die in shown["dice"]] == [True, False, True, True, True, True]
    assert shown["dice"][0]["faces"][0] == {"face": "happy", "title": "Happy"}
    assert shown["turn_points"] == 250


def test_the_snapshot_counts_the_dice_awaited_by_kind(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.START)
    awaited = client.get("/api/snapshot").get_json()["state"]["dice_awaited"]
    assert [(kind["title"], kind["count"]) for kind in awaited] == [("Traffic die", 5), ("Signal die", 1)]


def test_a_table_without_a_game_has_no_state(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.IDLE)
    shown = client.get("/api/snapshot").get_json()
    assert shown["game"] is None
    assert shown["state"] is None


def test_the_games_come_with_their_seats_and_options(client: Any) -> None:
    games = client.get("/api/games").get_json()["games"]
    assert [(game["name"], game["seats"]) for game in games] == [("intersection", [1, 8]), ("dice", [1, 12])]
    option = games[0]["options"][1]
    assert (option["name"], option["default"], option["source"]) == ("below-300", "refused", "AMB-I-10")
    assert option["readings"][1] == {"value": "nothing", "meaning": "the turn may end and records nothing"}


def test_the_dice_for_a_game_that_takes_any_come_with_the_games(client: Any) -> None:
    found = client.get("/api/games").get_json()
    assert found["games"][1]["die_set"] == ""
    assert [dice["name"] for dice in found["die_sets"]] == ["intersection", "d6", "rollers"]
    assert found["die_sets"][2]["title"] == "Rollers"


def test_what_lies_before_the_players_is_shown_and_its_many_offers_are_only_counted(
    game_stub: StubGame, client: Any
) -> None:
    game_stub.show(scenes.SHEETS)
    shown = client.get("/api/snapshot").get_json()
    fair, stalls = shown["boards"][:2]
    assert (fair["seat"], fair["facts"]) == (0, [{"name": "Turn", "value": "planning"}])
    assert stalls["columns"] == ["Stall", "Dice", "Total", "Points", "Price"]
    cells = ["Stall 1", "3 dice", "11 or more", "7", ""]
    assert stalls["rows"][0] == {"key": "stall-1", "cells": cells, "mark": "open", "taps": 6}
    assert [offer["action"] for offer in shown["offers"]] == ["1 ready", "2 ready", "3 ready"]


def test_the_offers_of_a_row_are_told_when_asked(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.SHEETS)
    found = client.get("/api/offers?seat=2&row=stall-1").get_json()
    assert found["number"] == game_stub.snapshot().number
    assert [offer["action"] for offer in found["offers"]] == [f"2 price =stall-1/{price}" for price in range(1, 7)]
    assert found["offers"][0]["choice"] == "stall-1/1"
    assert found["offers"][0]["places"] == ["2:stall-1"]
    for nothing in ("seat=2&row=stall", "seat=9&row=", "seat=9&row=stall-1", "seat=0&row=stall-1"):
        assert client.get(f"/api/offers?{nothing}").get_json()["offers"] == []


def test_all_offers_of_a_seats_places_are_told_where_no_place_is_named(game_stub: StubGame, client: Any) -> None:
    game_stub.show(fair_scenes.FAIR_DICE)
    found = client.get("/api/offers?seat=1").get_json()["offers"]
    assert {offer["verb"] for offer in found} == {"complete", "move"}
    assert {place for offer in found for place in offer["places"]} == {
        *("1:cherry-pie", "1:funnel-cake", "1:turkey-leg"),
        *("1:carnival", "1:midway"),
    }
    apple = next(offer for offer in found if offer["action"] == "1 complete d6:pip-3 d6:pip-6 =funnel-cake")
    assert [die["title"] for die in apple["dice"]] == ["3", "6"]


@pytest.mark.parametrize("seat", ["", "two", "-1", "1.0", "999", "\u0661"])
def test_a_row_is_of_a_seat(seat: str, client: Any) -> None:
    assert "'seat'" in refused(client.get("/api/offers", query_string={"seat": seat, "row": "stall-1"}), 400)


def test_few_offers_that_belong_to_rows_are_shown_among_all_others_too(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.DECKS)
    shown = client.get("/api/snapshot").get_json()
    assert [(offer["action"], offer["places"]) for offer in shown["offers"]] == [
        ("2 discard =card", []),
        ("1 disk =2", ["1:2"]),
    ]
    assert [[row["taps"] for row in board["rows"]] for board in shown["boards"]] == [[], [1], [], []]


def test_many_throws_that_anybody_may_make_are_told_once(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.ANYBODY)
    (offer,) = client.get("/api/snapshot").get_json()["offers"]
    assert (offer["title"], offer["player"], offer["by_tap"]) == ("Throw any number of the dice", 0, False)


def test_few_throws_are_told_one_by_one(game_stub: StubGame, client: Any) -> None:
    game_stub.show(replace(scenes.ANYBODY, offers=scenes.ANYBODY.offers[:4]))
    offers = client.get("/api/snapshot").get_json()["offers"]
    assert [(offer["title"], offer["player"]) for offer in offers] == [(f"Throw {n} dice", 1) for n in (1, 2, 3, 4)]


def test_that_lots_are_thrown_is_told(game_stub: StubGame, client: Any) -> None:
    assert client.get("/api/snapshot").get_json()["state"]["lots"] is False
    game_stub.show(scenes.LOTS)
    assert client.get("/api/snapshot").get_json()["state"]["lots"] is True


def test_the_odds_are_told_when_asked(game_stub: StubGame, client: Any) -> None:
    chances = client.get("/api/odds").get_json()["chances"]
    assert [(chance["figure"], chance["advised"]) for chance in chances] == [
        ("22.2 %", False),
        ("312 points", True),
        ("7.76 turns", False),
    ]
    assert chances[0]["what"] == "Every die left can be parked"
    client.set_cookie("language", "de")
    figures = [chance["figure"] for chance in client.get("/api/odds").get_json()["chances"]]
    assert figures == ["22,2 %", "312 Punkte", "7,76 Züge"]
    client.delete_cookie("language")
    game_stub.show(scenes.IDLE)
    assert client.get("/api/snapshot").get_json()["odds"] is False
    assert refused(client.get("/api/odds"), 409)


def test_who_asks_for_odds_that_are_being_worked_out_is_told_when_to_ask_again(
    game_stub: StubGame, client: Any
) -> None:
    game_stub.odds_ready.clear()
    answer = client.get("/api/odds")
    assert refused(answer, 503) == "The chances are being worked out."
    assert answer.headers["Retry-After"] == "1"
    game_stub.odds_wait_s = None
    assert "Retry-After" not in client.get("/api/odds").headers


def test_a_game_is_set_up_with_trimmed_names(client: Any, game_stub: StubGame) -> None:
    asked = {"game": "intersection", "players": [" Ann ", "Bob"], "options": {"below-300": "nothing"}}
    assert client.post("/api/game", json=asked).status_code == 200
    assert game_stub.asked == [("start", "intersection", ("Ann", "Bob"), {"below-300": "nothing"}, "")]


def test_a_seat_without_a_name_is_kept_by_its_number_in_english(client: Any, game_stub: StubGame) -> None:
    asked = {"game": "intersection", "players": ["Spieler 1", "Bob", "Player 3"]}
    assert client.post("/api/game?lang=de", json=asked).status_code == 200
    assert game_stub.asked == [("start", "intersection", ("Player 1", "Bob", "Player 3"), {}, "")]


def test_a_game_that_takes_any_dice_is_set_up_with_the_chosen_ones(client: Any, game_stub: StubGame) -> None:
    asked = {"game": "dice", "players": ["Ann"], "die_set": "rollers"}
    assert client.post("/api/game", json=asked).status_code == 200
    assert game_stub.asked == [("start", "dice", ("Ann",), {}, "rollers")]


def test_a_tap_is_told_to_the_desk_and_answered_with_the_snapshot(client: Any, game_stub: StubGame) -> None:
    assert client.post("/api/act", json={"action": "1 end"}).get_json()["number"] == 4
    assert game_stub.asked == [("act", "1 end")]


def test_what_the_table_may_agree_on_is_listed_with_the_throw_that_may_not_count(
    client: Any, game_stub: StubGame
) -> None:
    game_stub.show(scenes.LEFT)
    answer = client.get("/api/agreements").get_json()
    assert [offer["action"] for offer in answer["offers"]] == ["1 skip", "1 quit", "2 quit"]
    assert [offer["title"] for offer in answer["offers"]] == ["Skip Ann", "Ann leaves the game", "Bob leaves the game"]
    assert answer["last_throw"] == scenes.LEFT.last_throw
    players = client.get("/api/snapshot").get_json()["state"]["players"]
    assert [player["left"] for player in players] == [False, False, True]
    assert client.post("/api/void", json={}).status_code == 200
    assert game_stub.asked == [("void",)]


def test_nothing_is_agreed_on_without_a_game(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    answer = client.get("/api/agreements").get_json()
    assert (answer["offers"], answer["last_throw"]) == ([], "")


def test_who_begins_is_told_with_the_set_up(client: Any, game_stub: StubGame) -> None:
    asked = {"game": "intersection", "players": ["Ann", "Bob"], "starter": 2}
    assert client.post("/api/game", json=asked).status_code == 200
    assert game_stub.asked == [("start", "intersection", ("Ann", "Bob"), {}, "", 2)]
    assert [game["turns"] for game in client.get("/api/games").get_json()["games"]] == [True, False]


def test_an_answer_a_correction_and_an_undo_reach_the_desk(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.DOUBT)
    for address, body in (
        ("/api/answer", {"question": 7, "choice": "star"}),
        ("/api/correct", {"die": 2, "face": "star"}),
        ("/api/undo", {}),
    ):
        assert client.post(address, json=body).status_code == 200
    assert game_stub.asked == [("answer", 7, "star"), ("correct", 2, "star"), ("undo",)]


def test_a_refusal_of_the_desk_keeps_its_sentence_and_its_rule(client: Any, game_stub: StubGame) -> None:
    game_stub.refusal = Refused("The signal shows slow, so the turn cannot end.", Reason.CONFLICT, "I.2-15")
    answer = client.post("/api/act", json={"action": "1 end"})
    assert answer.get_json() == {"error": "The signal shows slow, so the turn cannot end.", "rule": "I.2-15"}
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "request_and_status",
    [
        ("/api/game", {"players": ["Ann"]}, 400),
        ("/api/game", {"game": "chess", "players": ["Ann"]}, 404),
        ("/api/game", {"game": "intersection", "players": []}, 400),
        ("/api/game", {"game": "intersection", "players": "Ann"}, 400),
        ("/api/game", {"game": "intersection", "players": [3]}, 400),
        ("/api/game", {"game": "intersection", "players": [" "]}, 400),
        ("/api/game", {"game": "intersection", "players": ["Ann", "ann "]}, 400),
        ("/api/game", {"game": "intersection", "players": ["A" * 25]}, 400),
        ("/api/game", {"game": "intersection", "players": ["An\nn"]}, 400),
        ("/api/game", {"game": "intersection", "players": ["An\ud800n"]}, 400),
        ("/api/game", {"game": "intersection", "players": [f"P{seat}" for seat in range(100)]}, 400),
        ("/api/game", {"game": "dice", "players": ["Ann"], "die_set": 6}, 400),
        ("/api/game", {"game": "intersection", "players": ["Ann"], "options": ["below-300"]}, 400),
        ("/api/game", {"game": "intersection", "players": ["Ann"], "options": {"below-300": 1}}, 400),
        ("/api/game", {"game": "intersection", "players": ["Ann"], "starter": -1}, 400),
        ("/api/act", {}, 400),
        ("/api/act", {"action": ""}, 400),
        ("/api/act", {"action": 7}, 400),
        ("/api/act", {"action": "end!"}, 400),
        ("/api/act", {"action": "1 " + "x" * 300}, 400),
        ("/api/answer", {"question": 7}, 400),
        ("/api/answer", {"question": "7", "choice": "star"}, 400),
        ("/api/answer", {"question": 99, "choice": "star"}, 409),
        ("/api/correct", {"die": -1, "face": "star"}, 400),
        ("/api/correct", {"die": True, "face": "star"}, 400),
        ("/api/correct", {"die": 1.5, "face": "star"}, 400),
        ("/api/correct", {"die": 10**30, "face": "star"}, 400),
        ("/api/correct", {"die": 99, "face": "star"}, 404),
        ("/api/tray/throw", {"dice": []}, 400),
        ("/api/tray/throw", {"dice": 1}, 400),
        ("/api/tray/throw", {"dice": ["1"]}, 400),
        ("/api/tray/throw", {"dice": [99]}, 404),
        ("/api/tray/move", {"die": 1, "x": 1.2, "y": 0.5}, 400),
        ("/api/tray/move", {"die": 1, "x": "0.2", "y": 0.5}, 400),
        ("/api/tray/move", {"die": 1, "x": 0.2}, 400),
        ("/api/tray/move", {"die": 99, "x": 0.2, "y": 0.5}, 404),
        ("/api/tray/tip", {}, 400),
        ("/api/tray/tip", {"die": 99}, 404),
        ("/api/tray/twist", {"die": 1}, 400),
        ("/api/tray/twist", {"die": 1, "degrees": "30"}, 400),
        ("/api/tray/twist", {"die": 1, "degrees": True}, 400),
        ("/api/tray/twist", {"die": 1, "degrees": 361}, 400),
        ("/api/tray/twist", {"die": 99, "degrees": 30}, 404),
        ("/api/tray/knock-off", {"die": 99}, 404),
        ("/api/tray/hand", {"inside": 1}, 400),
        ("/api/tray/set-out", {"set": "tarot"}, 404),
        ("/api/tray/set-out", {"set": "strange", "look": "nobody"}, 404),
        ("/api/tray/set-out", {"set": "strange", "look": 1}, 400),
        ("/api/tray/trouble", {"kind": "on fire"}, 400),
        ("/api/tray/trouble", {}, 400),
        ("/api/tray/stage", {}, 400),
        ("/api/tray/stage", {"name": "turn", "dice": "2"}, 400),
        ("/api/tray/stage", {"name": "turn", "dice": [99]}, 404),
        ("/api/tray/stage", {"name": "vanish"}, 404),
    ],
)
def test_a_bad_request_gets_one_sentence_and_changes_nothing(
    client: Any, game_stub: StubGame, tray: StubSimulator, request_and_status: tuple[str, Any, int]
) -> None:
    address, body, status = request_and_status
    assert refused(client.post(address, json=body), status)
    assert game_stub.asked == []
    assert tray.asked == []


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b"null", b"\xff\xfe", b"[" * 60_000, b'{"die": NaN, "x": NaN}', b'{"die": ' + b"9" * 5000],
)
def test_a_body_that_is_no_json_object_is_refused_everywhere(client: Any, address: str, body: bytes) -> None:
    if address in ("/api/undo", "/api/void") and body.startswith(b'{"die": NaN'):
        body = b"true"
    assert refused(client.post(address, data=body, content_type="application/json"), 400)


@pytest.mark.parametrize("address", GOOD)
def test_a_form_from_any_page_is_refused_for_its_content_type(client: Any, address: str) -> None:
    body = json.dumps(GOOD[address])
    assert refused(client.post(address, data=body, content_type="text/plain"), 415)
    assert refused(client.post(address, data={"action": "1 end"}), 415)


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://localhost:99", "http://[", "nonsense"])
def test_another_pages_request_is_refused_for_its_origin(client: Any, address: str, origin: str) -> None:
    assert refused(client.post(address, json=GOOD[address], headers={"Origin": origin}), 403)


@pytest.mark.parametrize("address", GOOD)
def test_the_tablets_own_page_is_served(client: Any, address: str) -> None:
    answer = client.post(address, json=GOOD[address], headers={"Origin": "http://localhost"})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("address", GOOD)
def test_a_request_over_64_kib_is_refused_for_its_size(client: Any, address: str) -> None:
    body = json.dumps({**GOOD[address], "padding": "x" * 70_000})
    assert refused(client.post(address, data=body, content_type="application/json"), 413)


def test_an_unknown_address_and_a_wrong_method_get_a_sentence(client: Any) -> None:
    assert refused(client.get("/api/nothing"), 404)
    assert refused(client.post("/api/nothing", data="x"), 404)
    answer = client.get("/api/act")
    assert refused(answer, 405)
    assert "POST" in answer.headers["Allow"]
    page = client.get("/nothing")
    assert page.status_code == 404
    assert page.mimetype == "text/html"
    assert "the table is at /" in page.text


def test_a_stumble_of_the_desk_is_said_without_a_traceback(client: Any, game_stub: StubGame) -> None:
    game_stub.refusal = RuntimeError("the disk is on fire")  # type: ignore[assignment]
    sentence = refused(client.post("/api/undo", json={}), 500)
    assert "fire" not in sentence


@pytest.mark.parametrize("address", ["/", "/tray", "/nothing", "/api/snapshot", "/view.jpg", "/static/table.js"])
def test_every_answer_carries_the_strict_headers(client: Any, address: str) -> None:
    answer = client.get(address)
    headers = answer.headers
    answer.close()
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    kept = "no-cache" if address.startswith("/static") else "no-store"
    assert headers["Cache-Control"] == kept


def test_pictures_are_jpegs_that_a_browser_asks_for_only_once(client: Any) -> None:
    answer = client.get("/pictures/crop-happy.jpg")
    assert answer.mimetype == "image/jpeg"
    assert answer.data.startswith(b"\xff\xd8")
    again = client.get("/pictures/crop-happy.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    for address in ("/view.jpg", "/camera.jpg", "/tray.jpg"):
        assert client.get(address).data.startswith(b"\xff\xd8"), address


def test_a_face_is_pictured_once_somebody_said_what_shows_it(client: Any, bare_client: Any) -> None:
    address = "/faces/intersection/traffic/sad.jpg"
    picture = client.get(address)
    assert (picture.mimetype, picture.data[:2]) == ("image/jpeg", b"\xff\xd8")
    assert client.get(address, headers={"If-None-Match": picture.headers["ETag"]}).status_code == 304
    for unknown in (client.get("/faces/intersection/traffic/happy.jpg"), bare_client.get(address)):
        assert (unknown.status_code, unknown.data) == (204, b"")
        assert unknown.headers["Cache-Control"] == "max-age=60"


def test_a_die_says_which_other_kinds_have_its_face_and_may_be_corrected_to_one(
    client: Any, game_stub: StubGame
) -> None:
    game_stub.show(scenes.SAME_FACES)
    two, star = client.get("/api/snapshot").json["dice"]
    assert two["kinds"] == [{"kind": "rollers-black", "title": "Black die", "faces": []}]
    (black,) = star["kinds"]  # which has no star: one of its own faces is chosen
    assert [face["title"] for face in black["faces"]] == ["1", "2", "3", "4", "5", "Zap"]
    assert client.post("/api/correct", json={"die": 1, "face": "pip-2", "kind": "rollers-black"}).status_code == 200
    assert game_stub.asked[-1] == ("correct", 1, "pip-2", "rollers-black")


def test_an_answer_may_be_for_one_die_alone(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.ALIKE)
    assert client.post("/api/answer", json={"question": 41, "choice": "happy", "die": 2}).status_code == 200
    assert game_stub.asked[-1] == ("answer", 41, "happy", 2)


def test_a_question_says_which_dice_it_is_about_and_where_its_answers_are_pictured(
    client: Any, game_stub: StubGame
) -> None:
    game_stub.show(scenes.ALIKE)
    (alike,) = client.get("/api/snapshot").json["questions"]
    assert (alike["topic"], alike["dice"], alike["die"], alike["crops"]) == ("face", [1, 2, 3], 0, ["crop-sad"] * 3)
    assert alike["choices"][0] == {
        "answer": "sad",
        "title": "All sad",
        "likely": True,
        "picture": "/faces/intersection/traffic/sad.jpg",
        "before": [],
        "after": [],
        "seat": 0,
        "turn": 0,
        "points": 0,
        "steps": [],
    }
    assert (alike["choices"][-1]["likely"], alike["choices"][-1]["picture"]) == (False, "")
    game_stub.show(scenes.WHICH)
    (which,) = client.get("/api/snapshot").json["questions"]
    assert [choice["picture"] for choice in which["choices"]][:2] == ["/pictures/crop-3.jpg", "/pictures/crop-5.jpg"]


def test_an_answer_says_what_it_makes_of_the_table(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.MANY_WAYS)
    (question,) = client.get("/api/snapshot").json["questions"]
    assert question["seat"] == 1
    first = question["choices"][0]
    assert [die["title"] for die in first["before"]] == ["Two", "Sad"]
    assert [die["title"] for die in first["after"]] == ["Happy", "Star"]
    assert (first["seat"], first["turn"], first["points"]) == (1, 1, 300)
    assert [step["title"] for step in first["steps"]] == ["Park the star", "Mend the sad"]


def test_a_die_says_where_it_lies_in_the_picture_of_the_tray(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.PICTURED)
    shown = client.get("/api/snapshot").json
    assert shown["tray_picture"] == "evidence-1"
    assert shown["dice"][0]["ring"] == {"x": 0.1, "y": 0.3, "edge": 0.06}


def test_the_picture_of_a_virtual_tray_is_not_that_of_a_room(bare_client: Any) -> None:
    assert "real tray" in refused_page(bare_client.get("/tray.jpg"), 404)


def test_a_tray_that_is_not_seen_is_said_in_one_sentence(game_stub: StubGame, client: Any) -> None:
    game_stub.sees_tray = False
    assert "does not see the tray" in refused_page(client.get("/view.jpg"), 404)
    assert client.get("/camera.jpg").status_code == 200


def refused_page(answer: Any, status: int) -> str:
    """The page of a refusal at an address that is not the API's."""
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    return str(answer.text)


@pytest.mark.parametrize("name", ["nothing", "..", "..%2f..%2fetc", "a b", "x" * 200, ".hidden"])
def test_an_unknown_picture_is_not_found(client: Any, name: str) -> None:
    assert client.get(f"/pictures/{name}.jpg").status_code == 404


def test_live_events_are_whole_snapshots_with_their_numbers(game_stub: StubGame) -> None:
    client = create_app(Backends(game_stub), heartbeat_s=0.01).test_client()
    with client.get("/api/live", buffered=False) as answer:
        assert answer.mimetype == "text/event-stream"
        retry, event, *quiet = (part.decode() for part in islice(answer.response, 4))
    assert retry.startswith("retry: ")
    number, _, snapshot = event.partition("\n")
    assert number == "id: 3"
    assert json.loads(snapshot.removeprefix("data: ")) == client.get("/api/snapshot").get_json()
    assert all(each.startswith(":") for each in quiet)


def test_a_reconnect_hears_only_what_is_new(game_stub: StubGame) -> None:
    client = create_app(Backends(game_stub), stream_s=0.05).test_client()
    assert "data:" not in client.get("/api/live", headers={"Last-Event-ID": "3"}).text
    game_stub.show(scenes.BREACH)
    assert "id: 4\n" in client.get("/api/live", headers={"Last-Event-ID": "3"}).text
    assert "id: 4\n" in client.get("/api/live", headers={"Last-Event-ID": "no number"}).text


def test_a_stream_too_many_is_refused_and_an_ended_one_makes_room(game_stub: StubGame) -> None:
    client = create_app(Backends(game_stub), stream_s=0.05, streams=1).test_client()
    client.head("/api/live").close()
    first = client.get("/api/live", buffered=False)
    assert refused(client.get("/api/live"), 503)
    first.close()
    client.get("/api/live").close()
    assert client.get("/api/live").status_code == 200


def test_the_hands_of_the_tray_are_told_and_the_game_hears_nothing(
    client: Any, tray: StubSimulator, game_stub: StubGame
) -> None:
    for address, body in GOOD.items():
        if address.startswith("/api/tray/"):
            assert client.post(address, json=body).status_code == 200
    assert tray.asked == [
        ("throw", (1, 2)),
        ("move", 1, 0.5, 0.25),
        ("tip", 2),
        ("twist", 2, -30.0),
        ("knock-off", 3),
        ("set-aside", (1,)),
        ("put-back", (("traffic", "two", "field"),)),
        ("hand", True),
        ("set-out", "strange", "unseen-1"),
        ("trouble", "covered"),
        ("stage", "turn", (2,)),
    ]
    assert game_stub.asked == []


def test_the_situations_are_listed_with_what_people_mean_by_them(client: Any) -> None:
    listed = client.get("/api/tray/situations").get_json()["situations"]
    assert listed[0] == {"name": "turn", "title": "A die is turned with two fingers", "intent": "cheat"}


def test_the_cupboard_says_what_can_be_put_out_and_what_is_out(client: Any) -> None:
    held = client.get("/api/tray/cupboard").get_json()
    assert held["sets"][1] == {"name": "strange", "title": "Strange dice"}
    assert held["looks"][0] == {"name": "house-1", "title": "Vander (look 1)"}
    assert held["out"] == {"set": "intersection", "look": "house-1"}
    assert client.post("/api/tray/set-out", json={"set": "strange"}).status_code == 200
    assert client.get("/api/tray/cupboard").get_json()["out"] == {"set": "strange", "look": "house-1"}


def test_the_tray_never_says_what_a_die_shows(client: Any) -> None:
    dice = client.get("/api/tray/dice").get_json()["dice"]
    assert len(dice) == 6
    told = {"number", "kind", "x", "y", "edge", "place", "upright_x", "upright_y"}
    assert all(set(die) == told for die in dice)


def test_a_table_with_a_real_tray_has_no_virtual_one(bare_client: Any) -> None:
    for address in ("dice", "cupboard"):
        assert "real tray" in refused(bare_client.get(f"/api/tray/{address}"), 404)
    for address, body in GOOD.items():
        if address.startswith("/api/tray/"):
            assert refused(bare_client.post(address, json=body), 404)
    page = bare_client.get("/tray")
    assert page.status_code == 404
    assert "real tray" in page.text
    assert 'id="to-tray"' not in bare_client.get("/").text
