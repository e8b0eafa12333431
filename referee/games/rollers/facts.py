"""Rollers as `vander check --json` tells it. docs/record.md names every key, and none of them changes."""

from __future__ import annotations

from typing import TypedDict

from referee.games.rollers.state import RollersState


class RollersFacts(TypedDict):
    """The boards and the chips, each in the order of the seats, and the dice of the turn.

    `starter` began the round, 0 until it is known. `boards` holds for each seat the sections 1 to 5: empty, open or
    closed. `good` dice may be saved and applied; `saved` are those of them that the next roll leaves lying.
    """

    phase: str
    round: int
    starter: int
    rolls: int
    good: list[str]
    saved: list[str]
    used: list[str]
    boards: list[list[str]]
    chips: list[int]


def facts(state: RollersState) -> RollersFacts:
    """Return what everybody at the table can see."""
    return RollersFacts(
        phase=state.phase.value,
        round=state.round,
        starter=state.starter,
        rolls=state.rolls,
        good=list(map(str, state.good)),
        saved=list(map(str, state.saved)),
        used=list(map(str, state.used)),
        boards=[[section.value for section in board] for board in state.sections],
        chips=list(state.chips),
    )
