"""Take back the last action, or a throw that does not count. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.journal import NOBODY, Actor
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.backlog import skip_to_last
from vander.session.label_events import AnswerWithdrawn
from vander.session.request_parsing import check_step, playing
from vander.session.session_state import SessionState, Step
from vander.session.table_acceptance import accept_table
from vander.session.taps import _not_yet


def on_void(state: SessionState, step: str = "", by: Actor = NOBODY) -> Step:
    """Take out the last throw, which does not count, and what was done with it; the table is then taken as it lies."""
    state = state.signed(by)
    match = playing(state)
    check_step(match, step)
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    try:
        after = match.void_throw()
    except LookupError:
        raise Refused(say("No throw stands that could be taken out."), Reason.CONFLICT) from None
    taken_out = accept_table(Step(state).with_match(after))
    return taken_out.to(skip_to_last(taken_out.state))


def on_undo(state: SessionState, step: str = "", by: Actor = NOBODY) -> Step:
    """Take back the last standing entry, or the action that waits; the table is then taken as it lies.

    What was corrected of earlier entries stays corrected.
    """
    state = state.signed(by)
    match = playing(state)
    check_step(match, step)
    if state.waiting is not None:
        return Step(replace(state, waiting=None))
    try:
        after = match.undo()
    except LookupError:
        raise Refused(say("There is nothing to take back."), Reason.CONFLICT) from None
    taken_back = accept_table(_without_answers(Step(state).with_match(after), match.replay.last))
    return taken_back.to(skip_to_last(taken_back.state))


def _without_answers(step: Step, entry: int) -> Step:
    """Withdraw the labels of the dice whose faces this entry gave."""
    table = step.state.table
    withdrawn = table.given.get(entry, ())
    if not withdrawn:
        return step
    sources = {number: said for number, said in table.sources.items() if (number, said[0]) not in withdrawn}
    given = {other: dice for other, dice in table.given.items() if other != entry}
    state = replace(step.state, table=replace(table, sources=sources, given=given))
    return step.to(state, AnswerWithdrawn(withdrawn))
