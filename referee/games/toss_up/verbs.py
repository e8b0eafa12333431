"""The verbs of Toss Up!, the throws that none of them explains, and feats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition
from referee.calls import Call, DiceSum, Moment, Outcome, Refusal, SumTerm, Verb
from referee.dice import Die, FaceName, Zone
from referee.game import GameFeat
from referee.games.toss_up.state import (
    ASIDE,
    DICE,
    GREEN,
    KIND,
    LAST_YELLOW,
    ROLLED,
    YELLOW,
    TossUpState,
    end_refusal,
    faces,
    hand,
    next_turn,
    on_field,
    take_points,
    taken_back,
    throws,
)
from referee.phrases import points
from referee.sentences import as_title, say, say_count

# What players of Toss Up! may be proud of


def _perfect(before: TossUpState, action: Action, after: TossUpState) -> Iterator[int]:
    """Yield the player whose ten dice have all become green (T.2-8)."""
    if after.aside == DICE and before.aside < DICE:
        yield action.player


FEATS = (GameFeat("all-green", say("Perfect turn"), say("Get all ten dice green in a turn of Toss Up!"), _perfect),)


# The verbs of Toss Up!, and the throws that none of them explains. Rule numbers are those of referee/rules


# Roll


def _roll(state: TossUpState, action: Action) -> Outcome[TossUpState]:
    after, calls = _fallen(_picked_up(state, len(action.dice)), faces(action.dice))
    return after, (*_picking_up(state, len(action.dice)), *calls)


def _picked_up(state: TossUpState, count: int) -> TossUpState:
    back = taken_back(state, count)
    aside = 0 if count == DICE else state.aside - back
    return replace(state, rolled=True, aside=aside, points=state.points - back)


def _picking_up(state: TossUpState, count: int) -> Iterator[Call]:
    back = taken_back(state, count)
    if back:
        yield Call(say("{who} takes {back} of the new green dice back.", who=state.who, back=back), "AMB-T-6")
    elif state.aside == DICE:
        kept = points(state.points)
        yield Call(say("{who} rolls all ten dice again and keeps {points}.", who=state.who, points=kept), "T.2-8")


def _fallen(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    if GREEN in fell:
        return _set_aside(state, fell)
    if set(fell) == {YELLOW}:
        return _caution(state, fell)
    return _red_light(state, Call(say("No green, and a red: {loss}", loss=_loss(state)), "T.2-5", Moment.STOP))


def _set_aside(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    fresh = fell.count(GREEN)
    after = replace(
        state,
        field=tuple(face for face in fell if face != GREEN),
        aside=state.aside + fresh,
        fresh=fresh,
        points=state.points + fresh,
    )
    sentence = say(
        "{who} sets {fresh} green aside and has {points} in this turn.",
        who=state.who,
        fresh=fresh,
        points=points(after.points),
    )
    call = Call(sentence, "T.2-4", sum=_sum(state.points, fresh))
    all_green = Call(say("All ten dice are green: all ten may be rolled again."), "T.2-8")
    return after, (call,) if after.field else (call, all_green)


def _sum(before: int, fresh: int) -> DiceSum:
    had = (SumTerm((), before, say("before")),) if before else ()
    return DiceSum((*had, SumTerm((Die(KIND, GREEN),) * fresh, fresh)))


def _caution(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    if len(fell) == 1 and state.chose(LAST_YELLOW, "red-light"):
        sentence = say("A single yellow is a red light here: {loss}", loss=_loss(state))
        return _red_light(state, Call(sentence, "AMB-T-7", Moment.STOP))
    has = points(state.points)
    sentence = say("All yellow: nothing happens, and {who} has {points}.", who=state.who, points=has)
    return replace(state, field=fell, fresh=0), (Call(sentence, "T.2-6"),)


def _loss(state: TossUpState) -> str:
    if not state.points:
        return say("{who} runs a red light and loses the turn.", who=state.who)
    return say("{who} runs a red light and loses {points}.", who=state.who, points=points(state.points))


def _red_light(state: TossUpState, call: Call) -> Outcome[TossUpState]:
    after, calls = next_turn(state)
    return after, (call, *calls)


def _roll_title(state: TossUpState, action: Action) -> str:
    back = taken_back(state, len(action.dice))
    if back:
        return as_title(say("roll {dice} dice, {back} green among them", dice=len(action.dice), back=back))
    return as_title(say("roll {dice}", dice=next_roll(state)))


def next_roll(state: TossUpState) -> str:
    """Return what the next roll takes, in words: `all ten dice`, `the other 3 dice`."""
    if state.aside == DICE:
        return say("all ten dice again")
    if hand(state) == DICE:
        return say("all ten dice")
    return say_count("the last die", "the other {count} dice", hand(state))


def _roll_throws(state: TossUpState, action: Action) -> tuple[DiePosition, ...]:
    """Return the positions of the dice that a roll picks up; at the start of a turn their faces are not known."""
    if not state.rolled:
        return (DiePosition(ROLLED, Zone.FIELD),) * DICE
    return (*on_field(state), *((ASIDE,) * (len(action.dice) - len(state.field))))


def _no_roll(state: TossUpState, action: Action) -> Iterator[Refusal]:
    count = len(action.dice)
    if not action.choice:
        yield _few(state, count) or _green_rolled(state, count - throws(state)[-1])


def _few(state: TossUpState, count: int) -> Refusal | None:
    if not state.rolled:
        return Refusal(say("Start your turn with all ten dice, not with {count}.", count=count), "T.2-2")
    if state.aside == DICE:
        return _not_all_ten(state, count)
    left = len(state.field) - count
    if left > 0:
        return Refusal(
            say_count(
                "Roll every die that is not green. {count} was left lying.",
                "Roll every die that is not green. {count} were left lying.",
                left,
            ),
            "T.2-9",
        )
    return None


def _not_all_ten(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        return Refusal(say("All ten dice are green: roll all ten again, not {count}.", count=count), "T.2-8")
    most = throws(state)[-1]
    return Refusal(say("All ten dice are green: roll all ten again, or up to {most} new ones.", most=most), "AMB-T-6")


def _green_rolled(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        sentence = say_count(
            "Leave green dice aside until all ten are green. {count} was rolled.",
            "Leave green dice aside until all ten are green. {count} were rolled.",
            count,
        )
        return Refusal(sentence, "T.2-9")
    sentence = say_count(
        "Leave all older green dice and at least one new one. {count} too many was rolled.",
        "Leave all older green dice and at least one new one. {count} too many were rolled.",
        count,
    )
    return Refusal(sentence, "AMB-T-6")


ROLL: Final = Verb(
    name="roll",
    rule="T.2-9",
    help=say("Roll all dice that are not green. At the start, or with ten green, roll all ten."),
    offers=lambda state, seat: (Action(seat, "roll", (ROLLED,) * count) for count in throws(state)),
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
    usage=say("Just roll: there is nothing to choose."),
)


# End


def _end_offers(state: TossUpState, seat: int) -> Iterator[Action]:
    if not end_refusal(state):
        yield Action(seat, "end")


def _end(state: TossUpState, _action: Action) -> Outcome[TossUpState]:
    return take_points(state)


def _no_end(state: TossUpState, _action: Action) -> Iterator[Refusal]:
    refusal = end_refusal(state)
    if refusal:
        yield refusal


END: Final = Verb(
    name="end",
    rule="T.2-7",
    help=say("End the turn and take its points."),
    offers=_end_offers,
    play=_end,
    title=lambda state, _action: as_title(say("end the turn with {points}", points=points(state.points))),
    refusals=_no_end,
    usage=say("Just end the turn: there is nothing to choose."),
    implied=True,
    ends_turn=True,
)

VERBS: Final = (ROLL, END)


# Against the turn, and throws that no legal action explains


def out_of_turn(state: TossUpState, action: Action) -> Iterator[Refusal]:
    """Reasons against an action of a player whose last turn is over (T.2-11)."""
    left = () if state.last_turns is None else (state.seat, *state.last_turns)
    if left and action.player not in left:
        name, names = state.name(action.player), state.names(left)
        sentence = say_count(
            "{name} has no turn left; {names} may still play a last one.",
            "{name} has no turn left; {names} may each still play a last one.",
            len(left),
            name=name,
            names=names,
        )
        yield Refusal(sentence, "T.2-11")


def fault(state: TossUpState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Return the rule that a throw breaks. `thrown` are the dice where they lay before, `kept` where they lie now."""
    if not state.to_act:
        return Refusal(say("The game is over."), "T.2-11")
    greens = sum(lying.die.face == GREEN for lying in thrown)
    spare = throws(state)[-1] - len(state.field)
    if state.rolled and state.aside < DICE and greens > spare:
        return _green_rolled(state, greens - spare)
    return _put_aside(kept) or _few(state, len(thrown)) or Refusal(say("Leave only green dice lying."), "T.2-9")


def _put_aside(kept: tuple[DiePosition, ...]) -> Refusal | None:
    wrong = sum(lying.die.face != GREEN and lying.zone is Zone.ASIDE for lying in kept)
    if not wrong:
        return None
    sentence = say_count(
        "Set only green dice aside. {count} was of another colour.",
        "Set only green dice aside. {count} were of another colour.",
        wrong,
    )
    return Refusal(sentence, "T.2-4")
