"""Tables by hand: points, tie-breaks and places."""

from __future__ import annotations

from played_tournaments import NOON, played_out, started, tied, won

from vander.extras.tournaments.organising import next_round, withdraw
from vander.extras.tournaments.standings import standings
from vander.extras.tournaments.tournament import Tournament, TournamentKind


def order(tournament: Tournament) -> list[tuple[int | None, int]]:
    return [(row.place, row.entrant.player) for row in standings(tournament)]


def test_points_come_first_then_the_direct_encounter() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 4)
    for winner, loser in ((2, 1), (1, 3), (1, 4), (2, 3), (4, 2), (3, 4)):
        group = won(group, winner, loser)
    assert order(group) == [(1, 2), (2, 1), (3, 3), (4, 4)]
    first = standings(group)[0]
    assert (first.points, first.won, first.lost, first.tied, first.played) == (2, 2, 1, 0, 3)


def test_a_circle_of_wins_is_broken_by_sonneborn_berger_then_by_the_score() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 3)
    group = won(won(won(group, 1, 2, (10, 5)), 2, 3, (10, 9)), 3, 1, (30, 2))
    assert [row.sonneborn_berger for row in standings(group)] == [1, 1, 1]
    assert [(row.entrant.player, row.score_difference) for row in standings(group)] == [(3, 27), (2, -4), (1, -23)]


def test_who_is_equal_by_everything_shares_the_place() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 4)
    for one, other in ((1, 2), (1, 3), (2, 3)):
        group = tied(group, one, other)
    for loser in (1, 2, 3):
        group = won(group, 4, loser)
    assert order(group) == [(1, 4), (2, 1), (2, 2), (2, 3)]
    assert standings(group)[1].sonneborn_berger == 1.0


def test_ties_are_half_a_point_in_sonneborn_berger() -> None:
    group = tied(won(won(started(TournamentKind.ROUND_ROBIN, 3), 1, 2), 3, 2), 1, 3)
    assert [row.sonneborn_berger for row in standings(group)] == [0.75, 0.75, 0]


def test_buchholz_adds_up_the_opponents_points_and_cut_1_leaves_out_the_least() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 4, rounds=3))
    rows = {row.entrant.player: row for row in standings(swiss)}
    assert [rows[player].points for player in (1, 2, 3, 4)] == [3, 2, 1, 0]
    assert [rows[player].buchholz for player in (1, 2, 3, 4)] == [3, 4, 5, 6]
    assert [rows[player].buchholz_cut_1 for player in (1, 2, 3, 4)] == [3, 4, 5, 5]


def test_a_bye_counts_in_buchholz_as_an_opponent_with_the_players_own_points() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 3, rounds=2))
    rows = {row.entrant.player: row for row in standings(swiss)}
    byes = {fixture.winner: fixture.round for fixture in swiss.fixtures if None in fixture.players}
    assert byes == {3: 1, 2: 2}
    assert [(rows[one].points, rows[one].buchholz) for one in (1, 2, 3)] == [(2, 2), (1, 3), (1, 3)]


def test_rounds_that_an_opponent_missed_count_as_ties_in_buchholz() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 4, rounds=3), rounds=1)
    swiss = next_round(withdraw(swiss, 3, NOON), NOON)
    rows = {row.entrant.player: row for row in standings(swiss)}
    assert rows[1].buchholz == 0.5


def test_a_round_that_is_going_on_changes_no_tie_break() -> None:
    swiss = played_out(started(TournamentKind.SWISS, 4, rounds=3), rounds=1)
    before = [row.buchholz for row in standings(swiss)]
    assert [row.buchholz for row in standings(next_round(swiss, NOON))] == before


def test_results_of_who_was_struck_off_count_for_nobody() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 5)
    fixture = group.fixtures_of(5)[0]
    beaten = fixture.opponent(5) or 0
    group = withdraw(won(group, 5, beaten), 5, NOON)
    rows = standings(group)
    assert (rows[-1].place, rows[-1].entrant.player) == (None, 5)
    assert all(row.played == 0 and row.points == 0 for row in rows)


def test_places_in_a_knock_out_go_by_the_round_of_the_loss() -> None:
    cup = played_out(started(TournamentKind.KNOCK_OUT, 8, third_place=True))
    assert order(cup) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (5, 7), (5, 8)]
    without = played_out(started(TournamentKind.KNOCK_OUT, 8))
    assert order(without)[2:4] == [(3, 3), (3, 4)]
    under_way = played_out(started(TournamentKind.KNOCK_OUT, 8), rounds=1)
    assert order(under_way)[:5] == [(1, 1), (1, 2), (1, 3), (1, 4), (5, 5)]
