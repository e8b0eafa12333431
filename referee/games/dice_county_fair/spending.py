"""The verbs of Dice County Fair after a roll, one record each: everybody spends the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from referee.actions import Action
from referee.calls import Call, DiceSum, Moment, Outcome, Reasons, Refusal, Verb
from referee.games.dice_county_fair.scoring import next_turn, points_of
from referee.games.dice_county_fair.sheet import PER_SECTION, Activity
from referee.games.dice_county_fair.state import (
    EVEN,
    EXCESS,
    FREE_START,
    LAST_DIE,
    ODD,
    FairPhase,
    FairState,
    Paper,
    TurnPlan,
    activity_named,
    dice_showing,
    dice_wanted,
    in_phase,
    numbers_of,
    others_to_act,
    place_of,
    section_named,
    spell_numbers,
    title_of,
    unknown_activity,
    with_paper,
    with_plan,
)
from referee.phrases import points, spell_list, with_set
from referee.sentences import say

# start: the free start of the first turn


def _start_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the sections to start in, free, on the first turn (D.2-8)."""
    if state.phase == FairPhase.SPENDING and not state.plan(seat).section:
        yield from (Action(seat, "start", choice=section.key) for section in state.sheet.sections)


def _start(state: FairState, action: Action) -> Outcome[FairState]:
    plan = replace(state.plan(action.player), section=action.choice)
    within = section_named(state, action.choice).within
    sentence = say("{who} starts {within}.", who=state.name(action.player), within=within)
    return with_plan(state, action.player, plan), (Call(sentence, "D.2-8"),)


def _no_start(state: FairState, action: Action) -> Reasons:
    plan = state.plan(action.player)
    if plan.section:
        who, within = state.name(action.player), section_named(state, plan.section).within
        yield Refusal(say("{who} is already {within}. Only the first start is free.", who=who, within=within), "D.2-8")
    yield from _no_section(state, action.choice, "D.2-8")


def _no_section(state: FairState, choice: str, rule: str) -> Reasons:
    sections = state.sheet.sections
    if choice not in [section.key for section in sections]:
        names = spell_list([section.title for section in sections], "or")
        unknown = say("There is no section {choice!r}. Choose {names}.", choice=choice, names=names)
        yield Refusal(unknown if choice else say("Choose {names}.", names=names), rule)


START: Final = Verb(
    name="start",
    rule="D.2-8",
    help=say("Choose the section to start in, on the first turn."),
    offers=_start_offers,
    play=_start,
    title=lambda state, action: say("Start {within}", within=section_named(state, action.choice).within),
    refusals=in_phase(FairPhase.SPENDING, _no_start),
    usage=say("Choose only a section: your first start needs no die."),
)


# buy


def _buy_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the activities that a die left would buy (D.2-5)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat).section:
        plan = state.plan(seat)
        for number in _on_offer(state, plan):
            die = plan.paper.prices[number]
            yield Action(seat, "buy", dice_showing([die]), state.sheet.activities[number].key)


def _on_offer(state: FairState, plan: TurnPlan) -> Iterator[int]:
    """Return the numbers of the activities that one of the dice left would buy (D.2-5)."""
    paper = plan.paper
    return (n for n in numbers_here(state, plan) if not paper.bought[n] and paper.prices[n] in plan.left)


def numbers_here(state: FairState, plan: TurnPlan) -> range:
    """Return the numbers of the activities in the section where the player is."""
    first = PER_SECTION * place_of(state, plan.section)
    return range(first, first + PER_SECTION)


def _buy(state: FairState, action: Action) -> Outcome[FairState]:
    plan, dice = state.plan(action.player), numbers_of(action.dice)
    number, activity = activity_named(state, action.choice)
    paper = replace(plan.paper, bought=with_set(plan.paper.bought, number + 1, new=True))
    after = replace(plan, paper=paper, left=_without(plan.left, dice), spent=True)
    who = state.name(action.player)
    sentence = say("{who} buys {activity} with a {number}.", who=who, activity=activity.title, number=dice[0])
    return with_plan(state, action.player, after), (Call(sentence, "D.2-5"),)


def _without(left: tuple[int, ...], dice: Iterable[int]) -> tuple[int, ...]:
    rest = list(left)
    for die in dice:
        rest.remove(die)
    return tuple(rest)


def _buy_title(state: FairState, action: Action) -> str:
    number = spell_numbers(numbers_of(action.dice))
    return say("Buy {activity} with a {number}", activity=title_of(state, action.choice), number=number)


