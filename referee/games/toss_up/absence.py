"""Toss Up! without a player: a turn that is skipped, somebody who leaves, and who begins."""

from __future__ import annotations

from dataclasses import replace

from referee.games.toss_up.scoring import next_turn
from referee.games.toss_up.state import TossUpState, start_turn
from referee.verb import Outcome


def pass_over(state: TossUpState, seat: int) -> Outcome[TossUpState] | None:
    """End the seat's turn with nothing."""
    return next_turn(state) if seat == state.seat else None


def begin_with(state: TossUpState, seat: int) -> TossUpState | None:
    """Return the state in which the seat begins: before the first roll of the first turn."""
    is_new = state.to_act == (state.starter,) and not state.rolled and not any(state.scores)
    return start_turn(replace(state, starter=seat), seat) if is_new else None
