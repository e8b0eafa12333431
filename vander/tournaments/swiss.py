"""Draw a round of a Swiss tournament: players with about as many points, who have not met.

What must not be (a rematch, a second bye) costs more than all that should not be together, so that one matching of
least weight keeps the rules in their order. The rules are those of FIDE Handbook C.04.1 without colours; within a
group of equal points the upper half meets the lower half, as in the Dutch system (C.04.3). Among draws that are equally
good by these rules a lot decides, the same at each time, so that a round drawn again meets as it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from zlib import crc32

import rustworkx

from vander.tournaments.tournament import Fixture, FixtureEnd, FixtureState, Meeting, Tournament

LOTS = 2**32
"""More than the lot of one meeting can be, in steps of cost."""


@dataclass(frozen=True)
class SwissTable:
    """The players of a round in order of points, then seed, and what happened in the rounds before it."""

    order: tuple[int, ...]
    points: dict[int, float]
    met: frozenset[frozenset[int | None]]
    without_bye: frozenset[int]

    @classmethod
    def before(cls, tournament: Tournament, round_number: int, players: Iterable[int]) -> SwissTable:
        """Return the table of these players as a round finds it."""
        past = [fixture for fixture in tournament.standing_fixtures if fixture.round < round_number]
        points = {player: tournament.entrant(player).points_for_missed for player in players}
        for one in past:
            points |= {player: points[player] + one.points(player) for player in one.known if player in points}
        seeds = {entrant.player: entrant.seed for entrant in tournament.entrants}
        order = sorted(points, key=lambda player: (-points[player], seeds[player]))
        met = frozenset(frozenset(fixture.players) for fixture in past if fixture.end is FixtureEnd.PLAYED)
        rested = {fixture.winner for fixture in past if _is_won_without_playing(fixture)}
        return cls(tuple(order), points, met, frozenset(order) - rested)

    @cached_property
    def groups(self) -> Counter[float]:
        """How many players have each number of points."""
        return Counter(self.points[player] for player in self.order)

    @cached_property
    def scale(self) -> tuple[int, int, int, int]:
        """The costs of a step within a group, between groups, of the place of a bye, and of a broken rule.

        Each is more than all of the step before it together can be.
        """
        count = len(self.order) + 1
        widest = int(2 * max(self.points.values(), default=0)) ** 2 + 1
        between = count * count
        bye = between * widest * count
        return 1, between, bye, bye * count * count


def swiss_meetings(table: SwissTable) -> list[Meeting]:
    """Return who meets whom, the best first and a bye last; the lowest who had none has the bye of an odd number.

    Players meet again only where no draw avoids it, and then as few as possible.
    """
    chosen = sorted(sorted(pair) for pair in least_matching(meeting_costs(table)))
    meetings = [_meeting(table.order, one, other) for one, other in chosen]
    return sorted(meetings, key=lambda meeting: meeting[1] is None)


def meeting_costs(table: SwissTable) -> dict[tuple[int, int], int]:
    """Return what each meeting costs, by the places of its players from 0; a bye is the place after the last.

    The lots make the draw of least cost a single one, but for some 20,000 in 2**32 cases at 200 players (the isolation
    lemma of Mulmuley, Vazirani and Vazirani).
    """
    places = range(len(table.order))
    costs = {(one, other): _cost(table, one, other) for one, other in combinations(places, 2)}
    if len(table.order) % 2:
        costs |= {(one, len(table.order)): _bye_cost(table, one) for one in places}
    lots = LOTS * len(table.order)
    return {pair: cost * lots + crc32(b"%d-%d" % pair) for pair, cost in costs.items()}


def least_matching(costs: Mapping[tuple[int, int], int]) -> set[tuple[int, int]]:
    """Return the pairs of least cost together, in which each of an even number of places is once.

    Costs are from 0 to 2**100.
    """
    if not costs:
        return set()
    graph, most = rustworkx.PyGraph(), max(costs.values()) + 1
    graph.add_nodes_from(range(1 + max(other for _, other in costs)))
    graph.add_edges_from([(one, other, most - cost) for (one, other), cost in costs.items()])
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def _meeting(order: Sequence[int], one: int, other: int) -> Meeting:
    return order[one], order[other] if other < len(order) else None


def _cost(table: SwissTable, one: int, other: int) -> int:
    first, second = table.order[one], table.order[other]
    within, between, _, forbidden = table.scale
    points = table.points[first]
    apart = int(2 * abs(points - table.points[second]))
    ideal = 1 if apart else table.groups[points] // 2
    again = forbidden if frozenset((first, second)) in table.met else 0
    return again + between * apart * apart + within * abs(abs(one - other) - ideal)


def _bye_cost(table: SwissTable, place: int) -> int:
    _, _, bye, forbidden = table.scale
    second = 0 if table.order[place] in table.without_bye else forbidden
    return second + bye * (len(table.order) - place)


def _is_won_without_playing(fixture: Fixture) -> bool:
    return fixture.state is FixtureState.DONE and fixture.end is not FixtureEnd.PLAYED
