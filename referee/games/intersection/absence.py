"""Intersection without a player: a turn that is skipped, somebody who leaves, and a first turn without lot."""

from __future__ import annotations

from dataclasses import replace

from referee.games.intersection.rolling import first_turn, next_lot
from referee.games.intersection.scoring import pass_dice, won
from referee.games.intersection.state import LOTS, IntersectionPhase, IntersectionState
from referee.phrases import without_lot
from referee.verb import Outcome


def pass_over(state: IntersectionState, seat: int) -> Outcome[IntersectionState] | None:
    """Take no lot of the seat, or end its turn with nothing; it does not count as one for the No Dice rule."""
    if state.phase in LOTS and seat in state.contenders:
        contenders, lots = without_lot(state.contenders, state.lots, seat)
        return next_lot(replace(state, contenders=contenders, lots=lots))
    return pass_dice(state) if state.phase not in LOTS and seat == state.seat else None


def finish(state: IntersectionState, winner: tuple[int, ...]) -> IntersectionState:
    """Return the end of a game that is not played on."""
    return won(state, *winner)


def begin_with(state: IntersectionState, seat: int) -> IntersectionState | None:
    """Return the state in which the seat starts without lot."""
    return first_turn(state, seat) if state.phase == IntersectionPhase.SETUP else None
