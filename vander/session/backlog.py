"""The backlog: what was seen while the journal could not be written, or a question was open. Pure functions.

It is ruled on in order later.
"""

from __future__ import annotations

from dataclasses import replace

from vander.session.held_throws import is_put_right, waits_for_answer
from vander.session.seen_dice import as_seen, likeness
from vander.session.session_state import Backlog, HeldObservation, Mode, SessionState, TableView
from vision.observations import Observation

MOST_HELD = 20
"""Observations that are held, each with some 0.5 MB of pictures; after these, throws are asked for again by name."""


def is_news(state: SessionState, observation: Observation) -> bool:
    """True if an observation has to be held: the dice lie still, and otherwise than in the last one that is held."""
    if not state.camera.at_rest or state.waiting is not None or state.mode is not Mode.PLAYING:
        return False
    held = state.backlog.observations
    return not held or _likeness(state, observation) != _likeness(state, held[-1].observation)


def _likeness(state: SessionState, observation: Observation) -> object:
    return likeness(as_seen(state, observation))


def table_now(state: SessionState) -> TableView:
    """Return the dice as they lie now, ruled on or not; without the pictures of those that lay otherwise before.

    What the journal could not take is not shown.
    """
    table = state.table
    if not state.backlog.observations or state.health.unsaved:
        return table
    observed = state.backlog.observations[-1].observation
    seen = as_seen(state, observed)
    lay = {(die.number, die.throw, die.zone) for die in table.seen.dice} if table.seen else set()
    still = {die.number for die in seen.dice if (die.number, die.throw, die.zone) in lay}
    crops = {number: crop for number, crop in table.crops.items() if number in still}
    return replace(table, observed=observed, seen=seen, crops=crops)


def hold(state: SessionState, new: HeldObservation) -> SessionState:
    """Return the state with an observation held; the last one gives way to it where too many are held already."""
    held = state.backlog.observations
    if not held:
        return replace(state, backlog=Backlog((new,)))
    if len(held) == MOST_HELD:
        held = held[:-1]
        throws = new.observation.throw - held[-1].observation.throw
        new = replace(new, missed=throws if throws > 1 else 0)
    return replace(state, backlog=replace(state.backlog, observations=(*held, new)))


def next_held(state: SessionState) -> HeldObservation | None:
    """Return the held observation that is to be ruled on next; None while it waits for an answer or an action."""
    held = state.backlog.observations
    if not held or state.waiting is not None or waits_for_answer(state, held[0].observation):
        return None
    return held[0]


def is_full(state: SessionState) -> bool:
    """True if nothing more can be held without losing a throw."""
    return len(state.backlog.observations) >= MOST_HELD


def without_moves(state: SessionState, now: Observation) -> SessionState:
    """Return the state with an empty backlog, unless a throw is held: held moves have been undone by then.

    A held throw counts for nothing once all dice are put back.
    """
    is_over = state.backlog.observations and (not held_throws(state) or is_put_right(state, now))
    return replace(state, backlog=Backlog()) if is_over else state


def skip_to_last(state: SessionState) -> SessionState:
    """Return the state that keeps only the last held observation; the throws up to it are requested again."""
    held = state.backlog.observations
    if not held:
        return state
    last = replace(held[-1], missed=held_throws(state))
    return replace(state, backlog=Backlog((last,) if last.missed else ()))


def held_throws(state: SessionState) -> int:
    """Return how many throws are not ruled on yet: those that are held, and those that nothing was kept of."""
    ruled = state.table.seen.throw if state.table.seen else 0
    held = state.backlog.observations
    whole = {each.observation.throw for each in held if not each.missed}
    return len(whole - {ruled}) + sum(each.missed for each in held)


def without_backlog(state: SessionState) -> SessionState:
    """Return the state after the held observations became worthless: their throws are asked for again."""
    if not state.backlog.observations:
        return state
    missed = state.unresolved.missed + held_throws(state)
    return replace(state, backlog=Backlog(), unresolved=replace(state.unresolved, missed=missed))
