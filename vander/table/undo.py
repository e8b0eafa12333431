"""Taking back, and throws that are entered by hand. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from referee.actions import Action
from referee.dice import Die
from referee.journal import NOBODY, Actor, Deed, Entry, Source
from referee.sentences import Reason, Refused, say
from referee.umpire.tables import answer_first
from vander.table.breaches import evidence_of, hands_before
from vander.table.camera_events import watch_again
from vander.table.doubts import find_unseen_throws
from vander.table.held_throws import open_question, skip_to_last, without_backlog
from vander.table.match import Match, Way
from vander.table.ruling import accept_table, without_sight
from vander.table.seen_dice import with_kinds_left, with_stated
from vander.table.session_state import (
    AnswerWithdrawn,
    DiceRecounted,
    Mode,
    SessionState,
    Step,
    Unresolved,
    UnseenThrowQuestion,
    shown_face,
)
from vander.table.snapshot_builder import LENT
from vander.table.taps import _not_yet, check_step, playing

# Taking back


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
        raise Refused(say("There is no throw to take out."), Reason.CONFLICT) from None
    taken_out = accept_table(Step(state).with_match(after))
    return taken_out.to(skip_to_last(taken_out.state))


def on_undo(state: SessionState, step: str = "", by: Actor = NOBODY) -> Step:
    """Take back the newest thing done, or the action that waits; the table is then taken as it lies.

    Of a correction, its dice count again as before it. Corrections of earlier entries stay.
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
        return accept_table(_without_correction(undone, newest, match))
    taken_back = accept_table(_without_answers(undone, match.replay.last))
    return taken_back.to(skip_to_last(taken_back.state))


def _without_correction(step: Step, correction: Entry, before: Match) -> Step:
    """Let the dice of a correction count again as `before` it; nobody learns from the correction any more."""
    for old, new in _corrected_dice(correction, before, playing(step.state)):
        step = _as_before(step, correction.target, old, new)
    return step


def _corrected_dice(correction: Entry, before: Match, after: Match) -> Iterator[tuple[Die, Die]]:
    """Yield the dice of a correction, each as it counts without it and with it: one, or two that change places."""
    if not correction.dice:
        return
    old, new = correction.dice
    yield old, new
    actions = (match.action_of(correction.target) for match in (before, after))
    said, counts = (Counter(action.dice if action else ()) for action in actions)
    said.subtract([new])
    counts.subtract([old])
    yield from zip((counts - said).elements(), (said - counts).elements(), strict=False)


def _as_before(step: Step, entry: int, old: Die, new: Die) -> Step:
    table = step.state.table
    said = (number for number, (_, die) in table.stated.items() if die == new)
    number = next((each for each in said if table.thrown_by.get(each, entry) == entry), None)
    if number is None or table.seen is None or table.ruled is None:
        return step
    throw = table.stated[number][0]
    left = {**table.kinds_left, **({(number, throw): (old.kind,)} if old.kind != new.kind else {})}
    seen, ruled = (
        with_stated(with_kinds_left(each, left), {number: (throw, old)}) for each in (table.seen, table.ruled)
    )
    others = {each: die for each, die in table.stated.items() if each != number}
    read = table.observed.dice if table.observed else ()
    was_read = any(die.number == number and shown_face(die) == old for die in read)
    stated = others if was_read else {**others, number: (throw, old)}
    sources = {each: source for each, source in table.sources.items() if each != number or not was_read}
    table = replace(table, seen=seen, ruled=ruled, stated=stated, sources=sources, kinds_left=left)
    return step.to(replace(step.state, table=table), AnswerWithdrawn(((number, throw),)))


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


# Throws by hand

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
    after = match.play(way, evidence)
    if not after.throws(after.before_last, action):
        raise Refused(say("That is not a throw. Just tap it, without any dice."))
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
