"""Why something is not allowed in Intersection: refusals of actions, and names for throws that break a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from referee.dice import FaceName, Zone
from referee.game import Action, Lying, Refusal
from referee.games.intersection.options import PARKED_HAPPY, STAR_WITH_SAD
from referee.games.intersection.play import fixes, may_record, parks, scores_alone
from referee.games.intersection.table import (
    COME_IN_POINTS,
    DOUBLE_DICE,
    GO,
    HAPPY,
    LOTS,
    SAD,
    SET_SIZE,
    SETS,
    SIGNAL,
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

VERBS: Final = ("lot", "roll", "fix", "go", "star", "park", "on", "end", "double", "give-up", "vander")


def why_not(state: IntersectionState, action: Action) -> Refusal:
    """Why an action of the player to act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in VERBS:
        return Refusal(f"Intersection has no {action.verb!r}; a player may {', '.join(VERBS)}.", "I.2-2")
    return _out_of_phase(state, action) or _in_turn(state, action)


def _out_of_phase(state: IntersectionState, action: Action) -> Refusal | None:
    match state.phase:
        case Phase.SETUP:
            return _not_a_lot(action, "The first turn is thrown for: the five Traffic dice, and nothing else.", "I.2-1")
        case Phase.TIE_ROLL:
            return _not_a_lot(action, "The tie is thrown for: the five Traffic dice, and nothing else.", "I.2-21")
        case Phase.START:
            return Refusal(
                "A turn starts with one roll of all six dice: the Signal die and five Traffic dice.", "I.2-2"
            )
        case Phase.DOUBLE:
            return Refusal(
                "After declaring double or nothing the last Traffic die and the Signal die are rolled.", "I.2-13"
            )
    return None


def _not_a_lot(action: Action, sentence: str, rule: str) -> Refusal:
    if action.verb == "vander":
        return Refusal("The Vander Rule counts in a player's own turn; here the dice are thrown again.", "I.2-19")
    return Refusal(sentence, rule)


def _in_turn(state: IntersectionState, action: Action) -> Refusal:
    return _REASONS[action.verb](state, action) or Refusal(_shape(state, action), _RULES[action.verb])


def _shape(state: IntersectionState, action: Action) -> str:
    left = len(state.field)
    return {
        "fix": "A fix rolls two Traffic dice, a happy and a sad one, and says =field or =parked for the happy one.",
        "go": "The Signal die is rolled with exactly one sad Traffic die.",
        "star": "The Signal die is rolled with one star, and =field or =parked says which.",
        "on": f"Playing on rolls all Traffic dice that are not parked: {left}, and no other.",
        "park": "Parking names the Traffic dice to be parked, and nothing else.",
    }.get(action.verb, f"{action.verb!r} takes no dice and no choice.")


def _why_no_lot(state: IntersectionState, _action: Action) -> Refusal:
    return Refusal("Lots are thrown for the first turn and for a tie only.", "I.2-1")


def _why_no_roll(state: IntersectionState, _action: Action) -> Refusal:
    return Refusal("All dice are rolled together at the start of a turn only.", "I.2-4")


def _why_no_fix(state: IntersectionState, action: Action) -> Refusal | None:
    if SAD not in state.field:
        return Refusal("There is no sad face to fix.", "I.2-7")
    if HAPPY not in put(state.field, state.parked):
        return Refusal("There is no happy face, on the field or parked, to fix a sad one with.", "I.2-7")
    return _why_not_that(state, action, HAPPY, "I.2-7")


def _why_not_that(state: IntersectionState, action: Action, face: FaceName, rule: str) -> Refusal | None:
    if action.choice == "field" and face not in state.field:
        return Refusal(f"There is no {face} on the field, only a parked one.", rule)
    if action.choice == "parked" and face not in state.parked:
        return Refusal(f"There is no parked {face}, only one on the field.", rule)
    if (
        action.choice == "parked"
        and HAPPY in state.field
        and face == HAPPY
        and state.chose(PARKED_HAPPY, "field-first")
    ):
        return Refusal("A parked happy face has to wait while one is on the field, as this table plays.", rule)
    return None


def _why_no_go(state: IntersectionState, _action: Action) -> Refusal | None:
    if SAD not in state.field:
        return Refusal("The go is rolled with a sad face only, and there is none.", "I.2-8")
    if HAPPY in put(state.field, state.parked):
        return Refusal(
            "The go cannot be rolled with a sad face while there is a happy one, on the field or parked.", "I.2-8"
        )
    if state.signal != GO:
        return Refusal(f"The signal shows {state.signal}, not go.", "I.2-8")
    return None


