"""A player who comes after the first round: what a Swiss tournament, a round robin and a league make of it."""

from __future__ import annotations

from datetime import date

import pytest
from played_tournaments import DAYS, NOON, between, entrants, played_out, started, won
from pydantic import TypeAdapter

from referee.sentences import Reason, Refused
from vander.extras.tournaments.organising import enter_late, is_over, next_round, planned_rounds, reinstate, withdraw
from vander.extras.tournaments.redraw import counts
from vander.extras.tournaments.standings import standings
from vander.extras.tournaments.tournament import Entrant, FixtureEnd, FixtureState, Tournament, TournamentKind


def points(tournament: Tournament) -> dict[int, float]:
    return {row.entrant.player: row.points for row in standings(tournament)}


def test_a_swiss_tournament_draws_who_comes_late_from_the_next_round_on() -> None:
    swiss = won(won(started(TournamentKind.SWISS, 4, rounds=3), 1, 3), 2, 4)
    late = enter_late(swiss, 9, "Zoe", NOON)
    assert late.fixtures == swiss.fixtures
    assert late.entrants[-1] == Entrant(9, "Zoe", 5, entered_in_round=2)
    assert points(late)[9] == 0
    second = next_round(late, NOON).in_round(2)
    assert [one.known for one in second if one.end is FixtureEnd.BYE] == [(9,)]  # the lowest of an odd number
    assert {player for one in second for player in one.known} == {1, 2, 3, 4, 9}


def test_rounds_missed_count_as_ties_where_that_is_agreed() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 4, rounds=3), rounds=2)
    late = enter_late(swiss, 9, "Zoe", NOON, ties_missed=True)
    assert points(late) == {1: 2.0, 2: 1.0, 3: 1.0, 4: 0.0, 9: 1.0}
    (third,) = [one for one in next_round(late, NOON).in_round(3) if 9 in one.players]
    assert None not in third.players  # in the middle of the table: the bye goes to a lower one


def test_a_tie_for_a_round_missed_is_no_gain_for_the_opponents_buchholz() -> None:
    def buchholz(ties_missed: bool) -> float:
        swiss = played_out(started(TournamentKind.SWISS, 3, rounds=3), rounds=1)
        swiss = next_round(enter_late(swiss, 4, "Zoe", NOON, ties_missed=ties_missed), NOON)
        (of_late,) = [one for one in swiss.in_round(2) if 4 in one.players]
        opponent = of_late.opponent(4)
        assert opponent is not None
        swiss = won(swiss, opponent, 4)
        return next(row.buchholz for row in standings(swiss) if row.entrant.player == opponent)

    assert buchholz(ties_missed=True) == buchholz(ties_missed=False)


def test_a_swiss_tournament_has_as_many_rounds_as_before() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 8), rounds=1)
    assert planned_rounds(swiss) == planned_rounds(enter_late(swiss, 9, "Zoe", NOON)) == 3


def test_a_late_entrant_is_appended_to_a_round_robin() -> None:
    four = played_out(started(TournamentKind.ROUND_ROBIN, 4), rounds=2)
    late = enter_late(four, 9, "Zoe", NOON)
    assert late.fixtures[: len(four.fixtures)] == four.fixtures
    assert [(one.round, one.players) for one in late.fixtures_of(9)] == [
        (4, (1, 9)),
        (5, (9, 2)),
        (6, (3, 9)),
        (7, (9, 4)),
    ]
    assert is_over(played_out(late))
    assert sum(points(played_out(late)).values()) == 10


def test_a_late_entrant_meets_those_who_rest() -> None:
    three = played_out(started(TournamentKind.ROUND_ROBIN, 3), rounds=1)
    late = enter_late(three, 9, "Zoe", NOON)
    rounds = {one.opponent(9): one.round for one in late.fixtures_of(9)}
    rests = {number: {1, 2, 3} - {p for one in three.in_round(number) for p in one.known} for number in (2, 3)}
    assert {number: {who} for who, number in rounds.items() if number in rests} == rests
    assert late.last_round == 4


def test_a_league_with_a_late_entrant_ends_on_its_last_day() -> None:
    league = played_out(started(TournamentKind.LEAGUE, 4, twice=True), rounds=3)
    days = [one.day for one in enter_late(league, 9, "Zoe", NOON).fixtures_of(9)]
    assert days == [DAYS[2]] * 4 + [DAYS[3]] * 4
    assert DAYS[3] == date(2027, 1, 30)


def test_a_late_entrant_gets_no_match_to_wait_for_with_who_has_left_and_meets_who_comes_back() -> None:
    five = withdraw(played_out(started(TournamentKind.ROUND_ROBIN, 5), rounds=3), 5, NOON)
    assert counts(five, 5)
    late = enter_late(five, 9, "Zoe", NOON)
    assert counts(late, 5)  # the match that came with the late entrant takes nothing from half
    assert (between(late, 5, 9).end, between(late, 5, 9).winner) == (FixtureEnd.WITHDRAWAL, 9)
    assert between(reinstate(late, 5, NOON), 5, 9).state is FixtureState.WAITING


def test_a_late_entrant_may_withdraw_before_the_first_round_of_theirs() -> None:
    swiss = enter_late(played_out(started(TournamentKind.SWISS, 4), rounds=1), 9, "Zoe", NOON)
    gone = withdraw(swiss, 9, NOON)
    assert {player for one in next_round(gone, NOON).in_round(2) for player in one.known} == {1, 2, 3, 4}
    with pytest.raises(Refused, match="withdrawn already"):
        withdraw(gone, 9, NOON)
    assert reinstate(gone, 9, NOON) == swiss


@pytest.mark.parametrize(
    ("tournament", "player", "sentence"),
    [
        (started(TournamentKind.KNOCK_OUT, 4), 9, "The bracket is drawn"),
        (played_out(started(TournamentKind.ROUND_ROBIN, 3)), 9, "The tournament is over"),
        (started(TournamentKind.SWISS, 4, rounds=1), 9, "The last round is drawn"),
        (started(TournamentKind.SWISS, 4), 4, "Zoe is in the tournament already"),
        (started(TournamentKind.SWISS, 256), 999, "2 to 256 players"),
    ],
    ids=["knock-out", "over", "last round", "there", "full"],
)
def test_it_is_said_why_nobody_can_come_in(tournament: Tournament, player: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        enter_late(tournament, player, "Zoe", NOON)
    assert refused.value.reason is Reason.CONFLICT


def test_a_tournament_that_was_kept_before_there_were_late_entrants_is_read() -> None:
    adapter = TypeAdapter(Entrant)
    first = entrants(1)[0]
    assert adapter.validate_json(b'{"player":1,"name":"Player 1","seed":1,"withdrawn_from_round":null}') == first
