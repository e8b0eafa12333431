"""Rollers without a player: a turn that is skipped, somebody who leaves, and a first turn without lot."""

from __future__ import annotations

from dataclasses import replace

from referee.games.rollers.scoring import new_round, new_turn
from referee.games.rollers.state import RollersPhase, RollersState
from referee.games.rollers.verbs import draw_lots
from referee.phrases import without_lot
from referee.verb import Outcome


def pass_over(state: RollersState, seat: int) -> Outcome[RollersState] | None:
    """Take no lot of the seat, or pass the dice on: what is not applied yet is lost."""
    if state.phase is RollersPhase.LOTS and seat in state.contenders:
        contenders, lots = without_lot(state.contenders, state.lots, seat)
        return draw_lots(replace(state, contenders=contenders, lots=lots))
    is_turn = state.phase is not RollersPhase.LOTS and seat == state.seat
    return (new_turn(state, state.after(seat)[0]), ()) if is_turn else None


def begin_with(state: RollersState, seat: int) -> RollersState | None:
    """Return the state in which the seat has the first turn without lot."""
    return new_round(state, seat) if state.phase is RollersPhase.LOTS else None