def _why_no_star(state: IntersectionState, action: Action) -> Refusal | None:
    if state.signal != SLOW:
        return Refusal(f"A star is rolled with a slow only; the signal shows {state.signal}.", "I.2-9")
    if STAR not in put(state.field, state.parked):
        return Refusal("There is no star, on the field or parked, to roll with the slow.", "I.2-9")
    if state.phase == Phase.MUST_PLAY_ON:
        return Refusal("After parking under a slow the player plays on before a star may be rolled with it.", "I.2-14")
    return _why_not_that(state, action, STAR, "I.2-9") or _star_last(state)


def _star_last(state: IntersectionState) -> Refusal | None:
    if any(fixes(state)) and state.chose(STAR_WITH_SAD, "last-resort"):
        return Refusal("The sad face can still be fixed, and that comes first as this table plays.", "I.2-9")
    return None


def _why_no_park(state: IntersectionState, action: Action) -> Refusal | None:
    faces = traffic_faces(action.dice)
    if SAD in state.field:
        return Refusal("There is still a sad face on the field, so nothing can be parked yet.", "I.2-6")
    if len(faces) < len(action.dice):
        return Refusal("The Signal die is never parked.", "I.2-5")
    if not faces:
        return Refusal("Parking takes one scoring die at least.", "I.2-10")
    if Counter(faces) - Counter(state.field):
        missing = (Counter(faces) - Counter(state.field)).elements()
        return Refusal(f"There is no {spell(traffic(missing))} on the field to park.", "I.2-10")
    return _too_few(state, faces)


def _too_few(state: IntersectionState, faces: tuple[FaceName, ...]) -> Refusal | None:
    for face, count in Counter(faces).items():
        if face in SETS and count < SET_SIZE and not scores_alone(state, face):
            return Refusal(
                f"{count} {face}{'' if count == 1 else 's'} cannot be parked: a number takes three lying "
                "together, or three parked before.",
                "I.2-10",
            )
    return None


def _why_no_on(state: IntersectionState, _action: Action) -> Refusal | None:
    if SAD in state.field:
        return Refusal("There is still a sad face on the field: it has to be fixed before playing on.", "I.2-12")
    if state.phase == Phase.RESOLVE:
        return Refusal("One scoring die at least has to be parked before playing on.", "I.2-12")
    if not state.field:
        return Refusal("All five dice are parked: none is left to play on with.", "I.2-11")
    return None


def _why_no_end(state: IntersectionState, _action: Action) -> Refusal | None:
    if SAD in state.field:
        return Refusal("There is still a sad face on the field: points are taken after it is fixed.", "I.2-12")
    if state.signal == SLOW and state.phase == Phase.MUST_PLAY_ON:
        return Refusal("The slow shows and dice are left: the player has to play on.", "I.2-14")
    if state.signal == SLOW:
        return Refusal("Points are never taken under a slow: it has to become a go first.", "I.2-15")
    if state.phase == Phase.RESOLVE:
        return Refusal("One scoring die at least has to be parked after a roll before the turn can end.", "I.2-11")
    return _why_no_record(state)


def _why_no_record(state: IntersectionState) -> Refusal | None:
    if may_record(state):
        return None
    worth = turn_points(state)
    return Refusal(f"{worth} is not enough to come in: the first score is {COME_IN_POINTS} at least.", "I.2-18")


def _why_no_double(state: IntersectionState, _action: Action) -> Refusal | None:
    if state.phase != Phase.PARKED or state.signal != GO:
        return Refusal("Double or nothing is declared after parking, with the go showing.", "I.2-13")
    if len(state.parked) != DOUBLE_DICE:
        return Refusal(f"Double or nothing takes exactly four parked dice; there are {len(state.parked)}.", "I.2-13")
    return _why_no_record(state)


def _nothing_special(_state: IntersectionState, _action: Action) -> None:
    return None


