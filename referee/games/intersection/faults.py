"""Why something is not allowed in Intersection: refusals of actions, and names for throws that break a rule.

Each verb has its reasons against it, in the order in which a player would be told them: the first is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from referee.dice import FaceName, Zone
from referee.game import Action, Lying, Refusal
from referee.games.intersection.options import PARKED_HAPPY
from referee.games.intersection.play import (
    goes,
    may_record,
    parks,
    scores_alone,
    star_waits_for_fix,
    star_waits_for_play,
)
from referee.games.intersection.table import (
    COME_IN_POINTS,
    DOUBLE_DICE,
    GO,
    HAPPY,
    LOTS,
    SAD,
    SET_SIZE,
    SETS,
    SLOW,
    STAR,
    TRAFFIC,
    IntersectionState,
    Phase,
    put,
    spell,
    take,
    traffic,
    traffic_faces,
    turn_points,
)

Reasons = Iterator[Refusal]

PARK_FIRST: Final = "One scoring die at least has to be parked before playing on."


def why_not(state: IntersectionState, action: Action) -> Refusal:
    """Why an action of the player to act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in _AGAINST:
        return Refusal(f"Intersection has no {action.verb!r}; a player may {', '.join(_AGAINST)}.", "I.2-2")
    return _first(_out_of_phase(state, action)) or _in_turn(state, action)


def _first(reasons: Reasons) -> Refusal | None:
    return next(reasons, None)


def _in_turn(state: IntersectionState, action: Action) -> Refusal:
    return _first(_AGAINST[action.verb](state, action)) or Refusal(_shape(state, action), _RULES[action.verb])


def _out_of_phase(state: IntersectionState, action: Action) -> Reasons:
    if state.phase in LOTS and action.verb == "vander":
        yield Refusal("The Vander Rule counts in a player's own turn; here the dice are thrown again.", "I.2-19")
    if state.phase == Phase.SETUP:
        yield Refusal("The first turn is thrown for: the five Traffic dice, and nothing else.", "I.2-1")
    if state.phase == Phase.TIE_ROLL:
        yield Refusal("The tie is thrown for: the five Traffic dice, and nothing else.", "I.2-21")
    if state.phase == Phase.START:
        yield Refusal("A turn starts with one roll of all six dice: the Signal die and five Traffic dice.", "I.2-2")
    if state.phase == Phase.DOUBLE:
        yield Refusal("After declaring double or nothing the last Traffic die and the Signal die are rolled.", "I.2-13")


def _shape(state: IntersectionState, action: Action) -> str:
    return {
        "fix": "A fix rolls two Traffic dice, a happy and a sad one, and says =field or =parked for the happy one.",
        "go": "The Signal die is rolled with exactly one sad Traffic die.",
        "star": "The Signal die is rolled with one star, and =field or =parked says which.",
        "on": f"Playing on rolls all Traffic dice that are not parked: {len(state.field)}, and no other.",
        "park": "Parking names the Traffic dice to be parked, and nothing else.",
    }.get(action.verb, f"{action.verb!r} takes no dice and no choice.")


def _no_lot(_state: IntersectionState, _action: Action) -> Reasons:
    yield Refusal("Lots are thrown for the first turn and for a tie only.", "I.2-1")


def _no_roll(_state: IntersectionState, _action: Action) -> Reasons:
    yield Refusal("All dice are rolled together at the start of a turn only.", "I.2-4")


def _no_fix(state: IntersectionState, action: Action) -> Reasons:
    if SAD not in state.field:
        yield Refusal("There is no sad face to fix.", "I.2-7")
    if HAPPY not in put(state.field, state.parked):
        yield Refusal("There is no happy face, on the field or parked, to fix a sad one with.", "I.2-7")
    yield from _not_there(state, action, HAPPY, "I.2-7")
    if action.choice == "parked" and HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first"):
        yield Refusal("A parked happy face has to wait while one is on the field, as this table plays.", "I.2-7")


def _not_there(state: IntersectionState, action: Action, face: FaceName, rule: str) -> Reasons:
    if action.choice == "field" and face not in state.field:
        yield Refusal(f"There is no {face} on the field, only a parked one.", rule)
    if action.choice == "parked" and face not in state.parked:
        yield Refusal(f"There is no parked {face}, only one on the field.", rule)


def _no_go(state: IntersectionState, _action: Action) -> Reasons:
    if SAD not in state.field:
        yield Refusal("The go is rolled with a sad face only, and there is none.", "I.2-8")
    if HAPPY in put(state.field, state.parked):
        yield Refusal(
            "The go cannot be rolled with a sad face while there is a happy one, on the field or parked.", "I.2-8"
        )
    if state.signal != GO:
        yield Refusal(f"The signal shows {state.signal}, not go.", "I.2-8")