def _no_buy(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-5")
    plan, (number, activity) = state.plan(action.player), activity_named(state, action.choice)
    price = plan.paper.prices[number]
    if plan.paper.bought[number]:
        yield Refusal(say("You have already bought {activity}.", activity=activity.title), "AMB-D-14")
    if len(action.dice) != 1:
        yield Refusal(say("Buy it with one die, not {count}.", count=len(action.dice)), "D.2-5")
    if numbers_of(action.dice) != (price,):
        sentence = say("{activity} costs a die that shows {price}.", activity=activity.title, price=price)
        yield Refusal(sentence, "D.2-5")
    yield from _not_left(plan, action)


def _not_here(state: FairState, action: Action, rule: str) -> Reasons:
    """Reasons against a purchase or a completion anywhere but where the player is."""
    yield from _not_started(state, action)
    yield from unknown_activity(state, action.choice, rule)
    (number, activity), plan = activity_named(state, action.choice), state.plan(action.player)
    if number not in numbers_here(state, plan):
        sentence = say(
            "{activity} is {there}, and {who} is {here}.",
            activity=activity.title,
            there=state.sheet.sections[number // PER_SECTION].within,
            who=state.name(action.player),
            here=section_named(state, plan.section).within,
        )
        yield Refusal(sentence, rule)


def _not_started(state: FairState, action: Action) -> Reasons:
    if not state.plan(action.player).section:
        yield Refusal(say("First {who} chooses where to start.", who=state.name(action.player)), "D.2-8")


def _not_left(plan: TurnPlan, action: Action) -> Reasons:
    wanted = numbers_of(action.dice)
    for number in wanted:
        if wanted.count(number) > plan.left.count(number):
            yield Refusal(_left_now(plan), "D.2-4")


def _left_now(plan: TurnPlan) -> str:
    if not plan.left:
        return say("You can spend each die once. You have no dice left.")
    return say("You can spend each die once. You have {numbers} left.", numbers=spell_numbers(plan.left))


BUY: Final = Verb(
    name="buy",
    rule="D.2-5",
    help=say("Buy an activity with a die that shows its price."),
    offers=_buy_offers,
    play=_buy,
    title=_buy_title,
    refusals=in_phase(FairPhase.SPENDING, _no_buy),
    usage=say("Choose one die and the activity that you buy."),
)


# complete


def _complete_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the activities that some of the dice left would complete, with each choice of dice (D.2-6)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat).section:
        for number, dice in _completions(state, state.plan(seat)):
            yield Action(seat, "complete", dice_showing(dice), state.sheet.activities[number].key)


def _completions(state: FairState, plan: TurnPlan) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Return the activities that some of the dice left would complete, with each choice of dice (D.2-6)."""
    for number in numbers_here(state, plan):
        if plan.paper.bought[number] and not plan.paper.dice[number]:
            activity = state.sheet.activities[number]
            choices = dict.fromkeys(combinations(plan.left, activity.spaces))
            yield from ((number, dice) for dice in choices if sum(dice) in activity.requirement.totals)


def _complete(state: FairState, action: Action) -> Outcome[FairState]:
    plan, dice = state.plan(action.player), numbers_of(action.dice)
    number, activity = activity_named(state, action.choice)
    paper = replace(plan.paper, dice=with_set(plan.paper.dice, number + 1, dice))
    after = replace(plan, paper=paper, left=_without(plan.left, dice), spent=True)
    sentence = say(
        "{who} completes {activity} with {numbers}: {points}.",
        who=state.name(action.player),
        activity=activity.title,
        numbers=spell_numbers(dice),
        points=points(activity.points),
    )
    return with_plan(state, action.player, after), (Call(sentence, "D.2-6", sum=DiceSum.of_numbers(action.dice)),)


def _complete_title(state: FairState, action: Action) -> str:
    numbers = spell_numbers(numbers_of(action.dice))
    return say("Complete {activity} with {numbers}", activity=title_of(state, action.choice), numbers=numbers)


def _no_complete(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-6")
    plan, (number, activity) = state.plan(action.player), activity_named(state, action.choice)
    dice = numbers_of(action.dice)
    if plan.paper.dice[number]:
        yield Refusal(say("You have already completed {activity}.", activity=activity.title), "AMB-D-14")
    if not plan.paper.bought[number]:
        yield Refusal(say("You have not bought {activity} yet.", activity=activity.title), "D.2-6")
    if len(dice) != activity.spaces:
        wanted = {"activity": activity.title, "dice": dice_wanted(activity), "count": len(dice)}
        yield Refusal(say("{activity} takes exactly {dice}, not {count}.", **wanted), "D.2-6")
    if sum(dice) not in activity.requirement.totals:
        yield Refusal(_another_total(activity, dice), "D.2-6")
    yield from _not_left(plan, action)


def _another_total(activity: Activity, dice: tuple[int, ...]) -> str:
    title, total = activity.title, _TOTALS.get(activity.requirement.text, activity.requirement.words)
    if len(dice) == 1:
        shown = {"activity": title, "total": total, "number": dice[0]}
        return say("{activity} asks for {total}, but the die shows {number}.", **shown)
    made = {"activity": title, "total": total, "numbers": spell_numbers(dice), "sum": sum(dice)}
    return say("{activity} asks for {total}, but {numbers} make {sum}.", **made)


_TOTALS: Final = {"odd": say("an odd total"), "even": say("an even total")}
"""What the dice of an activity have to add up to, where a sentence says it with more words than the sheet."""


COMPLETE: Final = Verb(
    name="complete",
    rule="D.2-6",
    help=say("Complete a bought activity with dice."),
    offers=_complete_offers,
    play=_complete,
    title=_complete_title,
    refusals=in_phase(FairPhase.SPENDING, _no_complete),
    usage=say("Choose the dice and the activity that you complete."),
)


# move


def _move_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the moves to another section, each with its die (D.2-7)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat).section:
        moves = _moves(state, state.plan(seat))
        yield from (Action(seat, "move", dice_showing([die]), section) for die, section in moves)


def _moves(state: FairState, plan: TurnPlan) -> Iterator[tuple[int, str]]:
    """Return the moves to another section, each with its die; the last die is not spent on one (D.2-7)."""
    if plan.move or len(plan.left) == 1 or _start_was_the_move(state, plan):
        return
    for die in dict.fromkeys(plan.left):
        for section in state.sheet.sections:
            if section.key != plan.section and _leads(die, section.key):
                yield die, section.key


def _start_was_the_move(state: FairState, plan: TurnPlan) -> bool:
    return not plan.paper.section and state.chose(FREE_START, "the-move")


def _leads(die: int, section: str) -> bool:
    """True if the die leads to the section: odd to the Food Hall, even to the Midway, any to the Carnival (D.2-7)."""
    return {ODD: die % 2 == 1, EVEN: die % 2 == 0}.get(section, True)


def _move(state: FairState, action: Action) -> Outcome[FairState]:
    plan, (die,) = state.plan(action.player), numbers_of(action.dice)
    after = replace(plan, section=action.choice, left=_without(plan.left, [die]), move=die, spent=False)
    who, towards = state.name(action.player), section_named(state, action.choice).towards
    sentence = say("{who} goes {towards} with a {number}.", who=who, towards=towards, number=die)
    return with_plan(state, action.player, after), (Call(sentence, "D.2-7"),)


def _move_title(state: FairState, action: Action) -> str:
    towards, number = section_named(state, action.choice).towards, spell_numbers(numbers_of(action.dice))
    return say("Go {towards} with a {number}", towards=towards, number=number)


def _no_move(state: FairState, action: Action) -> Reasons:
    yield from _not_started(state, action)
    yield from _no_section(state, action.choice, "D.2-7")
    plan, dice, who = state.plan(action.player), numbers_of(action.dice), state.name(action.player)
    if plan.section == action.choice:
        within = section_named(state, plan.section).within
        yield Refusal(say("{who} is already {within}. Choose another section.", who=who, within=within), "AMB-D-5")
    if plan.move:
        yield Refusal(say("{who} has already moved in this turn.", who=who), "D.2-7")
    if _start_was_the_move(state, plan):
        yield Refusal(say("The free start was {who}'s move of this turn, as this table plays.", who=who), "AMB-D-4")
    if len(dice) != 1:
        yield Refusal(say("Move with one die, not {count}.", count=len(dice)), "D.2-7")
    if not _leads(dice[0], action.choice):
        sentence = say(
            "A {number} does not take you {towards}. Odd goes to the Food Hall, even to the Midway.",
            number=dice[0],
            towards=section_named(state, action.choice).towards,
        )
        yield Refusal(sentence, "D.2-7")
    yield from _not_left(plan, action)
    if len(plan.left) == 1:
        yield Refusal(say("You cannot move with your last die."), "D.2-7")


MOVE: Final = Verb(
    name="move",
    rule="D.2-7",
    help=say("Move to another section with a die."),
    offers=_move_offers,
    play=_move,
    title=_move_title,
    refusals=in_phase(FairPhase.SPENDING, _no_move),
    usage=say("Choose one die and the section that you go to."),
)


# rethink and done


def _rethink_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to plan the turn again from its start (AMB-D-12)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat) != state.fresh(seat):
        yield Action(seat, "rethink")


def _rethink(state: FairState, action: Action) -> Outcome[FairState]:
    sentence = say("{who} plans the turn again, with all six dice.", who=state.name(action.player))
    return with_plan(state, action.player, state.fresh(action.player)), (Call(sentence, "AMB-D-12"),)


def _no_rethink(state: FairState, action: Action) -> Reasons:
    if state.plan(action.player) == state.fresh(action.player):
        sentence = say("{who} has planned nothing in this turn yet.", who=state.name(action.player))
        yield Refusal(sentence, "AMB-D-12")


RETHINK: Final = Verb(
    name="rethink",
    rule="AMB-D-12",
    help=say("Take back all of this turn's plan."),
    offers=_rethink_offers,
    play=_rethink,
    title=say("Plan again"),
    refusals=in_phase(FairPhase.SPENDING, _no_rethink),
    grave=True,
)


def _done_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to end the turn (D.2-11)."""
    if state.phase == FairPhase.SPENDING and not any(_not_done(state, state.plan(seat))):
        yield Action(seat, "done")


def _not_done(state: FairState, plan: TurnPlan) -> Reasons:
    if not plan.section:
        yield Refusal(say("First choose where you start."), "D.2-8")
        return
    if state.chose(LAST_DIE, "spent") and plan.move and not plan.spent:
        sentence = say("At this table you must buy or complete something after a move.")
        yield Refusal(sentence, "AMB-D-2")
    if state.chose(EXCESS, "forced-only"):
        yield from _could_spend(state, plan)


def _could_spend(state: FairState, plan: TurnPlan) -> Reasons:
    could = [*_on_offer(state, plan), *(number for number, _ in _completions(state, plan))]
    for number in could[:1]:
        title = state.sheet.activities[number].title
        to_buy = say("You can still buy {activity}. At this table that comes first.", activity=title)
        to_do = say("You can still complete {activity}. At this table that comes first.", activity=title)
        yield Refusal(to_do if plan.paper.bought[number] else to_buy, "AMB-D-3")


def _done(state: FairState, action: Action) -> Outcome[FairState]:
    seat, plan = action.player, state.plan(action.player)
    paper = _recorded(state, plan)
    ended = with_paper(with_plan(state, seat, TurnPlan(paper, plan.section)), seat, paper)
    scores = with_set(state.scores, seat, points_of(state, paper))
    after = replace(ended, scores=scores, to_act=others_to_act(state, seat))
    gained = Moment.SCORE if scores[seat - 1] > state.scores[seat - 1] else None
    call = replace(_ended(state, seat, plan), moment=gained)
    return (after, (call,)) if after.to_act else next_turn(after, call)


def _recorded(state: FairState, plan: TurnPlan) -> Paper:
    """Return the sheet at the end of a turn: dice left become excess where the player is (D.2-11, D.2-12)."""
    place = place_of(state, plan.section)
    excess = with_set(plan.paper.excess, place + 1, plan.paper.excess[place] + plan.left)
    return replace(plan.paper, excess=excess, turns=(*plan.paper.turns, (plan.move, plan.section)))


def _ended(state: FairState, seat: int, plan: TurnPlan) -> Call:
    section = section_named(state, plan.section)
    end = {"who": state.name(seat), "hour": state.hour, "within": section.within}
    if not plan.left:
        return Call(say("{who} ends the {hour} turn {within}. No die is left over.", **end), "D.2-12")
    sentence = say(
        "{who} ends the {hour} turn {within}. Left over for {area}: {numbers}.",
        **end,
        numbers=spell_numbers(plan.left),
        area=section.area,
    )
    return Call(sentence, "D.2-11")


def _no_done(state: FairState, action: Action) -> Reasons:
    yield from _not_done(state, state.plan(action.player))


def _done_loses(state: FairState, action: Action) -> str:
    """Return which activity could still be completed: its dice become excess."""
    offer = next(iter(_complete_offers(state, action.player)), None)
    if offer is None:
        return ""
    _, activity = activity_named(state, offer.choice)
    return say("You can still complete {activity}.", activity=activity.title)


DONE: Final = Verb(
    name="done",
    rule="D.2-11",
    help=say("End the turn; what is left becomes excess."),
    offers=_done_offers,
    play=_done,
    title=say("Done"),
    loses=_done_loses,
    refusals=in_phase(FairPhase.SPENDING, _no_done),
    ends_turn=True,
)
