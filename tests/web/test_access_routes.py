"""Who may do what: what each address answers to watchers, players and keepers, and to other sites."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import tablet
from flask import Flask
from required_roles import REQUIRED_ROLES
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_game_routes import GOOD, refused

from vander.access import PairingService
from web import Backends, create_app
from web.authorization import required_role
from web.events import MOST_OF_ONE
from web.openapi import path_of
from web.schemas.access_schemas import ListedSetting
from web.services.access_protocol import Role
from web.trusted_hosts import host_name, is_loopback, is_trusted_host

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
DECIDING = "You are watching. Join in to decide."
KEEPERS = "This is for the table's keeper alone; a keeper can make your tablet one, too."


class Switch:
    """The box's power, as far as it can be switched off."""

    def __init__(self) -> None:
        self.off, self.broken = 0, ""

    def __call__(self) -> None:
        if self.broken:
            raise OSError(self.broken)
        self.off += 1


@pytest.fixture
def door(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path, names=["dice.example"])
    yield keeper
    keeper.close()


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def app(
    desk: StubGame,
    tray: StubSimulator,
    teaching: StubLearning,
    checks: StubChecks,
    door: PairingService,
    switch: Switch,
) -> Flask:
    chosen = (ListedSetting("port", "8080", "the port to serve on"),)
    return create_app(Backends(desk, tray, teaching, checks, None, door, switch, chosen), stream_s=0.05)


def from_elsewhere(app: Flask) -> Any:
    """A browser on another machine in the network."""
    client = tablet(app)
    client.environ_base.update(ELSEWHERE)
    return client


@pytest.fixture
def watcher(app: Flask) -> Any:
    return from_elsewhere(app)


@pytest.fixture
def at_the_box(app: Flask) -> Any:
    return tablet(app)


def join(client: Any, door: PairingService, name: str = "") -> Any:
    """Join in with the code that the box shows."""
    client.post("/api/door/ask", json={})
    answer = client.post("/api/door/pair", json={"code": list(door.code() or ()), "name": name})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.fixture
def keeper(app: Flask, door: PairingService) -> Any:
    client = from_elsewhere(app)
    join(client, door, "Kitchen")
    return client


@pytest.fixture
def player(app: Flask, keeper: Any, door: PairingService) -> Any:
    client = from_elsewhere(app)
    join(client, door, "Phone")
    return client


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """Every address with its method and its endpoint, with something in the place of what varies."""
    found = []
    for rule in app.url_map.iter_rules():
        values = {name: 1 if name == "number" else "d6" for name in rule.arguments}
        _, address = rule.build(values) or ("", "")
        found += [
            (method, address, rule.endpoint) for method in sorted(rule.methods or ()) if method in ("GET", "POST")
        ]
    return sorted(found)


def test_every_route_requires_the_role_that_the_list_has(app: Flask) -> None:
    found = {
        f"{method} {path_of(rule)}": required_role(app, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method in ("GET", "POST")
    }
    assert found == REQUIRED_ROLES


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
                answer = client.open(address, method=method, json={} if method == "POST" else None)
                assert answer.status_code == 403, (address, role)
                turned_away += 1
    assert turned_away > 50


def test_no_address_turns_a_keeper_away(app: Flask, keeper: Any) -> None:
    for method, address, _ in routes(app):
        if address.endswith(("/forget", "/leave")):
            continue
        with keeper.open(address, method=method, json={} if method == "POST" else None) as answer:
            assert answer.status_code != 403, address


def test_a_request_that_is_turned_away_changes_nothing(
    watcher: Any, player: Any, desk: StubGame, tray: StubSimulator, switch: Switch
) -> None:
    for address, body in GOOD.items():
        assert refused(watcher.post(address, json=body), 403) == DECIDING
    assert (desk.asked, tray.asked) == ([], [])
    assert refused(player.post("/api/box/power-off", json={"sure": True}), 403) == KEEPERS
    assert switch.off == 0


def test_who_has_joined_in_decides(player: Any) -> None:
    for address, body in GOOD.items():
        assert player.post(address, json=body).status_code == 200, address


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


def test_joining_in_hands_over_a_key_that_only_the_browser_knows(watcher: Any, door: PairingService) -> None:
    answer = join(watcher, door, " Kitchen ")
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
    app: Flask, watcher: Any, player: Any, keeper: Any, at_the_box: Any, door: PairingService
) -> None:
    told = watcher.post("/api/door/ask", json={}).get_json()
    code = list(door.code() or ())
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


def test_wrong_tries_are_told_and_then_the_wait(watcher: Any, door: PairingService) -> None:
    watcher.post("/api/door/ask", json={})
    guess = [face % 6 + 1 for face in door.code() or ()]
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


def test_a_code_that_is_malformed_costs_no_try(watcher: Any, door: PairingService) -> None:
    watcher.post("/api/door/ask", json={})
    for body in NO_CODES:
        assert refused(watcher.post("/api/door/pair", json=body), 400), body
    assert door.asking().tries == 5


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


def test_the_box_itself_need_not_be_trusted(tmp_path: Path, desk: StubGame) -> None:
    client = tablet(create_app(Backends(desk, access=PairingService(tmp_path / "..", trust_local=False))))
    assert client.get("/api/door").get_json()["role"] == "watcher"
    client.set_cookie("vander", (tmp_path / ".." / "box.key").read_text("ascii"))
    told = client.get("/api/door").get_json()
    assert (told["role"], told["tablet"]["name"]) == ("keeper", "The box itself")


