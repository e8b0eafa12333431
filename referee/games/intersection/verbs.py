"""The verbs of Intersection, all of them in order; a player who is absent, and feats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition
from referee.calls import Call, Moment, Outcome, Reasons, Refusal, Verb
from referee.dice import FaceName, Zone
from referee.game import GameFeat
from referee.games.intersection import turns
from referee.games.intersection.state import (
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
    IntersectionPhase,
    IntersectionState,
    called_off,
    counts,
    end_turn,
    may_record,
    parked_sum,
    pass_dice,
    points,
    put,
    record,
    scores_alone,
    take,
    traffic,
    traffic_faces,
    turn_points,
    won,
)
from referee.phrases import FACE_WORDS, spell, with_set, without_lot
from referee.sentences import as_title, say, say_count

# Intersection without a player: a turn that is skipped, somebody who leaves, and a first turn without lot


def pass_over(state: IntersectionState, seat: int) -> Outcome[IntersectionState] | None:
    """Take no lot of the seat, or end its turn with nothing, which does not count as one for the No Dice rule.

    Last turns are called off with the last player who has reached the goal.
    """
    if state.phase in LOTS and seat in state.contenders:
        contenders, lots = without_lot(state.contenders, state.lots, seat)
        return turns.next_lot(replace(state, contenders=contenders, lots=lots))
    after, calls = called_off(state)
    if state.phase in LOTS or seat != state.seat:
        return (after, calls) if calls else None
    return pass_dice(after, *calls)


def finish(state: IntersectionState, winner: tuple[int, ...]) -> IntersectionState:
    """Return the end of a game that is not played on."""
    return won(state, *winner)


def begin_with(state: IntersectionState, seat: int) -> IntersectionState | None:
    """Return the state in which the seat starts without lot."""
    return turns.first_turn(state, seat) if state.phase == IntersectionPhase.SETUP else None


# What players of Intersection may be proud of


def _doubled(before: IntersectionState, action: Action, after: IntersectionState) -> Iterator[int]:
    """Yield the player whose double or nothing came true (I.2-13)."""
    seat = action.player
    if before.phase == IntersectionPhase.DOUBLE and after.scores[seat - 1] > before.scores[seat - 1]:
        yield seat


FEATS = (GameFeat("doubled", say("Double it"), say("Win a double or nothing in Intersection."), _doubled),)


# The verbs of Intersection: one record each for those without a throw, and all of them in order


# park


def _park(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    faces = traffic_faces(action.dice)
    parked = replace(state, field=take(state.field, faces), parked=put(state.parked, faces))
    dice, worth = spell(action.dice), turn_points(parked)
    sentence = say("{who} parks {dice}. {points} points are parked now.", who=state.who, dice=dice, points=worth)
    return turns.has_parked(parked, Call(sentence, "I.2-10", sum=parked_sum(parked.parked)))


def _park_title(state: IntersectionState, action: Action) -> str:
    if not action.dice:
        return as_title(say("park scoring dice"))
    worth = points([*state.parked, *traffic_faces(action.dice)]) - points(state.parked)
    return as_title(say("park {dice} ({points})", dice=spell(action.dice), points=worth))


def _no_park(state: IntersectionState, action: Action) -> Reasons:
    faces = traffic_faces(action.dice)
    missing = tuple((Counter(faces) - Counter(state.field)).elements())
    if SAD in state.field:
        yield Refusal(say("There is still a sad face, so you cannot park yet."), "I.2-6")
    if len(faces) < len(action.dice):
        yield Refusal(say("You cannot park the Signal die."), "I.2-5")
    if not faces:
        yield Refusal(say("Park at least one scoring die."), "I.2-10")
    if missing:
        dice = spell(traffic(missing))
        yield Refusal(say("You can park only dice on the field. Not there: {dice}.", dice=dice), "I.2-10")
    for face, count in Counter(faces).items():
        if face in SETS and count < SET_SIZE and not scores_alone(state, face):
            yield _too_few(face, count)


def _too_few(face: FaceName, count: int) -> Refusal:
    sentence = say_count(
        "You cannot park just {count} {number}. You need three, or three that are parked already.",
        "You cannot park just {count} {number}s. You need three, or three that are parked already.",
        count,
        number=FACE_WORDS[face],
    )
    return Refusal(sentence, "I.2-10")


PARK: Final = Verb(
    name="park",
    rule="I.2-10",
    help=say("Park scoring dice."),
    offers=turns.park_offers,
    play=_park,
    title=_park_title,
    refusals=_no_park,
    usage=say("Choose only the Traffic dice that you park."),
    by_hand=True,
)


# end and double


def _end(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    return record(state, parked_sum(state.parked), "I.2-17")


def _end_title(state: IntersectionState, _action: Action) -> str:
    worth = turn_points(state)
    if counts(state, worth):
        return as_title(say("end the turn and keep {points}", points=worth))
    return as_title(say("end the turn without points"))


def _no_end(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        fix_first = say("There is still a sad face: fix it before you take points.")
        yield Refusal(fix_first, "I.2-12")
    if state.phase == IntersectionPhase.MUST_PLAY_ON:
        yield Refusal(say("The signal shows slow and you have dice left: play on."), "I.2-14")
    if state.signal == SLOW and state.phase != IntersectionPhase.PARKED:
        yield Refusal(say("You get no points on slow. The signal has to show go first."), "I.2-15")
    if state.phase == IntersectionPhase.RESOLVE:
        park_first = say("Park at least one scoring die before you end the turn.")
        yield Refusal(park_first, "I.2-11")
    yield from _no_record(state)


def _no_record(state: IntersectionState) -> Reasons:
    short = say(
        "{points} points are not enough. Your first score must be {least} or more.",
        points=turn_points(state),
        least=COME_IN_POINTS,
    )
    if not may_record(state):
        yield Refusal(short, "I.2-18")


END: Final = Verb(
    name="end",
    rule="I.2-17",
    help=say("End the turn and take its points."),
    offers=turns.end_offers,
    play=_end,
    title=_end_title,
    refusals=_no_end,
    implied=True,
    ends_turn=True,
)


def _double(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    sentence = say("{who} declares double or nothing for {points}.", who=state.who, points=turn_points(state))
    return replace(state, phase=IntersectionPhase.DOUBLE), (Call(sentence, "I.2-13"),)


def _no_double(state: IntersectionState, _action: Action) -> Reasons:
    if state.phase != IntersectionPhase.PARKED or state.signal != GO:
        after_parking = say("Declare double or nothing after you park, and only on go.")
        yield Refusal(after_parking, "I.2-13")
    dice = len(state.parked)
    if dice != DOUBLE_DICE:
        exactly = say("Double or nothing takes exactly four parked dice; there are {dice}.", dice=dice)
        yield Refusal(exactly, "I.2-13")
    yield from _no_record(state)


DOUBLE: Final = Verb(
    name="double",
    rule="I.2-13",
    help=say("Declare double or nothing."),
    offers=turns.double_offers,
    play=_double,
    title=lambda state, _action: as_title(say("double or nothing for {points}", points=turn_points(state))),
    refusals=_no_double,
)


# give-up and vander


def _give_up(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    flags = with_set(state.gave_up, state.seat, new=True)
    lost = Moment.BUST if turn_points(state) else None
    call = Call(say("{who} gives up the turn and gets nothing.", who=state.who), "I.2-16", lost)
    return end_turn(replace(state, gave_up=flags), call)


GIVE_UP: Final = Verb(
    name="give-up",
    rule="I.2-16",
    help=say("Give up the turn for nothing."),
    offers=turns.give_up_offers,
    play=_give_up,
    title=say("Give up the turn"),
    grave=True,
)


def _vander(state: IntersectionState, _action: Action) -> Outcome[IntersectionState]:
    flags = with_set(state.vandered, state.seat, new=True)
    sentence = say("A die left the table: {who}'s turn ends without points.", who=state.who)
    return end_turn(replace(state, vandered=flags), Call(sentence, "I.2-19", Moment.VANDER))


VANDER: Final = Verb(
    name="vander",
    rule="I.2-19",
    help=say("A die left the table: the turn is over."),
    offers=turns.vander_offers,
    play=_vander,
    title=say("A die left the table"),
    grave=True,
    lost=True,
)


VERBS: Final = (
    turns.LOT,
    turns.ROLL,
    turns.FIX,
    turns.GO_ROLL,
    END,
    turns.ON,
    DOUBLE,
    turns.STAR_ROLL,
    PARK,
    GIVE_UP,
    VANDER,
)


def out_of_turn(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against an action of a player who waits, where another rule than that of the turns matters more."""
    if state.phase in LOTS:
        yield _not_their_throw(state)
    elif action.verb == "double":
        own_turn = say("Declare double or nothing in your own turn, before you roll the last die.")
        yield Refusal(own_turn, "I.2-13")
    elif action.verb == "vander":
        whose = say("The Vander Rule is only for your own turn. It is {who}'s turn.", who=state.who)
        yield Refusal(whose, "I.2-19")
    elif action.verb == "lot":
        yield turns.NO_LOTS
    elif state.last_turns is not None and action.player not in state.last_turns:
        yield _no_turn_left(state, action.player, state.last_turns)


