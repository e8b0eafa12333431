"""The table of a tournament: points and tie-breaks, or how far each came in a bracket.

Names and numbers of tie-breaks are those of the FIDE Handbook, C.07 (Play-Off and Tie-Break Regulations): direct
encounter (article 6), wins at the table (7.2), Buchholz (8.1), Sonneborn-Berger (9.1), Cut-1 (14.1), unplayed rounds
(16). Who is equal by all of them shares the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from vander.extras.tournaments.redraw import counts
from vander.extras.tournaments.tournament import TIE, WIN, Entrant, Fixture, FixtureEnd, FixtureState, Tournament


@dataclass(frozen=True)
class Standing:
    """A row of the table. `place` is None for a player whose results do not count (see `redraw.counts`).

    `points` are 1 for a win, 0.5 for a tie; in a knock-out they are the matches won. `played` counts what was really
    played; a bye or a walkover is in `points` alone. `buchholz` and `buchholz_cut_1` are 0 outside a Swiss tournament.
    `score_difference` is over all games with scores.
    """

    place: int | None
    entrant: Entrant
    points: float = 0.0
    played: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    buchholz_cut_1: float = 0.0
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0
    score_difference: int = 0


Group = Sequence[Standing]
TieBreak = Callable[[Group], Sequence[float]]
"""The value of each of a group of equal players; more is better."""


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the table as it stands, the best first; at the end those whose results do not count."""
    counted = [one for one in tournament.entrants if counts(tournament, one.player)]
    rows = _rows(tournament, counted)
    groups = _ranked(rows, _tie_breaks(tournament, frozenset(one.player for one in counted)))
    uncounted = (Standing(None, one) for one in tournament.entrants if one not in counted)
    return (*_placed(groups), *uncounted)


def _placed(groups: Iterable[Group]) -> list[Standing]:
    placed: list[Standing] = []
    for group in groups:
        place = len(placed) + 1
        placed += [_at(place, row) for row in sorted(group, key=lambda row: row.entrant.seed)]
    return placed


def _at(place: int, row: Standing) -> Standing:
    return Standing(**{**vars(row), "place": place})


def _ranked(group: Group, breaks: Sequence[TieBreak]) -> list[Group]:
    """Split equal players by the tie-breaks in their order; a part that is smaller is ranked by the same one again."""
    if len(group) < 2 or not breaks:
        return [group]
    values = breaks[0](group)
    parts = [
        [row for row, own in zip(group, values, strict=True) if own == value]
        for value in sorted(set(values), reverse=True)
    ]
    if len(parts) == 1:
        return _ranked(group, breaks[1:])
    return [found for part in parts for found in _ranked(part, breaks)]


def _tie_breaks(tournament: Tournament, counted: frozenset[int]) -> list[TieBreak]:
    if tournament.is_knock_out:
        return [partial(_progress, tournament)]
    direct = partial(_direct_encounter, _counted(tournament, counted))
    if tournament.is_swiss:
        return [
            lambda group: [row.points for row in group],
            lambda group: [row.buchholz_cut_1 for row in group],
            lambda group: [row.buchholz for row in group],
            direct,
            lambda group: [row.won for row in group],
            lambda group: [row.score_difference for row in group],
        ]
    return [
        lambda group: [row.points for row in group],
        direct,
        lambda group: [row.sonneborn_berger for row in group],
        lambda group: [row.won for row in group],
        lambda group: [row.score_difference for row in group],
    ]


def _counted(tournament: Tournament, counted: frozenset[int]) -> list[Fixture]:
    """Return the fixtures that are done, of players whose results count."""
    done = (one for one in tournament.standing_fixtures if one.state is FixtureState.DONE)
    return [fixture for fixture in done if counted.issuperset(fixture.known)]


def _is_played(fixture: Fixture) -> bool:
    return fixture.end is FixtureEnd.PLAYED


