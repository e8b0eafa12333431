"""Small tournaments by hand: what the organiser does, and what follows from it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from played_tournaments import NOON, between, entrants, played_out, settings_of, started, tied, won

from referee.sentences import Reason, Refused
from vander.extras.tournaments.draws import circle_rounds, seeded_places
from vander.extras.tournaments.organising import (
    begin_play,
    busy_players,
    call_players,
    correct_result,
    draw_lots,
    give_up,
    give_walkover,
    is_over,
    late_fixtures,
    move_to_table,
    next_round,
    planned_rounds,
    postpone,
    record_game,
    reinstate,
    start,
    take_back_call,
    withdraw,
)
from vander.extras.tournaments.redraw import counts, keep_as_played, play_again
from vander.extras.tournaments.tournament import (
    Fixture,
    FixtureEnd,
    FixtureState,
    Meeting,
    Tournament,
    TournamentGame,
    TournamentKind,
    round_title,
)

LATER = NOON + timedelta(minutes=10)


def meetings(tournament: Tournament, round_number: int) -> list[Meeting]:
    return [fixture.players for fixture in tournament.in_round(round_number)]


def corrected(tournament: Tournament, winner: int, loser: int) -> Tournament:
    return correct_result(tournament, between(tournament, winner, loser).number, [TournamentGame(winner)], NOON)


def test_the_circle_turns_by_one_place_a_round() -> None:
    assert circle_rounds([1, 2, 3, 4]) == [[(1, 4), (2, 3)], [(3, 1), (4, 2)], [(1, 2), (3, 4)]]
    assert circle_rounds([1, 2, 3], twice=True)[3:] == [[(3, 2)], [(1, 3)], [(2, 1)]]


def test_a_league_has_its_rounds_on_its_match_days() -> None:
    league = started(TournamentKind.LEAGUE, 4, twice=True)
    days = [league.in_round(number)[0].day for number in range(1, 7)]
    first, second, third, fourth = (date(2027, 1, 9) + timedelta(days=7 * week) for week in range(4))
    assert days == [first, first, second, third, third, fourth]
    moved = postpone(league, 1, date(2027, 3, 1))
    assert moved.fixture(1).day == date(2027, 3, 1)
    with pytest.raises(Refused, match="Only the matches of a league"):
        postpone(started(TournamentKind.SWISS, 4), 1, date(2027, 3, 1))


def test_lots_are_drawn_again_the_same_way() -> None:
    names = [(number, f"Player {number}") for number in range(1, 9)]
    assert draw_lots(names, 7) == draw_lots(names, 7) != draw_lots(names, 8)
    assert sorted(entrant.seed for entrant in draw_lots(names, 7)) == list(range(1, 9))


def test_swiss_rounds_pair_equal_points_and_give_the_lowest_a_bye() -> None:
    swiss = started(TournamentKind.SWISS, 5)
    assert planned_rounds(swiss) == 3
    assert meetings(swiss, 1) == [(1, 3), (2, 4), (5, None)]
    swiss = next_round(won(won(swiss, 3, 1), 2, 4), NOON)
    assert meetings(swiss, 2) == [(2, 3), (5, 1), (4, None)]
    swiss = next_round(won(won(swiss, 3, 2), 1, 5), NOON)
    assert meetings(swiss, 3) == [(3, 5), (1, 4), (2, None)]  # 4 and 5 had their byes; 1 has met 3 and 5
    swiss = won(won(swiss, 3, 5), 1, 4)
    assert is_over(swiss)
    with pytest.raises(Refused, match="no further round"):
        next_round(swiss, NOON)


def test_a_round_that_is_played_is_not_followed_yet() -> None:
    with pytest.raises(Refused, match="not over yet"):
        next_round(started(TournamentKind.SWISS, 4), NOON)


def test_the_best_two_can_meet_in_the_final_only() -> None:
    assert seeded_places(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_the_losers_of_the_semi_finals_meet_for_third_place() -> None:
    cup = played_out(started(TournamentKind.KNOCK_OUT, 5, third_place=True), rounds=2)
    third, final = cup.in_round(3)
    assert (third.players, third.third_place, final.players) == ((4, 3), True, (1, 2))


def test_the_best_of_three_is_won_by_two_games_and_ended_no_later() -> None:
    cup = started(TournamentKind.KNOCK_OUT, 2, best_of=3)
    cup = won(won(cup, 1, 2), 2, 1)
    assert cup.fixture(1).state is FixtureState.PLAYING
    cup = won(cup, 2, 1)
    assert (cup.fixture(1).winner, cup.fixture(1).wins, is_over(cup)) == (2, (1, 2), True)
    with pytest.raises(Refused, match="Match 1 is over"):
        won(cup, 2, 1)


def test_a_tie_stands_in_a_league_and_is_played_on_in_a_knock_out() -> None:
    league = tied(started(TournamentKind.ROUND_ROBIN, 2), 1, 2)
    assert (league.fixture(1).winner, league.fixture(1).points(1), is_over(league)) == (None, 0.5, True)
    cup = tied(started(TournamentKind.KNOCK_OUT, 2), 1, 2)
    assert cup.fixture(1).state is FixtureState.PLAYING
    assert won(cup, 2, 1).fixture(1).winner == 2
    with pytest.raises(Refused, match="no ties"):
        tied(started(TournamentKind.KNOCK_OUT, 2, ties=False), 1, 2)


def test_a_game_told_twice_counts_once() -> None:
    cup = started(TournamentKind.KNOCK_OUT, 2, best_of=3)
    game = TournamentGame(1, (50, 40), "table 3, game 17")
    once = record_game(cup, 1, game, NOON)
    assert record_game(once, 1, game, LATER) == once
    with pytest.raises(Refused, match="one of its two players"):
        record_game(cup, 1, TournamentGame(9), NOON)


def test_players_are_called_to_one_table_at_a_time() -> None:
    group = call_players(started(TournamentKind.ROUND_ROBIN, 4), 1, 7, NOON)
    assert (group.fixture(1).state, group.fixture(1).table, group.fixture(1).called_at) == ("called", 7, NOON)
    assert busy_players(group) == {1, 4}
    with pytest.raises(Refused, match="on this table"):
        call_players(group, 2, 7, NOON)
    with pytest.raises(Refused, match="is at another table"):
        call_players(group, 3, 8, NOON)
    assert move_to_table(begin_play(group, 1), 1, 8).fixture(1).table == 8
    assert take_back_call(group, 1) == started(TournamentKind.ROUND_ROBIN, 4)


def test_who_does_not_come_after_ten_minutes_may_lose_by_walkover() -> None:
    group = call_players(started(TournamentKind.ROUND_ROBIN, 2), 1, 7, NOON)
    assert late_fixtures(group, LATER - timedelta(seconds=1)) == ()
    with pytest.raises(Refused, match="still have time") as refused:
        give_walkover(group, 1, [2], LATER - timedelta(seconds=1))
    assert (refused.value.reason, refused.value.wait_s) == (Reason.TOO_SOON, 1)
    assert late_fixtures(group, LATER) == (group.fixture(1),)
    ended = give_walkover(group, 1, [2], LATER).fixture(1)
    assert (ended.winner, ended.end, ended.points(1), ended.points(2)) == (1, FixtureEnd.NO_SHOW, 1, 0)
    nobody = give_walkover(group, 1, [1, 2], LATER).fixture(1)
    assert (nobody.state, nobody.winner, nobody.points(1)) == ("done", None, 0)
    with pytest.raises(Refused, match="which of the two"):
        give_walkover(group, 1, [3], LATER)


def test_where_nobody_came_the_next_opponent_has_a_bye() -> None:
    cup = call_players(won(started(TournamentKind.KNOCK_OUT, 4), 2, 3), 1, 7, NOON)
    cup = give_walkover(cup, 1, [1, 4], LATER)
    assert (cup.fixture(3).winner, cup.fixture(3).end, is_over(cup)) == (2, FixtureEnd.BYE, True)


def test_who_leaves_a_knock_out_in_a_match_lets_the_opponent_through() -> None:
    cup = begin_play(call_players(started(TournamentKind.KNOCK_OUT, 4, best_of=3), 1, 7, NOON), 1)
    cup = withdraw(won(cup, 1, 4), 1, NOON)
    assert (cup.fixture(1).winner, cup.fixture(1).end, len(cup.fixture(1).games)) == (4, FixtureEnd.WITHDRAWAL, 1)
    assert busy_players(cup) == frozenset()
    assert cup.fixture(3).players == (4, None)
    back = reinstate(cup, 1, NOON)
    assert (back.fixture(1).state, back.fixture(3).players) == (FixtureState.WAITING, (None, None))
    further = won(won(won(won(cup, 2, 3), 2, 3), 4, 2), 4, 2)
    with pytest.raises(Refused, match="played on without Player 1"):
        reinstate(further, 1, NOON)
    with pytest.raises(Refused, match="has withdrawn already"):
        withdraw(cup, 1, NOON)


def test_who_leaves_a_swiss_tournament_is_drawn_no_more() -> None:
    swiss = started(TournamentKind.SWISS, 6)
    before = withdraw(won(swiss, 1, 4), 1, NOON)
    assert before.fixture(1).winner == 1
    during = withdraw(before, 2, NOON)
    assert between(during, 2, 5).winner == 5
    swiss = next_round(won(during, 3, 6), NOON)
    assert meetings(swiss, 2) == [(3, 5), (4, 6)]
    back = reinstate(won(won(swiss, 3, 5), 4, 6), 1, NOON)
    assert between(back, 2, 5).winner == 5
    assert 1 in {player for meeting in meetings(next_round(back, NOON), 3) for player in meeting}


def test_who_leaves_a_round_robin_before_half_of_it_is_struck_off() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 5)
    early = withdraw(won(group, 1, 5) if between(group, 1, 5).round == 1 else won(group, 5, 2), 5, NOON)
    assert not counts(early, 5)
    assert {one.state for one in early.fixtures_of(5)} == {FixtureState.DONE, FixtureState.VOID}
    half = group
    for fixture in group.fixtures_of(5)[:2]:
        half = won(half, 5, fixture.opponent(5) or 0)
    late = withdraw(half, 5, NOON)
    assert counts(late, 5)
    assert [one.winner == 5 for one in late.fixtures_of(5)] == [True, True, False, False]
    assert {one.end for one in late.fixtures_of(5)[2:]} == {FixtureEnd.WITHDRAWAL}
    assert reinstate(late, 5, NOON) == half


def test_a_corrected_result_draws_again_what_was_not_begun() -> None:
    cup = won(won(started(TournamentKind.KNOCK_OUT, 4, third_place=True), 1, 4), 2, 3)
    cup = corrected(cup, 4, 1)
    assert (meetings(cup, 2), cup.conflicts) == ([(1, 3), (4, 2)], ())
    swiss = next_round(played_out(started(TournamentKind.SWISS, 4), rounds=1), NOON)
    assert meetings(swiss, 2) == [(1, 2), (3, 4)]
    swiss = corrected(swiss, 3, 1)
    assert (meetings(swiss, 2), swiss.conflicts) == ([(2, 3), (1, 4)], ())
    assert [fixture.number for fixture in swiss.fixtures] == [1, 2, 3, 4]


def a_cup_in_conflict() -> Tournament:
    """The final of 1 and 2 is called when it turns out that 4 had won against 1."""
    cup = won(won(started(TournamentKind.KNOCK_OUT, 4), 1, 4), 2, 3)
    return corrected(call_players(cup, 3, 7, NOON), 4, 1)


def test_a_match_that_was_begun_stays_until_the_organiser_decides() -> None:
    cup = a_cup_in_conflict()
    (conflict,) = cup.conflicts
    assert cup.fixture(3).players == (1, 2)
    assert (conflict.fixtures, conflict.meetings, conflict.corrected) == ((3,), ((1, 2),), ((4, 2),))
    assert conflict.sentence.startswith("By the corrected result others meet in round 2")
    assert not is_over(won(cup, 1, 2))


def test_the_organiser_keeps_what_was_begun() -> None:
    cup = a_cup_in_conflict()
    kept = won(keep_as_played(cup, cup.conflicts[0], NOON), 1, 2)
    assert (is_over(kept), kept.fixture(3).winner) == (True, 1)
    with pytest.raises(Refused, match="decided already"):
        play_again(kept, cup.conflicts[0], NOON)
    (asked_again,) = corrected(corrected(kept, 1, 4), 3, 2).conflicts
    assert asked_again.corrected == ((1, 3),)


def test_the_organiser_has_it_played_again() -> None:
    cup = won(a_cup_in_conflict(), 1, 2)
    again = play_again(cup, cup.conflicts[0], NOON)
    old, new = again.fixture(3), again.fixture(4)
    assert (old.state, old.end, len(old.games), old.winner) == ("void", FixtureEnd.REPLACED, 1, None)
    assert (new.players, new.state, again.conflicts) == ((4, 2), FixtureState.WAITING, ())
    with pytest.raises(Refused, match="no result to correct"):
        correct_result(again, 3, [TournamentGame(2)], NOON)


def a_swiss_in_conflict() -> Tournament:
    """One match of round 2 is played when it turns out that 3 had won against 1."""
    swiss = next_round(played_out(started(TournamentKind.SWISS, 4), rounds=1), NOON)
    return corrected(won(swiss, 1, 2), 3, 1)


def test_a_swiss_round_that_was_begun_is_kept_or_drawn_again() -> None:
    swiss = a_swiss_in_conflict()
    (conflict,) = swiss.conflicts
    assert (conflict.round, conflict.fixtures, conflict.corrected) == (2, (3,), ((2, 3), (1, 4)))
    finished = won(swiss, 3, 4)
    assert len(finished.conflicts) == 1
    with pytest.raises(Refused, match="Decide first"):
        next_round(finished, NOON)
    assert keep_as_played(finished, conflict, NOON).conflicts == ()
    again = play_again(swiss, conflict, NOON)
    assert meetings(again, 2) == [(2, 3), (1, 4)]
    assert again.fixture(3).end is FixtureEnd.REPLACED
    assert [game.winner for game in again.fixture(3).games] == [1]


def test_a_round_that_is_drawn_again_can_be_played_to_the_end() -> None:
    swiss = next_round(played_out(started(TournamentKind.SWISS, 5, rounds=3), rounds=2), NOON)
    first = swiss.in_round(3)[0]
    swiss = corrected(record_game(swiss, first.number, TournamentGame(first.players[0]), NOON), 3, 1)
    again = play_again(swiss, swiss.conflicts[0], NOON)
    assert (again.last_round, {one.end for one in again.fixtures if one.round == 3}) == (2, {FixtureEnd.REPLACED})
    assert is_over(played_out(again))


def test_a_result_is_corrected_by_games_that_decide_it() -> None:
    cup = won(started(TournamentKind.KNOCK_OUT, 2), 1, 2)
    with pytest.raises(Refused, match="decided before the last"):
        correct_result(cup, 1, [TournamentGame(1), TournamentGame(2)], NOON)
    with pytest.raises(Refused, match="no result to correct"):
        corrected(started(TournamentKind.KNOCK_OUT, 2), 1, 2)
    with pytest.raises(Refused, match="no match 5"):
        correct_result(cup, 5, [TournamentGame(1)], NOON)


def test_a_result_that_belongs_to_another_match_is_taken_back() -> None:
    cup = won(won(started(TournamentKind.KNOCK_OUT, 4), 1, 4), 2, 3)
    opened = correct_result(cup, 1, [], LATER)
    assert (opened.fixture(1).state, opened.fixture(3).players) == (FixtureState.WAITING, (None, 2))
    with pytest.raises(Refused, match="played on by this result"):
        correct_result(call_players(cup, 3, 7, NOON), 1, [TournamentGame(None)], LATER)
    swiss = next_round(played_out(started(TournamentKind.SWISS, 4), rounds=1), NOON)
    with pytest.raises(Refused, match="played on by this result"):
        correct_result(swiss, 1, [], LATER)


def test_a_game_is_corrected_while_its_match_is_played() -> None:
    cup = won(started(TournamentKind.KNOCK_OUT, 2, best_of=3), 1, 2)
    other = correct_result(cup, 1, [TournamentGame(2)], NOON)
    assert (other.fixture(1).state, other.fixture(1).wins) == (FixtureState.PLAYING, (0, 1))
    assert correct_result(cup, 1, [TournamentGame(2), TournamentGame(2)], NOON).fixture(1).winner == 2


def test_who_gives_up_a_match_stays_in_the_tournament() -> None:
    group = give_up(started(TournamentKind.ROUND_ROBIN, 4), 1, 1, NOON)
    assert (group.fixture(1).winner, group.fixture(1).end) == (4, FixtureEnd.GIVEN_UP)
    assert not any(one.over for one in group.fixtures_of(1)[1:])
    with pytest.raises(Refused, match="not in the match"):
        give_up(group, 2, 1, NOON)


def test_seeds_and_players_are_each_there_once() -> None:
    players = entrants(3)
    with pytest.raises(Refused, match="in the list twice"):
        start(settings_of(TournamentKind.SWISS), (*players, players[0]), NOON)


def test_a_bye_is_a_win_without_a_match() -> None:
    fixture = Fixture(1, 1, (3, None), FixtureState.DONE, end=FixtureEnd.BYE, walkover_to=3)
    assert (fixture.winner, fixture.loser, fixture.points(3), fixture.begun) == (3, None, 1, False)


def test_the_last_rounds_of_a_knock_out_have_names() -> None:
    cup = started(TournamentKind.KNOCK_OUT, 16)
    titles = [round_title(cup, number) for number in (1, 2, 3, 4)]
    assert titles == ["Round 1", "Quarter-finals", "Semi-finals", "Final"]
    assert round_title(started(TournamentKind.ROUND_ROBIN, 4), 3) == "Round 3"
