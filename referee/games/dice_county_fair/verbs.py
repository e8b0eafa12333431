"""The verbs of Dice County Fair: the roll, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, Refusal
from referee.games.dice_county_fair.phases import in_phase, not_now, once_a_turn
from referee.games.dice_county_fair.pricing import COPY, ERASE, NOT_READY, PRICE, READY
from referee.games.dice_county_fair.spending import BUY, COMPLETE, DONE, MOVE, RETHINK, START
from referee.games.dice_county_fair.state import (
    DICE,
    ROLLED,
    FairPhase,
    FairState,
    numbers_of,
    roll_for_all,
    spell_numbers,
)
from referee.sentences import as_title, say
from referee.verb import Outcome, Reasons, Verb


def _roll_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the roll of all six dice, for everybody (D.2-3)."""
    if state.phase == FairPhase.ROLL:
        yield Action(seat, "roll", (ROLLED,) * DICE)


def _roll(state: FairState, action: Action) -> Outcome[FairState]:
    roll = numbers_of(action.dice)
    sentence = say(
        "{who} rolls {numbers} for the {hour} turn.",
        who=state.name(action.player),
        numbers=spell_numbers(roll),
        hour=state.hour,
    )
    return roll_for_all(state, roll), (Call(sentence, "D.2-3"),)


def _no_roll(state: FairState, action: Action) -> Reasons:
    if len(action.dice) != DICE:
        yield _all_six(state, len(action.dice))


def _all_six(state: FairState, count: int) -> Refusal:
    return Refusal(
        say("All six dice are thrown for the {hour} turn, not {count}.", hour=state.hour, count=count), "D.2-3"
    )


ROLL: Final = Verb(
    name="roll",
    rule="D.2-3",
    help=say("Roll all six dice, for everybody."),
    offers=_roll_offers,
    play=_roll,
    title=as_title(say("roll all six dice")),
    throws=fresh_dice,
    refusals=in_phase(FairPhase.ROLL, _no_roll),
    usage=say("A roll names its six dice and no choice."),
)

VERBS: Final = (PRICE, ERASE, COPY, READY, NOT_READY, ROLL, START, BUY, COMPLETE, MOVE, RETHINK, DONE)


# Against the turn, and throws that no legal action explains


def out_of_turn(state: FairState, action: Action) -> Reasons:
    """Reasons against an action of a player who waits for the roll, or is done with the turn."""
    if action.verb in _PLANNING:
        yield not_now(state, FairPhase.PLANNING)
    elif state.phase == FairPhase.SPENDING and action.verb == "roll":
        yield once_a_turn(state)
    elif state.phase == FairPhase.SPENDING:
        who = state.name(action.player)
        sentence = say("{who} is done with the {hour} turn, and it stands.", who=who, hour=state.hour)
        yield Refusal(sentence, "AMB-D-12")
    elif action.verb == "roll":
        sentence = say("{who} rolls the dice of the {hour} turn, for everybody.", who=state.waiting, hour=state.hour)
        yield Refusal(sentence, "D.2-2")
    else:
        yield not_now(state, FairPhase.SPENDING)


_PLANNING: Final = tuple(verb.name for verb in (PRICE, ERASE, COPY, READY, NOT_READY))


def fault(state: FairState, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Return what is wrong with a throw: it is too early, or not of all six dice."""
    if state.phase == FairPhase.ROLL:
        return _all_six(state, len(thrown))
    return once_a_turn(state) if state.phase == FairPhase.SPENDING else not_now(state, FairPhase.ROLL)
