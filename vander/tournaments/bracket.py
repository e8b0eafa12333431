"""The bracket of a knock-out: who can meet whom until the final."""

from __future__ import annotations

from collections.abc import Sequence

from vander.tournaments.tournament import Feeder, Fixture


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
