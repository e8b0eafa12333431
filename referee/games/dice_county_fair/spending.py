"""The verbs of Dice County Fair after a roll, one record each: everybody spends the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from referee.game import Action, Call, DiceSum, Moment, Outcome, Reasons, Refusal, Verb
from referee.games.dice_county_fair.phases import in_phase, unknown_activity
from referee.games.dice_county_fair.scoring import next_turn, points_of
from referee.games.dice_county_fair.sheet import PER_SECTION, Activity
from referee.games.dice_county_fair.state import (
    EVEN,
    EXCESS,
    LAST_DIE,
    ODD,
    FairPhase,
    FairState,
    Paper,
    TurnPlan,
    activity_named,
    dice_showing,
    dice_wanted,
    numbers_of,
    others_to_act,
    place_of,
    section_named,
    spell_numbers,
    title_of,
    with_paper,
    with_plan,
)
from referee.phrases import counted, spell_list, with_set

# start: the free start of the first turn


def _start_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the sections to start in, free, on the first turn (D.2-8)."""
    if state.phase == FairPhase.SPENDING and not state.plan(seat).section:
        yield from (Action(seat, "start", choice=section.key) for section in state.sheet.sections)


def _start(state: FairState, action: Action) -> Outcome[FairState]:
    plan = replace(state.plan(action.player), section=action.choice)
    title = section_named(state, action.choice).title
    call = Call(f"{state.name(action.player)} starts in the {title}.", "D.2-8")
    return with_plan(state, action.player, plan), (call,)


def _start_title(state: FairState, action: Action) -> str:
    return f"Start in the {title_of(state, action.choice)}"


def _no_start(state: FairState, action: Action) -> Reasons:
    plan = state.plan(action.player)
    if plan.section:
        here = f"{state.name(action.player)} is in the {title_of(state, plan.section)}"
        yield Refusal(f"{here}; only the first start is free.", "D.2-8")
    yield from _no_section(state, action.choice, "D.2-8")


def _no_section(state: FairState, choice: str, rule: str) -> Reasons:
    keys = [section.key for section in state.sheet.sections]
    if choice not in keys:
        there = f"There is no section {choice!r}: name" if choice else "Name"
        yield Refusal(f"{there} {spell_list([f'={key}' for key in keys], 'or')}.", rule)


