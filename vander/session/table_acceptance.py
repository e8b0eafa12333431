"""Accept the table as it lies: after a pause, after a breach, and once dice were put back. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.journal import Source
from referee.umpire import differs
from vander.session.backlog import without_backlog
from vander.session.breach_recording import evidence_name
from vander.session.label_events import DiceRecounted
from vander.session.prompts import Mismatch
from vander.session.seen_dice import (
    positions,
)
from vander.session.session_state import Mode, SessionState, Step, TableView, Unresolved


def recount(step: Step) -> Step:
    """Number dice and throws from one again and forget everything that was seen or said about the dice."""
    state = without_backlog(step.state)
    mode = Mode.PLAYING if state.mode is Mode.MANUAL else state.mode
    state = replace(without_sight(state), recounts=state.recounts + 1, mode=mode)
    return step.to(state, DiceRecounted())


def without_sight(state: SessionState) -> SessionState:
    """Return the state with nothing known of the dice."""
    return replace(state, table=TableView(), camera=replace(state.camera, calibrated=True, doubts=()))


def accept_table(step: Step, missed: int = 0) -> Step:
    """Accept the table as ruled on, and record where the dice differ from the journal.

    `missed` throws that led there were not kept, and are asked for again.
    """
    state = step.state
    table = state.table.ruled_on()
    return step.to(replace(state, table=table, unresolved=Unresolved(mismatch=find_mismatch(state), missed=missed)))


def accept_dice_as_they_lie(step: Step, source: Source) -> Step:
    """Write an entry that accepts misplaced dice as they lie, if the rules can continue from there."""
    state = step.state
    match, seen = state.match, state.table.seen
    if match is None or seen is None or find_mismatch(state) is None:
        return step
    evidence = evidence_name(state, match)
    laid = match.laid(positions(seen), evidence, source)
    if laid is None:
        return step
    step = step.with_match(laid, evidence)
    return step.to(replace(step.state, table=replace(step.state.table, thrown_by={})))


def find_mismatch(state: SessionState) -> Mismatch | None:
    """Return where the dice do not lie as the journal has them; None where they do, or no game is on."""
    match, seen = state.match, state.table.seen
    if match is None or seen is None or match.over:
        return None
    sentence = differs(match.game, match.state, seen)
    return Mismatch(sentence) if sentence else None
