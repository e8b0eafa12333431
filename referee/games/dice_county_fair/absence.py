"""Dice County Fair without a player: a turn that is skipped, somebody who leaves, and who rolls first."""

from __future__ import annotations

from dataclasses import replace

from referee.games.dice_county_fair.pricing import with_ready
from referee.games.dice_county_fair.scoring import next_roller, next_turn
from referee.games.dice_county_fair.state import (
    FairPhase,
    FairState,
    TurnPlan,
    before_roll,
    others_to_act,
    with_paper,
    with_plan,
)
from referee.verb import Outcome


def pass_over(state: FairState, seat: int) -> Outcome[FairState] | None:
    """Wait no longer for the seat: another rolls, and its own turn leaves no mark but a line in the Turns area."""
    if seat not in state.to_act:
        return None
    if state.phase == FairPhase.ROLL:
        return None if state.is_solo else (before_roll(state, state.turn, next_roller(state)), ())
    if state.phase == FairPhase.SPENDING:
        return _without_turn(state, seat)
    return with_ready(state, tuple(each for each in state.ready if each != seat)) if seat in state.gone else None


def _without_turn(state: FairState, seat: int) -> Outcome[FairState]:
    paper = state.papers[seat - 1]
    paper = replace(paper, turns=(*paper.turns, (0, paper.section)))
    after = with_paper(with_plan(state, seat, TurnPlan(paper, paper.section)), seat, paper)
    after = replace(after, to_act=others_to_act(state, seat))
    return (after, ()) if after.to_act else next_turn(after)


def begin_with(state: FairState, seat: int) -> FairState | None:
    """Return the state in which the seat rolls first: before the first roll."""
    if state.phase == FairPhase.PLANNING:
        return replace(state, roller=seat)
    return before_roll(state, 1, seat) if state.phase == FairPhase.ROLL and state.turn == 1 else None
