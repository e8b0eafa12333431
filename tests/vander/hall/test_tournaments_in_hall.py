"""Tournaments in the hall: played at tables through the intake to the winner, corrected, and started again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic
from typing import Any

import pytest
from playing_table import PlayingTable
from sqlalchemy import insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from tournament_evening import PLAYERS, TournamentEvening

from referee.sentences import Refused
from vander.extras.tournaments.organising import call_players, start
from vander.extras.tournaments.tournament import Entrant, TournamentGame, TournamentKind, TournamentSettings
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import FIXTURE_TABLES, GAMES, TABLES
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.season import find_players
from vander.hall.tournament_follower import (
    TableGame,
    TournamentFollower,
    read_table_games,
    whole_options,
    with_changed_games,
    with_new_game,
)
from vander.hall.tournament_service import Change
from vander.storage.journal_schema import Ending
from web.schemas.tournament_schemas import (
    AbsentRequest,
    CallPlayersRequest,
    EntrantRequest,
    FixtureGameRequest,
    FixtureRequest,
    LateEntrantRequest,
    ResultRequest,
    SettleRequest,
    TournamentResponse,
    VersionRequest,
)

KEEPER = {"X-Vander": "t"}
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def evening(
    engine: Engine, hall: HallService, open_playing_table: Callable[[str], PlayingTable]
) -> Iterator[TournamentEvening]:
    opened = TournamentEvening(engine, hall, [open_playing_table(f"Table {n}") for n in (1, 2)])
    yield opened
    opened.end()


def won(tournament: TournamentResponse) -> dict[str, float]:
    return {row.name: row.points for row in tournament.standings}


def matches(tournament: TournamentResponse) -> list[Any]:
    return [one for round_ in tournament.rounds for one in round_.fixtures]


def test_a_knock_out_is_played_at_the_tables_to_its_winner(evening: TournamentEvening) -> None:
    number, at_tables = evening.make("knock-out", 4, third_place=True), []
    while evening.found(number).state == "going":
        evening.call_all(number)
        at_tables.append([one.table_name for one in evening.play_called(number)])
    found = evening.found(number)
    assert at_tables == [["Table 1", "Table 2"]] * 2
    final = next(one for one in found.rounds[-1].fixtures if not one.third_place)
    assert next((row.place, row.player) for row in found.standings) == (1, final.winner)
    assert [row.place for row in found.standings] == [1, 2, 3, 4]
    assert all(len(one.games) == 1 and one.games[0].scores for one in matches(found))
    assert evening.service.headings()[0].winners == (found.standings[0].name,)


def test_a_swiss_tournament_is_drawn_and_played_to_its_winner(evening: TournamentEvening) -> None:
    number, rounds = evening.make("swiss", 5), 0
    while evening.found(number).state == "going":
        found = evening.found(number)
        if found.may_draw:
            evening.service.draw(number, VersionRequest(version=found.version), "desk")
        evening.call_all(number)
        evening.play_called(number)
        rounds += 1
    found = evening.found(number)
    assert rounds == found.planned_rounds == 3
    assert sum(won(found).values()) == 3 * 3  # two matches and a bye in each round
    assert len({frozenset(one.names) for one in matches(found) if "" not in one.names}) == 6
    assert [one.end for one in matches(found) if "" in one.names] == ["bye"] * 3


def test_who_comes_late_is_drawn_from_the_next_round_on(evening: TournamentEvening) -> None:
    number = evening.make("swiss", 4, rounds=3)
    evening.call_all(number)
    evening.play_called(number)
    late = LateEntrantRequest(version=evening.found(number).version, name="Zoe", ties_missed=True)
    evening.service.enter_late(number, late, "desk")
    found = evening.found(number)
    assert (found.entrants[-1].name, found.entrants[-1].entered_in_round, won(found)["Zoe"]) == ("Zoe", 2, 0.5)
    assert (found.decisions[0].title, found.decisions[0].about) == ("Came late", "Zoe")
    evening.service.draw(number, VersionRequest(version=found.version), "desk")
    assert "Zoe" in {name for one in evening.found(number).rounds[-1].fixtures for name in one.names}


def test_nobody_comes_late_into_a_knock_out_and_the_hall_gets_to_know_nobody(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    late = LateEntrantRequest(version=evening.found(number).version, name="Zoe")
    with pytest.raises(Refused, match="The bracket is drawn"):
        evening.service.enter_late(number, late, "desk")
    assert not evening.found(number).may_enter
    with evening.engine.connect() as connection:
        assert find_players(connection, "Zoe", 9) == []


def test_a_table_is_told_who_plays_there_and_other_games_count_nothing(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 2, best_of=3)
    evening.call_all(number)
    (match,) = evening.found(number).at_tables
    first = evening.service.invitation_for(match.table)
    assert first is not None
    assert (first.game, first.players) == ("toss-up", match.names)
    elsewhere = "Table 2" if match.table_name == "Table 1" else "Table 1"
    evening.play(match.table_name, ("Ann", "Cid"))
    evening.play(elsewhere, match.names)
    evening.tables[match.table_name].play(5, game="toss-up", players=match.names)  # and ended before its end
    assert matches(evening.found(number))[0].games == ()
    assert matches(evening.found(number))[0].state == "called"
    evening.play(match.table_name, match.names[::-1])
    (going,) = evening.found(number).at_tables
    second = evening.service.invitation_for(match.table)
    assert (going.state, len(going.games), second and second.number != first.number) == ("playing", 1, True)
    while evening.found(number).state == "going":
        evening.play_called(number)
    assert evening.service.invitation_for(match.table) is None


def test_a_game_counts_for_its_players_by_what_was_agreed_and_after_the_call() -> None:
    settings = TournamentSettings(TournamentKind.KNOCK_OUT, "intersection", whole_options("intersection", {}))
    drawn = start(settings, (Entrant(1, "Ann", 1), Entrant(2, "Bob", 2)), NOON)
    called = call_players(drawn, 1, 4, NOON)
    game = TableGame((4, 1), "intersection", dict(settings.options), (2, 1), (30, 50), (1,), True, False, NOON)
    options = dict(settings.options) | {next(iter(settings.options)): "another"}
    for other in (
        replace(game, game="toss-up"),
        replace(game, options=options),
        replace(game, players=(1, 3)),
        replace(game, players=(1, 2, 3)),
        replace(game, key=(5, 1)),
        replace(game, begun_at=NOON - timedelta(minutes=1)),
        replace(game, finished=False),
    ):
        assert with_new_game(called, other, NOON) == called
    assert with_new_game(called, replace(game, finished=False, goes_on=True), NOON).fixture(1).state == "playing"
    assert with_new_game(called, game, NOON).fixture(1).games == (TournamentGame(1, (50, 30), "4/1"),)
    tied = with_new_game(called, replace(game, won=(1, 2)), NOON).fixture(1)
    assert (tied.games[0].winner, tied.over) == (None, False)


def test_a_game_too_many_counts_again_when_the_one_before_is_corrected_back() -> None:
    agreed = whole_options("toss-up", {})
    settings = TournamentSettings(TournamentKind.KNOCK_OUT, "toss-up", agreed, best_of=3)
    drawn = start(settings, (Entrant(1, "Ann", 1), Entrant(2, "Bob", 2)), NOON)
    told = [
        TableGame((4, number), "toss-up", agreed, (1, 2), (5, 5), (winner,), True, False, NOON)
        for number, winner in enumerate((1, 2, 1), start=1)
    ]
    played = call_players(drawn, 1, 4, NOON)
    for game in told:
        played = with_new_game(played, game, NOON)
    corrected = with_changed_games(played, 1, [told[0], replace(told[1], won=(1,)), told[2]], NOON)
    assert (corrected.fixture(1).wins, corrected.fixture(1).winner) == ((2, 0), 1)
    assert with_changed_games(corrected, 1, told, NOON) == played
    assert with_changed_games(played, 1, [replace(told[2], goes_on=True, finished=False), *told[:2]], NOON) == played


def test_a_corrected_game_of_round_one_is_a_conflict_once_round_two_is_called(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    evening.call_all(number)
    first, _ = evening.play_called(number)
    evening.call_all(number)
    before = evening.found(number)
    evening.correct(first.table_name, 1)
    found = evening.found(number)
    (conflict,) = found.conflicts
    assert matches(found)[0].winner == first.players[matches(before)[0].winner == first.players[0]]
    assert conflict.now == (matches(before)[2].names,)
    assert conflict.corrected != conflict.now
    again = SettleRequest(version=found.version, conflict=1, keep=False)
    evening.service.settle(number, again, "desk")
    settled = evening.found(number)
    assert settled.conflicts == ()
    assert (settled.rounds[-1].fixtures[0].names,) == conflict.corrected
    with pytest.raises(Refused, match="decided already"):
        evening.service.settle(number, SettleRequest(version=settled.version, conflict=1, keep=False), "desk")


def test_a_corrected_game_corrects_the_standings_while_nobody_plays_on(evening: TournamentEvening) -> None:
    number = evening.make("round robin", 3)
    evening.call_all(number)
    (match,) = evening.play_called(number)
    before = won(evening.found(number))
    evening.correct(match.table_name, 1)
    assert {name for name, points in before.items() if points} | {
        name for name, points in won(evening.found(number)).items() if points
    } == set(match.names)


def test_a_hall_that_starts_again_in_mid_tournament_counts_what_it_missed(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    evening.call_all(number)
    evening.end()
    evening.play("Table 1", evening.service.find(number).at_tables[0].names)
    assert evening.service.find(number).at_tables[0].state == "called"
    evening.begin()
    evening.play_called(number)
    while evening.found(number).state == "going":
        evening.call_all(number)
        evening.play_called(number)
    assert [row.place for row in evening.found(number).standings] == [1, 2, 3, 3]
    assert all(len(one.games) == 1 for one in matches(evening.found(number)))


def test_who_withdraws_or_stays_away_gives_the_opponent_the_match(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    evening.call_all(number)
    one, other = evening.found(number).at_tables
    gone = EntrantRequest(version=evening.found(number).version, player=one.players[0])
    evening.service.withdraw(number, gone, "desk")
    absent = {"fixture": other.number, "absent": [other.players[1]]}
    with pytest.raises(Refused, match="still have time"):
        evening.service.give_walkover(number, AbsentRequest(version=99, **absent), "desk")
    evening.later = timedelta(minutes=11)
    assert [found.late for found in evening.found(number).at_tables] == [True]
    evening.service.give_walkover(number, AbsentRequest(version=99, **absent), "desk")
    final = evening.found(number).rounds[-1].fixtures[0]
    assert set(final.players) == {one.players[1], other.players[0]}
    back = EntrantRequest(version=99, player=one.players[0])
    evening.service.reinstate(number, back, "desk")
    assert matches(evening.found(number))[one.number - 1].state == "waiting"
    titles = [line.title for line in evening.found(number).decisions]
    assert titles[:3] == ["Takes part again", "Walkover", "Withdrawn"]


def test_a_result_by_hand_counts_and_a_table_changes_it_no_more(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    evening.call_all(number)
    match = evening.play_called(number)[0]
    loser = next(one for one in match.players if one != matches(evening.found(number))[match.number - 1].winner)
    by_hand = ResultRequest(version=99, fixture=match.number, games=[FixtureGameRequest(winner=loser)])
    evening.service.enter_result(number, by_hand, "desk")
    evening.correct(match.table_name, 1)
    evening.follower.catch_up()
    assert matches(evening.found(number))[match.number - 1].winner == loser
    final = ResultRequest(version=99, fixture=3, games=[])
    with pytest.raises(Refused, match="do not decide"):
        evening.service.enter_result(number, final, "desk")


def test_of_two_organisers_at_once_the_second_is_told(evening: TournamentEvening) -> None:
    number = evening.make("knock-out", 4)
    seen = evening.found(number)
    free = {"version": seen.version, "table": seen.tables[0].number}
    evening.service.call_players(number, CallPlayersRequest(fixture=1, **free), "desk")
    with pytest.raises(Refused, match="Another organiser"):
        evening.service.call_players(number, CallPlayersRequest(fixture=2, **free), "door")
    cup = evening.make("round robin", 2, name="Other", players=list(PLAYERS[5:7]))
    with pytest.raises(Refused, match="no such table, or another match"):
        evening.service.call_players(cup, CallPlayersRequest(fixture=1, **free), "door")
    evening.service.take_back_call(number, FixtureRequest(version=99, fixture=1), "desk")
    evening.service.call_players(cup, CallPlayersRequest(fixture=1, **free), "door")


def test_a_tournament_is_made_and_read_by_the_web_and_refused_with_a_sentence(evening: TournamentEvening) -> None:
    app = create_hall_app(HallBackends(hall=evening.hall, tournaments=evening.service))
    client = app.test_client()
    cup = {"name": "Cup", "kind": "league", "game": "toss-up", "players": list(PLAYERS[:4]), "start": False}
    refused = client.post("/api/hall/tournaments", json=cup, headers=KEEPER)
    assert (refused.status_code, refused.get_json()["error"]) == (400, "'' is no day such as 2026-12-24.")
    cup |= {"first_day": "2026-12-01", "every_days": 7}
    number = client.post("/api/hall/tournaments", json=cup, headers=KEEPER).get_json()["number"]
    one = f"/api/hall/tournaments/{number}"
    twice = client.post(f"{one}/players", json={"version": 1, "players": ["Ann", "ANN"]}, headers=KEEPER)
    assert twice.get_json()["error"] == "ANN is in the list twice."
    client.post(f"{one}/players", json={"version": 1, "players": ["Ann", "Bob", "Cid"]}, headers=KEEPER)
    assert client.post(f"{one}/start", json={"version": 2}, headers=KEEPER).status_code == 200
    found = client.get(one).get_json()
    assert [match["fixtures"][0]["day"] for match in found["rounds"]] == ["2026-12-01", "2026-12-08", "2026-12-15"]
    late = {"version": found["version"], "fixture": 1, "day": "2026-12-03"}
    assert client.post(f"{one}/postpone", json=late, headers=KEEPER).status_code == 200
    assert client.post(f"{one}/remove", json={}, headers=KEEPER).status_code == 200
    assert client.get(one).status_code == 404
    assert client.get("/api/hall/tournaments").get_json()["tournaments"] == []


def test_a_removed_tournament_is_written_no_more_and_keeps_no_table(evening: TournamentEvening) -> None:
    cup, other = evening.make("knock-out", 2), evening.make("knock-out", 2, name="Other", players=list(PLAYERS[5:7]))
    evening.call_all(cup)
    kept = evening.service.store.read(cup)
    (match,) = evening.found(cup).at_tables
    evening.service.remove(cup, "desk")
    assert not evening.service.store.write(kept, kept.tournament, None)
    assert evening.service.invitation_for(match.table) is None
    with evening.engine.begin() as connection:  # as an older version of the hall has left it
        row = {"table_id": match.table, "tournament_id": cup, "fixture": 1, "played": 0, "invitation": {}}
        connection.execute(insert(FIXTURE_TABLES).values(row))
    evening.call_all(other)
    (called,) = evening.found(other).at_tables
    invitation = evening.service.invitation_for(called.table)
    assert invitation is not None
    assert invitation.title == "Other, round 1"


@pytest.mark.parametrize("error", [NoFreeConnection("none is free"), RuntimeError("broken")])
def test_a_game_that_could_not_be_followed_is_followed_later(
    evening: TournamentEvening, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    number, failures = evening.make("knock-out", 2), [error] * 2
    evening.call_all(number)
    evening.end()
    follower = TournamentFollower(evening.engine, evening.service, evening.clock, again_s=0.01)
    change = evening.service.change

    def fail_at_first(of: int, changed: Change) -> None:
        if failures:
            raise failures.pop()
        change(of, changed)

    monkeypatch.setattr(evening.service, "change", fail_at_first)
    evening.follower = follower
    evening.hall.listen(follower.listener)
    follower.start()
    (match,) = evening.service.find(number).at_tables
    evening.play(match.table_name, match.names)
    until = monotonic() + 30
    while evening.service.find(number).state == "going" and monotonic() < until:
        Event().wait(0.01)
    assert (evening.service.find(number).state, failures) == ("over", [])


def test_one_tournament_that_fails_stops_no_other(evening: TournamentEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, other = evening.make("knock-out", 2), evening.make("knock-out", 2, name="Other", players=list(PLAYERS[5:7]))
    evening.call_all(cup)
    evening.call_all(other)
    evening.follower.settle()
    evening.end()
    for match in (*evening.service.find(cup).at_tables, *evening.service.find(other).at_tables):
        evening.play(match.table_name, match.names)
    change = evening.service.change

    def fail_in_cup(of: int, changed: Change) -> None:
        if of == cup:
            raise RuntimeError("broken")
        change(of, changed)

    monkeypatch.setattr(evening.service, "change", fail_in_cup)
    assert not evening.follower.catch_up()
    assert [evening.service.find(one).state for one in (cup, other)] == ["going", "over"]


def test_a_game_begins_by_the_clock_as_it_was_when_the_game_was_told(evening: TournamentEvening) -> None:
    number = evening.play("Table 1", ("Ann", "Bob"))
    with evening.engine.begin() as connection:
        (key,) = [(row.table_id, row.game_id) for row in connection.execute(select(GAMES)) if row.game_id == number]
        connection.execute(update(TABLES).values(clock_off_s=3600))
        before = read_table_games(connection, [key])[0].begun_at
        row = connection.execute(select(GAMES)).one()
        assert abs(before - row.started_at) < timedelta(minutes=1)
        assert row.clock_off_s is not None
        for off_s in (-9e7, 2.5e11, None):
            connection.execute(update(GAMES).values(clock_off_s=off_s))
            assert read_table_games(connection, [key])[0].begun_at == row.taken_at
        long_ago = datetime(1, 1, 2, tzinfo=UTC)
        connection.execute(update(GAMES).values(clock_off_s=3e7, started_at=long_ago))
        assert read_table_games(connection, [key])[0].begun_at == row.taken_at


def test_a_counted_game_that_the_rules_refuse_later_is_told_to_the_organiser(evening: TournamentEvening) -> None:
    cup = evening.make("knock-out", 4)
    evening.call_all(cup)
    match = evening.play_called(cup)[0]
    winner = matches(evening.found(cup))[match.number - 1].winner
    at = evening.tables[match.table_name]
    at.journal.write(1, ending=Ending(None))
    at.send_all()
    last = evening.played[match.table_name, 1].entries[-1]
    at.journal.write(1, replace(last, number=last.number + 1, evidence=""))
    at.send_all()
    found = evening.found(cup)
    assert matches(found)[match.number - 1].winner == winner
    assert found.decisions[0].title == "A table corrected a game that cannot be followed"
    assert all(name in found.decisions[0].about for name in match.names)
    assert "entry" in found.decisions[0].about
