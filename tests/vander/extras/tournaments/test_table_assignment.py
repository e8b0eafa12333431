"""Who is called next to which table."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from played_tournaments import DAYS, NOON, QUIET, started, won

from vander.extras.tournaments.organising import busy_players, call_players
from vander.extras.tournaments.redraw import assign_tables, ready_fixtures
from vander.extras.tournaments.tournament import Fixture, Tournament, TournamentKind


def numbers(assigned: tuple[tuple[Fixture, int], ...]) -> list[tuple[int, int]]:
    return [(fixture.number, table) for fixture, table in assigned]


def test_the_first_round_is_called_before_the_second() -> None:
    group = started(TournamentKind.ROUND_ROBIN, 6)
    assert numbers(assign_tables(group.fixtures, [11, 12, 13, 14], ())) == [(1, 11), (2, 12), (3, 13)]


def test_nobody_is_at_two_tables() -> None:
    group = call_players(started(TournamentKind.ROUND_ROBIN, 4), 1, 11, NOON)
    assert numbers(assign_tables(group.fixtures, [12, 13], busy_players(group))) == [(2, 12)]
    assert assign_tables(group.fixtures, [12, 13], {1, 2, 3, 4}) == ()


def test_what_others_wait_for_comes_before_who_has_waited_longer() -> None:
    cup = won(won(started(TournamentKind.KNOCK_OUT, 6, third_place=True), 4, 5), 3, 6)
    semi, other = (fixture for fixture in cup.fixtures if fixture.round == 2)
    later = replace(semi, waiting_since=NOON + timedelta(hours=1))
    row = [fixture for fixture in cup.fixtures if fixture.round == 3]
    assert numbers(assign_tables([*row, later, other], [7], ())) == [(other.number, 7)]
    first_round = replace(semi, number=99, players=(8, 9), round=1, feeders=None, waiting_since=NOON)
    fed = replace(later, feeders=(replace(later.feeders[0], fixture=99), later.feeders[1])) if later.feeders else later
    assert numbers(assign_tables([other, *row, fed, first_round], [7], ())) == [(99, 7)]


def test_a_league_calls_what_is_due() -> None:
    league = started(TournamentKind.LEAGUE, 4)
    assert {one.round for one in ready_fixtures(league, DAYS[1])} == {1, 2}
    cup: Tournament = started(TournamentKind.KNOCK_OUT, 4)
    assert len(ready_fixtures(cup, DAYS[0])) == 3


@given(st.integers(2, 16), st.integers(0, 9), st.sets(st.integers(1, 16)), st.sampled_from(TournamentKind))
@QUIET
def test_every_free_table_is_used_while_two_players_are_free_for_it(
    count: int, tables: int, busy: set[int], kind: TournamentKind
) -> None:
    tournament = started(kind, count)
    assigned = assign_tables(tournament.fixtures, range(100, 100 + tables), busy)
    called = [player for fixture, _ in assigned for player in fixture.known]
    assert len(called) == len(set(called))
    assert busy.isdisjoint(called)
    assert [table for _, table in assigned] == list(range(100, 100 + len(assigned)))
    left = [one for one in tournament.fixtures if not one.over and len(one.known) == 2]
    free = [one for one in left if not {*called, *busy} & set(one.known)]
    assert len(assigned) == tables or not free
