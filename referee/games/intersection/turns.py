"""A turn of Intersection: what becomes of dice that were rolled, parked, or laid by people."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.actions import Action, DiePosition
from referee.calls import Call, Moment
from referee.dice import FaceName, Zone
from referee.games.intersection.legality import decisions, settle
from referee.games.intersection.scoring import COME_IN_POINTS, end_turn, scores_alone
from referee.games.intersection.state import (
    ANY_SIGNAL,
    FIVE_UNDER_SLOW,
    LOTS,
    SIGNAL,
    SLOW,
    STOP,
    TRAFFIC_DICE,
    IntersectionPhase,
    IntersectionState,
    put,
    signal_face,
    take,
    traffic_faces,
)
from referee.phrases import spell
from referee.sentences import say
from referee.verb import Outcome


def lift(state: IntersectionState, face: FaceName, choice: str, *others: FaceName) -> IntersectionState:
    """Take up one die with the face, parked or from the field as `choice` says, and others from the field."""
    if choice == "parked":
        return replace(state, parked=take(state.parked, [face]), field=take(state.field, others))
    return replace(state, field=take(state.field, [face, *others]))


def rolled(state: IntersectionState, action: Action, rule: str) -> Outcome[IntersectionState]:
    """Put down the dice that were rolled; the turn ends with a stop, or with nothing left to do (I.2-3, I.2-16)."""
    signal = signal_face(action.dice) if ANY_SIGNAL.kind in {die.kind for die in action.dice} else state.signal
    field = put(state.field, traffic_faces(action.dice))
    after = replace(state, phase=IntersectionPhase.RESOLVE, signal=signal, field=field)
    return _or_bust(after, Call(say("{who} rolls {dice}.", who=state.who, dice=spell(action.dice)), rule))


def _or_bust(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    if state.signal == STOP:
        return end_turn(state, *calls, stop_call(state))
    if any(decisions(state)):
        return state, calls
    nothing = say("{who} has nothing left to do: the turn is over with nothing.", who=state.who)
    return end_turn(state, *calls, Call(nothing, "I.2-16", Moment.BUST))


def stop_call(state: IntersectionState) -> Call:
    """Return the call for a stop, which ends the turn (I.2-3)."""
    return Call(say("Stop: {who}'s turn is over with nothing.", who=state.who), "I.2-3", Moment.STOP)


def has_parked(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    """Go on after parking: under a slow the player plays on (I.2-14), else the turn may end (I.2-11)."""
    if state.signal == SLOW:
        return _parked_under_slow(state, *calls)
    return _or_below_300(replace(state, phase=IntersectionPhase.PARKED), *calls)


def _parked_under_slow(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    if state.field:
        must = Call(say("The slow shows: {who} has to play on.", who=state.who), "I.2-14")
        return replace(state, phase=IntersectionPhase.MUST_PLAY_ON), (*calls, must)
    if state.chose(FIVE_UNDER_SLOW, "take-points"):
        return _or_below_300(replace(state, phase=IntersectionPhase.PARKED), *calls)
    no_points = Call(say("No points are taken under a slow."), "I.2-15")
    return _or_bust(replace(state, phase=IntersectionPhase.RESOLVE), *calls, no_points)


def _or_below_300(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    if any(decisions(state)):
        return state, calls
    short = say(
        "{who} needs {points} to come in and has no die left to roll: nothing is recorded.",
        who=state.who,
        points=COME_IN_POINTS,
    )
    return end_turn(state, *calls, Call(short, "I.2-18", Moment.BUST))


def relaid(state: IntersectionState, lying: tuple[DiePosition, ...]) -> Outcome[IntersectionState] | None:
    """Return the turn with its dice lying so: five Traffic dice and the Signal die, those in the bay parked; else None.

    A player who had parked, and whose other dice are untouched, may still do what could be done; otherwise the dice
    stand as if they had just been rolled, so that a stop, or nothing left to do, ends the turn.
    """
    dice = [each.die for each in lying if each.zone is not Zone.OUT]
    signals, faces = [die.face for die in dice if die.kind == SIGNAL and die.face], traffic_faces(dice)
    if state.phase in (*LOTS, IntersectionPhase.GAME_OVER) or len(signals) != 1 or len(faces) != TRAFFIC_DICE:
        return None
    parked = _laid_aside(state, lying)
    laid = replace(state, signal=signals[0], field=take(faces, parked), parked=parked)
    if not all(scores_alone(laid, face) for face in parked):
        return None
    after, calls = _going_on(state, laid)
    return settle(after), calls


def _laid_aside(state: IntersectionState, lying: tuple[DiePosition, ...]) -> tuple[FaceName, ...]:
    """Return the faces in the bay, and, of dice that may lie anywhere, those that were parked before."""
    aside = traffic_faces(each.die for each in lying if each.zone in (Zone.ASIDE, Zone.SIGNAL))
    anywhere = Counter(traffic_faces(each.die for each in lying if each.zone is None))
    return put(aside, (anywhere & Counter(take(state.parked, aside))).elements())


def _going_on(before: IntersectionState, laid: IntersectionState) -> Outcome[IntersectionState]:
    had_parked = before.phase in (IntersectionPhase.PARKED, IntersectionPhase.MUST_PLAY_ON, IntersectionPhase.DOUBLE)
    if not laid.field and laid.signal != STOP:
        return has_parked(laid)
    if had_parked and (laid.field, laid.signal) == (before.field, before.signal):
        return laid, ()
    return _or_bust(replace(laid, phase=IntersectionPhase.RESOLVE))
