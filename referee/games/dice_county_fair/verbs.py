"""The verbs of Dice County Fair: prices, the roll, all of them in order; a player who is absent, and feats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, Outcome, Reasons, Refusal, Verb
from referee.game import GameFeat
from referee.games.dice_county_fair.scoring import completed_counts, next_roller, next_turn
from referee.games.dice_county_fair.sheet import NUMBERS, PER_SECTION
from referee.games.dice_county_fair.spending import BUY, COMPLETE, DONE, MOVE, RETHINK, START
from referee.games.dice_county_fair.state import (
    DICE,
    ROLLED,
    FairPhase,
    FairState,
    Paper,
    TurnPlan,
    activity_named,
    before_roll,
    in_phase,
    in_planning,
    not_now,
    numbers_of,
    once_a_turn,
    others_to_act,
    roll_for_all,
    section_prices,
    spell_numbers,
    suggested_prices,
    title_of,
    unknown_activity,
    with_paper,
    with_plan,
)
from referee.phrases import with_set
from referee.sentences import as_title, say

# What players of Dice County Fair may be proud of


def _cleaned_section(before: FairState, _action: Action, after: FairState) -> Iterator[int]:
    """Yield the players who have just completed the last activity of a section."""
    for place in range(len(after.sheet.sections)):
        counts = zip(completed_counts(before, place), completed_counts(after, place), strict=True)
        yield from (seat for seat, (had, has) in enumerate(counts, start=1) if has == PER_SECTION > had)


FEATS = (
    GameFeat(
        "whole-section",
        say("Clean sweep"),
        say("Complete every activity of one section in Dice County Fair."),
        _cleaned_section,
    ),
)


# The verbs of Dice County Fair before the first roll, one record each: everybody writes prices


# price and erase


def _price_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer every price that the player may still write at an activity (D.2-1)."""
    if _writes(state, seat):
        prices = state.papers[seat - 1].prices
        for number, activity in enumerate(state.sheet.activities):
            if not prices[number]:
                free = (price for price in NUMBERS if price not in section_prices(prices, number))
                yield from (Action(seat, "price", choice=f"{activity.key}/{price}") for price in free)


def _writes(state: FairState, seat: int) -> bool:
    """True if the player still writes prices."""
    return state.phase == FairPhase.PLANNING and seat not in state.ready


def _price(state: FairState, action: Action) -> Outcome[FairState]:
    number, activity = activity_named(state, action.choice)
    price = int(action.choice.partition("/")[2])
    sentence = say(
        "{who} writes the price {price} at {activity}.",
        who=state.name(action.player),
        price=price,
        activity=activity.title,
    )
    return _priced(state, action.player, number, price), (Call(sentence, "D.2-1"),)


def _priced(state: FairState, seat: int, number: int, price: int) -> FairState:
    return with_paper(state, seat, Paper(with_set(state.papers[seat - 1].prices, number + 1, price)))


def _price_title(state: FairState, action: Action) -> str:
    price = action.choice.partition("/")[2]
    return say("{activity}: price {price}", activity=title_of(state, action.choice), price=price)


def _no_price(state: FairState, action: Action) -> Reasons:
    yield from unknown_activity(state, action.choice, "D.2-1")
    number, activity = activity_named(state, action.choice)
    prices, price = state.papers[action.player - 1].prices, action.choice.partition("/")[2]
    if prices[number]:
        written = {"activity": activity.title, "price": prices[number]}
        yield Refusal(say("{activity} has the price {price}. Erase it first.", **written), "D.2-1")
    if not price:
        sentence = say("Choose a price too, from 1 to {most}.", most=NUMBERS[-1])
        yield Refusal(sentence, "D.2-1")
    if price not in map(str, NUMBERS):
        sentence = say("A price is a number from 1 to {most}, not {price!r}.", most=NUMBERS[-1], price=price)
        yield Refusal(sentence, "D.2-1")
    if int(price) in section_prices(prices, number):
        other = state.sheet.activities[prices.index(int(price), number - number % PER_SECTION)]
        taken = {"price": price, "activity": other.title}
        sentence = say("{activity} has the price {price}. Use each price once in a section.", **taken)
        yield Refusal(sentence, "D.2-1")


