"""The verbs of Intersection: one record each for those without a throw, and all of them in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from referee.game import Action, Call, Moment, Outcome, Reasons, Refusal, Verb
from referee.games.intersection.legality import double_offers, end_offers, give_up_offers, park_offers, vander_offers
from referee.games.intersection.rolling import FIX, GO_ROLL, LOT, NO_LOTS, ON, ROLL, STAR_ROLL
from referee.games.intersection.scoring import (
    COME_IN_POINTS,
    SET_SIZE,
    SETS,
    counts,
    end_turn,
    may_record,
    parked_sum,
    points,
    record,
    scores_alone,
    turn_points,
)
from referee.games.intersection.state import (
    DOUBLE_DICE,
    GO,
    LOTS,
    SAD,
    SLOW,
    IntersectionPhase,
    IntersectionState,
    put,
    take,
    traffic,
    traffic_faces,
)
from referee.games.intersection.turns import has_parked
from referee.phrases import spell, with_set

# park


def _park(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    faces = traffic_faces(action.dice)
    parked = replace(state, field=take(state.field, faces), parked=put(state.parked, faces))
    call = Call(
        f"{state.who} parks {spell(action.dice)}: {turn_points(parked)} parked.",
        "I.2-10",
        sum=parked_sum(parked.parked),
    )
    return has_parked(parked, call)


def _park_title(state: IntersectionState, action: Action) -> str:
    if not action.dice:
        return "Park scoring dice"
    worth = points([*state.parked, *traffic_faces(action.dice)]) - points(state.parked)
    return f"Park {spell(action.dice)} ({worth})"


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
        yield Refusal(f"These dice do not lie on the field to be parked: {spell(traffic(missing))}.", "I.2-10")
    for face, count in Counter(faces).items():
        if face in SETS and count < SET_SIZE and not scores_alone(state, face):
            yield Refusal(
                f"{count} {face}{'' if count == 1 else 's'} cannot be parked: a number takes three lying together, "
                "or three parked before.",
                "I.2-10",
            )


PARK: Final = Verb(
    name="park",
    rule="I.2-10",
    help="Park scoring dice.",
    offers=park_offers,
    play=_park,
    title=_park_title,
    refusals=_no_park,
    usage="Parking names the Traffic dice to be parked, and nothing else.",
    by_hand=True,
)


# end and double


def _end(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    return record(state, parked_sum(state.parked), "I.2-17")


def _end_title(state: IntersectionState, _action: Action) -> str:
    kept = f"keep {turn_points(state)}" if counts(state, turn_points(state)) else "record nothing"
    return f"End the turn and {kept}"


def _no_end(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field: points are taken after it is fixed.", "I.2-12")
    if state.phase == IntersectionPhase.MUST_PLAY_ON:
        yield Refusal("The slow shows and dice are left: the player has to play on.", "I.2-14")
    if state.signal == SLOW and state.phase != IntersectionPhase.PARKED:
        yield Refusal("Points are never taken under a slow: it has to become a go first.", "I.2-15")
    if state.phase == IntersectionPhase.RESOLVE:
        yield Refusal("One scoring die at least has to be parked after a roll before the turn can end.", "I.2-11")
    yield from _no_record(state)


def _no_record(state: IntersectionState) -> Reasons:
    short = f"{turn_points(state)} is not enough to come in: the first score is {COME_IN_POINTS} at least."
    if not may_record(state):
        yield Refusal(short, "I.2-18")


END: Final = Verb(
    name="end",
    rule="I.2-17",
    help="End the turn and take its points.",
    offers=end_offers,
    play=_end,
    title=_end_title,
    refusals=_no_end,
    implied=True,
    ends_turn=True,
)


def _double(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    call = Call(f"{state.who} declares double or nothing for {turn_points(state)}.", "I.2-13")
    return replace(state, phase=IntersectionPhase.DOUBLE), (call,)


def _double_title(state: IntersectionState, _action: Action) -> str:
    return f"Declare double or nothing for {turn_points(state)}"


def _no_double(state: IntersectionState, _action: Action) -> Reasons:
    count = len(state.parked)
    if state.phase != IntersectionPhase.PARKED or state.signal != GO:
        yield Refusal("Double or nothing is declared after parking, with the go showing.", "I.2-13")
    if count != DOUBLE_DICE:
        yield Refusal(f"Double or nothing takes exactly four parked dice; there are {count}.", "I.2-13")
    yield from _no_record(state)


DOUBLE: Final = Verb(
    name="double",
    rule="I.2-13",
    help="Declare double or nothing.",
    offers=double_offers,
    play=_double,
    title=_double_title,
    refusals=_no_double,
)


# give-up and vander


def _give_up(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    flags = with_set(state.gave_up, state.seat, new=True)
    lost = Moment.BUST if turn_points(state) else None
    call = Call(f"{state.who} gives up the turn and gets nothing.", "I.2-16", lost)
    return end_turn(replace(state, gave_up=flags), call)


GIVE_UP: Final = Verb(
    name="give-up",
    rule="I.2-16",
    help="Give up the turn for nothing.",
    offers=give_up_offers,
    play=_give_up,
    title="Give up the turn",
    grave=True,
)


def _vander(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    flags = with_set(state.vandered, state.seat, new=True)
    call = Call(f"A die left the table: {state.who}'s turn is over with nothing.", "I.2-19", Moment.VANDER)
    return end_turn(replace(state, vandered=flags), call)


VANDER: Final = Verb(
    name="vander",
    rule="I.2-19",
    help="A die left the table: the turn is over.",
    offers=vander_offers,
    play=_vander,
    title="A die left the table",
    grave=True,
    lost=True,
)


VERBS: Final = (LOT, ROLL, FIX, GO_ROLL, END, ON, DOUBLE, STAR_ROLL, PARK, GIVE_UP, VANDER)


def out_of_turn(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against an action of a player who waits, where another rule than that of the turns matters more."""
    who = state.name(action.player)
    if state.phase in LOTS:
        yield _not_their_throw(state)
    elif action.verb == "double":
        yield Refusal("Double or nothing is declared in one's own turn, before the last die is rolled.", "I.2-13")
    elif action.verb == "vander":
        yield Refusal(f"The Vander Rule counts in a player's own turn; it is {state.who}'s.", "I.2-19")
    elif action.verb == "lot":
        yield NO_LOTS
    elif state.last_turns is not None and action.player not in state.last_turns:
        yield Refusal(f"{who} has no turn left; {state.names(state.last_turns)} may still play a last one.", "I.2-20")


def _not_their_throw(state: IntersectionState) -> Refusal:
    rule = "I.2-1" if state.phase == IntersectionPhase.SETUP else "I.2-21"
    return Refusal(state.whose_throw(state.contenders), rule)


def out_of_phase(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against any verb that does not belong to the phase."""
    if state.phase in LOTS and action.verb == "vander":
        yield Refusal("The Vander Rule counts in a player's own turn; here the dice are thrown again.", "I.2-19")
    if state.phase == IntersectionPhase.SETUP:
        yield Refusal("Before the first turn each player throws the five Traffic dice, and does nothing else.", "I.2-1")
    if state.phase == IntersectionPhase.TIE_ROLL:
        yield Refusal("To break the tie each of them throws the five Traffic dice, and does nothing else.", "I.2-21")
    if state.phase == IntersectionPhase.START and action.verb != "vander":
        yield Refusal("A turn starts with one roll of all six dice: the Signal die and five Traffic dice.", "I.2-2")
    if state.phase == IntersectionPhase.DOUBLE and action.verb not in ("give-up", "vander"):
        yield Refusal("After declaring double or nothing the last Traffic die and the Signal die are rolled.", "I.2-13")
