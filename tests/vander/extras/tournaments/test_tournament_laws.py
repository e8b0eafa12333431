"""What holds in every tournament, whatever results, withdrawals and corrections come."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_tournaments import (
    NOON,
    QUIET,
    between,
    game_at_random,
    lots_of,
    one_step,
    playable,
    played_out,
    settings_of,
    started,
)
from pydantic import TypeAdapter

from referee.sentences import Refused
from vander.extras.tournaments.draws import bracket_size
from vander.extras.tournaments.organising import enter_late, is_over, next_round, record_game, start, withdraw
from vander.extras.tournaments.redraw import keep_as_played, redrawn
from vander.extras.tournaments.standings import standings
from vander.extras.tournaments.tournament import FixtureEnd, FixtureState, Tournament, TournamentKind

SEEDS = st.integers(0, 2**32)
KINDS = st.sampled_from(TournamentKind)


def nobody_is_twice_in_a_round(tournament: Tournament) -> bool:
    places = Counter((fixture.round, player) for fixture in tournament.standing_fixtures for player in fixture.known)
    return max(places.values(), default=1) == 1


def games_on_record(tournament: Tournament) -> set[str]:
    return {game.reference for fixture in tournament.fixtures for game in fixture.games if game.reference}


def replaced_by_a_correction(before: Tournament, after: Tournament) -> set[str]:
    """The games of fixtures that were over in both and have other games now: a correction took them away."""
    now = {fixture.number: fixture for fixture in after.fixtures}
    changed = [one for one in before.fixtures if one.end is FixtureEnd.PLAYED and now[one.number].games != one.games]
    return {game.reference for fixture in changed for game in fixture.games}


@given(KINDS, st.integers(2, 9), SEEDS, st.sampled_from([1, 3]), st.booleans())
@QUIET
def test_whatever_comes_no_game_is_lost_and_nobody_is_twice_in_a_round_and_it_ends(
    kind: TournamentKind, count: int, seed: int, best_of: int, twice: bool
) -> None:
    lots = lots_of(seed)
    tournament = started(kind, count, best_of=best_of, twice=twice, third_place=twice)
    for _ in range(60):
        after = one_step(lots, tournament)
        assert nobody_is_twice_in_a_round(after)
        assert len({fixture.number for fixture in after.fixtures}) == len(after.fixtures)
        assert games_on_record(tournament) - games_on_record(after) <= replaced_by_a_correction(tournament, after)
        tournament = after
    while tournament.conflicts:
        tournament = keep_as_played(tournament, tournament.conflicts[0], NOON)
    ended = ended_with_decisions(lots, tournament)
    assert is_over(ended)
    rows = standings(ended)
    entered = len(tournament.entrants)
    assert sorted(row.entrant.player for row in rows) == list(range(1, entered + 1))
    assert [row.place or entered for row in rows] == sorted(row.place or entered for row in rows)


def ended_with_decisions(lots: Random, tournament: Tournament) -> Tournament:
    """Play to the end; a match whose players came about by a result corrected meanwhile is kept."""
    for _ in range(2000):
        if is_over(tournament):
            break
        if tournament.conflicts:
            tournament = keep_as_played(tournament, tournament.conflicts[0], NOON)
        elif playable(tournament):
            fixture = playable(tournament)[0]
            tournament = record_game(tournament, fixture.number, game_at_random(lots, fixture), NOON)
        else:
            tournament = next_round(tournament, NOON)
    return tournament


@given(KINDS, st.integers(2, 9), SEEDS)
@QUIET
def test_what_follows_follows_once_and_reads_back_from_json(kind: TournamentKind, count: int, seed: int) -> None:
    lots = lots_of(seed)
    tournament = started(kind, count, third_place=True)
    for _ in range(20):
        tournament = one_step(lots, tournament)
    assert redrawn(tournament, NOON, tournament.last_round) == redrawn(
        redrawn(tournament, NOON, tournament.last_round), NOON, tournament.last_round
    )
    adapter = TypeAdapter(Tournament)
    assert adapter.validate_json(adapter.dump_json(tournament)) == tournament


@given(st.integers(2, 33), st.booleans())
@QUIET
def test_in_a_round_robin_everybody_meets_everybody(count: int, twice: bool) -> None:
    tournament = started(TournamentKind.ROUND_ROBIN, count, twice=twice)
    met = Counter(frozenset(fixture.players) for fixture in tournament.fixtures)
    assert met == {frozenset(pair): 1 + twice for pair in combinations(range(1, count + 1), 2)}
    assert nobody_is_twice_in_a_round(tournament)
    assert tournament.last_round == (count - 1 + count % 2) * (1 + twice)
    sides = Counter(fixture.players[0] for fixture in tournament.fixtures)
    assert max(abs(2 * sides[player] - (count - 1) * (1 + twice)) for player in range(1, count + 1)) <= 2


@given(st.sampled_from([TournamentKind.ROUND_ROBIN, TournamentKind.LEAGUE]), st.integers(2, 9), SEEDS, st.booleans())
@QUIET
def test_whoever_comes_late_into_a_round_robin_meets_everybody_too(
    kind: TournamentKind, count: int, seed: int, twice: bool
) -> None:
    lots, tournament = lots_of(seed), started(kind, count, twice=twice)
    for player in range(count + 1, count + 3):
        for fixture in playable(tournament)[: lots.randrange(count)]:
            tournament = record_game(tournament, fixture.number, game_at_random(lots, fixture), NOON)
        if is_over(tournament):
            return
        tournament = enter_late(tournament, player, f"Player {player}", NOON)
        met = Counter(frozenset(fixture.players) for fixture in tournament.fixtures)
        assert met == {frozenset(pair): 1 + twice for pair in combinations(range(1, player + 1), 2)}
        assert nobody_is_twice_in_a_round(tournament)


def without_one(lots: Random, tournament: Tournament) -> Tournament:
    """One more player gone, while any are left."""
    left = [one.player for one in tournament.entrants if one.withdrawn_from_round is None]
    return withdraw(tournament, lots.choice(left), NOON) if left else tournament


def a_round_without_rematch_exists(tournament: Tournament, players: set[int]) -> bool:
    """True if some draw of these players has neither a rematch nor a second bye."""
    past = [fixture for fixture in tournament.standing_fixtures if fixture.round < tournament.last_round]
    met = {frozenset(fixture.players) for fixture in past if fixture.end is FixtureEnd.PLAYED}
    free = nx.Graph([pair for pair in combinations(players, 2) if frozenset(pair) not in met])
    if len(players) % 2:
        given_away = {fixture.winner for fixture in past if fixture.end is not FixtureEnd.PLAYED}
        free.add_edges_from((player, 0) for player in players - given_away)
    return 2 * len(nx.max_weight_matching(free, maxcardinality=True)) == len(players) + len(players) % 2


@given(st.integers(2, 12), SEEDS)
@QUIET
def test_in_a_swiss_tournament_nobody_meets_again_while_that_can_be_avoided(count: int, seed: int) -> None:
    lots = lots_of(seed)
    tournament = started(TournamentKind.SWISS, count, rounds=count - 1 + count % 2)
    while not is_over(tournament):
        tournament = played_out(tournament, lambda fixture: game_at_random(lots, fixture).winner, tournament.last_round)
        if lots.random() < 0.2:
            tournament = without_one(lots, tournament)
        if is_over(tournament):
            break
        tournament = next_round(tournament, NOON)
        round_now = tournament.in_round(tournament.last_round)
        if a_round_without_rematch_exists(tournament, {player for one in round_now for player in one.known}):
            played = Counter(frozenset(one.players) for one in tournament.fixtures)
            assert max(played.values()) == 1
            byes = Counter(one.known for one in tournament.fixtures if one.end is FixtureEnd.BYE)
            assert max(byes.values(), default=1) == 1


@pytest.mark.parametrize("count", range(2, 65))
def test_a_bracket_of_any_size_has_one_winner_after_one_loss_each(count: int) -> None:
    tournament = played_out(started(TournamentKind.KNOCK_OUT, count))
    played = [fixture for fixture in tournament.fixtures if fixture.end is FixtureEnd.PLAYED]
    assert len(played) == count - 1
    assert Counter(fixture.loser for fixture in played) == Counter(range(2, count + 1))
    byes = {fixture.winner for fixture in tournament.fixtures if fixture.end is FixtureEnd.BYE}
    assert byes == set(range(1, bracket_size(count) - count + 1))
    assert [row.entrant.player for row in standings(tournament)][:2] == [1, 2]


@given(st.integers(2, 40), st.booleans(), SEEDS)
@QUIET
def test_a_knock_out_ends_whoever_leaves(count: int, third_place: bool, seed: int) -> None:
    lots = lots_of(seed)
    tournament = started(TournamentKind.KNOCK_OUT, count, third_place=third_place)
    while not is_over(tournament):
        if lots.random() < 0.2:
            tournament = without_one(lots, tournament)
        for fixture in playable(tournament)[:1]:
            tournament = record_game(tournament, fixture.number, game_at_random(lots, fixture), NOON)
    assert all(fixture.state in (FixtureState.DONE, FixtureState.VOID) for fixture in tournament.fixtures)
    assert standings(tournament)[0].place == 1


@given(KINDS, SEEDS)
@QUIET
def test_the_same_happens_again_by_the_same_number(kind: TournamentKind, seed: int) -> None:
    def once() -> Tournament:
        lots, tournament = lots_of(seed), started(kind, 7)
        for _ in range(15):
            tournament = one_step(lots, tournament)
        return tournament

    assert once() == once()


def test_two_hundred_players_are_drawn() -> None:
    tournament = started(TournamentKind.SWISS, 200, rounds=3)
    assert between(tournament, 1, 101).round == 1
    tournament = next_round(played_out(tournament, rounds=1), NOON)
    assert len(tournament.in_round(2)) == 100
    assert between(tournament, 1, 51).round == 2
    assert nobody_is_twice_in_a_round(tournament)


def test_a_tournament_needs_two_players_with_seeds_of_their_own() -> None:
    alone = settings_of(TournamentKind.SWISS)
    with pytest.raises(Refused, match="2 to 256 players"):
        start(alone, started(TournamentKind.SWISS, 2).entrants[:1], NOON)
    with pytest.raises(Refused, match="best of 1, 3, 5"):
        started(TournamentKind.SWISS, 4, best_of=2)
    with pytest.raises(Refused, match="1 to 3 rounds"):
        started(TournamentKind.SWISS, 4, rounds=4)
    with pytest.raises(Refused, match="needs its match days"):
        started(TournamentKind.LEAGUE, 4, match_days=())