PRICE: Final = Verb(
    name="price",
    rule="D.2-1",
    help=say("Write a price at an activity."),
    offers=_price_offers,
    play=_price,
    title=_price_title,
    refusals=in_planning(_no_price),
    usage=say("Choose an activity and its price, but no dice."),
)


def _erase_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to erase each price that is written (D.2-1)."""
    if _writes(state, seat):
        priced = zip(state.sheet.activities, state.papers[seat - 1].prices, strict=True)
        yield from (Action(seat, "erase", choice=activity.key) for activity, price in priced if price)


def _erase(state: FairState, action: Action) -> Outcome[FairState]:
    number, activity = activity_named(state, action.choice)
    who = state.name(action.player)
    sentence = say("{who} erases the price of {activity}.", who=who, activity=activity.title)
    return _priced(state, action.player, number, 0), (Call(sentence, "D.2-1"),)


def _no_erase(state: FairState, action: Action) -> Reasons:
    yield from unknown_activity(state, action.choice, "D.2-1")
    number, activity = activity_named(state, action.choice)
    if not state.papers[action.player - 1].prices[number]:
        yield Refusal(say("{activity} has no price yet.", activity=activity.title), "D.2-1")


ERASE: Final = Verb(
    name="erase",
    rule="D.2-1",
    help=say("Erase the price of an activity."),
    offers=_erase_offers,
    play=_erase,
    title=lambda state, action: say("Erase the price of {activity}", activity=title_of(state, action.choice)),
    refusals=in_planning(_no_erase),
    usage=say("Choose only the activity, no dice."),
)


# copy, ready and not-ready


def _copy_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the prices of a sheet that suggests them (D.2-1)."""
    suggests = _writes(state, seat) and state.sheet.suggests_prices
    if suggests and state.papers[seat - 1].prices != suggested_prices(state.sheet):
        yield Action(seat, "copy")


def _copy(state: FairState, action: Action) -> Outcome[FairState]:
    sentence = say("{who} takes the prices that the sheet suggests.", who=state.name(action.player))
    return with_paper(state, action.player, Paper(suggested_prices(state.sheet))), (Call(sentence, "D.2-1"),)


def _no_copy(state: FairState, action: Action) -> Reasons:
    if not state.sheet.suggests_prices:
        yield Refusal(say("This sheet suggests no prices."), "D.2-1")
    if state.papers[action.player - 1].prices == suggested_prices(state.sheet):
        yield Refusal(say("You already have the prices that the sheet suggests."), "D.2-1")


COPY: Final = Verb(
    name="copy",
    rule="D.2-1",
    help=say("Take the prices that the sheet suggests."),
    offers=_copy_offers,
    play=_copy,
    title=say("Take suggested prices"),
    refusals=in_planning(_no_copy),
)


def _ready_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to be ready when all prices are written (D.2-1)."""
    if _writes(state, seat) and all(state.papers[seat - 1].prices):
        yield Action(seat, "ready")


def _ready(state: FairState, action: Action) -> Outcome[FairState]:
    sentence = say("{who} has written all prices and is ready.", who=state.name(action.player))
    return with_ready(state, (*state.ready, action.player), Call(sentence, "D.2-1"))


def with_ready(state: FairState, ready: tuple[int, ...], *calls: Call) -> Outcome[FairState]:
    """Let these seats be ready, and the others write on; open the fair when nobody writes any more (D.2-1, D.2-2).

    Those who still write come first in `to_act`.
    """
    writing = tuple(seat for seat in state.present if seat not in ready)
    if writing:
        return replace(state, ready=ready, to_act=(*writing, *ready)), calls
    opened = Call(say("The fair opens: {who} rolls the dice.", who=state.name(state.roller)), "D.2-2")
    return before_roll(state, turn=1, roller=state.roller), (*calls, opened)


def _no_ready(state: FairState, action: Action) -> Reasons:
    missing = state.papers[action.player - 1].prices.count(0)
    if missing:
        yield Refusal(say("All 18 activities need a price first. Still to write: {count}.", count=missing), "D.2-1")


READY: Final = Verb(
    name="ready",
    rule="D.2-1",
    help=say("Say that all prices are written."),
    offers=_ready_offers,
    play=_ready,
    title=say("Ready for the fair"),
    refusals=in_planning(_no_ready),
)


def _not_ready_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to take back that one is ready, as long as another player still writes prices (D.2-1)."""
    if state.phase == FairPhase.PLANNING and seat in state.ready:
        yield Action(seat, "not-ready")


