"""Throws that people say were none: dice that were seen to tumble are thrown again, whatever anybody says. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.dice import Seen, SeenDie, Zone
from referee.sentences import say
from vander.session.seen_dice import title_of
from vander.session.session_state import SessionState, Step, ThrowDenied, Unresolved


def tumbled(ruled: Seen | None, seen: Seen | None) -> tuple[SeenDie, ...]:
    """Return the dice that were thrown since the table was ruled on, if each was seen to tumble; else ()."""
    since = ruled.throw if ruled else 0
    thrown = tuple(die for die in (seen.dice if seen else ()) if die.throw > since and die.zone is not Zone.OUT)
    return thrown if all(die.handled is None for die in thrown) else ()


def throw_again(step: Step) -> Step:
    """Have the dice thrown again of which people say that they were not thrown: no turn is saved by that."""
    state = step.state
    dice = tumbled(state.table.ruled, state.table.seen)
    if not dice:
        return step
    throw = max(die.throw for die in dice)
    denied = ThrowDenied(frozenset(die.number for die in dice), throw)
    unresolved = Unresolved(thrown_again=denied, unfinished=_sentence(state, dice))
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
