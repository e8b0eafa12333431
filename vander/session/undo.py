"""Take back the last action, or a throw that does not count. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.journal import NOBODY, Actor, Deed, Entry
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.backlog import skip_to_last
from vander.session.label_events import AnswerWithdrawn
from vander.session.request_parsing import check_step, playing
from vander.session.seen_dice import with_stated
from vander.session.session_state import SessionState, Step, shown_face
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
    """Take back the newest thing done, or the action that waits; the table is then taken as it lies.

    Of a correction, the die counts again as before it. Corrections of earlier entries stay.
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
    newest = match.newest
    undone = Step(state).with_match(after)
    if newest is not None and newest.deed is Deed.CORRECT:
        return accept_table(_without_correction(undone, newest))
    taken_back = accept_table(_without_answers(undone, match.replay.last))
    return taken_back.to(skip_to_last(taken_back.state))


def _without_correction(step: Step, correction: Entry) -> Step:
    """Let the die that a correction was about count again as before it; nobody learns from the correction any more."""
    table = step.state.table
    old, new = correction.dice or (None, None)
    said = (number for number, (_, die) in table.stated.items() if die == new)
    number = next((each for each in said if table.thrown_by.get(each, correction.target) == correction.target), None)
    if old is None or number is None or table.seen is None or table.ruled is None:
        return step
    throw = table.stated[number][0]
    seen, ruled = (with_stated(each, {number: (throw, old)}) for each in (table.seen, table.ruled))
    others = {each: die for each, die in table.stated.items() if each != number}
    read = table.observed.dice if table.observed else ()
    was_read = any(die.number == number and shown_face(die) == old for die in read)
    stated = others if was_read else {**others, number: (throw, old)}
    sources = {each: source for each, source in table.sources.items() if each != number or not was_read}
    state = replace(step.state, table=replace(table, seen=seen, ruled=ruled, stated=stated, sources=sources))
    return step.to(state, AnswerWithdrawn(((number, throw),)))


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
