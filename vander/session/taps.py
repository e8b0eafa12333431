"""Apply a tap on an offer: check it, let others interrupt it where the game says so, and play it. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Action
from referee.agreements import is_agreement
from referee.journal import NOBODY, Actor, Source
from referee.phrases import in_a_row
from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from referee.sentences import say
from referee.snapshot import WaitingAction
from referee.umpire import explain
from referee.umpire.tables import answer_first
from vander.session import question_prompts
from vander.session.denied_throws import is_still_due
from vander.session.held_throws import open_question
from vander.session.kind_doubts import find_kind_doubt
from vander.session.match import IllegalAction, Match, Way
from vander.session.request_parsing import check_settled, check_step, playing
from vander.session.ruling_decisions import find_rethrow
from vander.session.session_state import Mode, SessionState, Step
from vander.session.table_acceptance import accept_table, find_mismatch
from vander.session.way_taking import hands_before, take


def check_tap(state: SessionState, action: Action, step: str) -> None:
    """Refuse a tap on what an old page offered, and where no game is set up."""
    check_step(playing(state), step, action.player)


def check_own_seat(state: SessionState, action: Action, rules: SeatRules, by: Actor) -> None:
    """Refuse a tap for another seat on a phone that is bound to one, where the table wants that."""
    is_own = by.seat in (0, action.player) or not action.player or is_agreement(action)
    if rules.own_seat_only and not is_own:
        owner, other = (playing(state).state.name(seat) for seat in (by.seat, action.player))
        sentence = say("This phone is {owner}'s. Tap for {other} on another one.", owner=owner, other=other)
        raise Refused(sentence, Reason.CONFLICT)


def on_tap(state: SessionState, action: Action, source: Source = Source.TABLET, by: Actor = NOBODY) -> Step:
    """Do a tapped action, counting what hands did just before; one that may be interrupted begins to wait instead."""
    state = state.signed(by)
    match, waiting = playing(state), state.waiting
    _check_nothing_waits(state)
    check_settled(state)
    if is_agreement(action):
        return _agree(state, match, action, source)
    if waiting is None:
        held = _pause(state, match, action)
        return Step(replace(state, waiting=held)) if held else _tap(Step(state), match, action, source)
    if waiting.action == action:
        return Step(state)  # tapped twice
    if waiting.action.player == action.player:
        raise _not_yet(waiting)
    return _tap(Step(state), match, action, source)


def _check_nothing_waits(state: SessionState) -> None:
    """Refuse a tap while a throw waits for an answer, or has to be made again: nobody knows yet what it is about."""
    if is_still_due(state):
        raise Refused(state.unresolved.unfinished, Reason.CONFLICT)
    asked = open_question(state)
    if asked is not None and (state.backlog.observations or state.is_blind):
        raise Refused(answer_first(asked.question.sentence), Reason.CONFLICT)


def _agree(state: SessionState, match: Match, action: Action, source: Source) -> Step:
    """Do what the table has agreed on; what hands did stays open unless it changes where the dice belong."""
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    try:
        after = match.play([(action, source)])
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
    step = Step(state).with_match(after)
    return step if _awaits_the_same(match, after) else accept_table(step)


def _awaits_the_same(before: Match, after: Match) -> bool:
    layouts = (match.game.lay(match.state) for match in (before, after))
    return len(set(layouts)) == 1 and before.state.seat == after.state.seat


def on_waited(
    state: SessionState, waited: WaitingAction, source: Source, before: Match | None, by: Actor = NOBODY
) -> Step:
    """Do an action whose wait is over. Who interrupted it since the match `before` is said with a refusal."""
    if state.waiting is not waited:
        raise Refused(say("Taken back before it counted: {title}.", title=waited.title), Reason.CONFLICT)
    match = playing(state)
    step = Step(replace(state.signed(by), waiting=None))
    try:
        return _tap(step, playing(step.state), waited.action, source)
    except Refused as refused:
        calls = (
            ()
            if before is not None and match.entries is before.entries
            else tuple(call.sentence for call in match.replay.calls)
        )
        sentence = in_a_row(*calls, refused.sentence)
        return replace(step, refused=Refused(sentence, refused.reason, refused.rule))


def is_wait_over(state: SessionState, waited: WaitingAction) -> bool:
    """True if the action waits no longer, is no longer legal, or nobody may interrupt it any more."""
    if state.waiting is not waited:
        return True
    return not playing(state).with_hands(state.unresolved.pending).pause(waited.action)


def _pause(state: SessionState, match: Match, action: Action) -> WaitingAction | None:
    now = match.with_hands(state.unresolved.pending)
    sentence = now.pause(action) if state.config.pause_s else ""
    return WaitingAction(action, now.game.offer_title(now.state, action), sentence) if sentence else None


def _not_yet(waiting: WaitingAction) -> Refused:
    return Refused(say("Wait a moment: {title} does not count yet.", title=waiting.title), Reason.CONFLICT)


def _tap(step: Step, match: Match, action: Action, source: Source) -> Step:
    state = step.state
    ruled, seen = state.table.ruled, state.table.seen
    if ruled is None or seen is None or not state.config.bay or state.is_blind:
        return _tap_unseen(step, match, action, source)
    rethrow, said = find_rethrow(state), state.unresolved.said
    doubt = find_kind_doubt(match, ruled, seen, tapped=action, rethrow=rethrow, said=said)
    if doubt is not None:
        return question_prompts.ask(step, question_prompts.kind_question(state.dice, doubt, state.table.crops))
    explained = explain(match.game, match.state, ruled, seen, action, rethrow=rethrow, said=said)
    ways = question_prompts.ways_of(explained, action, source)
    if explained.unsure_dice:
        return question_prompts.ask_faces(step, explained.unsure_dice)
    if len(ways) > 1:
        asked = question_prompts.meaning_question(match, explained, state.table.crops, explained.question)
        return question_prompts.ask(step, replace(asked, ways=ways))
    if not ways:
        raise Refused(explained.breach or explained.unfinished, Reason.CONFLICT, explained.rule)
    return _still_wrong(try_way(step, match, ways[0]), state)


def _still_wrong(step: Step, before: SessionState) -> Step:
    """Keep saying that dice lie wrong which lay wrong before a tap: what is thrown may then be given by hand."""
    if before.unresolved.mismatch is None:
        return step
    return step.to(replace(step.state, unresolved=replace(step.state.unresolved, mismatch=find_mismatch(step.state))))


def _tap_unseen(step: Step, match: Match, action: Action, source: Source) -> Step:
    """Do an action where nothing that lies in the tray can explain it; moves by hand are tapped then."""
    step = try_way(step, match, (*hands_before(step.state, match, action), (action, source)))
    is_by_hand = step.state.config.bay and step.state.is_blind and action.verb in match.game.by_hand
    if not is_by_hand or step.state.mode is Mode.CAPTURING:
        return step
    return step.to(replace(step.state, mode=Mode.MANUAL))


def try_way(step: Step, match: Match, way: Way, *, was_seen: bool = False) -> Step:
    """Play a way for a person. Raises Refused for what stands against it."""
    try:
        return take(step, match, way, was_seen=was_seen)
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
