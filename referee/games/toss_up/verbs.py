"""The verbs of Toss Up!, and the throws that none of them explains. Rule numbers are those of referee/rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.dice import Die, FaceName, Zone
from referee.game import Action, Call, DiceSum, DiePosition, Moment, Outcome, Refusal, SumTerm, Verb
from referee.games.toss_up.scoring import next_turn, take_points
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
    on_field,
    taken_back,
    throws,
)
from referee.phrases import counted

# Roll


def _roll_offers(state: TossUpState, seat: int) -> Iterator[Action]:
    return (Action(seat, "roll", (ROLLED,) * count) for count in throws(state))


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
        yield Call(f"{state.who} takes {back} of the new green dice back.", "AMB-T-6")
    elif state.aside == DICE:
        yield Call(f"{state.who} rolls all ten dice again and keeps {counted(state.points, 'point')}.", "T.2-8")


def _fallen(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    if GREEN in fell:
        return _set_aside(state, fell)
    if set(fell) == {YELLOW}:
        return _caution(state, fell)
    return _red_light(state, Call(f"No green, and a red: {_loss(state)}", "T.2-5", Moment.STOP))


def _set_aside(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    fresh = fell.count(GREEN)
    after = replace(
        state,
        field=tuple(face for face in fell if face != GREEN),
        aside=state.aside + fresh,
        fresh=fresh,
        points=state.points + fresh,
    )
    sentence = f"{state.who} sets {fresh} green aside and has {counted(after.points, 'point')} in this turn."
    call = Call(sentence, "T.2-4", sum=_sum(state.points, fresh))
    all_green = Call("All ten dice are green: all ten may be rolled again.", "T.2-8")
    return after, (call,) if after.field else (call, all_green)


def _sum(before: int, fresh: int) -> DiceSum:
    had = (SumTerm((), before, "before"),) if before else ()
    return DiceSum((*had, SumTerm((Die(KIND, GREEN),) * fresh, fresh)))


def _caution(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome[TossUpState]:
    if len(fell) == 1 and state.chose(LAST_YELLOW, "red-light"):
        return _red_light(state, Call(f"A single yellow is a red light here: {_loss(state)}", "AMB-T-7", Moment.STOP))
    call = Call(f"All yellow: nothing happens, and {state.who} has {counted(state.points, 'point')}.", "T.2-6")
    return replace(state, field=fell, fresh=0), (call,)


def _loss(state: TossUpState) -> str:
    return f"{state.who} runs a red light and loses {counted(state.points, 'point') if state.points else 'the turn'}."


def _red_light(state: TossUpState, call: Call) -> Outcome[TossUpState]:
    after, calls = next_turn(state)
    return after, (call, *calls)


def _roll_title(state: TossUpState, action: Action) -> str:
    back = taken_back(state, len(action.dice))
    return f"Roll {len(action.dice)} dice, {back} green among them" if back else f"Roll {next_roll(state)}"


def next_roll(state: TossUpState) -> str:
    """Return what the next roll takes, in words: `all ten dice`, `the other 3 dice`."""
    if state.aside == DICE:
        return "all ten dice again"
    return {DICE: "all ten dice", 1: "the last die"}.get(hand(state), f"the other {hand(state)} dice")


def _roll_throws(state: TossUpState, action: Action) -> tuple[DiePosition, ...]:
    """Return the dice that a roll takes, as they lay before; at the start of a turn nobody knows how they lay."""
    if not state.rolled:
        return (DiePosition(ROLLED, Zone.FIELD),) * DICE
    return (*on_field(state), *((ASIDE,) * (len(action.dice) - len(state.field))))


def _no_roll(state: TossUpState, action: Action) -> Iterator[Refusal]:
    count = len(action.dice)
    if not action.choice:
        yield _few(state, count) or _green_rolled(state, count - throws(state)[-1])


def _few(state: TossUpState, count: int) -> Refusal | None:
    if not state.rolled:
        return Refusal(f"A turn starts with a roll of all ten dice, not of {count}.", "T.2-2")
    if state.aside == DICE:
        return _not_all_ten(state, count)
    left = len(state.field) - count
    if left > 0:
        return Refusal(f"Every die that is not green is rolled; {left} {_were(left)} left lying.", "T.2-9")
    return None


def _not_all_ten(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        return Refusal(f"With ten green dice all ten are rolled again, not {count}.", "T.2-8")
    most = throws(state)[-1]
    return Refusal(f"With ten green dice all ten are rolled again, or at most {most} of the new ones.", "AMB-T-6")


def _green_rolled(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        return Refusal(f"Green dice stay aside until all ten are green; {count} {_were(count)} rolled.", "T.2-9")
    too_many = f"{count} too many {_were(count)} rolled"
    return Refusal(f"At least one new green die stays aside, with all older ones; {too_many}.", "AMB-T-6")


ROLL: Final = Verb(
    name="roll",
    rule="T.2-9",
    help="Roll all dice that are not green, or all ten at the start of a turn and when all ten are green.",
    offers=_roll_offers,
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
    usage="A roll takes no choice.",
)


# End


def _end_offers(state: TossUpState, seat: int) -> Iterator[Action]:
    if not end_refusal(state):
        yield Action(seat, "end")


def _end(state: TossUpState, _action: Action) -> Outcome[TossUpState]:
    return take_points(state)


def _end_title(state: TossUpState, _action: Action) -> str:
    return f"End the turn with {counted(state.points, 'point')}"


def _no_end(state: TossUpState, _action: Action) -> Iterator[Refusal]:
    refusal = end_refusal(state)
    if refusal:
        yield refusal


END: Final = Verb(
    name="end",
    rule="T.2-7",
    help="End the turn and take its points.",
    offers=_end_offers,
    play=_end,
    title=_end_title,
    refusals=_no_end,
    usage="Ending the turn takes no dice and no choice.",
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
        yield Refusal(f"{name} has no turn left; {names} may still play a last one.", "T.2-11")


def fault(state: TossUpState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Return which rule a throw breaks, by its dice as they lay before and those kept, where they lie now."""
    if not state.to_act:
        return Refusal("The game is over.", "T.2-11")
    greens = sum(lying.die.face == GREEN for lying in thrown)
    spare = throws(state)[-1] - len(state.field)
    if state.rolled and state.aside < DICE and greens > spare:
        return _green_rolled(state, greens - spare)
    return _put_aside(kept) or _few(state, len(thrown)) or Refusal("Only the green dice may be left lying.", "T.2-9")


def _put_aside(kept: tuple[DiePosition, ...]) -> Refusal | None:
    wrong = sum(lying.die.face != GREEN and lying.zone is Zone.ASIDE for lying in kept)
    if not wrong:
        return None
    return Refusal(f"Only green dice are set aside; {wrong} of another colour {_were(wrong)}.", "T.2-4")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
