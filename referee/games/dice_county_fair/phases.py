"""What a verb of Dice County Fair may be told in the wrong phase, and about a choice that names nothing."""

from __future__ import annotations

from collections.abc import Callable

from referee.game import Action, Reasons, Refusal
from referee.games.dice_county_fair.state import FairPhase, FairState, activity_keys

Refusals = Callable[[FairState, Action], Reasons]


def in_planning(reasons: Refusals) -> Refusals:
    """Return the refusals of a verb that writes prices: those of a player who is ready stand."""

    def refusals(state: FairState, action: Action) -> Reasons:
        if action.player in state.ready:
            yield Refusal(f"{state.name(action.player)} is ready; 'Not ready yet' takes that back.", "D.2-1")
        yield from reasons(state, action)

    return in_phase(FairPhase.PLANNING, refusals)


def in_phase(phase: FairPhase, reasons: Refusals) -> Refusals:
    """Return the refusals of a verb of one phase: in any other phase it comes too early or too late."""

    def refusals(state: FairState, action: Action) -> Reasons:
        if state.phase != phase:
            yield not_now(state, phase)
        else:
            yield from reasons(state, action)

    return refusals


def not_now(state: FairState, wanted: FairPhase) -> Refusal:
    """Return why a verb of the wanted phase has to wait, or comes too late."""
    if wanted == FairPhase.PLANNING:
        return Refusal("Prices are written before the first roll, and stand from then on.", "D.2-1")
    if state.phase == FairPhase.PLANNING:
        write = conjugated(state, "write")
        return Refusal(f"The fair opens when all are ready: {state.waiting} {write} prices.", "D.2-1")
    if wanted == FairPhase.ROLL:
        return once_a_turn(state)
    return Refusal(f"{state.waiting} rolls the dice of the {state.hour} turn first.", "D.2-3")


def once_a_turn(state: FairState) -> Refusal:
    """Return the refusal of a second throw in a turn."""
    are = "is" if len(state.awaited) == 1 else "are"
    return Refusal(f"The dice are thrown once a turn, and {state.waiting} {are} not done with this one.", "D.2-3")


def conjugated(state: FairState, verb: str) -> str:
    """Return the verb as it is said of those whom the others wait for."""
    return f"{verb}s" if len(state.awaited) == 1 else verb


def unknown_activity(state: FairState, choice: str, rule: str) -> Reasons:
    """Reasons against a choice that names no activity."""
    key = choice.partition("/")[0]
    if key not in activity_keys(state):
        example = activity_keys(state)[0]
        there = f"There is no activity {key!r} on this sheet: name one" if key else "Name an activity"
        yield Refusal(f"{there}, such as ={example}.", rule)
