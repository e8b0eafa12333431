"""What a verb of Dice County Fair may be told in the wrong phase, and about a choice that names nothing."""

from __future__ import annotations

from collections.abc import Callable

from referee.actions import Action
from referee.calls import Refusal
from referee.games.dice_county_fair.state import FairPhase, FairState, activity_keys
from referee.sentences import say, say_count
from referee.verb import Reasons

Refusals = Callable[[FairState, Action], Reasons]


def in_planning(reasons: Refusals) -> Refusals:
    """Return the refusals of a verb that writes prices: those of a player who is ready stand."""

    def refusals(state: FairState, action: Action) -> Reasons:
        if action.player in state.ready:
            sentence = say("{who} is ready; 'Not ready yet' takes that back.", who=state.name(action.player))
            yield Refusal(sentence, "D.2-1")
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
        return Refusal(say("Prices are written before the first roll, and stand from then on."), "D.2-1")
    if state.phase == FairPhase.PLANNING:
        sentence = say_count(
            "The fair opens when all are ready: {names} writes prices.",
            "The fair opens when all are ready: {names} write prices.",
            len(state.awaited),
            names=state.waiting,
        )
        return Refusal(sentence, "D.2-1")
    if wanted == FairPhase.ROLL:
        return once_a_turn(state)
    sentence = say("{who} rolls the dice of the {hour} turn first.", who=state.waiting, hour=state.hour)
    return Refusal(sentence, "D.2-3")


def once_a_turn(state: FairState) -> Refusal:
    """Return the refusal of a second throw in a turn."""
    sentence = say_count(
        "The dice are thrown once a turn, and {names} is not done with this one.",
        "The dice are thrown once a turn, and {names} are not done with this one.",
        len(state.awaited),
        names=state.waiting,
    )
    return Refusal(sentence, "D.2-3")


def unknown_activity(state: FairState, choice: str, rule: str) -> Reasons:
    """Reasons against a choice that names no activity."""
    key = choice.partition("/")[0]
    if key not in activity_keys(state):
        example = activity_keys(state)[0]
        named = say(
            "There is no activity {key!r} on this sheet: name one, such as ={example}.", key=key, example=example
        )
        yield Refusal(named if key else say("Name an activity, such as ={example}.", example=example), rule)