def _no_star(state: IntersectionState, action: Action) -> Reasons:
    if state.signal != SLOW:
        yield Refusal(f"A star is rolled with a slow only; the signal shows {state.signal}.", "I.2-9")
    if STAR not in put(state.field, state.parked):
        yield Refusal("There is no star, on the field or parked, to roll with the slow.", "I.2-9")
    if star_waits_for_play(state):
        yield Refusal("After parking under a slow the player plays on before a star may be rolled with it.", "I.2-14")
    yield from _not_there(state, action, STAR, "I.2-9")
    if star_waits_for_fix(state):
        yield Refusal("The sad face can still be fixed, and that comes first as this table plays.", "I.2-9")


def _no_park(state: IntersectionState, action: Action) -> Reasons:
    faces = traffic_faces(action.dice)
    missing = tuple((Counter(faces) - Counter(state.field)).elements())
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field, so nothing can be parked yet.", "I.2-6")
    if len(faces) < len(action.dice):
        yield Refusal("The Signal die is never parked.", "I.2-5")
    if not faces:
        yield Refusal("Parking takes one scoring die at least.", "I.2-10")
    if missing:
        yield Refusal(f"There is no {spell(traffic(missing))} on the field to park.", "I.2-10")
    for face, count in Counter(faces).items():
        if face in SETS and count < SET_SIZE and not scores_alone(state, face):
            yield Refusal(
                f"{count} {face}{'' if count == 1 else 's'} cannot be parked: a number takes three lying together, "
                "or three parked before.",
                "I.2-10",
            )


def _no_on(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field: it is fixed before playing on.", "I.2-12")
    if not state.field:
        yield Refusal("All five dice are parked: none is left to play on with.", "I.2-11")
    if state.phase == Phase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")


def _no_end(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field: points are taken after it is fixed.", "I.2-12")
    if state.phase == Phase.MUST_PLAY_ON:
        yield Refusal("The slow shows and dice are left: the player has to play on.", "I.2-14")
    if state.signal == SLOW:
        yield Refusal("Points are never taken under a slow: it has to become a go first.", "I.2-15")
    if state.phase == Phase.RESOLVE:
        yield Refusal("One scoring die at least has to be parked after a roll before the turn can end.", "I.2-11")
    yield from _no_record(state)


def _no_double(state: IntersectionState, _action: Action) -> Reasons:
    count = len(state.parked)
    if state.phase != Phase.PARKED or state.signal != GO:
        yield Refusal("Double or nothing is declared after parking, with the go showing.", "I.2-13")
    if count != DOUBLE_DICE:
        yield Refusal(f"Double or nothing takes exactly four parked dice; there are {count}.", "I.2-13")
    yield from _no_record(state)


def _no_record(state: IntersectionState) -> Reasons:
    short = f"{turn_points(state)} is not enough to come in: the first score is {COME_IN_POINTS} at least."
    if not may_record(state):
        yield Refusal(short, "I.2-18")


def _always(_state: IntersectionState, _action: Action) -> Reasons:
    yield from ()


_AGAINST: Final[dict[str, Callable[[IntersectionState, Action], Reasons]]] = {
    "lot": _no_lot,
    "roll": _no_roll,
    "fix": _no_fix,
    "go": _no_go,
    "star": _no_star,
    "park": _no_park,
    "on": _no_on,
    "end": _no_end,
    "double": _no_double,
    "give-up": _always,
    "vander": _always,
}

_RULES: Final = {
    "fix": "I.2-7",
    "go": "I.2-8",
    "star": "I.2-9",
    "park": "I.2-10",
    "on": "I.2-12",
    "end": "I.2-17",
    "double": "I.2-13",
    "give-up": "I.2-16",
    "vander": "I.2-19",
}


# Throws that no legal action explains


def fault(state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...]) -> Refusal:
    """Which rule a throw breaks: `thrown` are its dice as they lay before, `kept` those left, where they lie now."""
    parked = _newly_parked(state, kept)
    park = Action(state.seat, "park", traffic(parked))
    if out_of_phase := _first(_thrown_out_of_phase(state, thrown)):
        return out_of_phase
    if parked and park not in parks(state):
        return _in_turn(state, park)
    return _badly_thrown(_with_parked(state, parked), thrown, kept)


def _thrown_out_of_phase(state: IntersectionState, thrown: tuple[Lying, ...]) -> Reasons:
    lot = f"A lot is thrown with the five Traffic dice, not with {_counted(thrown)}."
    if state.phase == Phase.SETUP:
        yield Refusal(lot, "I.2-1")
    if state.phase == Phase.TIE_ROLL:
        yield Refusal(lot, "I.2-21")
    if state.phase == Phase.START:
        yield Refusal(f"A turn starts with all six dice rolled together, not with {_counted(thrown)}.", "I.2-2")
    if state.phase == Phase.DOUBLE:
        yield Refusal("Double or nothing is rolled with the last Traffic die and the Signal die alone.", "I.2-13")


def _newly_parked(state: IntersectionState, kept: tuple[Lying, ...]) -> tuple[FaceName, ...]:
    aside = traffic_faces(lying.die for lying in kept if lying.zone is Zone.ASIDE)
    return take(aside, state.parked)


def _with_parked(state: IntersectionState, faces: tuple[FaceName, ...]) -> IntersectionState:
    if not faces:
        return state
    phase = Phase.MUST_PLAY_ON if state.signal == SLOW else Phase.PARKED
    return replace(state, phase=phase, field=take(state.field, faces), parked=put(state.parked, faces))


def _badly_thrown(state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...]) -> Refusal:
    faces = traffic_faces(lying.die for lying in thrown)
    if len(thrown) > _count_traffic(thrown):
        reasons, otherwise = _bad_signal(state, thrown, faces), _NO_PAIR
    elif sorted(faces) == sorted((HAPPY, SAD)):
        reasons, otherwise = _no_fix(state, Action(state.seat, "fix", choice=_choice(thrown))), _MISPLACED
    else:
        reasons, otherwise = _bad_traffic(state, thrown, kept, faces), _NO_OTHER
    return _first(reasons) or otherwise


