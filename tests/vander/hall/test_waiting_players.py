"""Players join in at a table with their phones: who waits is told to the table, and a game with them ends the wait."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playing_table import PlayingTable
from sqlalchemy import select, update
from sqlalchemy.engine import Engine
from sqlalchemy.schema import DropTable

from referee.sentences import Reason, Refused
from vander.access.devices import key_digest
from vander.extras.hall_link.membership import HallRefusal
from vander.hall.hall_games import find_or_add
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import PLAYERS, WAITING_PLAYERS, WAITING_SECRETS, open_hall_engine
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.table_registry import MOST_JOINS, MOST_WAITING, WAIT_HOURS
from vander.hall.tournament_service import TournamentService
from web.schemas.hall_schemas import HallInvitation
from web.schemas.tournament_schemas import NewTournamentRequest

MARK = {"X-Vander": "phone"}


@pytest.fixture
def app(hall: HallService) -> Flask:
    return create_hall_app(HallBackends(hall=hall))


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def told(table: PlayingTable) -> tuple[str, ...]:
    """Who waits, as the table learns it."""
    sender = table.sender()
    sender.send_once()
    return sender.status.players


def test_a_phone_joins_in_waits_and_leaves(phone: FlaskClient, playing_table: PlayingTable) -> None:
    url = f"/api/hall/join/{playing_table.membership.link}"
    playing_table.play(5, game="toss-up", players=("Zoë", "Bob"))
    playing_table.send_all()
    assert "Table 1" in phone.get(f"/join/{playing_table.membership.link}").text
    joined: Any = phone.post(url, json={"name": "Zoë"}, headers=MARK).json
    assert joined == {"table": "Table 1", "waiting": ["Zoë"], "own": "Zoë", "joined": True}
    assert phone.get(url).json == joined
    assert told(playing_table) == ("Zoë",)
    phone.post(f"{url}/leave", json={}, headers=MARK)
    again: Any = phone.post(url, json={"name": "zoë"}, headers=MARK).json
    assert again == joined  # as the hall writes the name already
    assert phone.get(f"{url}/names?begins=zo").json == {"names": ["Zoë"]}
    assert phone.get(f"{url}/names?begins=z").json == {"names": []}
    left: Any = phone.post(f"{url}/leave", json={}, headers=MARK).json
    assert (left["waiting"], left["own"], left["joined"]) == ([], "zoë", False)
    assert told(playing_table) == ()
    assert phone.get("/join/nothing").status_code == 404
    assert phone.post("/api/hall/join/nothing", json={"name": "Ann"}, headers=MARK).status_code == 404


def test_names_alike_too_many_and_unreadable_ones_are_refused(hall: HallService, playing_table: PlayingTable) -> None:
    link = playing_table.membership.link
    hall.add_waiting(link, "Ann", "Ann's phone")
    for name, reason in (("ANN ", Reason.CONFLICT), ("\u200b", Reason.INVALID)):
        with pytest.raises(Refused) as refused:
            hall.add_waiting(link, name, "other phone")
        assert refused.value.reason is reason
    for number in range(MOST_WAITING - 1):
        hall.add_waiting(link, f"Player {number}", f"phone {number}")
    with pytest.raises(Refused, match="wait here already"):
        hall.add_waiting(link, "One more", "one more phone")
    assert len(told(playing_table)) == MOST_WAITING


def test_a_flood_of_names_is_stopped_and_adds_no_players(hall: HallService, playing_table: PlayingTable) -> None:
    link = playing_table.membership.link
    for number in range(MOST_JOINS):
        hall.add_waiting(link, f"Flood {number}", "phone")
        hall.leave_waiting(link, "phone")
    with pytest.raises(Refused) as refused:
        hall.add_waiting(link, "Late", "phone")
    assert refused.value.reason is Reason.TOO_SOON
    assert hall.waiting_players.known_names("late") == ()


def test_whoever_waits_no_more_and_never_played_is_forgotten(
    hall: HallService, playing_table: PlayingTable, engine: Engine
) -> None:
    playing_table.play(5, game="toss-up", players=("Ann", "Bob"))
    playing_table.send_all()
    tournaments, link = TournamentService(engine), playing_table.membership.link
    cup: Any = {"name": "Cup", "kind": "swiss", "game": "toss-up", "players": ["Cleo", "Dora"], "start": True}
    tournaments.make(NewTournamentRequest.model_validate(cup), "desk")
    for name in ("Ann", "Cleo", "Mistyped", "Guest 1"):  # one phone, whose player types again and again
        hall.add_waiting(link, name, "phone")
    assert known(engine) == {"Ann", "Bob", "Cleo", "Dora", "Guest 1"}
    hall.leave_waiting(link, "phone")
    hall.add_waiting(link, "Guest 2", "phone")
    hall.remove_waiting(playing_table.membership.key, "Guest 2")
    assert known(engine) == {"Ann", "Bob", "Cleo", "Dora"}
    hall.add_waiting(link, "Went home", "another phone")
    with engine.begin() as connection:
        connection.execute(update(WAITING_PLAYERS).values(joined_at=datetime.now(UTC) - timedelta(hours=WAIT_HOURS)))
    hall.add_waiting(link, "Ann", "phone")
    assert known(engine) == {"Ann", "Bob", "Cleo", "Dora"}
    assert told(playing_table) == ("Ann",)


def test_whom_a_tournament_takes_at_this_moment_is_not_forgotten(
    hall: HallService, playing_table: PlayingTable, engine: Engine
) -> None:
    hall.add_waiting(playing_table.membership.link, "Guest", "phone")
    with engine.begin() as connection:
        find_or_add(connection, ["Guest"], datetime.now(UTC))
        hall.leave_waiting(playing_table.membership.link, "phone")
    assert known(engine) == {"Guest"}


def known(engine: Engine) -> set[str]:
    """The players whom the hall knows by name."""
    with engine.connect() as connection:
        return set(connection.execute(select(PLAYERS.c.name)).scalars())


def test_who_leaves_again_and_again_is_stopped_and_changes_nothing(
    hall: HallService, playing_table: PlayingTable
) -> None:
    link = playing_table.membership.link
    before = hall.changes()
    for _ in range(MOST_JOINS):
        hall.leave_waiting(link, "nobody's phone")
    assert hall.changes() == before
    with pytest.raises(Refused) as refused:
        hall.leave_waiting(link, "nobody's phone")
    assert refused.value.reason is Reason.TOO_SOON


def test_who_plays_or_goes_to_another_table_waits_no_more(
    hall: HallService, open_playing_table: Callable[[str], PlayingTable], engine: Engine
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    for name in ("Ann", "Bob", "Cleo"):
        hall.add_waiting(one.membership.link, name, f"{name}'s phone")
    hall.add_waiting(other.membership.link, "cleo", "Cleo's phone")
    assert (told(one), told(other)) == (("Ann", "Bob"), ("Cleo",))
    one.play(5, game="toss-up", players=("Ann", "Dora"))
    one.send_all()
    assert told(one) == ("Bob",)


def test_a_phone_takes_nobody_elses_name_off_the_list_or_to_another_table(
    app: Flask, open_playing_table: Callable[[str], PlayingTable]
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    url, other_url = (f"/api/hall/join/{table.membership.link}" for table in (one, other))
    own, stranger = app.test_client(), app.test_client()
    own.post(url, json={"name": "Ann"}, headers=MARK)
    stranger.set_cookie("vander-name", "Ann")
    stranger.get(f"/join/{one.membership.link}")
    seen: Any = stranger.get(url).json
    assert (seen["waiting"], seen["own"], seen["joined"]) == (["Ann"], "Ann", False)
    assert stranger.post(f"{url}/leave", json={}, headers=MARK).json["waiting"] == ["Ann"]  # type: ignore[index]
    for place in (url, other_url):
        refused = stranger.post(place, json={"name": "ANN"}, headers=MARK)
        assert (refused.status_code, "Somebody called ANN waits at Table 1" in refused.text) == (409, True)
    moved: Any = own.post(other_url, json={"name": "Ann"}, headers=MARK).json
    assert (moved["waiting"], moved["joined"], told(one), told(other)) == (["Ann"], True, (), ("Ann",))


def test_a_phone_whose_answer_was_lost_joins_with_the_secret_that_the_page_gave(
    phone: FlaskClient, playing_table: PlayingTable, engine: Engine
) -> None:
    link = playing_table.membership.link
    page = phone.get(f"/join/{link}")
    given = page.headers["Set-Cookie"]
    assert all(word in given for word in ("vander-waiting=", "HttpOnly", "SameSite=Lax"))
    assert "Set-Cookie" not in phone.get(f"/join/{link}").headers  # a second tab changes nothing
    phone.post(f"/api/hall/join/{link}", json={"name": "Ann"}, headers=MARK)
    again = phone.post(f"/api/hall/join/{link}", json={"name": "Ann"}, headers=MARK)
    assert (again.status_code, told(playing_table)) == (200, ("Ann",))
    secret = given.split("=", 1)[1].split(";")[0]
    with engine.connect() as connection:
        kept = connection.execute(select(WAITING_SECRETS.c.digest)).scalars().all()
    assert kept == [key_digest(secret)]
    left = phone.post(f"/api/hall/join/{link}/leave", json={}, headers=MARK)
    assert secret not in left.headers["Set-Cookie"]
    assert "vander-waiting=" in left.headers["Set-Cookie"]


def test_who_joined_before_there_were_secrets_joins_again_and_keeps_the_place(
    hall: HallService, playing_table: PlayingTable, engine: Engine, database: str
) -> None:
    link = playing_table.membership.link
    for name in ("Ann", "Bob"):
        hall.add_waiting(link, name, f"{name}'s phone")
    with engine.begin() as connection:
        connection.execute(DropTable(WAITING_SECRETS))  # as an older hall left its database
    open_hall_engine(database).dispose()
    phone = create_hall_app(HallBackends(hall=HallService(engine))).test_client()
    phone.set_cookie("vander-name", "Ann")
    seen: Any = phone.get(f"/api/hall/join/{link}").json
    assert (seen["own"], seen["joined"]) == ("Ann", False)
    joined: Any = phone.post(f"/api/hall/join/{link}", json={"name": "Ann"}, headers=MARK).json
    assert (joined["waiting"], joined["joined"]) == (["Ann", "Bob"], True)
    left: Any = phone.post(f"/api/hall/join/{link}/leave", json={}, headers=MARK).json
    assert left["waiting"] == ["Bob"]


def test_a_phone_waits_under_one_name(phone: FlaskClient, open_playing_table: Callable[[str], PlayingTable]) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    phone.post(f"/api/hall/join/{one.membership.link}", json={"name": "Ann"}, headers=MARK)
    phone.post(f"/api/hall/join/{other.membership.link}", json={"name": "Anna"}, headers=MARK)
    assert (told(one), told(other)) == ((), ("Anna",))


def test_a_table_takes_any_name_off_its_own_list_alone(
    hall: HallService, open_playing_table: Callable[[str], PlayingTable]
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    hall.add_waiting(one.membership.link, "Ann", "Ann's phone")
    hall.add_waiting(other.membership.link, "Bob", "Bob's phone")
    sender = one.sender()
    sender.send_once()
    sender.remove_waiting("Bob")
    assert (sender.status.players, told(other)) == (("Ann",), ("Bob",))
    sender.remove_waiting("ann")
    assert (sender.status.players, told(one)) == ((), ())
    with pytest.raises(HallRefusal):
        one.client.post("/api/hall/waiting/remove", {"name": "Bob"}, "no key")
    hall.add_waiting(other.membership.link, "Ann", "new phone")  # free again for whoever has that name
    assert told(other) == ("Bob", "Ann")


def test_a_name_at_a_table_that_was_removed_is_free(
    hall: HallService, open_playing_table: Callable[[str], PlayingTable]
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    hall.add_waiting(one.membership.link, "Ann", "Ann's phone")
    hall.leave(one.membership.key)
    hall.add_waiting(other.membership.link, "Ann", "new phone")
    assert told(other) == ("Ann",)


def test_a_table_is_told_of_the_game_that_is_called_there(hall: HallService, playing_table: PlayingTable) -> None:
    call = HallInvitation(7, "Club cup, round 2", "toss-up", ("Ann", "Bob"), {})
    hall.invitation_for = {1: call}.get
    sender = playing_table.sender()
    sender.send_once()
    found = sender.status.invitation
    assert found is not None
    assert (found.number, found.title, found.players) == (7, "Club cup, round 2", ("Ann", "Bob"))
    hall.invitation_for = {}.get
    sender.send_once()
    assert sender.status.invitation is None