def _direct_encounter(fixtures: Sequence[Fixture], group: Group) -> list[float]:
    """Return the points among equal players, 0 for all unless each has played each other one (C.07, article 6)."""
    players = {row.entrant.player for row in group}
    among = [one for one in fixtures if _is_played(one) and players.issuperset(one.known)]
    met = {frozenset(one.players) for one in among}
    if 2 * len(met) < len(players) * (len(players) - 1):
        return [0.0] * len(group)
    return [sum(_points(one, row.entrant.player) for one in among) for row in group]


def _points(fixture: Fixture, player: int) -> float:
    return fixture.points(player) if player in fixture.players else 0.0


@dataclass(frozen=True)
class _Tally:
    """What players got so far: their fixtures that are done, their points, and the rounds that they missed.

    `given` are those of the points that they got for rounds before they came.
    """

    done: dict[int, list[Fixture]]
    points: dict[int, float]
    given: dict[int, float]
    missed: dict[int, int]


def _tally(tournament: Tournament, entrants: Sequence[Entrant]) -> _Tally:
    fixtures = _counted(tournament, frozenset(one.player for one in entrants))
    done = {entrant.player: [one for one in fixtures if entrant.player in one.players] for entrant in entrants}
    given = {entrant.player: entrant.points_for_missed for entrant in entrants}
    points = {player: given[player] + sum(one.points(player) for one in own) for player, own in done.items()}
    drawn = [one for one in tournament.standing_fixtures if one.state is not FixtureState.VOID]
    rounds = Counter(player for fixture in drawn for player in fixture.known)
    return _Tally(done, points, given, {player: tournament.last_round - rounds[player] for player in done})


def _rows(tournament: Tournament, entrants: Sequence[Entrant]) -> list[Standing]:
    tally = _tally(tournament, entrants)
    return [_row(entrant, tally, is_swiss=tournament.is_swiss) for entrant in entrants]


def _row(entrant: Entrant, tally: _Tally, *, is_swiss: bool) -> Standing:
    player = entrant.player
    played = [one for one in tally.done[player] if _is_played(one)]
    gained = [one.points(player) for one in played]
    opponents = _opponents(player, played, tally) if is_swiss else []
    return Standing(
        None,
        entrant,
        points=tally.points[player],
        played=len(played),
        won=gained.count(WIN),
        tied=gained.count(TIE),
        lost=len(played) - gained.count(WIN) - gained.count(TIE),
        buchholz_cut_1=sum(opponents) - min(opponents, default=0.0),
        buchholz=sum(opponents),
        sonneborn_berger=sum(
            own * tally.points[other] for own, other in zip(gained, _met(player, played), strict=True)
        ),
        score_difference=sum(_difference(one, player) for one in played),
    )


def _met(player: int, played: Iterable[Fixture]) -> list[int]:
    opponents = (one.opponent(player) for one in played)
    return [other for other in opponents if other is not None]


def _opponents(player: int, played: Sequence[Fixture], tally: _Tally) -> list[float]:
    """Return the points of whom a player met, one for each round that is over for the player (C.07, article 16).

    A round that the player did not play counts as an opponent with the player's own points. A round that an opponent
    missed counts for that opponent as a tie. Cut-1 leaves out the least, whichever round it is from.
    """
    met = [tally.points[other] - tally.given[other] + TIE * tally.missed[other] for other in _met(player, played)]
    unplayed = len(tally.done[player]) - len(played) + tally.missed[player]
    return met + [tally.points[player]] * unplayed


def _difference(fixture: Fixture, player: int) -> int:
    sign = 1 if fixture.players[0] == player else -1
    return sign * sum(game.scores[0] - game.scores[1] for game in fixture.games if game.scores is not None)


def _progress(tournament: Tournament, group: Group) -> list[float]:
    """Return how far each came: the round in which they went out, more for who won the match for third place."""
    return [_way(tournament, row.entrant.player) for row in group]


def _way(tournament: Tournament, player: int) -> float:
    fixtures = tournament.fixtures_of(player)
    out = min((one.round for one in fixtures if _is_out(one, player)), default=tournament.last_round + 1)
    third = any(one.third_place and one.winner == player for one in fixtures)
    return out + (0.5 if third else 0.0)


def _is_out(fixture: Fixture, player: int) -> bool:
    return fixture.over and fixture.winner != player and not fixture.third_place
