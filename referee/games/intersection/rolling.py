"""The verbs of Intersection that throw dice, one record each."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, Moment, Refusal
from referee.dice import FaceName, Zone
from referee.games.intersection.legality import (
    fix_offers,
    go_offers,
    lot_offers,
    on_offers,
    roll_offers,
    star_offers,
    star_waits_for_fix,
    star_waits_for_play,
)
from referee.games.intersection.scoring import (
    draw_lots,
    end_turn,
    parked_sum,
    record,
    scores_alone,
    start_turn,
    won,
)
from referee.games.intersection.state import (
    GO,
    HAPPY,
    PARKED_HAPPY,
    SAD,
    SLOW,
    STAR,
    STOP,
    IntersectionPhase,
    IntersectionState,
    one_traffic,
    put,
    signal_face,
    signal_position,
    traffic_faces,
)
from referee.games.intersection.turns import lift, rolled, stop_call
from referee.phrases import FACE_WORDS, spell
from referee.sentences import as_title, say, say_count
from referee.verb import Outcome, Reasons, Verb

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
        again = Call(say("{names} are level and throw again.", names=state.names(best)), _lot_rule(state))
        return draw_lots(state, state.phase, best), (*calls, again)
    return _drawn(state, best[0], *calls)


def _drawn(state: IntersectionState, seat: int, *calls: Call) -> Outcome[IntersectionState]:
    name = state.name(seat)
    if state.phase == IntersectionPhase.TIE_ROLL:
        wins = Call(say("{name} breaks the tie and wins.", name=name), "I.2-21", Moment.WIN)
        return won(state, seat), (*calls, wins)
    return first_turn(state, seat), (*calls, Call(say("{name} starts.", name=name), "I.2-1"))


def first_turn(state: IntersectionState, seat: int) -> IntersectionState:
    """Return the state in which the seat has the first turn."""
    return start_turn(replace(state, starter=seat, contenders=(), lots=()), seat)


NO_LOTS: Final = Refusal(say("Lots are thrown for the first turn and for a tie only."), "I.2-1")


def _no_lot(_state: IntersectionState, _action: Action) -> Reasons:
    yield NO_LOTS


LOT: Final = Verb(
    name="lot",
    rule="I.2-1",
    help=say("Throw five Traffic dice for the first turn, or for a tie."),
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
        nothing = say("That is nothing: {who}'s four parked dice are lost.", who=state.who)
        return end_turn(state, call, Call(nothing, "I.2-13", Moment.BUST))
    return record(state, parked_sum(put(state.parked, [face]), times=2), "I.2-13", call)


def _roll_title(state: IntersectionState, _action: Action) -> str:
    if state.phase == IntersectionPhase.DOUBLE:
        return as_title(say("roll the last die with the signal"))
    return as_title(say("roll all six dice"))


def _roll_throws(state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
    return (*_field(state, action), signal_position(state)) if state.signal else fresh_dice(state, action)


def _no_roll(_state: IntersectionState, _action: Action) -> Reasons:
    yield Refusal(say("All dice are rolled together at the start of a turn only."), "I.2-4")


ROLL: Final = Verb(
    name="roll",
    rule="I.2-4",
    help=say("Roll all six dice at the start of a turn, or the last with the signal for double or nothing."),
    offers=roll_offers,
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
)


# fix: a happy and a sad face


def _fix(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    return rolled(lift(state, HAPPY, action.choice, SAD), action, "I.2-7")


def _fix_title(_state: IntersectionState, action: Action) -> str:
    if action.choice == "parked":
        return as_title(say("fix a sad face with a parked happy one"))
    return as_title(say("fix a sad face with a happy one"))


def _fix_throws(_state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
    return (one_traffic(HAPPY, _zone(action)), one_traffic(SAD, Zone.FIELD))


def no_fix(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against rolling a happy face with a sad one."""
    if SAD not in state.field:
        yield Refusal(say("There was no sad face to fix."), "I.2-7")
    if not state.is_happy_face_there:
        yield Refusal(say("There was no happy face, on the field or parked, to fix a sad one with."), "I.2-7")
    yield from _not_there(state, action, HAPPY, "I.2-7")
    if action.choice == "parked" and HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first"):
        yield Refusal(say("A parked happy face has to wait while one is on the field, as this table plays."), "I.2-7")


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
    play=_fix,
    title=_fix_title,
    throws=_fix_throws,
    refusals=no_fix,
    usage=say("A fix rolls a happy and a sad Traffic die, and says =field or =parked for the happy one."),
)


