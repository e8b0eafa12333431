"""Intersection as `vander check --json` tells it. docs/record.md names every key, and none of them changes."""

from __future__ import annotations

from typing import TypedDict

from referee.games.intersection.state import IntersectionState


class IntersectionFacts(TypedDict):
    """The Signal die ('' between turns), the faces on the field and parked, and the turns had so far.

    `starter` is 0 until somebody starts. `last_turns` are the seats that still have their last turn, the present one
    first; None before anybody has reached 5000.
    """

    phase: str
    signal: str
    field: list[str]
    parked: list[str]
    starter: int
    turns: list[int]
    last_turns: list[int] | None


def facts(state: IntersectionState) -> IntersectionFacts:
    """Return what everybody at the table can see."""
    return IntersectionFacts(
        phase=state.phase.value,
        signal=state.signal,
        field=list(state.field),
        parked=list(state.parked),
        starter=state.starter,
        turns=list(state.turns),
        last_turns=None if state.last_turns is None else list(state.last_turns),
    )
