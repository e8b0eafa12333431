"""What the hall keeps as English sentences in its database, said in the language of the page."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from loopback import served_hall
from playing_table import PlayingTable
from random_matches import random_match
from sqlalchemy import update
from sqlalchemy.engine import Engine

from referee.games import named
from referee.sentences import in_language, message_of, say
from vander.extras.hall_link.membership import HallClient, HallRefusal
from vander.extras.tournaments.organising import start
from vander.extras.tournaments.tournament import Entrant, TournamentKind, TournamentSettings
from vander.hall.entry_intake import OLDER
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import TABLES
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.live_tables import HallTableService
from vander.hall.table_registry import UNKNOWN
from vander.hall.tournament_service import DecisionLine, KeptTournament, tournament_response
from web.languages import translations
from web.schemas.hall_schemas import HallInvitation
from web.schemas.tournament_schemas import Decision

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def german(sentence: str) -> str:
    found = translations("de")
    assert found is not None
    return in_language(sentence, found)


def forged_game(table: PlayingTable) -> int:
    """A game of which one entry is by a player who is not there; its number at the table."""
    honest = random_match(named("toss-up"), 12, 2).entries
    lie = next(place for place, entry in enumerate(honest) if entry.action and entry.action.dice)
    action = honest[lie].action
    assert action is not None
    forged = (*honest[:lie], replace(honest[lie], action=replace(action, player=9)))
    return table.tell(forged, "toss-up", ("Ann", "Bob"))


def test_why_a_game_is_refused_stands_on_german_pages_in_german(playing_table: PlayingTable, hall: HallService) -> None:
    number = forged_game(playing_table)
    playing_table.send_all()
    client = create_hall_app(HallBackends(hall=hall, hall_tables=HallTableService(hall))).test_client()
    live = client.get("/api/hall/shown?lang=de").get_json()["tables"][0]["game"]["refused"]
    past = client.get(f"/api/hall/tables/1/games/{number}?lang=de").get_json()["game"]["refused"]
    assert live == past
    assert live.startswith("Eintrag ")
    assert "against the rules" in client.get("/api/hall/shown").get_json()["tables"][0]["game"]["refused"]


@pytest.mark.parametrize(
    ("kept", "shown"),
    [(str(OLDER), german(OLDER)), ("Why.", "Why.")],
    ids=["a sentence of the hall", "a text that nobody knows"],
)
def test_why_a_table_is_refused_is_said_in_german_where_the_hall_knows_the_sentence(
    playing_table: PlayingTable, hall: HallService, engine: Engine, kept: str, shown: str
) -> None:
    with engine.begin() as connection:
        connection.execute(update(TABLES).values(standing="quarantined", reason=kept))
    client = create_hall_app(HallBackends(hall=hall, hall_tables=HallTableService(hall))).test_client()
    assert client.get("/api/hall/tables?lang=de").get_json()["tables"][0]["reason"] == shown
    assert client.get("/api/hall/shown?lang=de").get_json()["tables"][0]["reason"] == shown


def test_what_a_hall_answers_is_said_in_the_language_of_the_tables_page(hall: HallService) -> None:
    app = create_hall_app(HallBackends(hall=hall))
    with served_hall(app) as address, closing(HallClient(address)) as client, pytest.raises(HallRefusal) as refused:
        client.post("/api/hall/leave", {}, "no key")
    assert refused.value.args[0] == UNKNOWN
    assert german(message_of(refused.value)) == german(UNKNOWN) != UNKNOWN


@pytest.mark.parametrize(
    ("call", "title"),
    [
        (HallInvitation(7, "Final, round 2", "toss-up", ("Ann", "Bob"), {}, "Final", 2), "Final, Runde 2"),
        (HallInvitation(7, "Club cup, round 2", "toss-up", ("Ann", "Bob"), {}), "Club cup, Runde 2"),
    ],
    ids=["told with its parts", "of an older hall"],
)
def test_the_title_of_a_called_game_is_german_at_a_german_table(
    hall: HallService, playing_table: PlayingTable, call: HallInvitation, title: str
) -> None:
    hall.invitation_for = {1: call}.get
    sender = playing_table.sender()
    sender.send_once()
    found = sender.status.invitation
    assert found is not None
    assert (found.title, german(found.title)) == (call.title, title)


def test_what_a_tournament_could_not_follow_is_said_in_german_and_names_stay() -> None:
    over = say("Match {number} is over.", number=1)
    refused = say("The rules refuse a game of {match}: {reason}", match="Red \N{EN DASH} Ten", reason=over)
    entrants = (Entrant(1, "Red", 1), Entrant(2, "Ten", 2))
    drawn = start(TournamentSettings(TournamentKind.KNOCK_OUT, "toss-up"), entrants, NOON)
    kept = KeptTournament(1, "Cup", 1, 1, NOON, drawn)
    abouts = {str(refused): german(refused), str(over): german(over), "As it was once.": "As it was once."}
    lines = [DecisionLine("", Decision.REFUSED, about, NOON) for about in abouts]
    found = tournament_response(kept, ((), {}), 0, lines, NOON).decisions
    assert [german(one.about) for one in found] == list(abouts.values())
    assert "Red \N{EN DASH} Ten" in german(found[0].about)


def test_the_name_of_a_match_in_the_log_is_no_sentence() -> None:
    entrants = (Entrant(1, "Match 1 is over.", 1), Entrant(2, "Ann", 2))
    drawn = start(TournamentSettings(TournamentKind.KNOCK_OUT, "toss-up"), entrants, NOON)
    line = DecisionLine("desk", Decision.WITHDREW, "Match 1 is over.", NOON)
    found = tournament_response(KeptTournament(1, "Cup", 1, 1, NOON, drawn), ((), {}), 0, [line], NOON)
    assert german(found.decisions[0].about) == "Match 1 is over."
