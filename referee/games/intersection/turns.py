"""A turn of Intersection: the verbs that throw dice, and what becomes of dice rolled, parked, or laid by people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, Moment, Outcome, Reasons, Refusal, Verb
from referee.dice import Die, FaceName, Zone, fills
from referee.games.intersection.state import (
    ANY_SIGNAL,
    ANY_TRAFFIC,
    COME_IN_POINTS,
    DOUBLE_DICE,
    FIVE_UNDER_SLOW,
    GO,
    HAPPY,
    LOTS,
    OPENING,
    PAIR,
    PARKED_HAPPY,
    SAD,
    SET_SIZE,
    SIGNAL,
    SLOW,
    STAR,
    STAR_AFTER_PARK,
    STAR_WITH_SAD,
    STOP,
    TRAFFIC_DICE,
    IntersectionPhase,
    IntersectionState,
    draw_lots,
    end_turn,
    may_record,
    one_traffic,
    parked_sum,
    put,
    record,
    scores_alone,
    signal_face,
    signal_position,
    start_turn,
    take,
    traffic,
    traffic_faces,
    won,
)
from referee.phrases import FACE_WORDS, spell
from referee.sentences import as_title, say, say_count

# What may be done in Intersection, verb by verb


PARKING: Final = (IntersectionPhase.RESOLVE, IntersectionPhase.PARKED, IntersectionPhase.MUST_PLAY_ON)
"""In these phases dice lie on the field that may be parked, and a star may be rolled with the slow."""
DECIDING: Final = (*PARKING, IntersectionPhase.DOUBLE)
"""In these phases a turn goes on after its first roll."""


def lot_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer five Traffic dice for the first turn, or for a tie (I.2-1, I.2-21)."""
    if state.phase in LOTS:
        yield Action(seat, "lot", (ANY_TRAFFIC,) * TRAFFIC_DICE)


