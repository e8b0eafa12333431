"""Which hosts and origins are answered, and the headers of every answer."""

from __future__ import annotations

from typing import Any

import pytest
from access_scene import PowerSwitch
from stub_game import StubGame
from test_game_routes import GOOD, refused

from web.authorization import host_name, is_loopback, is_trusted_host

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


def test_a_request_without_the_tablets_mark_is_turned_away(
    at_the_box: Any, game_stub: StubGame, switch: PowerSwitch
) -> None:
    del at_the_box.environ_base["HTTP_X_VANDER"]
    for address in (*GOOD, "/api/door/ask", "/api/box/power-off"):
        answer = at_the_box.post(address, json=GOOD.get(address, {"sure": True}))
        assert "X-Vander" in refused(answer, 403), address
    assert (game_stub.asked, switch.off) == ([], 0)


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