START: Final = Verb(
    name="start",
    rule="D.2-8",
    help="Choose the section to start in, on the first turn.",
    offers=_start_offers,
    play=_start,
    title=_start_title,
    refusals=in_phase(FairPhase.SPENDING, _no_start),
    usage="A start names a section and no dice, such as =midway.",
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
    return with_plan(state, action.player, after), (
        Call(f"{state.name(action.player)} buys {activity.title} with a {dice[0]}.", "D.2-5"),
    )


def _without(left: tuple[int, ...], dice: Iterable[int]) -> tuple[int, ...]:
    rest = list(left)
    for die in dice:
        rest.remove(die)
    return tuple(rest)


def _buy_title(state: FairState, action: Action) -> str:
    return f"Buy {title_of(state, action.choice)} with a {spell_numbers(numbers_of(action.dice))}"


def _no_buy(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-5")
    plan, (number, activity) = state.plan(action.player), activity_named(state, action.choice)
    price = plan.paper.prices[number]
    if plan.paper.bought[number]:
        yield Refusal(f"{activity.title} is bought already.", "AMB-D-14")
    if len(action.dice) != 1:
        yield Refusal(f"A purchase takes one die, not {len(action.dice)}.", "D.2-5")
    if numbers_of(action.dice) != (price,):
        yield Refusal(f"{activity.title} is bought with a {price}, its price.", "D.2-5")
    yield from _not_left(plan, action)


def _not_here(state: FairState, action: Action, rule: str) -> Reasons:
    """Reasons against a purchase or a completion anywhere but where the player is."""
    yield from _not_started(state, action)
    yield from unknown_activity(state, action.choice, rule)
    (number, activity), plan = activity_named(state, action.choice), state.plan(action.player)
    if number not in numbers_here(state, plan):
        there, here = state.sheet.sections[number // PER_SECTION].title, title_of(state, plan.section)
        yield Refusal(f"{activity.title} is in the {there}, and {state.name(action.player)} is in the {here}.", rule)


def _not_started(state: FairState, action: Action) -> Reasons:
    if not state.plan(action.player).section:
        yield Refusal(f"{state.name(action.player)} chooses a section to start in first.", "D.2-8")


def _not_left(plan: TurnPlan, action: Action) -> Reasons:
    wanted = numbers_of(action.dice)
    for number in wanted:
        if wanted.count(number) > plan.left.count(number):
            left = spell_numbers(plan.left) or "no die"
            yield Refusal(f"Each die is spent once, and this turn has {left} left.", "D.2-4")


BUY: Final = Verb(
    name="buy",
    rule="D.2-5",
    help="Buy an activity with a die that shows its price.",
    offers=_buy_offers,
    play=_buy,
    title=_buy_title,
    refusals=in_phase(FairPhase.SPENDING, _no_buy),
    usage="A purchase names a die and an activity, such as d6:pip-3 =caramel-apple.",
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
    worth = counted(activity.points, "point")
    sentence = f"{state.name(action.player)} completes {activity.title} with {spell_numbers(dice)}: {worth}."
    return with_plan(state, action.player, after), (Call(sentence, "D.2-6", sum=DiceSum.of_numbers(action.dice)),)


def _complete_title(state: FairState, action: Action) -> str:
    return f"Complete {title_of(state, action.choice)} with {spell_numbers(numbers_of(action.dice))}"


def _no_complete(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-6")
    plan, (number, activity) = state.plan(action.player), activity_named(state, action.choice)
    dice = numbers_of(action.dice)
    if plan.paper.dice[number]:
        yield Refusal(f"{activity.title} is completed already.", "AMB-D-14")
    if not plan.paper.bought[number]:
        yield Refusal(f"{activity.title} is not bought yet.", "D.2-6")
    if len(dice) != activity.spaces:
        yield Refusal(f"{activity.title} takes exactly {dice_wanted(activity)}, not {len(dice)}.", "D.2-6")
    if sum(dice) not in activity.requirement.totals:
        shown = f"the die shows {dice[0]}" if len(dice) == 1 else f"{spell_numbers(dice)} make {sum(dice)}"
        yield Refusal(f"{activity.title} asks for {_total(activity)}, and {shown}.", "D.2-6")
    yield from _not_left(plan, action)


def _total(activity: Activity) -> str:
    """Return what the dice of an activity have to add up to, in a sentence: `11 or more`, `an odd total`."""
    wanted = activity.requirement.words
    return wanted if wanted[0].isdigit() else f"an {wanted} total"


COMPLETE: Final = Verb(
    name="complete",
    rule="D.2-6",
    help="Complete a bought activity with dice.",
    offers=_complete_offers,
    play=_complete,
    title=_complete_title,
    refusals=in_phase(FairPhase.SPENDING, _no_complete),
    usage="Completing names the dice and the activity, such as =caramel-apple.",
)


# move


def _move_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer the moves to another section, each with its die (D.2-7)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat).section:
        moves = _moves(state, state.plan(seat))
        yield from (Action(seat, "move", dice_showing([die]), section) for die, section in moves)


def _moves(state: FairState, plan: TurnPlan) -> Iterator[tuple[int, str]]:
    """Return the moves to another section, each with its die; the last die is not spent on one (D.2-7)."""
    if plan.move or len(plan.left) == 1:
        return
    for die in dict.fromkeys(plan.left):
        for section in state.sheet.sections:
            if section.key != plan.section and _leads(die, section.key):
                yield die, section.key


def _leads(die: int, section: str) -> bool:
    """True if the die leads to the section: odd to the Food Hall, even to the Midway, any to the Carnival (D.2-7)."""
    return {ODD: die % 2 == 1, EVEN: die % 2 == 0}.get(section, True)


def _move(state: FairState, action: Action) -> Outcome[FairState]:
    plan, (die,) = state.plan(action.player), numbers_of(action.dice)
    after = replace(plan, section=action.choice, left=_without(plan.left, [die]), move=die, spent=False)
    title = section_named(state, action.choice).title
    return with_plan(state, action.player, after), (
        Call(f"{state.name(action.player)} goes to the {title} with a {die}.", "D.2-7"),
    )


def _move_title(state: FairState, action: Action) -> str:
    return f"Go to the {title_of(state, action.choice)} with a {spell_numbers(numbers_of(action.dice))}"


def _no_move(state: FairState, action: Action) -> Reasons:
    yield from _not_started(state, action)
    yield from _no_section(state, action.choice, "D.2-7")
    plan, dice, who = state.plan(action.player), numbers_of(action.dice), state.name(action.player)
    if plan.section == action.choice:
        yield Refusal(f"{who} is in the {title_of(state, plan.section)} already; a move leads to another.", "AMB-D-5")
    if plan.move:
        yield Refusal(f"{who} has moved in this turn already.", "D.2-7")
    if len(dice) != 1:
        yield Refusal(f"A move takes one die, not {len(dice)}.", "D.2-7")
    if not _leads(dice[0], action.choice):
        leads = "Odd dice lead to the Food Hall, even ones to the Midway"
        yield Refusal(f"{leads}: a {dice[0]} does not lead to the {title_of(state, action.choice)}.", "D.2-7")
    yield from _not_left(plan, action)
    if len(plan.left) == 1:
        yield Refusal("The last die of a turn is not spent on a move.", "D.2-7")


MOVE: Final = Verb(
    name="move",
    rule="D.2-7",
    help="Move to another section with a die.",
    offers=_move_offers,
    play=_move,
    title=_move_title,
    refusals=in_phase(FairPhase.SPENDING, _no_move),
    usage="A move names a die and a section, such as d6:pip-1 =food-hall.",
)


# rethink and done


def _rethink_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to plan the turn again from its start (AMB-D-12)."""
    if state.phase == FairPhase.SPENDING and state.plan(seat) != state.fresh(seat):
        yield Action(seat, "rethink")


def _rethink(state: FairState, action: Action) -> Outcome[FairState]:
    call = Call(f"{state.name(action.player)} plans the turn again, with all six dice.", "AMB-D-12")
    return with_plan(state, action.player, state.fresh(action.player)), (call,)


def _no_rethink(state: FairState, action: Action) -> Reasons:
    if state.plan(action.player) == state.fresh(action.player):
        yield Refusal(f"{state.name(action.player)} has planned nothing in this turn yet.", "AMB-D-12")


RETHINK: Final = Verb(
    name="rethink",
    rule="AMB-D-12",
    help="Take back all of this turn's plan.",
    offers=_rethink_offers,
    play=_rethink,
    title="Plan this turn again",
    refusals=in_phase(FairPhase.SPENDING, _no_rethink),
    grave=True,
)


def _done_offers(state: FairState, seat: int) -> Iterator[Action]:
    """Offer to end the turn (D.2-11)."""
    if state.phase == FairPhase.SPENDING and not any(_not_done(state, state.plan(seat))):
        yield Action(seat, "done")


def _not_done(state: FairState, plan: TurnPlan) -> Reasons:
    """Reasons against ending the turn with this plan."""
    if not plan.section:
        yield Refusal("A section to start in has to be chosen first.", "D.2-8")
        return
    if state.chose(LAST_DIE, "spent") and plan.move and not plan.spent:
        sentence = "After a move a die has to be spent on a purchase or an activity, as this table plays."
        yield Refusal(sentence, "AMB-D-2")
    if state.chose(EXCESS, "forced-only"):
        yield from _could_spend(state, plan)


def _could_spend(state: FairState, plan: TurnPlan) -> Reasons:
    could = [*_on_offer(state, plan), *(number for number, _ in _completions(state, plan))]
    for number in could[:1]:
        way = "be completed" if plan.paper.bought[number] else "be bought"
        title = state.sheet.activities[number].title
        yield Refusal(f"{title} could still {way}, and that comes first, as this table plays.", "AMB-D-3")


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
    ends = f"{state.name(seat)} ends the {state.hour} turn in the {section.title}"
    if not plan.left:
        return Call(f"{ends} with all dice spent.", "D.2-12")
    return Call(f"{ends} with {spell_numbers(plan.left)} left over as {section.area}.", "D.2-11")


def _no_done(state: FairState, action: Action) -> Reasons:
    yield from _not_done(state, state.plan(action.player))


DONE: Final = Verb(
    name="done",
    rule="D.2-11",
    help="End the turn; what is left becomes excess.",
    offers=_done_offers,
    play=_done,
    title="Done with this turn",
    refusals=in_phase(FairPhase.SPENDING, _no_done),
    ends_turn=True,
)