_NO_PAIR: Final = Refusal("The Signal die is rolled with a sad face, a star, or for double or nothing.", "I.2-4")
_MISPLACED: Final = Refusal(
    "The dice left lying are not where they were: parked dice stay parked, the others stay.", "I.2-12"
)
_NO_OTHER: Final = Refusal("Playing on rolls the dice that are not parked, and no other.", "I.2-12")


def _choice(thrown: tuple[Lying, ...]) -> str:
    return "parked" if any(lying.zone is Zone.ASIDE for lying in thrown) else "field"


def _bad_signal(state: IntersectionState, thrown: tuple[Lying, ...], faces: tuple[FaceName, ...]) -> Reasons:
    count = _count_traffic(thrown)
    if count == 0:
        yield Refusal("The Signal die is never rolled alone.", "I.2-4")
    if count > 1:
        yield Refusal(f"The Signal die is rolled with one Traffic die, not with {count}.", "I.2-4")
    if len(state.parked) == DOUBLE_DICE and state.phase == Phase.PARKED:
        yield Refusal("Double or nothing has to be declared before it is rolled.", "I.2-13")
    if faces == (SAD,):
        yield from _no_go(state, Action(state.seat, "go"))
    if faces == (STAR,):
        yield from _no_star(state, Action(state.seat, "star", choice=_choice(thrown)))


def _bad_traffic(
    state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...], faces: tuple[FaceName, ...]
) -> Reasons:
    played_on = len(faces) == len(state.field)
    one_happy = f"A sad face is fixed by rolling it with one happy face, not {spell(traffic(faces))}."
    if faces == (SAD,) and any(goes(state)):
        yield Refusal("Without a happy face a sad one is rolled together with the go, not alone.", "I.2-8")
    if SAD in faces and not played_on:
        yield from _no_fix(state, Action(state.seat, "fix"))
        yield Refusal(one_happy, "I.2-7")
    yield from _parked_touched(state, thrown, kept)
    if SAD in state.field and len(faces) == 2:
        yield Refusal(one_happy, "I.2-7")
    if SAD in state.field:
        yield Refusal("Sad faces were left unfixed: each is rolled with one happy face before anything else.", "I.2-6")
    if state.phase == Phase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")
    left = len(state.field) - len(faces)
    lie = "1 die was" if left == 1 else f"{left} dice were"
    if left > 0:
        yield Refusal(f"Playing on rolls all dice that are not parked; {lie} left lying.", "I.2-12")


def _parked_touched(state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...]) -> Reasons:
    rolled = traffic_faces(lying.die for lying in thrown if lying.zone is Zone.ASIDE)[:1]
    if rolled:
        yield Refusal(f"A parked {spell(traffic(rolled))} was rolled; parked dice stay where they are.", "I.2-12")
    lying = traffic_faces(die.die for die in kept if die.zone is Zone.FIELD)
    if take(lying, state.field):
        yield Refusal("A parked die was moved back onto the field without being rolled.", "I.2-12")


def _count_traffic(thrown: tuple[Lying, ...]) -> int:
    return sum(lying.die.kind == TRAFFIC for lying in thrown)


def _counted(thrown: tuple[Lying, ...]) -> str:
    traffic_dice = _count_traffic(thrown)
    signal = "the Signal die and " if len(thrown) > traffic_dice else ""
    return f"{signal}{traffic_dice} Traffic {'die' if traffic_dice == 1 else 'dice'}"