def _no_turn_left(state: IntersectionState, seat: int, left: tuple[int, ...]) -> Refusal:
    sentence = say_count(
        "{name} has no turn left; {names} may still play a last one.",
        "{name} has no turn left; {names} may each still play a last one.",
        len(left),
        name=state.name(seat),
        names=state.names(left),
    )
    return Refusal(sentence, "I.2-20")


def _not_their_throw(state: IntersectionState) -> Refusal:
    rule = "I.2-1" if state.phase == IntersectionPhase.SETUP else "I.2-21"
    return Refusal(state.whose_throw(state.contenders), rule)


def out_of_phase(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against any verb that does not belong to the phase."""
    if state.phase in LOTS and action.verb == "vander":
        again = say("The Vander Rule is only for turns. Just throw the dice again.")
        yield Refusal(again, "I.2-19")
    if state.phase in _ONLY_THROWS:
        yield _ONLY_THROWS[state.phase]
    if state.phase == IntersectionPhase.START and action.verb != "vander":
        one_roll = say("Start your turn with all six dice: the Signal die and five Traffic dice.")
        yield Refusal(one_roll, "I.2-2")
    if state.phase == IntersectionPhase.DOUBLE and action.verb not in ("give-up", "vander"):
        last_roll = say("You declared double or nothing: roll the last Traffic die with the Signal die.")
        yield Refusal(last_roll, "I.2-13")


_ONLY_THROWS: Final = {
    IntersectionPhase.SETUP: Refusal(say("First each player throws the five Traffic dice to see who starts."), "I.2-1"),
    IntersectionPhase.TIE_ROLL: Refusal(
        say("To break the tie, each tied player throws the five Traffic dice."), "I.2-21"
    ),
}


def usual(state: IntersectionState) -> tuple[str, ...]:
    """Return what most people do: they park, and end the turn where that keeps its points."""
    return (PARK.name, END.name) if counts(state, turn_points(state)) else (PARK.name,)


def fault(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Return the rule that a throw breaks. `thrown` are the dice where they lay before, `kept` where they lie now."""
    aside = traffic_faces(lying.die for lying in kept if lying.zone is Zone.ASIDE)
    parked = take(aside, state.parked)
    park = Action(state.seat, "park", traffic(parked))
    out_of_phase = next(_thrown_out_of_phase(state, thrown), None)
    if out_of_phase:
        return out_of_phase
    if parked and park not in turns.park_offers(state, state.seat):
        return PARK.why_not(state, park)
    return _badly_thrown(_with_parked(state, parked), thrown, kept)


def _thrown_out_of_phase(state: IntersectionState, thrown: tuple[DiePosition, ...]) -> Reasons:
    dice = _so_many(thrown)
    lot = say("Throw with the five Traffic dice now, not {dice}.", dice=dice)
    if state.phase == IntersectionPhase.SETUP:
        yield Refusal(lot, "I.2-1")
    if state.phase == IntersectionPhase.TIE_ROLL:
        yield Refusal(lot, "I.2-21")
    if state.phase == IntersectionPhase.START:
        yield Refusal(say("Start your turn with all six dice together, not {dice}.", dice=dice), "I.2-2")
    if state.phase == IntersectionPhase.DOUBLE:
        alone = say("For double or nothing, roll just the last Traffic die and the Signal die.")
        yield Refusal(alone, "I.2-13")


def _with_parked(state: IntersectionState, faces: tuple[FaceName, ...]) -> IntersectionState:
    if not faces:
        return state
    phase = IntersectionPhase.MUST_PLAY_ON if state.signal == SLOW else IntersectionPhase.PARKED
    return replace(state, phase=phase, field=take(state.field, faces), parked=put(state.parked, faces))


def _badly_thrown(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    faces = traffic_faces(lying.die for lying in thrown)
    if len(thrown) > _count_traffic(thrown):
        reasons, otherwise = _bad_signal(state, thrown, faces), _NO_PAIR
    elif sorted(faces) == sorted((HAPPY, SAD)):
        choice = "parked" if any(lying.zone is Zone.ASIDE for lying in thrown) else ""
        reasons, otherwise = turns.no_fix(state, Action(state.seat, "fix", choice=choice)), _MISPLACED
    else:
        reasons, otherwise = _bad_traffic(state, thrown, kept, faces), _NO_OTHER
    return next(reasons, otherwise)


_NO_PAIR: Final = Refusal(say("The Signal die goes with a sad face, a star, or double or nothing."), "I.2-4")
_MISPLACED: Final = Refusal(say("Leave the dice that you do not roll where they are."), "I.2-12")
_NO_OTHER: Final = Refusal(say("To play on, roll all dice that are not parked, and no others."), "I.2-12")


def _bad_signal(state: IntersectionState, thrown: tuple[DiePosition, ...], faces: tuple[FaceName, ...]) -> Reasons:
    count = _count_traffic(thrown)
    if count == 0:
        yield Refusal(say("Never roll the Signal die alone."), "I.2-4")
    if count > 1:
        yield Refusal(say("Roll the Signal die with one Traffic die, not with {dice}.", dice=count), "I.2-4")
    yield from turns.no_double_roll(state)
    if faces == (SAD,):
        yield from turns.no_go(state, Action(state.seat, "go"))
    if faces == (STAR,):
        yield from turns.no_star(state, Action(state.seat, "star"))


def _bad_traffic(
    state: IntersectionState,
    thrown: tuple[DiePosition, ...],
    kept: tuple[DiePosition, ...],
    faces: tuple[FaceName, ...],
) -> Reasons:
    played_on = len(faces) == len(state.field)
    if faces == (SAD,) and any(turns.go_offers(state, state.seat)):
        alone = say("Without a happy face, roll the sad one with the Signal die, not alone.")
        yield Refusal(alone, "I.2-8")
    if SAD in faces and not played_on:
        yield from turns.no_fix(state, Action(state.seat, "fix"))
        yield _one_happy(faces)
    yield from _parked_touched(state, thrown, kept)
    if SAD in state.field and len(faces) == 2 and state.is_happy_face_there:
        yield _one_happy(faces)
    if SAD in state.field:
        yield _unfixed(state)
    if state.phase == IntersectionPhase.RESOLVE:
        yield Refusal(turns.PARK_FIRST, "I.2-11")
    if len(state.field) > len(faces):
        yield _left_lying(len(state.field) - len(faces))


def _one_happy(faces: tuple[FaceName, ...]) -> Refusal:
    if faces == (SAD,):
        return Refusal(say("Roll a sad face together with one happy face, not alone."), "I.2-7")
    dice = spell(traffic(faces))
    return Refusal(say("Fix a sad face by rolling it with one happy face. You rolled {dice}.", dice=dice), "I.2-7")


def _left_lying(count: int) -> Refusal:
    sentence = say_count(
        "To play on, roll all dice that are not parked. {count} die was left lying.",
        "To play on, roll all dice that are not parked. {count} dice were left lying.",
        count,
    )
    return Refusal(sentence, "I.2-12")


def _unfixed(state: IntersectionState) -> Refusal:
    """Return what should have been rolled while a sad face lies: with a happy face, else the go, else the slow."""
    if state.is_happy_face_there:
        unfixed = say("Fix the sad faces first: roll each one with a happy face.")
        return Refusal(unfixed, "I.2-6")
    if state.signal == GO:
        go_first = say("Without a happy face, first roll one sad face with the Signal die.")
        return Refusal(go_first, "I.2-8")
    only_star = say("There is no happy face, and the signal shows slow. Roll it with a star.")
    return Refusal(only_star, "I.2-9")


def _parked_touched(
    state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]
) -> Reasons:
    rolled = traffic_faces(lying.die for lying in thrown if lying.zone is Zone.ASIDE)[:1]
    if rolled:
        face = FACE_WORDS[rolled[0]]
        yield Refusal(say("A parked {face} was rolled. Leave parked dice where they are.", face=face), "I.2-12")
    lying = traffic_faces(die.die for die in kept if die.zone is Zone.FIELD)
    if take(lying, state.field):
        yield Refusal(say("A parked die was put back on the field. Leave it parked."), "I.2-12")


def _count_traffic(thrown: tuple[DiePosition, ...]) -> int:
    return sum(lying.die.kind == TRAFFIC for lying in thrown)


def _so_many(thrown: tuple[DiePosition, ...]) -> str:
    """Return with how many dice was thrown, in words: `with the Signal die and 3 Traffic dice`."""
    traffic_dice = _count_traffic(thrown)
    if not traffic_dice:
        return say("with the Signal die alone")
    if len(thrown) == traffic_dice:
        return say_count("with {count} Traffic die", "with {count} Traffic dice", traffic_dice)
    return say_count(
        "with the Signal die and {count} Traffic die", "with the Signal die and {count} Traffic dice", traffic_dice
    )
