"""A change of the score that waits until another seat confirms it, where the table asks for that. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from models.dataset.table_labels import StatedFaces
from referee.dice import FaceName
from referee.journal import Actor
from referee.phrases import in_a_row
from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from referee.sentences import say
from vander.session.challenge import Challenge, ChallengeResult, challenge_note
from vander.session.match import Match
from vander.session.question_prompts import AS_IT_LIES
from vander.session.session_state import SessionState, Step, WaitingChange
from vander.session.sure_questions import find_prompt, needs_asking_twice

WAITS = say("Another change waits until another seat confirms it.")
ANOTHER_SEAT = say("Another seat has to confirm this, or the box itself.")
GONE = say("Nothing waits to be confirmed any more.")


def on_change(
    state: SessionState, rules: SeatRules, by: Actor, sentence: str, decide: Callable[[SessionState], Step]
) -> Step:
    """Do what changes the score at once; or, where another seat has to confirm it, let it wait. Raises Refused."""
    match = state.match
    if not sentence or match is None or not rules.needs_another(by, match.state.players):
        return decide(state)
    if state.unconfirmed is not None:
        raise Refused(WAITS, Reason.CONFLICT)
    decide(state)  # what is refused now need not wait
    number = state.questions + 1
    waiting = WaitingChange(number, sentence, by, decide)
    return Step(replace(state, unconfirmed=waiting, questions=number))


def on_confirmation(state: SessionState, number: int, *, agrees: bool, by: Actor, may_override: bool = False) -> Step:
    """Do or drop the change that waits; either is an entry. Who asked for it may drop it, and not confirm it."""
    waiting, match = state.unconfirmed, state.match
    if waiting is None or match is None or waiting.number != number:
        raise Refused(GONE, Reason.NOT_FOUND)
    is_another = bool(by.seat) and by.seat != waiting.by.seat
    if not is_another and not (may_override and by != waiting.by) and (agrees or by != waiting.by):
        raise Refused(ANOTHER_SEAT, Reason.CONFLICT)
    answer = say("Confirmed") if agrees else say("Declined")
    asked = say("{device} asks: {change}", device=waiting.by.device or say("A tablet"), change=waiting.sentence)
    noted = Step(replace(state, unconfirmed=None)).with_match(match.answered(asked, answer, by))
    return _done(noted, waiting.decide) if agrees else noted


def _done(noted: Step, decide: Callable[[SessionState], Step]) -> Step:
    """Do a confirmed change; one that is refused by now is dropped, and the refusal said."""
    try:
        done = decide(noted.state)
    except Refused as refused:
        return replace(noted, refused=refused)
    return replace(done, entries=(*noted.entries, *done.entries))


# What a person is asked to confirm; '' for what changes no score


def correction_sentence(state: SessionState, number: int, face: str) -> str:
    """Return what a correction would change; '' for a die that shows this already, or is not there."""
    dice = state.table.seen.dice if state.table.seen else ()
    seen = next((die for die in dice if die.number == number), None)
    if seen is None:
        return ""
    old, new = (state.dice.face_title(seen.kind, FaceName(each)) for each in (seen.die.face or "", face))
    return say("Correct a die: {new}, not {old}.", new=new, old=old)


def check_sentence(state: SessionState, corrected: StatedFaces) -> str:
    """Return what an answer to "Is this right?" would change; '' where all was read right."""
    faces = ((number, die.face or "") for number, (_, die) in corrected.items())
    return in_a_row(*(correction_sentence(state, number, face) for number, face in faces))


def undo_sentence(state: SessionState) -> str:
    """Return what would be taken back; '' for an action that only waits."""
    match = state.match
    newest = match.newest if match else None
    if match is None or newest is None or state.waiting is not None:
        return ""
    return say("Take back: {said}", said=match.sentence_at(newest.number))


def void_sentence(match: Match | None) -> str:
    """Return which throw would not count."""
    return say("This throw does not count: {throw}", throw=match.last_throw()) if match else ""


def challenge_sentence(state: SessionState, challenge: Challenge) -> str:
    """Return what a challenge would change; '' for one after which the throw stands. Raises Refused."""
    match = state.match
    return "" if match is None or challenge.verdict is ChallengeResult.STANDS else challenge_note(match, challenge)


def answer_sentence(state: SessionState, question: int, choice: str, *, confirmed: bool) -> str:
    """Return what an answer would change; '' for one that only says what the dice show, or is asked once more."""
    is_first = needs_asking_twice(find_prompt(state, question), choice, confirmed=confirmed)
    return say("Go on as the dice lie.") if choice == AS_IT_LIES and not is_first else ""
