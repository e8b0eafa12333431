"""Everybody meets everybody: the circle method, and the dates of a league."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from vander.tournaments.tournament import Meeting


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