HOMES = ["vander", "VANDER.local", "vander.local.", "pi.lan:8080", "box.home.arpa", "vander.fritz.box", "10.0.0.7:8080",
         "[fe80::1]", "[::1]:8080", "dice.example", "Dice.Example:80", "localhost:8080"]  # fmt: skip
NOT_HOMES = ["evil.example", "vander.local.evil.example",  "127.0.0.1.evil.example", "evil.example:8080",
             "fritz.box.evil.example", "dice.example.evil", "", ":8080", "a b", "a b.c"]  # fmt: skip


def test_the_box_is_called_by_its_address_or_a_name_of_the_home(watcher: Any) -> None:
    for host in HOMES:
        assert watcher.get("/api/snapshot", headers={"Host": host}).status_code == 200, host


@pytest.mark.parametrize("address", ["/api/snapshot", "/", "/static/table.js", "/nothing"])
def test_a_name_that_anybody_could_own_is_turned_away(address: str, watcher: Any) -> None:
    for host in NOT_HOMES:
        assert watcher.get(address, headers={"Host": host}).status_code == 421, host


def test_a_name_is_turned_away_with_what_would_help(at_the_box: Any) -> None:
    sentence = refused(at_the_box.get("/api/snapshot", headers={"Host": "evil.example"}), 421)
    assert "'evil.example'" in sentence
    assert "VANDER_NAMES" in sentence


def test_names_are_told_apart() -> None:
    assert host_name("[::1]:80") == "::1"
    assert host_name("Vander.Local.:80") == "vander.local"
    assert all(is_trusted_host(host, {"dice.example"}) for host in HOMES)
    assert not any(is_trusted_host(host, {"dice.example"}) for host in NOT_HOMES)
    assert [is_loopback(peer) for peer in ("127.0.0.1", "127.8.8.8", "::1", "10.0.0.1", "", None, "x")] == [
        True, True, True, False, False, False, False,
    ]  # fmt: skip


ELSEWHERES = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
)


@pytest.mark.parametrize("address", ["/api/snapshot", "/api/live", "/view.jpg", "/"])
def test_another_sites_page_may_not_even_look(address: str, at_the_box: Any) -> None:
    for headers in ELSEWHERES:
        assert at_the_box.get(address, headers=headers).status_code == 403, headers


@pytest.mark.parametrize("site", ["same-origin", "none", "cross-site"])
def test_a_link_to_the_table_may_be_followed_from_anywhere(site: str, at_the_box: Any) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    assert at_the_box.get("/", headers=headers).status_code == 200
    answer = at_the_box.post("/api/undo", json={}, headers=headers)
    assert answer.status_code == (403 if site == "cross-site" else 200)


def test_a_request_without_the_tablets_mark_is_turned_away(at_the_box: Any, desk: StubGame, switch: Switch) -> None:
    del at_the_box.environ_base["HTTP_X_VANDER"]
    for address in (*GOOD, "/api/door/ask", "/api/box/power-off"):
        answer = at_the_box.post(address, json=GOOD.get(address, {"sure": True}))
        assert "X-Vander" in refused(answer, 403), address
    assert (desk.asked, switch.off) == ([], 0)


def test_no_other_site_is_ever_granted_anything(watcher: Any) -> None:
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    for answer in (watcher.options("/api/act", headers=headers), watcher.get("/api/snapshot")):
        assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]


def test_the_headers_are_strict(watcher: Any) -> None:
    headers = watcher.get("/").headers
    assert "microphone=()" in headers["Permissions-Policy"]
    assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"


def test_a_static_file_is_asked_for_only_once(watcher: Any) -> None:
    with watcher.get("/static/table.js") as first:
        tag = first.headers["ETag"]
    with watcher.get("/static/table.js", headers={"If-None-Match": tag}) as again:
        assert again.status_code == 304


def test_the_keeper_sees_the_tablets_and_what_was_chosen(keeper: Any, player: Any) -> None:
    told = keeper.get("/api/box").get_json()
    assert [(one["number"], one["name"], one["role"], one["own"]) for one in told["tablets"]] == [
        (1, "Kitchen", "keeper", True),
        (2, "Phone", "player", False),
    ]
    assert told["chosen"] == [{"name": "port", "value": "8080", "meaning": "the port to serve on"}]
    assert told["there"] == {"doctor": False, "teaching": True, "power_off": True}


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


def test_the_box_is_shut_down_when_the_keeper_is_sure(keeper: Any, switch: Switch) -> None:
    assert refused(keeper.post("/api/box/power-off", json={"sure": False}), 400)
    assert refused(keeper.post("/api/box/power-off", json={}), 400)
    assert switch.off == 0
    assert keeper.post("/api/box/power-off", json={"sure": True}).get_json() == {"done": True}
    assert switch.off == 1
    switch.broken = "the box may not shut itself down"
    assert refused(keeper.post("/api/box/power-off", json={"sure": True}), 503) == f"{switch.broken}."


def test_a_box_without_a_switch_is_not_shut_down(client: Any) -> None:
    assert "cannot be shut down" in refused(client.post("/api/box/power-off", json={"sure": True}), 404)


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


def test_a_crowd_of_watchers_leaves_places_to_those_who_play(desk: StubGame, door: PairingService) -> None:
    app = create_app(Backends(desk, access=door), stream_s=0.05, streams=3)
    crowd = [
        from_elsewhere(app).get("/api/live", buffered=False, environ_overrides={"REMOTE_ADDR": f"10.0.0.{number}"})
        for number in range(3)
    ]
    assert [stream.status_code for stream in crowd] == [200, 200, 503]
    with tablet(app).get("/api/live", buffered=False) as own:
        assert own.status_code == 200
    for stream in crowd:
        stream.close()
