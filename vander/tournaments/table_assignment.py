"""Who comes next to which free table."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from vander.tournaments.tournament import Fixture, FixtureState, Tournament

_NEVER = datetime.max.replace(tzinfo=UTC)


def ready_fixtures(tournament: Tournament, today: date) -> tuple[Fixture, ...]:
    """Return the open fixtures that may be played: of a league those up to today, of the other kinds all."""
    return tuple(one for one in tournament.fixtures if not one.over and (one.day is None or one.day <= today))


def assign_tables(
    fixtures: Sequence[Fixture], free_tables: Iterable[int], busy_players: Iterable[int]
) -> tuple[tuple[Fixture, int], ...]:
    """Return waiting fixtures of one tournament, each with a free table, in the order in which they should be called.

    First comes what most others wait for, then who has waited longest. No player is at two tables. `fixtures` may hold
    those that nobody can play yet: they tell what waits for what.
    """
    taken = set(busy_players)
    tables = list(free_tables)
    assigned: list[tuple[Fixture, int]] = []
    for fixture in _in_order(fixtures):
        if len(assigned) < len(tables) and taken.isdisjoint(fixture.known):
            assigned.append((fixture, tables[len(assigned)]))
            taken.update(fixture.known)
    return tuple(assigned)


def _in_order(fixtures: Sequence[Fixture]) -> list[Fixture]:
    waited_for = _waited_for([one for one in fixtures if not one.over])
    waiting = [one for one in fixtures if one.state is FixtureState.WAITING and len(one.known) == 2]
    return sorted(waiting, key=lambda one: (-waited_for[one.number], one.waiting_since or _NEVER, one.number))


def _waited_for(fixtures: Sequence[Fixture]) -> dict[int, int]:
    """Return for each fixture how many wait for it: what it feeds in a bracket, and later rounds of its players."""
    feeds: dict[int, set[int]] = defaultdict(set)
    rounds: dict[int, list[int]] = defaultdict(list)
    for fixture in sorted(fixtures, key=lambda one: one.round, reverse=True):
        for feeder in fixture.feeders or ():
            feeds[feeder.fixture] |= {fixture.number} | feeds[fixture.number]
    for fixture in sorted(fixtures, key=lambda one: one.round):
        for player in fixture.known:
            rounds[player].append(fixture.round)
    return {
        one.number: len(feeds[one.number]) + sum(_later(rounds[who], one.round) for who in one.known)
        for one in fixtures
    }


def _later(rounds: Sequence[int], round_number: int) -> int:
    return len(rounds) - bisect_right(rounds, round_number)
