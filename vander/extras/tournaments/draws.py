"""Who meets whom: in the bracket of a knock-out, everybody everybody, and in a round of a Swiss tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import combinations
from zlib import crc32

import rustworkx

from vander.extras.tournaments.tournament import Feeder, Fixture, FixtureEnd, FixtureState, Meeting, Tournament

# The bracket of a knock-out: who can meet whom until the final


def seeded_places(size: int) -> list[int]:
    """Return the seeds in the order of the bracket, so that 1 and 2 can meet in the final only: 1, 4, 2, 3 for four.

    `size` is a power of two.
    """
    places = [1]
    while len(places) < size:
        total = 2 * len(places) + 1
        places = [seed for place in places for seed in (place, total - place)]
    return places


def bracket_size(players: int) -> int:
    """Return the smallest power of two that holds so many players."""
    return 1 << (players - 1).bit_length()


def bracket(players: Sequence[int], *, third_place: bool) -> list[Fixture]:
    """Return all fixtures of a knock-out. `players` are in the order of their seeds; the best have the byes."""
    size = bracket_size(len(players))
    placed = [players[seed - 1] if seed <= len(players) else None for seed in seeded_places(size)]
    rounds = [[Fixture(n + 1, 1, (placed[2 * n], placed[2 * n + 1])) for n in range(size // 2)]]
    while len(rounds[-1]) > 1:
        rounds.append(_next_round(rounds[-1]))
    if third_place and len(rounds) > 1:
        rounds[-1] = _with_third_place(rounds[-1][0])
    return [fixture for fixtures in rounds for fixture in fixtures]


def _next_round(before: Sequence[Fixture]) -> list[Fixture]:
    number = before[-1].number + 1
    pairs = zip(before[::2], before[1::2], strict=True)
    return [
        Fixture(number + n, first.round + 1, (None, None), feeders=(Feeder(first.number), Feeder(second.number)))
        for n, (first, second) in enumerate(pairs)
    ]


def _with_third_place(final: Fixture) -> list[Fixture]:
    """Return the match for third place and the final, which is played last."""
    feeders = (Feeder(final.number - 2, winner=False), Feeder(final.number - 1, winner=False))
    third = Fixture(final.number, final.round, (None, None), feeders=feeders, third_place=True)
    return [third, Fixture(final.number + 1, final.round, (None, None), feeders=final.feeders)]


# Everybody meets everybody: the circle method, and the dates of a league


def circle_rounds(players: Sequence[int], *, twice: bool = False) -> list[list[Meeting]]:
    """Return all rounds, each with who meets whom; with an odd number one player rests in each round.

    The circle method: one player stays, the others move on by one place a round. Who is named first changes, and the
    second half of a double round robin is the first with sides changed.
    """
    circle: list[int | None] = [*players] if len(players) % 2 == 0 else [*players, None]
    rounds = [_of_circle(circle, turn) for turn in range(len(circle) - 1)]
    return rounds + [[(second, first) for first, second in meetings] for meetings in rounds] if twice else rounds


def _of_circle(circle: Sequence[int | None], turn: int) -> list[Meeting]:
    fixed, moving = circle[0], circle[1:]
    row = [fixed, *moving[len(moving) - turn :], *moving[: len(moving) - turn]]
    half = len(row) // 2
    meetings = list(zip(row[:half], reversed(row[half:]), strict=True))
    if turn % 2:
        meetings[0] = (meetings[0][1], meetings[0][0])
    return [meeting for meeting in meetings if None not in meeting]


def weekly(first: date, count: int, every_days: int = 7) -> tuple[date, ...]:
    """Return `count` match days from the first on, `every_days` apart."""
    return tuple(first + timedelta(days=every_days * number) for number in range(count))


def day_of_round(round_number: int, rounds: int, match_days: Sequence[date]) -> date | None:
    """Return the date of a round: a round a day, several a day where the days are fewer; None without dates."""
    if not match_days:
        return None
    days = match_days[:rounds]
    return days[(round_number - 1) * len(days) // rounds]


# Draw a round of a Swiss tournament: players with about as many points, who have not met
#
# What must not be (a rematch, a second bye) costs more than all that should not be together, so that one matching of
# least weight keeps the rules in their order. The rules are those of FIDE Handbook C.04.1 without colours; within a
# group of equal points the upper half meets the lower half, as in the Dutch system (C.04.3). Among draws that are
# equally good by these rules a lot decides, the same at each time, so that a round drawn again meets as it did.


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
