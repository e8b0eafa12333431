"""Tournaments for tests: players by number, results in one line, and play at random by a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random

from hypothesis import HealthCheck, settings

from referee.sentences import Reason, Refused
from vander.extras.tournaments.draws import weekly
from vander.extras.tournaments.organising import (
    begin_play,
    busy_players,
    call_players,
    correct_result,
    enter_late,
    give_walkover,
    is_over,
    may_draw,
    next_round,
    record_game,
    reinstate,
    start,
    withdraw,
)
from vander.extras.tournaments.redraw import keep_as_played, play_again
from vander.extras.tournaments.tournament import (
    Entrant,
    Fixture,
    FixtureEnd,
    FixtureState,
    Tournament,
    TournamentGame,
    TournamentKind,
    TournamentSettings,
)

QUIET = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
NOON = datetime(2027, 1, 9, 12, tzinfo=UTC)
DAYS = weekly(date(2027, 1, 9), 4)


def lots_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - play at random, no secret


def settings_of(kind: TournamentKind, **changes: object) -> TournamentSettings:
    days = DAYS if kind is TournamentKind.LEAGUE else ()
    return replace(TournamentSettings(kind, "toss-up", match_days=days), **changes)  # type: ignore[arg-type]


def entrants(count: int) -> tuple[Entrant, ...]:
    """Players 1, 2, ... with their numbers as seeds."""
    return tuple(Entrant(number, f"Player {number}", number) for number in range(1, count + 1))


def started(kind: TournamentKind, count: int, **changes: object) -> Tournament:
    return start(settings_of(kind, **changes), entrants(count), NOON)


def between(tournament: Tournament, one: int, other: int) -> Fixture:
    """The standing fixture of two players that is not over, else the last one."""
    found = [fixture for fixture in tournament.standing_fixtures if set(fixture.players) == {one, other}]
    return next((fixture for fixture in found if not fixture.over), found[-1])


def won(tournament: Tournament, winner: int, loser: int, scores: tuple[int, int] | None = None) -> Tournament:
    """A game won by the first over the second; scores are the winner's and the loser's."""
    fixture = between(tournament, winner, loser)
    turned = scores[::-1] if scores and fixture.players[0] == loser else scores
    return record_game(tournament, fixture.number, TournamentGame(winner, turned), NOON)


def tied(tournament: Tournament, one: int, other: int) -> Tournament:
    return record_game(tournament, between(tournament, one, other).number, TournamentGame(None), NOON)


def playable(tournament: Tournament) -> list[Fixture]:
    return [fixture for fixture in tournament.fixtures if not fixture.over and None not in fixture.players]


def lower_number_wins(fixture: Fixture) -> int | None:
    return min(fixture.known)


def played_out(
    tournament: Tournament, winner: Callable[[Fixture], int | None] = lower_number_wins, rounds: int = 99
) -> Tournament:
    """Play until nothing is left, or until so many rounds are over."""
    while not is_over(tournament):
        left = [fixture for fixture in playable(tournament) if fixture.round <= rounds]
        if left:
            tournament = record_game(tournament, left[0].number, TournamentGame(winner(left[0])), NOON)
        elif may_draw(tournament) and tournament.last_round < rounds:
            tournament = next_round(tournament, NOON)
        else:
            break
    return tournament


def game_at_random(lots: Random, fixture: Fixture) -> TournamentGame:
    winner = lots.choice([*fixture.known, *fixture.known, None])
    return TournamentGame(winner, (lots.randrange(99), lots.randrange(99)), str(lots.random()))


def results_at_random(lots: Random, tournament: Tournament, fixture: Fixture) -> list[TournamentGame]:
    """Games of a fixture with a single winner, as many as it needs; now and then none, which open it again."""
    if lots.random() < 0.1:
        return []
    winner = lots.choice(fixture.known)
    return [TournamentGame(winner) for _ in range(tournament.settings.best_of // 2 + 1)]


def one_step(lots: Random, tournament: Tournament) -> Tournament:
    """Go on in one of the ways that are open: mostly play, now and then withdraw, correct, decide or stay away."""
    ways = [_play] * 12 + [_correct] * 2 + [_withdraw, _come_back, _stay_away, _come_late]
    way = _decide if tournament.conflicts and lots.random() < 0.5 else lots.choice(ways)
    try:
        return way(lots, tournament)
    except Refused as refused:
        if refused.reason is Reason.CONFLICT:
            return tournament
        raise


def _play(lots: Random, tournament: Tournament) -> Tournament:
    open_now = playable(tournament)
    if open_now:
        fixture = lots.choice(open_now)
        return record_game(tournament, fixture.number, game_at_random(lots, fixture), NOON)
    return next_round(tournament, NOON) if may_draw(tournament) and not tournament.conflicts else tournament


def _correct(lots: Random, tournament: Tournament) -> Tournament:
    done = [fixture for fixture in tournament.standing_fixtures if fixture.end is FixtureEnd.PLAYED]
    if not done:
        return tournament
    fixture = lots.choice(done)
    return correct_result(tournament, fixture.number, results_at_random(lots, tournament, fixture), NOON)


def _withdraw(lots: Random, tournament: Tournament) -> Tournament:
    player = lots.choice(tournament.entrants).player
    return withdraw(tournament, player, NOON, lots.choice([None, None, tournament.last_round + 1]))


def _come_back(lots: Random, tournament: Tournament) -> Tournament:
    gone = [one.player for one in tournament.entrants if one.withdrawn_from_round is not None]
    return reinstate(tournament, lots.choice(gone), NOON) if gone and lots.random() < 0.3 else tournament


def _come_late(lots: Random, tournament: Tournament) -> Tournament:
    player = 1 + max(entrant.player for entrant in tournament.entrants)
    if lots.random() < 0.5:
        return tournament
    return enter_late(tournament, player, f"Player {player}", NOON, ties_missed=lots.random() < 0.5)


def _stay_away(lots: Random, tournament: Tournament) -> Tournament:
    busy = busy_players(tournament)
    waiting = [one for one in playable(tournament) if one.state is FixtureState.WAITING and busy.isdisjoint(one.known)]
    if not waiting:
        return tournament
    fixture = lots.choice(waiting)
    called = call_players(tournament, fixture.number, fixture.number, NOON)
    if lots.random() < 0.5:
        return begin_play(called, fixture.number)
    absent = lots.sample(fixture.known, lots.choice([1, 1, 2]))
    return give_walkover(called, fixture.number, absent, NOON + timedelta(minutes=10))


def _decide(lots: Random, tournament: Tournament) -> Tournament:
    decide = lots.choice([keep_as_played, play_again])
    return decide(tournament, tournament.conflicts[0], NOON)
