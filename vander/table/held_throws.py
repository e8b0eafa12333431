"""Throws that wait: for an answer, for a journal that can be written, or to be made again. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.dice import Seen, SeenDie, Zone
from referee.fair_play import find_asked
from referee.journal import Deed
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from referee.umpire import differs
from vander.table import session_state
from vander.table.seen_dice import as_seen, likeness, title_of
from vander.table.session_state import Prompt, SessionState, Step
from vision.observations import Observation

# A throw that waits for an answer
#
# A later throw settles no open question: neither the dice nor the player who threw them need be there any more.


def must_wait(state: SessionState, observation: Observation) -> bool:
    """True if an observation may not be ruled on yet: something is held before it, or a question is open."""
    if state.health.unsaved or not open_question(state):
        return bool(state.backlog.observations)
    is_quiet = observation.at_rest and not observation.hands_in
    if not is_quiet or state.mode is not session_state.Mode.PLAYING or state.waiting is not None:
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
    is_unseen = isinstance(prompt, session_state.UnseenThrowQuestion) and unresolved.mismatch is not None
    is_in_breach = isinstance(prompt, session_state.MeaningQuestion) and unresolved.breach is not None
    if match is None or not (is_unseen or is_in_breach):
        return False
    return bool(match.game.lay(match.state)) and not differs(match.game, match.state, seen)


def open_question(state: SessionState) -> Prompt | None:
    """Return the first open question about a throw, or None: what lies there later waits for its answer."""
    return next((prompt for prompt in state.unresolved.prompts if _is_about_throw(prompt)), None)


_ABOUT_THROWS = (
    session_state.FaceQuestion,
    session_state.KindQuestion,
    session_state.LeanedQuestion,
    session_state.SetFlatQuestion,
    session_state.ThrownQuestion,
    session_state.UnseenThrowQuestion,
)


def _is_about_throw(prompt: Prompt) -> bool:
    if isinstance(prompt, session_state.MeaningQuestion):
        return bool(prompt.ways)
    return isinstance(prompt, _ABOUT_THROWS)


def _keeps_waiting(prompt: Prompt, asked: Seen, seen: Seen) -> bool:
    """True if a question stays open with the table as it is seen now; a die set flat may be thrown again instead."""
    if not _is_about_throw(prompt):
        return False
    if isinstance(prompt, session_state.SetFlatQuestion):
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


# A question about a throw that was open before a restart


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
    is_asked = any(isinstance(prompt, session_state.UnseenThrowQuestion) for prompt in state.unresolved.prompts)
    return is_asked and state.unresolved.mismatch is None


# Dice that are thrown again since people said that they had not been thrown


def tumbled(table: session_state.TableView) -> tuple[SeenDie, ...]:
    """Return the dice that were thrown since the table was ruled on, if each was seen to tumble; else ()."""
    thrown = tuple(die for die in table.thrown if die.zone is not Zone.OUT)
    return thrown if all(die.handled is None for die in thrown) else ()


def throw_again(step: Step) -> Step:
    """Have the dice thrown again of which people say that they were not thrown: no turn is saved by that."""
    state = step.state
    dice = tumbled(state.table)
    if not dice:
        return step
    throw = max(die.throw for die in dice)
    denied = session_state.ThrowDenied(frozenset(die.number for die in dice), throw)
    unresolved = session_state.Unresolved(thrown_again=denied, unfinished=_sentence(state, dice))
    return step.to(replace(state, unresolved=unresolved))


def _sentence(state: SessionState, dice: tuple[SeenDie, ...]) -> str:
    if len(dice) > 1:
        return say("The {count} dice that moved are thrown again.", count=len(dice))
    title = title_of(state.dice, dice[0].kind, dice[0].faces[0][0])
    return say("The die that shows {title} is thrown again.", title=title)


def is_still_due(state: SessionState) -> bool:
    """True if dice are to be thrown again, and one of them has not been."""
    denied, seen = state.unresolved.thrown_again, state.table.seen
    if denied is None or seen is None:
        return False
    since = {die.number: die.throw for die in seen.dice}
    return any(since.get(number, 0) <= denied.throw for number in denied.dice)


# What was seen while nobody could rule on it
#
# It is ruled on in order later.

MOST_HELD = 20
"""Observations that are held, each with some 0.5 MB of pictures; after these, throws are asked for again by name."""


def is_news(state: SessionState, observation: Observation) -> bool:
    """True if an observation has to be held: the dice lie still, and otherwise than in the last one that is held."""
    if not state.camera.at_rest or state.waiting is not None or state.mode is not session_state.Mode.PLAYING:
        return False
    held = state.backlog.observations
    return not held or likeness(as_seen(state, observation)) != likeness(as_seen(state, held[-1].observation))


def table_now(state: SessionState) -> session_state.TableView:
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


def hold(state: SessionState, new: session_state.HeldObservation) -> SessionState:
    """Return the state with an observation held; the last one gives way to it where too many are held already."""
    held = state.backlog.observations
    if not held:
        return replace(state, backlog=session_state.Backlog((new,)))
    if len(held) == MOST_HELD:
        held = held[:-1]
        throws = new.observation.throw - held[-1].observation.throw
        new = replace(new, missed=throws if throws > 1 else 0)
    return replace(state, backlog=replace(state.backlog, observations=(*held, new)))


def next_held(state: SessionState) -> session_state.HeldObservation | None:
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
    return replace(state, backlog=session_state.Backlog()) if is_over else state


def skip_to_last(state: SessionState) -> SessionState:
    """Return the state that keeps only the last held observation; the throws up to it are requested again."""
    held = state.backlog.observations
    if not held:
        return state
    last = replace(held[-1], missed=held_throws(state))
    return replace(state, backlog=session_state.Backlog((last,) if last.missed else ()))


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
    return replace(state, backlog=session_state.Backlog(), unresolved=replace(state.unresolved, missed=missed))
