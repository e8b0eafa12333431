"""Throws that wait: while a question about a throw is open, what lies there later is held until it is answered. Pure.

A later throw settles no open question: neither the dice nor the player who threw them need be there any more.
"""

from __future__ import annotations

from referee.dice import Seen
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from referee.umpire import differs
from vander.session.prompts import (
    FaceQuestion,
    KindQuestion,
    LeanedQuestion,
    MeaningQuestion,
    Prompt,
    SetFlatQuestion,
    ThrownQuestion,
    UnseenThrowQuestion,
)
from vander.session.seen_dice import as_seen
from vander.session.session_state import Mode, SessionState
from vision.observations import Observation


def must_wait(state: SessionState, observation: Observation) -> bool:
    """True if an observation may not be ruled on yet: something is held before it, or a question is open."""
    if state.health.unsaved or not open_question(state):
        return bool(state.backlog.observations)
    is_quiet = observation.at_rest and not observation.hands_in
    if not is_quiet or state.mode is not Mode.PLAYING or state.waiting is not None:
        return False
    is_held = waits_for_answer(state, observation) or _is_thrown_meanwhile(state)
    return is_held and not is_put_right(state, observation)


def waits_for_answer(state: SessionState, observation: Observation) -> bool:
    """True if a question is open, and the observation shows another table than the one that is asked about."""
    asked = state.table.seen
    if asked is None:
        return False
    seen = as_seen(state, observation)
    prompts = [prompt for prompt in state.unresolved.prompts if not _is_put_right(state, prompt, seen)]
    return any(_keeps_waiting(prompt, asked, seen) for prompt in prompts)


def is_put_right(state: SessionState, observation: Observation) -> bool:
    """True if an observation shows all dice put back, so that no open question about a throw need be answered."""
    is_quiet, seen = observation.at_rest and not observation.hands_in, as_seen(state, observation)
    asked = [prompt for prompt in state.unresolved.prompts if _is_about_throw(prompt)]
    return is_quiet and bool(asked) and all(_is_put_right(state, prompt, seen) for prompt in asked)


def _is_put_right(state: SessionState, prompt: Prompt, seen: Seen) -> bool:
    """True if the dice lie as the journal has them, and it was asked what happened to a table that lay wrong."""
    match, unresolved = state.match, state.unresolved
    is_unseen = isinstance(prompt, UnseenThrowQuestion) and unresolved.mismatch is not None
    is_in_breach = isinstance(prompt, MeaningQuestion) and unresolved.breach is not None
    if match is None or not (is_unseen or is_in_breach):
        return False
    return bool(match.game.lay(match.state)) and not differs(match.game, match.state, seen)


def open_question(state: SessionState) -> Prompt | None:
    """Return the first open question about a throw, or None: what lies there later waits for its answer."""
    return next((prompt for prompt in state.unresolved.prompts if _is_about_throw(prompt)), None)


_ABOUT_THROWS = (FaceQuestion, KindQuestion, LeanedQuestion, SetFlatQuestion, ThrownQuestion, UnseenThrowQuestion)


def _is_about_throw(prompt: Prompt) -> bool:
    if isinstance(prompt, MeaningQuestion):
        return bool(prompt.ways) or prompt.breach is not None
    return isinstance(prompt, _ABOUT_THROWS)


def _keeps_waiting(prompt: Prompt, asked: Seen, seen: Seen) -> bool:
    """True if a question stays open with the table as it is seen now; a die set flat may be thrown again instead."""
    if not _is_about_throw(prompt):
        return False
    if isinstance(prompt, SetFlatQuestion):
        return any(die.throw > asked.throw and die.number not in prompt.question.dice for die in seen.dice)
    return not _is_same_table(asked, seen)


def _is_same_table(asked: Seen, seen: Seen) -> bool:
    """True if no die was thrown, moved or taken since. Dice that were hidden may have come into view."""
    now = {die.number: (die.throw, die.zone) for die in seen.dice}
    return seen.throw == asked.throw and all(now.get(die.number) == (die.throw, die.zone) for die in asked.dice)


def _is_thrown_meanwhile(state: SessionState) -> bool:
    """True if a throw is held. What hands did meanwhile is worth nothing once the dice lie as they did."""
    asked = state.table.seen.throw if state.table.seen else 0
    return any(held.observation.throw != asked for held in state.backlog.observations)


def waiting_sentence(count: int, *, is_full: bool) -> str:
    """Return what is said of so many throws that wait for an answer; '' for none."""
    if not count:
        return ""
    said = say_count("{count} throw waits for the answer.", "{count} throws wait for the answer.", count)
    return in_a_row(said, say("No more can wait: do not throw.")) if is_full else said
