"""Toss Up! as `vander check --json` tells it. docs/record.md names every key, and none of them changes."""

from __future__ import annotations

from typing import TypedDict

from referee.games.toss_up.state import TossUpState


class TossUpFacts(TypedDict):
    """The dice in hand as the last roll left them, the number of green dice set aside, and who has a last turn.

    `last_turns` are the seats that still have one after the present turn; None before anybody passed 100.
    """

    rolled: bool
    field: list[str]
    aside: int
    last_turns: list[int] | None


def facts(state: TossUpState) -> TossUpFacts:
    """Return what everybody at the table can see."""
    return TossUpFacts(
        rolled=state.rolled,
        field=list(state.field),
        aside=state.aside,
        last_turns=None if state.last_turns is None else list(state.last_turns),
    )