def _not_ready(state: FairState, action: Action) -> Outcome[FairState]:
    sentence = say("{who} is not ready yet, and may change prices.", who=state.name(action.player))
    return with_ready(state, tuple(seat for seat in state.ready if seat != action.player), Call(sentence, "D.2-1"))


def _no_not_ready(state: FairState, action: Action) -> Reasons:
    if action.player not in state.ready:
        sentence = say("{who} is not ready, so there is nothing to take back.", who=state.name(action.player))
        yield Refusal(sentence, "D.2-1")


NOT_READY: Final = Verb(
    name="not-ready",
    rule="D.2-1",
    help=say("Change your prices again, while another player still writes."),
    offers=_not_ready_offers,
    play=_not_ready,
    title=say("Not ready yet: change prices"),
    refusals=in_phase(FairPhase.PLANNING, _no_not_ready),
)


# Dice County Fair without a player: a turn that is skipped, somebody who leaves, and who rolls first


def pass_over(state: FairState, seat: int) -> Outcome[FairState] | None:
    """Wait no longer for the seat: another rolls, and its own turn leaves no mark but a line in the Turns area."""
    if seat not in state.to_act:
        return None
    if state.phase == FairPhase.ROLL:
        return None if state.is_solo else (before_roll(state, state.turn, next_roller(state)), ())
    if state.phase == FairPhase.SPENDING:
        return _without_turn(state, seat)
    return with_ready(state, tuple(each for each in state.ready if each != seat)) if seat in state.gone else None


def _without_turn(state: FairState, seat: int) -> Outcome[FairState]:
    paper = state.papers[seat - 1]
    paper = replace(paper, turns=(*paper.turns, (0, paper.section)))
    after = with_paper(with_plan(state, seat, TurnPlan(paper, paper.section)), seat, paper)
    after = replace(after, to_act=others_to_act(state, seat))
    return (after, ()) if after.to_act else next_turn(after)


def begin_with(state: FairState, seat: int) -> FairState | None:
    """Return the state in which the seat rolls first: before the first roll."""
    if state.phase == FairPhase.PLANNING:
        return replace(state, roller=seat)
    return before_roll(state, 1, seat) if state.phase == FairPhase.ROLL and state.turn == 1 else None


# The verbs of Dice County Fair: the roll, and all of them in order


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
    return Refusal(say("Throw all six dice for the {hour} turn, not {count}.", hour=state.hour, count=count), "D.2-3")


ROLL: Final = Verb(
    name="roll",
    rule="D.2-3",
    help=say("Roll all six dice, for everybody."),
    offers=_roll_offers,
    play=_roll,
    title=as_title(say("roll all six dice")),
    throws=fresh_dice,
    refusals=in_phase(FairPhase.ROLL, _no_roll),
    usage=say("Just roll the six dice: there is nothing to choose."),
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
        sentence = say("{who} is done with the {hour} turn and cannot change it.", who=who, hour=state.hour)
        yield Refusal(sentence, "AMB-D-12")
    elif action.verb == "roll":
        sentence = say("{who} rolls the dice for everybody in the {hour} turn.", who=state.waiting, hour=state.hour)
        yield Refusal(sentence, "D.2-2")
    else:
        yield not_now(state, FairPhase.SPENDING)


_PLANNING: Final = tuple(verb.name for verb in (PRICE, ERASE, COPY, READY, NOT_READY))


def fault(state: FairState, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Return what is wrong with a throw: it is too early, or not of all six dice."""
    if state.phase == FairPhase.ROLL:
        return _all_six(state, len(thrown))
    return once_a_turn(state) if state.phase == FairPhase.SPENDING else not_now(state, FairPhase.ROLL)