def roll_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer all six dice at the start of a turn (I.2-2), the last die and the signal for double or nothing (I.2-13)."""
    if state.phase == IntersectionPhase.START:
        yield Action(seat, "roll", OPENING)
    if state.phase == IntersectionPhase.DOUBLE:
        yield Action(seat, "roll", PAIR)


def fix_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer a happy and a sad face, rolled together (I.2-7)."""
    if state.phase != IntersectionPhase.RESOLVE or SAD not in state.field:
        return
    if HAPPY in state.field:
        yield Action(seat, "fix", (ANY_TRAFFIC,) * 2, "field")
    if HAPPY in state.parked and not (HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first")):
        yield Action(seat, "fix", (ANY_TRAFFIC,) * 2, "parked")


def go_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the go and a sad face, rolled together where no happy face is on the field or parked (I.2-8)."""
    if (
        state.phase == IntersectionPhase.RESOLVE
        and state.signal == GO
        and SAD in state.field
        and not state.is_happy_face_there
    ):
        yield Action(seat, "go", PAIR)


def star_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the slow and a star, rolled together (I.2-9)."""
    if state.phase not in PARKING or state.signal != SLOW or star_waits_for_play(state) or star_waits_for_fix(state):
        return
    if STAR in state.field:
        yield Action(seat, "star", PAIR, "field")
    if STAR in state.parked:
        yield Action(seat, "star", PAIR, "parked")


def star_waits_for_play(state: IntersectionState) -> bool:
    """True if the player has to play on before a star may be rolled (AMB-I-5)."""
    return state.phase == IntersectionPhase.MUST_PLAY_ON and state.chose(STAR_AFTER_PARK, "play-on-first")


def star_waits_for_fix(state: IntersectionState) -> bool:
    """True if a sad face has to be fixed before a star may be rolled (AMB-I-3)."""
    return state.chose(STAR_WITH_SAD, "last-resort") and any(fix_offers(state, state.seat))


def park_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer every choice of scoring dice, one at least, that may be parked (I.2-6, I.2-10).

    More dice of the same roll may be parked before the player goes on: parking them one after another has the same
    effect as parking them together, as long as each step is legal.
    """
    if state.phase not in PARKING or SAD in state.field:
        return
    field = Counter(state.field)
    for counts in product(*(_parkable(state, face, count) for face, count in field.items())):
        faces = [face for face, count in zip(field, counts, strict=True) for _ in range(count)]
        if faces:
            yield Action(seat, "park", traffic(faces))


def _parkable(state: IntersectionState, face: FaceName, count: int) -> tuple[int, ...]:
    fewest = 1 if scores_alone(state, face) else SET_SIZE
    return (0, *range(fewest, count + 1))


def on_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer all Traffic dice that are not parked, rolled together (I.2-12)."""
    if state.phase in (IntersectionPhase.PARKED, IntersectionPhase.MUST_PLAY_ON) and state.field:
        yield Action(seat, "on", (ANY_TRAFFIC,) * len(state.field))


def end_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer to end the turn with its points (I.2-11, I.2-17)."""
    if state.phase == IntersectionPhase.PARKED and may_record(state):
        yield Action(seat, "end")


def double_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer double or nothing with four dice parked (I.2-13)."""
    if state.phase == IntersectionPhase.PARKED and len(state.parked) == DOUBLE_DICE and may_record(state):
        yield Action(seat, "double")


def give_up_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer to give up a turn that has been opened (I.2-16)."""
    if state.phase in DECIDING:
        yield Action(seat, "give-up")


def vander_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the Vander Rule in a player's own turn (I.2-19)."""
    if state.phase in (IntersectionPhase.START, *DECIDING):
        yield Action(seat, "vander")


def decisions(state: IntersectionState) -> Iterator[Action]:
    """Return all that the player to act may do now, but to end the turn for nothing."""
    ways = (
        lot_offers,
        roll_offers,
        end_offers,
        double_offers,
        fix_offers,
        go_offers,
        on_offers,
        star_offers,
        park_offers,
    )
    return chain.from_iterable(way(state, state.seat) for way in ways)


def settle(state: IntersectionState) -> IntersectionState:
    """Return the state with `dice_awaited`: set while one and the same throw is all that may be done."""
    awaited = _awaited(state)
    return state if awaited == state.dice_awaited else replace(state, dice_awaited=awaited)


def _awaited(state: IntersectionState) -> tuple[Die, ...]:
    throws = set[tuple[Die, ...]]()
    for way in decisions(state):
        if not way.is_throw:
            return ()
        throws.add(way.dice)
    return throws.pop() if len(throws) == 1 else ()


# A turn of Intersection: what becomes of dice that were rolled, parked, or laid by people


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
    nothing = say("{who} cannot roll or park anything. The turn ends without points.", who=state.who)
    return end_turn(state, *calls, Call(nothing, "I.2-16", Moment.BUST))


def stop_call(state: IntersectionState) -> Call:
    """Return the call for a stop, which ends the turn (I.2-3)."""
    return Call(say("Stop: {who}'s turn ends without points.", who=state.who), "I.2-3", Moment.STOP)


def has_parked(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    """Go on after parking: under a slow the player plays on (I.2-14), else the turn may end (I.2-11)."""
    if state.signal == SLOW:
        return _parked_under_slow(state, *calls)
    return _or_below_300(replace(state, phase=IntersectionPhase.PARKED), *calls)


def _parked_under_slow(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    if state.field:
        must = Call(say("The signal shows slow: {who} has to play on.", who=state.who), "I.2-14")
        return replace(state, phase=IntersectionPhase.MUST_PLAY_ON), (*calls, must)
    if state.chose(FIVE_UNDER_SLOW, "take-points"):
        return _or_below_300(replace(state, phase=IntersectionPhase.PARKED), *calls)
    no_points = Call(say("There are no points while the signal shows slow."), "I.2-15")
    return _or_bust(replace(state, phase=IntersectionPhase.RESOLVE), *calls, no_points)


def _or_below_300(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    if any(decisions(state)):
        return state, calls
    short = say(
        "{who} has no dice left and fewer than {points} points. The turn ends without points.",
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


# The verbs of Intersection that throw dice, one record each


PARK_FIRST: Final = say("Park at least one scoring die before you play on.")


def _zone(action: Action) -> Zone:
    return Zone.ASIDE if action.choice == "parked" else Zone.FIELD


def _field(state: IntersectionState, _action: Action) -> tuple[DiePosition, ...]:
    return tuple(one_traffic(face, Zone.FIELD) for face in state.field)


# lot: throwing for the first turn, or for a tie


def _lot(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    count = traffic_faces(action.dice).count(HAPPY)
    lots = (*state.lots, count)
    sentence = say_count("{who} throws {count} happy face.", "{who} throws {count} happy faces.", count, who=state.who)
    return next_lot(replace(state, lots=lots), Call(sentence, _lot_rule(state)))


def _lot_rule(state: IntersectionState) -> str:
    return "I.2-1" if state.phase == IntersectionPhase.SETUP else "I.2-21"


def next_lot(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    """Let the next contender throw; when all have, or one alone is left, the lot is drawn (I.2-1, I.2-21)."""
    if len(state.contenders) == 1:
        return _drawn(state, state.contenders[0], *calls)
    if len(state.lots) < len(state.contenders):
        return replace(state, to_act=(state.contenders[len(state.lots)],)), calls
    return _draw(state, *calls)


def _draw(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    most = max(state.lots)
    best = tuple(seat for seat, lot in zip(state.contenders, state.lots, strict=True) if lot == most)
    if len(best) > 1:
        again = Call(say("{names} are tied and throw again.", names=state.names(best)), _lot_rule(state))
        return draw_lots(state, state.phase, best), (*calls, again)
    return _drawn(state, best[0], *calls)


def _drawn(state: IntersectionState, seat: int, *calls: Call) -> Outcome[IntersectionState]:
    name = state.name(seat)
    if state.phase == IntersectionPhase.TIE_ROLL:
        wins = Call(say("{name} breaks the tie and wins.", name=name), "I.2-21", Moment.WIN)
        return won(state, seat), (*calls, wins)
    return first_turn(state, seat), (*calls, Call(say("{name} starts.", name=name), "I.2-1"))


def first_turn(state: IntersectionState, seat: int) -> IntersectionState:
    return start_turn(replace(state, starter=seat, contenders=(), lots=()), seat)


NO_LOTS: Final = Refusal(say("That throw is only for the first turn or for a tie."), "I.2-1")


def _no_lot(_state: IntersectionState, _action: Action) -> Reasons:
    yield NO_LOTS


LOT: Final = Verb(
    name="lot",
    rule="I.2-1",
    help=say("Throw the five Traffic dice for the first turn or for a tie."),
    offers=lot_offers,
    play=_lot,
    title=as_title(say("throw the five Traffic dice")),
    throws=fresh_dice,
    refusals=_no_lot,
)


# roll: all six dice, or the last die and the signal for double or nothing


def _roll(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    if state.phase == IntersectionPhase.DOUBLE:
        return _double_or_nothing(state, action)
    return rolled(state, action, "I.2-2")


def _double_or_nothing(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    call = Call(say("{who} rolls {dice}.", who=state.who, dice=spell(action.dice)), "I.2-13")
    signal, (face,) = signal_face(action.dice), traffic_faces(action.dice)
    if signal == STOP:
        return end_turn(state, call, stop_call(state))
    if signal != GO or not scores_alone(state, face):
        nothing = say("Nothing: {who} loses the four parked dice.", who=state.who)
        return end_turn(state, call, Call(nothing, "I.2-13", Moment.BUST))
    return record(state, parked_sum(put(state.parked, [face]), times=2), "I.2-13", call)


def _roll_title(state: IntersectionState, _action: Action) -> str:
    if state.phase == IntersectionPhase.DOUBLE:
        return as_title(say("roll the last die with the signal"))
    return as_title(say("roll all six dice"))


def _roll_throws(state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
    return (*_field(state, action), signal_position(state)) if state.signal else fresh_dice(state, action)


def no_double_roll(state: IntersectionState) -> Reasons:
    """Reason against rolling the last die with the Signal die where double or nothing was not declared."""
    if len(state.parked) == DOUBLE_DICE and state.phase == IntersectionPhase.PARKED:
        yield Refusal(say("First declare double or nothing, then roll."), "I.2-13")


def _no_roll(state: IntersectionState, action: Action) -> Reasons:
    if fills(PAIR, action.dice):
        yield from no_double_roll(state)
    yield Refusal(say("Roll all six dice together, and only at the start of a turn."), "I.2-4")


ROLL: Final = Verb(
    name="roll",
    rule="I.2-4",
    help=say("Start with all six dice, or roll the last two for double or nothing."),
    offers=roll_offers,
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
)


# fix: a happy and a sad face


def _fix_title(_state: IntersectionState, action: Action) -> str:
    if action.choice == "parked":
        return as_title(say("fix a sad face with a parked happy one"))
    return as_title(say("fix a sad face with a happy one"))


def no_fix(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against rolling a happy face with a sad one."""
    if SAD not in state.field:
        yield Refusal(say("There was no sad face to fix."), "I.2-7")
    if not state.is_happy_face_there:
        yield Refusal(say("There was no happy face to fix the sad one with."), "I.2-7")
    yield from _not_there(state, action, HAPPY, "I.2-7")
    if action.choice == "parked" and HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first"):
        yield Refusal(say("At this table, roll the happy face on the field first, not a parked one."), "I.2-7")


def _not_there(state: IntersectionState, action: Action, face: FaceName, rule: str) -> Reasons:
    only_parked, only_field = _NOT_THERE[face]
    if action.choice == "field" and face not in state.field:
        yield Refusal(only_parked, rule)
    if action.choice == "parked" and face not in state.parked:
        yield Refusal(only_field, rule)


_NOT_THERE: Final = {
    HAPPY: (
        say("There was no happy face on the field, only a parked one."),
        say("There was no parked happy face, only one on the field."),
    ),
    STAR: (
        say("There was no star on the field, only a parked one."),
        say("There was no parked star, only one on the field."),
    ),
}


FIX: Final = Verb(
    name="fix",
    rule="I.2-7",
    help=say("Roll a happy face, from the field or parked, with a sad one."),
    offers=fix_offers,
    play=lambda state, action: rolled(lift(state, HAPPY, action.choice, SAD), action, "I.2-7"),
    title=_fix_title,
    throws=lambda _state, action: (one_traffic(HAPPY, _zone(action)), one_traffic(SAD, Zone.FIELD)),
    refusals=no_fix,
    usage=say("Roll one sad and one happy die. Say if the happy one was parked."),
)


# go: the go and a sad face


def no_go(state: IntersectionState, _action: Action) -> Reasons:
    """Reasons against rolling the go with a sad face."""
    if SAD not in state.field:
        yield Refusal(say("There was no sad face to roll with the Signal die."), "I.2-8")
    if state.is_happy_face_there:
        there = say("Roll the sad face with a happy one, not with the Signal die.")
        yield Refusal(there, "I.2-8")
    if state.signal != GO:
        yield Refusal(say("The signal showed {face}, not go.", face=_signal_word(state)), "I.2-8")


def _signal_word(state: IntersectionState) -> str:
    return FACE_WORDS.get(state.signal, state.signal)


GO_ROLL: Final = Verb(
    name="go",
    rule="I.2-8",
    help=say("On go, roll the Signal die with a sad face."),
    offers=go_offers,
    play=lambda state, action: rolled(lift(state, SAD, "field"), action, "I.2-8"),
    title=as_title(say("roll the go with a sad face")),
    throws=lambda state, _action: (one_traffic(SAD, Zone.FIELD), signal_position(state)),
    refusals=no_go,
    usage=say("Roll the Signal die with exactly one sad die."),
)


# star: the slow and a star


def _star_title(_state: IntersectionState, action: Action) -> str:
    if action.choice == "parked":
        return as_title(say("roll a parked star with the slow"))
    return as_title(say("roll a star with the slow"))


def no_star(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against rolling the slow with a star."""
    if state.signal != SLOW:
        shows = say("Roll a star with the Signal die only on slow. It showed {face}.", face=_signal_word(state))
        yield Refusal(shows, "I.2-9")
    if STAR not in (*state.field, *state.parked):
        yield Refusal(say("There was no star to roll with the Signal die."), "I.2-9")
    if star_waits_for_play(state):
        waits = say("You parked on slow, so play on first. After that you may roll a star.")
        yield Refusal(waits, "I.2-14")
    yield from _not_there(state, action, STAR, "I.2-9")
    if star_waits_for_fix(state):
        yield Refusal(say("At this table, fix the sad face first."), "I.2-9")


STAR_ROLL: Final = Verb(
    name="star",
    rule="I.2-9",
    help=say("On slow, roll the Signal die with a star."),
    offers=star_offers,
    play=lambda state, action: rolled(lift(state, STAR, action.choice), action, "I.2-9"),
    title=_star_title,
    throws=lambda state, action: (one_traffic(STAR, _zone(action)), signal_position(state)),
    refusals=no_star,
    usage=say("Roll the Signal die with one star. Say if the star was parked."),
)


# on


def _on(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    return rolled(replace(state, field=()), action, "I.2-12")


def _on_title(state: IntersectionState, _action: Action) -> str:
    left = len(state.field)
    if left > 1 and not state.parked:
        return as_title(say("play on with all {dice} dice", dice=left))
    return as_title(say_count("play on with the last die", "play on with the other {count} dice", left))


def _no_on(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal(say("There is still a sad face: fix it before you play on."), "I.2-12")
    if not state.field:
        yield Refusal(say("All five Traffic dice are parked: none is left to roll."), "I.2-11")
    if state.phase == IntersectionPhase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")
    every = say("To play on, roll all Traffic dice that are not parked: {dice}.", dice=len(state.field))
    yield Refusal(every, "I.2-12")


ON: Final = Verb(
    name="on",
    rule="I.2-12",
    help=say("Play on with all dice that are not parked."),
    offers=on_offers,
    play=_on,
    title=_on_title,
    throws=_field,
    refusals=_no_on,
)
