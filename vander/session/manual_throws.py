"""Enter the dice of a throw by hand, where no camera sees the tray. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Action
from referee.journal import NOBODY, Actor, Source
from referee.refused import Reason, Refused
from referee.sentences import say
from referee.umpire.tables import answer_first
from vander.session.backlog import without_backlog
from vander.session.breach_recording import evidence_of
from vander.session.camera_events import watch_again
from vander.session.held_throws import open_question
from vander.session.label_events import DiceRecounted
from vander.session.match import IllegalAction, Match, Way
from vander.session.prompts import UnseenThrowQuestion
from vander.session.request_parsing import check_step, playing
from vander.session.session_state import Mode, SessionState, Step, Unresolved
from vander.session.snapshot_builder import LENT
from vander.session.table_acceptance import without_sight
from vander.session.taps import _not_yet
from vander.session.unseen_throws import find_unseen_throws
from vander.session.way_taking import hands_before

CAMERA_SEES = say("The camera sees the tray: throw the dice there, and correct what was read wrong.")


def on_manual(state: SessionState, action: Action, step: str = "", by: Actor = NOBODY) -> Step:
    """Play a throw that people enter; what the camera sees next is compared with the game, not ruled on."""
    state = state.signed(by)
    match = playing(state)
    check_step(match, step, action.player)
    if not state.takes_manual_entry:
        raise Refused(LENT if state.mode is Mode.CAPTURING else CAMERA_SEES, Reason.CONFLICT)
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    _check_answered(state)
    way = _way_by_hand(state, match, action)
    evidence = evidence_of(state, match, way)
    try:
        after = match.play(way, evidence)
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
    if not after.throws(after.before_last, action):
        raise Refused(say("That is no throw: tap it, it needs no dice to be given."))
    given = Step(state).with_match(after, evidence)
    given_up = without_backlog(replace(given.state, unresolved=Unresolved()))
    unseen = replace(without_sight(given_up), mode=Mode.MANUAL)
    return watch_again(given.to(unseen, DiceRecounted()))


def _check_answered(state: SessionState) -> None:
    """Refuse dice by hand while it is asked about a throw that was seen: they are no way round the question."""
    asked = open_question(state)
    if asked is not None and not isinstance(asked, UnseenThrowQuestion):
        raise Refused(answer_first(asked.question.sentence), Reason.CONFLICT)


def _way_by_hand(state: SessionState, match: Match, action: Action) -> Way:
    """Return what hands did before a throw that people enter, and the throw: as the dice lie where that tells it."""
    seen = state.table.seen
    if not match.allows(action) and seen is not None and not state.is_blind:
        ways = find_unseen_throws(match.game, match.state, seen)
        found = next((way for way in ways if way[-1] == action), ())
        if found:
            return tuple((each, Source.HAND) for each in found)
    return (*hands_before(state, match, action), (action, Source.HAND))
