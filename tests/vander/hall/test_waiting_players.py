"""Players join in at a table with their phones: who waits is told to the table, and a game with them ends the wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from playing_table import PlayingTable
from sqlalchemy.engine import Engine

from referee.refused import Reason, Refused
from vander.hall.hall_service import HallService
from vander.hall.waiting_players import MOST_JOINS, MOST_WAITING
from web import Backends
from web.hall_app import create_hall_app
from web.schemas.hall_wire_schemas import InvitationResponse

MARK = {"X-Vander": "phone"}


@pytest.fixture
def phone(hall: HallService) -> FlaskClient:
    return create_hall_app(Backends(None, hall=hall)).test_client()


def told(table: PlayingTable) -> tuple[str, ...]:
    """Who waits, as the table learns it."""
    sender = table.sender()
    sender.send_once()
    return sender.status.players


def test_a_phone_joins_in_waits_and_leaves(phone: FlaskClient, playing_table: PlayingTable) -> None:
    url = f"/api/hall/join/{playing_table.membership.link}"
    assert "Table 1" in phone.get(f"/join/{playing_table.membership.link}").text
    joined: Any = phone.post(url, json={"name": "Zoë"}, headers=MARK).json
    assert joined == {"table": "Table 1", "waiting": ["Zoë"], "own": "Zoë"}
    assert phone.get(url).json == joined
    assert told(playing_table) == ("Zoë",)
    phone.post(f"{url}/leave", json={}, headers=MARK)
    again: Any = phone.post(url, json={"name": "zoë"}, headers=MARK).json
    assert again == joined  # as the hall writes the name already
    assert phone.get(f"{url}/names?begins=zo").json == {"names": ["Zoë"]}
    assert phone.get(f"{url}/names?begins=z").json == {"names": []}
    left: Any = phone.post(f"{url}/leave", json={}, headers=MARK).json
    assert (left["waiting"], left["own"]) == ([], "zoë")
    assert told(playing_table) == ()
    assert phone.get("/join/nothing").status_code == 404
    assert phone.post("/api/hall/join/nothing", json={"name": "Ann"}, headers=MARK).status_code == 404


def test_names_alike_too_many_and_unreadable_ones_are_refused(hall: HallService, playing_table: PlayingTable) -> None:
    link = playing_table.membership.link
    hall.add_waiting(link, "Ann")
    for name, reason in (("ANN ", Reason.CONFLICT), ("\u200b", Reason.INVALID)):
        with pytest.raises(Refused) as refused:
            hall.add_waiting(link, name)
        assert refused.value.reason is reason
    for number in range(MOST_WAITING - 1):
        hall.add_waiting(link, f"Player {number}")
    with pytest.raises(Refused, match="wait here already"):
        hall.add_waiting(link, "One more")
    assert len(told(playing_table)) == MOST_WAITING


def test_a_flood_of_names_is_stopped_and_adds_no_players(hall: HallService, playing_table: PlayingTable) -> None:
    link = playing_table.membership.link
    for number in range(MOST_JOINS):
        hall.add_waiting(link, f"Flood {number}")
        hall.remove_waiting(link, f"Flood {number}")
    with pytest.raises(Refused) as refused:
        hall.add_waiting(link, "Late")
    assert refused.value.reason is Reason.TOO_SOON
    assert hall.known_names("late") == ()


def test_who_plays_or_goes_to_another_table_waits_no_more(
    hall: HallService, open_playing_table: Callable[[str], PlayingTable], engine: Engine
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    for name in ("Ann", "Bob", "Cleo"):
        hall.add_waiting(one.membership.link, name)
    hall.add_waiting(other.membership.link, "cleo")
    assert (told(one), told(other)) == (("Ann", "Bob"), ("Cleo",))
    one.play(5, game="toss-up", players=("Ann", "Dora"))
    one.send_all()
    assert told(one) == ("Bob",)


def test_a_table_is_told_of_the_game_that_is_called_there(hall: HallService, playing_table: PlayingTable) -> None:
    call = InvitationResponse(7, "Club cup, round 2", "toss-up", ("Ann", "Bob"), {})
    hall.invitation_for = {1: call}.get
    sender = playing_table.sender()
    sender.send_once()
    found = sender.status.invitation
    assert found is not None
    assert (found.number, found.title, found.players) == (7, "Club cup, round 2", ("Ann", "Bob"))
    hall.invitation_for = {}.get
    sender.send_once()
    assert sender.status.invitation is None