_REASONS: Final[dict[str, Callable[[IntersectionState, Action], Refusal | None]]] = {
    "lot": _why_no_lot,
    "roll": _why_no_roll,
    "fix": _why_no_fix,
    "go": _why_no_go,
    "star": _why_no_star,
    "park": _why_no_park,
    "on": _why_no_on,
    "end": _why_no_end,
    "double": _why_no_double,
    "give-up": _nothing_special,
    "vander": _nothing_special,
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
    if state.phase in LOTS:
        rule = "I.2-1" if state.phase == Phase.SETUP else "I.2-21"
        return Refusal(f"A lot is thrown with the five Traffic dice, not with {_counted(thrown)}.", rule)
    if state.phase == Phase.START:
        return Refusal(f"A turn starts with all six dice rolled together, not with {_counted(thrown)}.", "I.2-2")
    if state.phase == Phase.DOUBLE:
        return Refusal("Double or nothing is rolled with the last Traffic die and the Signal die alone.", "I.2-13")
    return _badly_parked(state, kept) or _badly_thrown(_with_parked(state, kept), thrown, kept)


def _newly_aside(state: IntersectionState, kept: tuple[Lying, ...]) -> tuple[FaceName, ...]:
    aside = traffic_faces(lying.die for lying in kept if lying.zone is Zone.ASIDE)
    return tuple((Counter(aside) - Counter(state.parked)).elements())


def _badly_parked(state: IntersectionState, kept: tuple[Lying, ...]) -> Refusal | None:
    faces = _newly_aside(state, kept)
    action = Action(state.seat, "park", traffic(faces))
    if not faces or action in parks(state):
        return None
    return _why_no_park(state, action)


def _with_parked(state: IntersectionState, kept: tuple[Lying, ...]) -> IntersectionState:
    faces = _newly_aside(state, kept)
    if not faces:
        return state
    phase = Phase.MUST_PLAY_ON if state.signal == SLOW else Phase.PARKED
    return replace(state, phase=phase, field=take(state.field, faces), parked=put(state.parked, faces))


def _badly_thrown(state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...]) -> Refusal:
    faces = traffic_faces(lying.die for lying in thrown)
    if any(lying.die.kind == SIGNAL for lying in thrown):
        return _signal_thrown(state, thrown)
    if sorted(faces) == sorted((HAPPY, SAD)):
        return _why_no_fix(state, Action(state.seat, "fix", traffic(faces), _choice(thrown))) or _misplaced()
    return _parked_die_touched(state, thrown, kept) or _sad_left(state, faces) or _not_all(state, thrown)


def _choice(thrown: tuple[Lying, ...]) -> str:
    return "parked" if any(lying.zone is Zone.ASIDE for lying in thrown) else "field"


def _misplaced() -> Refusal:
    return Refusal("The dice left lying are not where they were: parked dice stay parked, the others stay.", "I.2-12")


def _signal_thrown(state: IntersectionState, thrown: tuple[Lying, ...]) -> Refusal:
    count = _count_traffic(thrown)
    if count == 0:
        return Refusal("The Signal die is never rolled alone.", "I.2-4")
    if count > 1:
        return Refusal(f"The Signal die is rolled with one Traffic die, not with {count}.", "I.2-4")
    if len(state.parked) == DOUBLE_DICE and state.phase == Phase.PARKED:
        return Refusal("Double or nothing has to be declared before it is rolled.", "I.2-13")
    return _bad_pair(state, thrown) or Refusal(
        "The Signal die is rolled with a sad face, a star, or for double or nothing.", "I.2-4"
    )


def _bad_pair(state: IntersectionState, thrown: tuple[Lying, ...]) -> Refusal | None:
    match traffic_faces(lying.die for lying in thrown):
        case (face,) if face == SAD:
            return _why_no_go(state, Action(state.seat, "go"))
        case (face,) if face == STAR:
            return _why_no_star(state, Action(state.seat, "star", choice=_choice(thrown)))
    return None


def _parked_die_touched(state: IntersectionState, thrown: tuple[Lying, ...], kept: tuple[Lying, ...]) -> Refusal | None:
    rolled = traffic_faces(lying.die for lying in thrown if lying.zone is Zone.ASIDE)
    if rolled:
        return Refusal(f"A parked {spell(traffic(rolled[:1]))} was rolled; parked dice stay where they are.", "I.2-12")
    lying = Counter(traffic_faces(die.die for die in kept if die.zone is Zone.FIELD))
    if lying - Counter(state.field):
        return Refusal("A parked die was moved back onto the field without being rolled.", "I.2-12")
    return None


def _sad_left(state: IntersectionState, faces: tuple[FaceName, ...]) -> Refusal | None:
    if SAD not in state.field:
        return None
    if len(faces) == 2:
        return Refusal(f"A sad face is fixed by rolling it with one happy face, not {spell(traffic(faces))}.", "I.2-7")
    return Refusal("Sad faces were left unfixed: each is rolled with one happy face before anything else.", "I.2-6")


def _not_all(state: IntersectionState, thrown: tuple[Lying, ...]) -> Refusal:
    if state.phase == Phase.RESOLVE:
        return Refusal("One scoring die at least has to be parked before playing on.", "I.2-10")
    left = len(state.field) - _count_traffic(thrown)
    if left > 0:
        lie = "1 die was" if left == 1 else f"{left} dice were"
        return Refusal(f"Playing on rolls all dice that are not parked; {lie} left lying.", "I.2-12")
    return Refusal("Playing on rolls the dice that are not parked, and no other.", "I.2-12")


def _count_traffic(thrown: tuple[Lying, ...]) -> int:
    return sum(lying.die.kind == TRAFFIC for lying in thrown)


def _counted(thrown: tuple[Lying, ...]) -> str:
    traffic_dice = _count_traffic(thrown)
    signal = "the Signal die and " if len(thrown) > traffic_dice else ""
    return f"{signal}{traffic_dice} Traffic {'die' if traffic_dice == 1 else 'dice'}"
