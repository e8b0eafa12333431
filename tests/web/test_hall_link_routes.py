"""The routes of a table's way to a hall: who may join and leave, and what each caller is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from access_scene import from_elsewhere, join
from browsers import tablet
from flask import Flask
from stub_game import StubGame

from referee.sentences import Reason, Refused
from vander.access.pairing import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import JoinedHall, LinkStatus, Role
from web.schemas.hall_schemas import HallInvitation

ROLES = {
    "GET /api/hall-link": Role.WATCHER,
    "GET /hall-join.svg": Role.WATCHER,
    "POST /api/hall-link/join": Role.KEEPER,
    "POST /api/hall-link/leave": Role.KEEPER,
    "POST /api/hall-link/waiting/remove": Role.PLAYER,
}
"""Which role each route takes."""
HALL = "https://hall.local:8443"
JOIN = {"address": HALL, "code": [3, 1, 4, 1, 5, 2], "name": "Table 4"}
CALLED = HallInvitation(7, "Club cup, round 2", "toss-up", ("Ann", "Bob"), {})
STATUS = LinkStatus("The hall at x does not answer.", 3, datetime(2026, 3, 4, tzinfo=UTC), ("Zoë",), CALLED)


class StubHallLink:
    """A hall that takes one code."""

    suggested = HALL

    def __init__(self) -> None:
        self.link: JoinedHall | None = None

    def joined(self) -> JoinedHall | None:
        return self.link

    def join(self, address: str, code: Sequence[int], name: str) -> None:
        if list(code) != JOIN["code"]:
            raise Refused("That is not the code that the hall shows.", Reason.CONFLICT)
        self.link = JoinedHall(address, name, "link", STATUS)

    def remove_waiting(self, name: str) -> None:
        if self.link is None:
            raise Refused("This table belongs to no hall.", Reason.CONFLICT)
        players = tuple(each for each in self.link.status.players if each != name)
        self.link = replace(self.link, status=replace(self.link.status, players=players))

    def leave(self) -> None:
        self.link = None


@pytest.fixture
def hall_link() -> StubHallLink:
    return StubHallLink()


@pytest.fixture
def link_app(game_stub: StubGame, pairing: PairingService, hall_link: StubHallLink) -> Flask:
    return create_app(Backends(game_stub, access=pairing, hall_link=hall_link))


def test_a_keeper_joins_a_hall_and_leaves_it(link_app: Flask) -> None:
    keeper = tablet(link_app)
    before = keeper.get("/api/hall-link").json
    assert keeper.get("/hall-join.svg").status_code == 404
    assert (before["joined"], before["suggested"]) == (False, HALL)
    assert keeper.post("/api/hall-link/join", json=JOIN | {"code": [1] * 6}).status_code == 409
    assert keeper.post("/api/hall-link/join", json=JOIN | {"code": [1] * 5}).status_code == 400
    assert keeper.post("/api/hall-link/join", json=JOIN | {"address": "x" * 500}).status_code == 400
    joined = keeper.post("/api/hall-link/join", json=JOIN).json
    assert (joined["name"], joined["address"], joined["waiting_lines"]) == ("Table 4", HALL, 3)
    assert joined["trouble"] == STATUS.trouble
    assert keeper.post("/api/hall-link/leave", json={}).json["joined"] is False


def test_others_learn_who_waits_and_no_address(
    link_app: Flask, pairing: PairingService, hall_link: StubHallLink
) -> None:
    hall_link.link = JoinedHall(HALL, "Table 4", "link", STATUS)
    keeper, player, watcher = from_elsewhere(link_app), from_elsewhere(link_app), from_elsewhere(link_app)
    join(keeper, pairing, "Kitchen")
    join(player, pairing, "Phone")
    for other in (player, watcher):
        told = other.get("/api/hall-link").json
        assert (told["name"], told["players"], told["invitation"]["players"]) == ("Table 4", ["Zoë"], ["Ann", "Bob"])
        assert told["join_url"] == f"{HALL}/join/link"
        assert other.get("/hall-join.svg").data.startswith(b"<?xml")
        assert (told["address"], told["suggested"], told["trouble"]) == ("", "", "")
        assert other.post("/api/hall-link/leave", json={}).status_code == 403
    strike = {"json": {"name": "Zoë"}}
    assert watcher.post("/api/hall-link/waiting/remove", **strike).status_code == 403
    assert player.post("/api/hall-link/waiting/remove", **strike).json["players"] == []
    hall_link.link = replace(hall_link.link, status=LinkStatus())
    assert keeper.get("/api/hall-link").json["last_taken_at"] == ""


def test_a_table_without_that_part_says_so(bare_client: Any) -> None:
    assert bare_client.get("/api/hall-link").status_code == 404
