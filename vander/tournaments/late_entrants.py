"""A player who comes after the first round: into a Swiss tournament, a round robin or a league that goes on.

A Swiss tournament draws a late entrant from the next round on; a round missed gives nothing, or a tie where that was
agreed (FIDE Handbook C.04.2, on late entries; half-point byes are a choice of the organiser's). In a round robin and a
league a late entrant still meets everybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

from referee.refused import Reason, Refused
from referee.sentences import say
from vander.tournaments.organising import MOST_ENTRANTS, is_over, planned_rounds
from vander.tournaments.redraw import redrawn
from vander.tournaments.tournament import Entrant, Fixture, Tournament


def enter_late(
    tournament: Tournament, player: int, name: str, at: datetime, *, ties_missed: bool = False
) -> Tournament:
    """Return a tournament that goes on with one player more, who has the last seed. Raises Refused.

    `ties_missed` (Swiss): the rounds that the player missed count as ties, not as losses.
    """
    check_late_entrant(tournament)
    _check_new(tournament, player, name)
    seed = 1 + max(entrant.seed for entrant in tournament.entrants)
    if tournament.is_swiss:
        entrant = Entrant(player, name, seed, None, tournament.last_round + 1, ties_missed)
        settings = replace(tournament.settings, rounds=planned_rounds(tournament))  # as many as before
        return replace(tournament, settings=settings, entrants=(*tournament.entrants, entrant))
    entrant = Entrant(player, name, seed, None, _current_round(tournament))
    with_player = replace(tournament, entrants=(*tournament.entrants, entrant))
    made = (*tournament.fixtures, *_matches(tournament, entrant, at))
    return redrawn(replace(with_player, fixtures=made), at, tournament.last_round)


def may_enter_late(tournament: Tournament) -> bool:
    """True if the tournament goes on, and takes a player more."""
    return bool(tournament.fixtures) and not _why_closed(tournament)


def check_late_entrant(tournament: Tournament) -> None:
    """Refuse whoever comes late, where nobody can come in any more. Raises Refused (CONFLICT)."""
    why = _why_closed(tournament)
    if why:
        raise Refused(why, Reason.CONFLICT)


def _why_closed(tournament: Tournament) -> str:
    """Return why nobody can come in any more, '' where somebody can."""
    if tournament.is_knock_out:
        return say("The bracket is drawn: nobody can come into a knock-out after that.")
    if is_over(tournament):
        return say("The tournament is over.")
    if tournament.is_swiss and tournament.last_round >= planned_rounds(tournament):
        return say("The last round is drawn: nobody can come in after that.")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        return say("A tournament has 2 to {most} players.", most=MOST_ENTRANTS)
    return ""


def _check_new(tournament: Tournament, player: int, name: str) -> None:
    if any(entrant.player == player for entrant in tournament.entrants):
        raise Refused(say("{name} is in the tournament already.", name=name), Reason.CONFLICT)


def _current_round(tournament: Tournament) -> int:
    """Return the first round in which something is left to play."""
    return min(fixture.round for fixture in tournament.fixtures if not fixture.over)


def _matches(tournament: Tournament, late: Entrant, at: datetime) -> Iterator[Fixture]:
    """Yield the matches of a late entrant with everybody, once or twice, in turn as the first of the two.

    Each is in the first round from now on that lacks it and in which both are free, where need be in a further one.
    """
    opponents = tournament.entrants * (2 if tournament.settings.twice else 1)
    number = 1 + max(fixture.number for fixture in tournament.fixtures)
    rounds = _free_rounds(tournament, opponents)
    days = _days(tournament, rounds)
    for place, (opponent, round_number, day) in enumerate(zip(opponents, rounds, days, strict=True)):
        pair = (late.player, opponent.player) if place % 2 else (opponent.player, late.player)
        yield Fixture(number + place, round_number, pair, waiting_since=at, day=day)


def _free_rounds(tournament: Tournament, opponents: Sequence[Entrant]) -> list[int]:
    """Return for each opponent a round of its own in which that opponent has no match.

    For one who has withdrawn it is none of the rounds before, so that the match is a walkover and waits for nobody.
    """
    busy: defaultdict[int, set[int]] = defaultdict(set)
    for fixture in tournament.standing_fixtures:
        busy[fixture.round].update(fixture.known)
    found: list[int] = []
    for opponent in opponents:
        round_number = max(_current_round(tournament), opponent.withdrawn_from_round or 1)
        while round_number in found or opponent.player in busy[round_number]:
            round_number += 1
        found.append(round_number)
    return found


def _days(tournament: Tournament, rounds: Sequence[int]) -> list[date | None]:
    """Return a day for a match in each of these rounds, None without days.

    A match in a round that there was is on the day of that round; the others are spread over the days on which
    something is still to be played, so that a league ends when it was to end.
    """
    of_round = {fixture.round: fixture.day for fixture in tournament.fixtures}
    left = sorted({fixture.day for fixture in tournament.fixtures if fixture.day and not fixture.over})
    further = [number for number in rounds if number not in of_round]
    spread = {
        number: left[place * len(left) // len(further)] if left else None
        for place, number in enumerate(sorted(further))
    }
    return [of_round[number] if number in of_round else spread[number] for number in rounds]
