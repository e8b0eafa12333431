"""Who may do what: what each address answers to watchers, players and keepers, and to other sites."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from access_scene import ELSEWHERE, PowerSwitch, from_elsewhere, join, routes
from browsers import tablet
from flask import Flask
from stub_game import StubGame, StubSimulator
from test_caller_routes import ROLES as CALLER_ROLES
from test_camera_routes import ROLES as CAMERA_ROLES
from test_challenge_routes import ROLES as CHALLENGE_ROLES
from test_game_routes import GOOD, refused
from test_game_routes import ROLES as GAME_ROLES
from test_hall_link_routes import ROLES as HALL_LINK_ROLES
from test_learning_routes import ROLES as LEARNING_ROLES
from test_overlays import ROLES as OVERLAY_ROLES
from test_phone_camera_routes import ROLES as PHONE_CAMERA_ROLES
from test_player_routes import ROLES as PLAYER_ROLES
from test_tray_corners_routes import ROLES as CORNER_ROLES

from referee.journal import NOBODY, Actor
from vander.access import PairingService
from vander.access.page_addresses import qr_svg
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.authorization import required_role
from web.endpoints import JSON, endpoint_of
from web.openapi import path_of
from web.schemas.access_schemas import Role, joining_url

DECIDING = "You are watching. Join in to decide."
KEEPERS = "This is for the table's keeper alone; a keeper can make your tablet one, too."
ROLES = {
    "GET /api/description.json": Role.WATCHER,
    "GET /api/addresses": Role.WATCHER,
    "GET /join.svg": Role.WATCHER,
    "GET /away": Role.WATCHER,
    "GET /https": Role.WATCHER,
    "GET /https.svg": Role.WATCHER,
    "GET /vander.crt": Role.WATCHER,
    "GET /mat/{paper}.pdf": Role.WATCHER,
    "GET /start": Role.KEEPER,
    "GET /welcome": Role.KEEPER,
    "GET /manifest.webmanifest": Role.WATCHER,
    "GET /service-worker.js": Role.WATCHER,
    "GET /api/door": Role.WATCHER,
    "POST /api/door/ask": Role.WATCHER,
    "POST /api/door/pair": Role.WATCHER,
    "GET /pair": Role.WATCHER,
    "GET /static/{filename}": Role.WATCHER,
    "POST /api/door/leave": Role.CAMERA,
    "POST /api/door/allow": Role.KEEPER,
    "GET /api/box": Role.KEEPER,
    "POST /api/box/power-off": Role.KEEPER,
    "GET /api/doctor": Role.KEEPER,
    "POST /api/doctor/accept": Role.KEEPER,
    "POST /api/doctor/pack": Role.KEEPER,
    "POST /api/door/seats": Role.KEEPER,
    "POST /api/door/tablets/{number}/bind": Role.KEEPER,
    "POST /api/door/tablets/{number}/entrust": Role.KEEPER,
    "POST /api/door/tablets/{number}/forget": Role.KEEPER,
    "POST /api/door/tablets/{number}/rename": Role.KEEPER,
    "GET /box": Role.KEEPER,
    "GET /doctor": Role.KEEPER,
    "GET /api/sight": Role.KEEPER,
}
"""The role that each route of these tests requires: a change of authorization is a change of this list."""


def test_every_route_requires_the_role_that_the_list_has(app: Flask) -> None:
    found = {
        f"{method} {path_of(rule)}": required_role(app, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method in ("GET", "POST")
    }
    of_the_tray = (CAMERA_ROLES, PHONE_CAMERA_ROLES, CORNER_ROLES, HALL_LINK_ROLES)
    own = (CALLER_ROLES, CHALLENGE_ROLES, GAME_ROLES, LEARNING_ROLES, OVERLAY_ROLES, PLAYER_ROLES, *of_the_tray)
    assert found == ROLES | {route: role for roles in own for route, role in roles.items()}


def posted(app: Flask, method: str, endpoint: str) -> dict[str, Any]:
    """What is posted to a route, if anything is: a JSON object, or what it takes instead."""
    takes = endpoint_of(app, endpoint).takes
    return {"json": {}} if method == "POST" and takes == JSON else {"data": b"", "content_type": takes}


def test_a_route_that_names_no_role_is_for_keepers() -> None:
    app = Flask("empty")
    app.add_url_rule("/new", "new", lambda: "")
    assert required_role(app, "new") is Role.KEEPER


def test_every_address_is_open_to_whom_it_should_be_and_to_nobody_less(
    app: Flask, watcher: Any, player: Any, keeper: Any
) -> None:
    turned_away = 0
    for method, address, endpoint in routes(app):
        least = required_role(app, endpoint)
        for role, client in ((Role.WATCHER, watcher), (Role.PLAYER, player)):
            if role < least:
                answer = client.open(address, method=method, **posted(app, method, endpoint))
                assert answer.status_code == 403, (address, role)
                turned_away += 1
    assert turned_away > 50


def test_a_stranger_is_turned_away_whatever_is_sent(app: Flask, watcher: Any, player: Any) -> None:
    for method, address, endpoint in routes(app):
        for role, client in ((Role.WATCHER, watcher), (Role.PLAYER, player)):
            if method == "POST" and role < required_role(app, endpoint):
                for kind in ("application/json", "image/jpeg", "audio/wav", "text/plain"):
                    answer = client.post(address, data=b"{", content_type=kind, headers={"X-Vander": ""})
                    assert refused(answer, 403) in (DECIDING, KEEPERS), (address, role, kind)


def test_no_address_turns_a_keeper_away(app: Flask, keeper: Any) -> None:
    for method, address, _ in routes(app):
        if address.endswith(("/forget", "/leave")):
            continue
        with keeper.open(address, method=method, json={} if method == "POST" else None) as answer:
            assert answer.status_code != 403, address


def test_a_request_that_is_turned_away_changes_nothing(
    watcher: Any, player: Any, game_stub: StubGame, tray: StubSimulator, switch: PowerSwitch
) -> None:
    for address, body in GOOD.items():
        assert refused(watcher.post(address, json=body), 403) == DECIDING
    assert (game_stub.asked, tray.asked) == ([], [])
    assert refused(player.post("/api/box/power-off", json={"sure": True}), 403) == KEEPERS
    assert switch.off == 0


def test_who_has_joined_in_decides(player: Any) -> None:
    for address, body in GOOD.items():
        assert player.post(address, json=body).status_code == 200, address


def test_the_journal_is_told_whose_tablet_decides(watcher: Any, pairing: PairingService, game_stub: StubGame) -> None:
    join(watcher, pairing, "Ann's phone")
    for address in ("/api/act", "/api/correct", "/api/undo", "/api/void"):
        game_stub.by = NOBODY
        assert watcher.post(address, json=GOOD[address]).status_code == 200, address
        assert game_stub.by == Actor("Ann's phone"), address


def test_a_bound_phone_has_its_players_seat(keeper: Any, player: Any, game_stub: StubGame) -> None:
    number = player.get("/api/door").get_json()["tablet"]["number"]
    box = keeper.post(f"/api/door/tablets/{number}/bind", json={"player": "Bob"}).get_json()
    assert [tablet["player"] for tablet in box["tablets"]] == ["", "Bob"]
    assert box["seats"] == {"own_seat_only": False, "confirm": False, "players": ["Ann", "Bob", "Cy"]}
    assert player.post("/api/act", json={"action": "2 end"}).status_code == 200
    assert game_stub.by == Actor("Phone", 2)
    assert keeper.post("/api/act", json={"action": "2 end"}).status_code == 200
    assert game_stub.by == Actor("Kitchen", 0)


def test_the_tables_choices_about_phones_are_kept_and_only_a_keeper_overrides(
    keeper: Any, player: Any, game_stub: StubGame, pairing: PairingService
) -> None:
    choices = {"own_seat_only": True, "confirm": True}
    assert keeper.post("/api/door/seats", json=choices).get_json()["seats"]["confirm"] is True
    assert (pairing.seat_rules().own_seat_only, pairing.seat_rules().confirm) == (True, True)
    for client, overrides in ((keeper, True), (player, False)):
        assert client.post("/api/confirm", json={"number": 12, "agrees": True}).status_code == 200
        assert game_stub.asked[-1] == ("confirm", 12, True, overrides)


def test_a_page_that_is_the_keepers_says_so_with_the_way_in(watcher: Any, player: Any) -> None:
    page = watcher.get("/dice")
    assert page.status_code == 403
    assert page.mimetype == "text/html"
    assert 'href="/pair"' in page.text
    assert 'href="/pair"' not in player.get("/dice").text


def test_without_a_door_everybody_is_the_keeper_and_nobody_joins_in(client: Any) -> None:
    client.environ_base.update(ELSEWHERE)
    told = client.get("/api/door").get_json()
    assert (told["door"], told["role"], told["code"]) == (False, "keeper", None)
    assert client.post("/api/undo", json={}).status_code == 200
    assert client.get("/box").status_code == 200
    assert "nobody needs to join in" in refused(client.post("/api/door/pair", json={"code": [1] * 6}), 404)
    assert client.get("/pair").status_code == 404
    assert "door.js" not in client.get("/").text


def test_joining_in_hands_over_a_key_that_only_the_browser_knows(watcher: Any, pairing: PairingService) -> None:
    answer = join(watcher, pairing, " Kitchen ")
    assert answer.get_json() == {"role": "keeper", "tablet": {"number": 1, "name": "Kitchen"}}
    (cookie,) = answer.headers.getlist("Set-Cookie")
    for word in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=31536000"):
        assert word in cookie
    assert watcher.get("/api/door").get_json()["role"] == "keeper"
    assert "Max-Age=31536000" in watcher.get("/api/door").headers["Set-Cookie"]  # the year begins anew
    assert "joined in already" in refused(watcher.post("/api/door/pair", json={"code": [1] * 6}), 409)


def test_a_tablet_leaves_and_only_watches(player: Any, watcher: Any) -> None:
    assert player.post("/api/door/leave", json={}).status_code == 200
    assert player.get("/api/door").get_json()["role"] == "watcher"
    assert refused(watcher.post("/api/door/leave", json={}), 403)


def test_a_key_that_is_none_is_a_watchers(watcher: Any) -> None:
    for key in ("x", "\u00e9", "x" * 3000, '"', "a=b"):
        watcher.set_cookie("vander", key)
        assert watcher.get("/api/door").get_json()["role"] == "watcher", key


def test_the_code_is_told_to_keepers_and_to_nobody_else(
    app: Flask, watcher: Any, player: Any, keeper: Any, at_the_box: Any, pairing: PairingService
) -> None:
    told = watcher.post("/api/door/ask", json={}).get_json()
    code = list(pairing.code() or ())
    assert told["code"] is None
    assert (told["asking"]["shown"], told["asking"]["tries"]) == (True, 5)
    for client in (keeper, at_the_box):
        assert client.get("/api/door").get_json()["code"] == code
    secret = {json.dumps(code), json.dumps(code, separators=(",", ":")), " ".join(map(str, code))}
    for method, address, endpoint in routes(app):
        if method == "GET" and endpoint != "events.live":
            for client in (watcher, player):
                with client.get(address) as answer:
                    assert not any(form in answer.get_data().decode("latin-1") for form in secret), address


def test_wrong_tries_are_told_and_then_the_wait(watcher: Any, pairing: PairingService) -> None:
    watcher.post("/api/door/ask", json={})
    guess = [face % 6 + 1 for face in pairing.code() or ()]
    for left in ("4 tries are", "3 tries are", "2 tries are", "one try is"):
        assert left in refused(watcher.post("/api/door/pair", json={"code": guess}), 403)
    assert "too many" in refused(watcher.post("/api/door/pair", json={"code": guess}), 403)
    answer = watcher.post("/api/door/ask", json={})
    assert "30 seconds" in refused(answer, 429)
    assert answer.headers["Retry-After"] == "30"
    assert watcher.get("/api/door").get_json()["asking"]["wait_s"] > 29


NO_CODES: list[dict[str, Any]] = [
    {}, {"code": 1}, {"code": "123456"}, {"code": [1] * 5}, {"code": [1] * 7}, {"code": [0] * 6}, {"code": [7] * 6},
    {"code": [1.0] * 6}, {"code": [True] * 6}, {"code": ["1"] * 6}, {"code": [1] * 6, "name": 3},
    {"code": [1] * 6, "name": "x" * 25}, {"code": [1] * 6, "name": "a\nb"},
]  # fmt: skip


def test_a_code_that_is_malformed_costs_no_try(watcher: Any, pairing: PairingService) -> None:
    watcher.post("/api/door/ask", json={})
    for body in NO_CODES:
        assert refused(watcher.post("/api/door/pair", json=body), 400), body
    assert pairing.pairing_status().tries == 5


@pytest.mark.parametrize(
    ("peer", "host", "header", "role"),
    [
        ("127.0.0.1", "localhost:8080", "", "keeper"),
        ("127.0.0.1", "127.0.0.1", "", "keeper"),
        ("::1", "[::1]:8080", "", "keeper"),
        ("::ffff:127.0.0.1", "localhost", "", "keeper"),
        ("192.168.1.20", "localhost", "", "watcher"),
        ("127.0.0.1", "vander.local", "", "watcher"),
        ("127.0.0.1", "192.168.1.2:8080", "", "watcher"),
        ("127.0.0.1", "localhost", "X-Forwarded-For", "watcher"),
        ("127.0.0.1", "localhost", "X-Forwarded-Host", "watcher"),
        ("127.0.0.1", "localhost", "Forwarded", "watcher"),
        ("127.0.0.1", "localhost", "Via", "watcher"),
        ("127.0.0.1", "localhost", "X-Real-IP", "watcher"),
    ],
)
def test_only_a_browser_on_the_box_itself_is_the_keeper_without_a_code(
    peer: str, host: str, header: str, role: str, at_the_box: Any
) -> None:
    headers = {"Host": host} | ({header: "192.168.1.9"} if header else {})
    told = at_the_box.get("/api/door", headers=headers, environ_overrides={"REMOTE_ADDR": peer}).get_json()
    assert told["role"] == role
    assert told["at_the_box"] is (role == "keeper")


def test_the_box_itself_need_not_be_trusted(tmp_path: Path, game_stub: StubGame) -> None:
    client = tablet(create_app(Backends(game_stub, access=PairingService(tmp_path / "..", trust_local=False))))
    assert client.get("/api/door").get_json()["role"] == "watcher"
    client.set_cookie("vander", (tmp_path / ".." / "box.key").read_text("ascii"))
    told = client.get("/api/door").get_json()
    assert (told["role"], told["tablet"]["name"]) == ("keeper", "The box itself")


def test_the_keeper_sees_the_tablets_and_what_was_chosen(keeper: Any, player: Any) -> None:
    told = keeper.get("/api/box").get_json()
    assert [(one["number"], one["name"], one["role"], one["own"]) for one in told["tablets"]] == [
        (1, "Kitchen", "keeper", True),
        (2, "Phone", "player", False),
    ]
    assert told["chosen"] == [{"name": "port", "value": "8080", "meaning": "the port to serve on"}]
    assert told["power_off"] is True


def test_a_keeper_renames_entrusts_and_forgets_tablets(keeper: Any, player: Any) -> None:
    told = keeper.post("/api/door/tablets/2/rename", json={"name": " Oma "}).get_json()
    assert told["tablets"][1]["name"] == "Oma"
    keeper.post("/api/door/tablets/2/entrust", json={"keeper": True})
    assert player.get("/dice").status_code == 200
    keeper.post("/api/door/tablets/2/entrust", json={"keeper": False})
    assert player.get("/dice").status_code == 403
    assert keeper.post("/api/door/tablets/2/forget", json={}).status_code == 200
    assert player.get("/api/door").get_json()["role"] == "watcher"
    for what, body in (("rename", {"name": "x"}), ("entrust", {"keeper": True}), ("forget", {})):
        assert "no such tablet" in refused(keeper.post(f"/api/door/tablets/2/{what}", json=body), 404)
    assert refused(keeper.post("/api/door/tablets/1/rename", json={"name": " "}), 400)
    assert refused(keeper.post("/api/door/tablets/1/entrust", json={"keeper": "yes"}), 400)
    for number in ("0x1", "-1", "99999999999999999999"):
        assert refused(keeper.post(f"/api/door/tablets/{number}/forget", json={}), 404)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/door/tablets/1/entrust", {"keeper": False}),
        ("/api/door/tablets/1/forget", {}),
        ("/api/door/leave", {}),
    ],
)
def test_the_last_keeper_goes_only_when_that_is_confirmed_and_the_next_tablet_is_a_player(
    address: str, body: dict[str, Any], keeper: Any, watcher: Any, at_the_box: Any, pairing: PairingService
) -> None:
    assert keeper.get("/api/door").get_json()["last_keeper"]
    for refusing in ({}, {"confirm": False}):
        assert "last keeper" in refused(keeper.post(address, json=body | refusing), 409)
    assert refused(keeper.post(address, json=body | {"confirm": "yes"}), 400)
    assert keeper.get("/api/door").get_json()["role"] == "keeper"
    assert keeper.post(address, json=body | {"confirm": True}).status_code == 200
    told = watcher.get("/api/door").get_json()
    assert (told["has_keeper"], told["last_keeper"]) == (False, False)
    assert join(watcher, pairing).get_json()["role"] == "player"
    at_the_box.post("/api/door/ask", json={})
    assert at_the_box.get("/api/door").get_json()["asking"]["makes_keeper"]


def test_one_of_two_keepers_goes_without_a_confirmation(keeper: Any, player: Any) -> None:
    keeper.post("/api/door/tablets/2/entrust", json={"keeper": True})
    assert not keeper.get("/api/door").get_json()["last_keeper"]
    assert keeper.post("/api/door/leave", json={}).status_code == 200


def test_after_three_unused_codes_people_ask_in_vain_until_a_keeper_allows_more(
    watcher: Any, player: Any, keeper: Any, pairing: PairingService
) -> None:
    for _ in range(3):
        assert watcher.post("/api/door/ask", json={}).status_code == 200
        pairing.close()  # as when nobody uses the code
    sentence = refused(watcher.post("/api/door/ask", json={}), 409)
    assert sentence == "Three codes were shown and not used. Ask a keeper to allow more, or press the box's button."
    assert refused(player.post("/api/door/ask", json={}), 409) == sentence
    told = watcher.get("/api/door").get_json()["asking"]
    assert (told["shown"], told["refused"]) == (False, True)
    assert keeper.get("/api/box").get_json()["codes_refused"]
    assert refused(player.post("/api/door/allow", json={}), 403)
    assert not keeper.post("/api/door/allow", json={}).get_json()["codes_refused"]
    assert watcher.post("/api/door/ask", json={}).get_json()["asking"]["shown"]


def test_only_the_keeper_sees_the_room(watcher: Any, player: Any, keeper: Any) -> None:
    kept = keeper.get("/pictures/old-1.jpg")
    assert keeper.get("/camera.jpg").status_code == kept.status_code == 200
    for client in (watcher, player):
        assert client.get("/view.jpg").status_code == 200
        assert client.get("/camera.jpg").status_code == 403
        assert client.get("/pictures/old-1.jpg").status_code == 403
        assert client.get("/pictures/old-1.jpg", headers={"If-None-Match": kept.headers["ETag"]}).status_code == 403


def test_the_box_is_shut_down_when_the_keeper_is_sure(keeper: Any, switch: PowerSwitch) -> None:
    for body in ({"sure": False}, {"sure": 1}, {"sure": 1.0}, {"sure": "true"}, {}):
        assert refused(keeper.post("/api/box/power-off", json=body), 400), body
    assert switch.off == 0
    assert keeper.post("/api/box/power-off", json={"sure": True}).get_json() == {"done": True}
    assert switch.off == 1
    switch.broken = "the box may not shut itself down"
    assert refused(keeper.post("/api/box/power-off", json={"sure": True}), 503) == "The box may not shut itself down."


def test_a_box_without_a_switch_is_not_shut_down(client: Any) -> None:
    assert "cannot be shut down" in refused(client.post("/api/box/power-off", json={"sure": True}), 404)


def test_the_page_tells_the_addresses_that_phones_can_open(watcher: Any, app: Flask) -> None:
    asked = watcher.get("/api/addresses", base_url="http://192.168.1.9:8080")
    assert asked.json == {"urls": ["http://192.168.1.9:8080"]}
    app.extensions["backends"] = replace(app.extensions["backends"], page_urls=lambda: ("http://10.0.0.7:8080",))
    assert watcher.get("/api/addresses").json == {"urls": ["http://10.0.0.7:8080"]}


def test_a_page_that_only_the_box_can_open_has_no_code_to_scan(at_the_box: Any) -> None:
    assert at_the_box.get("/api/addresses").json == {"urls": []}
    answer = at_the_box.get("/join.svg")
    assert answer.status_code == 404
    assert "Only the box itself can open this page" in answer.text


def test_the_code_is_in_what_keepers_scan_and_in_nothing_else(
    watcher: Any, keeper: Any, app: Flask, pairing: PairingService
) -> None:
    app.extensions["backends"] = replace(app.extensions["backends"], page_urls=lambda: ("http://10.0.0.7:8080",))
    pairing.show_code(keeper=True)
    page, code = "http://10.0.0.7:8080", pairing.code() or ()
    assert watcher.get("/join.svg").data == qr_svg(joining_url(page))
    shown = keeper.get("/join.svg")
    assert shown.data == qr_svg(joining_url(page, code))
    assert shown.headers["Cache-Control"] == "no-store"
    assert joining_url(page, code) == f"{page}/pair#{''.join(map(str, code))}"


def test_a_tablet_may_join_in_by_https_and_by_http(app: Flask, pairing: PairingService) -> None:
    phone = from_elsewhere(app)
    secure = {"base_url": "https://192.168.1.9:8443"}
    phone.post("/api/door/ask", json={}, **secure)
    assert phone.post("/api/door/pair", json={"code": list(pairing.code() or ())}, **secure).status_code == 200
    assert phone.get("/api/door", **secure).json["role"] == "keeper"
    plain = {"base_url": "http://192.168.1.9:8080"}
    assert phone.get("/api/door", **plain).json["role"] == "watcher", "a secure key is never sent in the clear"
    phone.post("/api/door/ask", json={}, **plain)
    assert phone.post("/api/door/pair", json={"code": list(pairing.code() or ())}, **plain).status_code == 200
    assert phone.get("/api/door", **plain).json["role"] != "watcher"
    assert phone.get("/api/door", **secure).json["role"] == "keeper"
    assert phone.post("/api/door/leave", json={"confirm": True}, **secure).status_code == 200
    assert phone.get("/api/door", **secure).json["role"] == "watcher"
