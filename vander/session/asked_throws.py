"""Questions about throws, in the journal while they are open: after a restart the throw is asked about again. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.fair_play import find_asked
from referee.journal import Deed
from vander.session.held_throws import open_question
from vander.session.prompts import UnseenThrowQuestion
from vander.session.session_state import SessionState, Step


def with_asked(step: Step) -> Step:
    """Keep which question about a throw is open, or that one is not any more though nobody has answered it.

    What is said after a restart stays said.
    """
    state = step.state
    match = state.match
    if match is None or match.over or state.table.seen is None:
        return step
    asked = open_question(state)
    sentence, known = asked.question.sentence if asked else "", find_asked(match.entries)
    if sentence == known:
        return step
    step = step.with_match(match.remark(sentence or known, deed=Deed.ASKED if sentence else Deed.UNANSWERED))
    return step.to(replace(step.state, resumed=state.resumed))


def was_asked(state: SessionState) -> bool:
    """True if the journal was left while a question about a throw was open."""
    return state.match is not None and bool(find_asked(state.match.entries))


def is_asked_again(state: SessionState) -> bool:
    """True if it is asked about a throw of before a restart, and the dice do not tell whether it was made."""
    is_asked = any(isinstance(prompt, UnseenThrowQuestion) for prompt in state.unresolved.prompts)
    return is_asked and state.unresolved.mismatch is None