# go: the go and a sad face


def _go(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    return rolled(lift(state, SAD, "field"), action, "I.2-8")


def _go_throws(state: IntersectionState, _action: Action) -> tuple[DiePosition, ...]:
    return (one_traffic(SAD, Zone.FIELD), signal_position(state))


def no_go(state: IntersectionState, _action: Action) -> Reasons:
    """Reasons against rolling the go with a sad face."""
    if SAD not in state.field:
        yield Refusal(say("The go is rolled with a sad face only, and there was none."), "I.2-8")
    if state.is_happy_face_there:
        there = say("The go is not rolled with a sad face: there was a happy one, on the field or parked.")
        yield Refusal(there, "I.2-8")
    if state.signal != GO:
        yield Refusal(say("The signal showed {face}, not go.", face=_signal_word(state)), "I.2-8")


def _signal_word(state: IntersectionState) -> str:
    return FACE_WORDS.get(state.signal, state.signal)


GO_ROLL: Final = Verb(
    name="go",
    rule="I.2-8",
    help=say("Roll the go with a sad face."),
    offers=go_offers,
    play=_go,
    title=as_title(say("roll the go with a sad face")),
    throws=_go_throws,
    refusals=no_go,
    usage=say("The Signal die is rolled with exactly one sad Traffic die."),
)


# star: the slow and a star


def _star(state: IntersectionState, action: Action) -> Outcome[IntersectionState]:
    return rolled(lift(state, STAR, action.choice), action, "I.2-9")


def _star_title(_state: IntersectionState, action: Action) -> str:
    if action.choice == "parked":
        return as_title(say("roll a parked star with the slow"))
    return as_title(say("roll a star with the slow"))


def _star_throws(state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
    return (one_traffic(STAR, _zone(action)), signal_position(state))


def no_star(state: IntersectionState, action: Action) -> Reasons:
    """Reasons against rolling the slow with a star."""
    if state.signal != SLOW:
        shows = say("A star is rolled with a slow only; the signal showed {face}.", face=_signal_word(state))
        yield Refusal(shows, "I.2-9")
    if STAR not in (*state.field, *state.parked):
        yield Refusal(say("There was no star, on the field or parked, to roll with the slow."), "I.2-9")
    if star_waits_for_play(state):
        waits = say("After parking under a slow, play on first; then a star may be rolled.")
        yield Refusal(waits, "I.2-14")
    yield from _not_there(state, action, STAR, "I.2-9")
    if star_waits_for_fix(state):
        yield Refusal(say("The sad face can still be fixed, and that comes first as this table plays."), "I.2-9")


STAR_ROLL: Final = Verb(
    name="star",
    rule="I.2-9",
    help=say("Roll a star, from the field or parked, with the slow."),
    offers=star_offers,
    play=_star,
    title=_star_title,
    throws=_star_throws,
    refusals=no_star,
    usage=say("The Signal die is rolled with one star, and =field or =parked says which."),
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
        yield Refusal(say("There is still a sad face on the field: it is fixed before playing on."), "I.2-12")
    if not state.field:
        yield Refusal(say("All five dice are parked: none is left to play on with."), "I.2-11")
    if state.phase == IntersectionPhase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")
    every = say(
        "Playing on rolls every Traffic die that is not parked, here {dice}, and no other.", dice=len(state.field)
    )
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
