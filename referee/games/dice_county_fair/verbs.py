"""The verbs of Dice County Fair: the roll, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.game import Action, Call, DiePosition, Outcome, Reasons, Refusal, Verb, fresh_dice
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


def _roll_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the roll of all six dice, for everybody (D.2-3)."""
    if state.phase == FairPhase.ROLL:
        yield Action(seat, "roll", (ROLLED,) * DICE)


def _roll(state: FairState, action: Action) -> Outcome[FairState]:
    roll = numbers_of(action.dice)
    call = Call(f"{state.name(action.player)} rolls {spell_numbers(roll)} for the {state.hour} turn.", "D.2-3")
    return roll_for_all(state, roll), (call,)


def _no_roll(state: FairState, action: Action) -> Reasons:
    if len(action.dice) != DICE:
        yield _all_six(state, len(action.dice))


def _all_six(state: FairState, count: int) -> Refusal:
    return Refusal(f"All six dice are thrown for the {state.hour} turn, not {count}.", "D.2-3")


ROLL: Final = Verb(
    name="roll",
    rule="D.2-3",
    help="Roll all six dice, for everybody.",
    offers=_roll_offers,
    play=_roll,
    title="Roll all six dice",
    throws=fresh_dice,
    refusals=in_phase(FairPhase.ROLL, _no_roll),
    usage="A roll names its six dice and no choice.",
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
        yield Refusal(f"{state.name(action.player)} is done with the {state.hour} turn, and it stands.", "AMB-D-12")
    elif action.verb == "roll":
        yield Refusal(f"{state.waiting} rolls the dice of the {state.hour} turn, for everybody.", "D.2-2")
    else:
        yield not_now(state, FairPhase.SPENDING)


_PLANNING: Final = tuple(verb.name for verb in (PRICE, ERASE, COPY, READY, NOT_READY))


def fault(state: FairState, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Return what is wrong with a throw: it is too early, or not of all six dice."""
    if state.phase == FairPhase.ROLL:
        return _all_six(state, len(thrown))
    return once_a_turn(state) if state.phase == FairPhase.SPENDING else not_now(state, FairPhase.ROLL)
