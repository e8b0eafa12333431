"""The draw of a Swiss round against another library's matching, on tables of players made up by a number."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from played_tournaments import QUIET, lots_of

from vander.extras.tournaments.draws import SwissTable, least_matching, meeting_costs, swiss_meetings


def table_of(lots: Random, count: int, most_points: int = 8) -> SwissTable:
    """Players with points, some of whom have met or had a bye; the fewer points there are the more draws are equal."""
    points = sorted((lots.randrange(2 * most_points + 1) / 2 for _ in range(count)), reverse=True)
    order = tuple(lots.sample(range(1, count + 1), count))
    pairs = list(combinations(order, 2))
    met = frozenset(frozenset(pair) for pair in lots.sample(pairs, lots.randrange(len(pairs) // 2 + 1)))
    without_bye = frozenset(player for player in order if lots.random() < 0.7)
    return SwissTable(order, dict(zip(order, points, strict=True)), met, without_bye)


def paired_by_networkx(lots: Random, costs: dict[tuple[int, int], int]) -> set[tuple[int, int]]:
    """The pairs of least cost by another program, to which they were told in another order."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, costs[pair]) for pair in lots.sample(list(costs), len(costs)))
    return {(min(pair), max(pair)) for pair in nx.min_weight_matching(graph)}


@given(st.integers(2, 25), st.integers(0, 4), st.integers(0, 2**32))
@QUIET
def test_of_equally_good_draws_it_is_always_the_same_whatever_finds_it(count: int, most: int, seed: int) -> None:
    lots = lots_of(seed)
    costs = meeting_costs(table_of(lots, count, most))
    found = {(min(pair), max(pair)) for pair in least_matching(costs)}
    assert found == paired_by_networkx(lots, costs)


def test_a_round_whose_costs_are_beyond_64_bits_is_drawn_exactly() -> None:
    lots = lots_of(5)
    table = table_of(lots, 127, 255)
    costs = meeting_costs(table)
    assert 2**63 < max(costs.values()) < 2**100
    drawn = {frozenset(meeting) for meeting in swiss_meetings(table)}
    places = [*table.order, None]
    assert drawn == {frozenset((places[one], places[other])) for one, other in paired_by_networkx(lots, costs)}
    assert len(drawn) == 64


def test_nobody_is_drawn_where_nobody_plays() -> None:
    assert swiss_meetings(SwissTable((), {}, frozenset(), frozenset())) == []
    alone = SwissTable((7,), {7: 0.0}, frozenset(), frozenset({7}))
    assert swiss_meetings(alone) == [(7, None)]
