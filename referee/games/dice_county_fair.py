"""Dice County Fair: one to eight players, six dice for all, and a sheet for each. Rule numbers are those of docs/rules.

A player's turn is a plan in pencil until it is done: every step of it is an action, and none disturbs another's plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from hashlib import sha256
from importlib.resources import files
from itertools import combinations
from typing import Final

from referee.board import Board, BoardRow
from referee.dice import Die, DieSet, FaceName, KindName, Zone, number_on
from referee.game import Action, BadSheet, Call, DiePosition, Game, GameState, Player, Refusal
from referee.options import BadOption, Option
from referee.sheet import NUMBERS, PER_SECTION, Activity, Section, Sheet
from referee.words import counted, spell_list, with_set

KIND: Final = KindName("d6")
DICE: Final = 6
ROLLED: Final = Die(KIND)
ODD: Final = "food-hall"
EVEN: Final = "midway"
HOURS: Final = ("11 am", "12 noon", *(f"{hour} pm" for hour in range(1, 11)))
AIM: Final = 100
COUNTY: Final = Sheet.parse("county", files("referee").joinpath("sheets/county.toml").read_text("utf-8"))

SHEET: Final = "sheet"
PRICES: Final = "prices"
LAST_DIE: Final = "last-die"
EXCESS: Final = "excess"
MOST_OF_NONE: Final = "most-of-none"

OPTIONS: Final = (
    Option(
        PRICES,
        "Who sets the prices?",
        (("own", "Each player, before the first roll."), ("sheet", "The sheet: all play with those that it suggests.")),
        "D.2-1",
    ),
    Option(
        LAST_DIE,
        "A move may not take the last die: what has to be left?",
        (
            ("unspent", "One die, which may become excess."),
            ("spent", "One die that is spent on a purchase or an activity after the move."),
        ),
        "AMB-D-2",
    ),
    Option(
        EXCESS,
        "May a player keep a die as excess that could be spent where the player is?",
        (("by-choice", "Yes."), ("forced-only", "No, purchases and activities come first; a move is never forced.")),
        "AMB-D-3",
    ),
    Option(
        MOST_OF_NONE,
        "May a player with no activity done in a section have its Most award?",
        (("refused", "No, it takes one at least."), ("allowed", "Yes, none may be most or second most.")),
        "AMB-D-8",
    ),
)


class Phase(StrEnum):
    """What the table is in the middle of."""

    PLANNING = "planning"
    ROLL = "roll"
    SPENDING = "spending"
    OVER = "over"


@dataclass(frozen=True)
class Paper:
    """What stands on a player's sheet; activities and sections in the sheet's order.

    A price is 0 before it is written. `dice` are those that completed an activity, () before. `excess` holds the
    values in the three areas, and `turns` for each turn the die spent on a move, or 0, and the section at its end.
    """

    prices: tuple[int, ...] = (0,) * 18
    bought: tuple[bool, ...] = (False,) * 18
    dice: tuple[tuple[int, ...], ...] = ((),) * 18
    excess: tuple[tuple[int, ...], ...] = ((),) * 3
    turns: tuple[tuple[int, str], ...] = ()

    @property
    def section(self) -> str:
        """The key of the section where the player is, '' before the first turn."""
        return self.turns[-1][1] if self.turns else ""


@dataclass(frozen=True)
class Plan:
    """A player's turn in pencil: the sheet as it would be, where the player is, and the dice still to be spent.

    `move` is the die spent on a move, or 0; `spent` whether one was spent on a purchase or an activity since then.
    """

    paper: Paper
    section: str
    left: tuple[int, ...] = ()
    move: int = 0
    spent: bool = False


@dataclass(frozen=True)
class FairState(GameState):
    """Where a game of Dice County Fair stands.

    `turn` counts from 1 (0 while prices are written), `roller` throws the dice of it, and `roll` is what they show.
    `papers` are the players' sheets, and `plans` their turns in pencil, () until the dice are thrown. Players who are
    ready, or done, are no longer in `to_act`. The scores are the points of the activities completed so far.
    """

    sheet: Sheet = field(default=COUNTY, hash=False)
    phase: Phase = Phase.PLANNING
    turn: int = 0
    roller: int = 1
    roll: tuple[int, ...] = ()
    papers: tuple[Paper, ...] = ()
    plans: tuple[Plan, ...] = ()

    @property
    def hour(self) -> str:
        """The turn's label on the sheet."""
        return HOURS[max(self.turn, 1) - 1]

    @property
    def waiting(self) -> str:
        """The names of those who may act."""
        return spell_list([self.name(seat) for seat in self.to_act], "and")

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.players) == 1

    def paper(self, seat: int) -> Paper:
        """A player's sheet, with what stands on it in pencil."""
        return self.plans[seat - 1].paper if self.plans else self.papers[seat - 1]

    def plan(self, seat: int) -> Plan:
        """A player's turn so far; the dice are thrown."""
        return self.plans[seat - 1]

    def fresh(self, seat: int) -> Plan:
        """A player's turn before anything was spent."""
        paper = self.papers[seat - 1]
        return Plan(paper, paper.section, self.roll)


Outcome = tuple[FairState, tuple[Call, ...]]
Reasons = Iterator[Refusal]


def _setup(
    sheets: Mapping[str, Sheet], players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]
) -> FairState:
    """The game before prices are written, or before the first roll where the sheet's own are taken (D.2-1).

    The players have agreed on who rolls first and has seat 1 (D.2-2).
    """
    sheet, count = sheets[options[SHEET]], len(players)
    state = FairState(players, dice, options, scores=(0,) * count, sheet=sheet, papers=(Paper(),) * count)
    if options[PRICES] == "own":
        return replace(state, to_act=_seats(state))
    if not sheet.suggests_prices:
        raise BadOption(f"the sheet {options[SHEET]} suggests no prices, so the option {PRICES} has to be 'own'")
    return _awaiting(replace(state, papers=(Paper(_suggested(sheet)),) * count), turn=1, roller=1)


def _seats(state: FairState) -> tuple[int, ...]:
    return tuple(player.seat for player in state.players)


def _suggested(sheet: Sheet) -> tuple[int, ...]:
    return tuple(activity.price for activity in sheet.activities)


def _awaiting(state: FairState, turn: int, roller: int) -> FairState:
    return replace(
        state,
        phase=Phase.ROLL,
        turn=turn,
        roller=roller,
        to_act=(roller,),
        dice_awaited=(ROLLED,) * DICE,
        roll=(),
        plans=(),
    )


# What may be done


def legal(state: FairState) -> tuple[Action, ...]:
    """All that anybody may do now; in a throw the faces are unknown."""
    match state.phase:
        case Phase.PLANNING:
            return tuple(offer for seat in state.to_act for offer in _plannings(state, seat))
        case Phase.ROLL:
            return (Action(state.roller, "roll", (ROLLED,) * DICE),)
        case Phase.SPENDING:
            return tuple(offer for seat in state.to_act for offer in _spendings(state, seat))
        case _:
            return ()


def _plannings(state: FairState, seat: int) -> Iterator[Action]:
    """The prices that a player may write, erase or take from the sheet (D.2-1)."""
    prices = state.papers[seat - 1].prices
    for number, activity in enumerate(state.sheet.activities):
        if prices[number]:
            yield Action(seat, "erase", choice=activity.key)
        else:
            free = (price for price in NUMBERS if price not in _in_section(prices, number))
            yield from (Action(seat, "price", choice=f"{activity.key}/{price}") for price in free)
    if state.sheet.suggests_prices and prices != _suggested(state.sheet):
        yield Action(seat, "copy")
    if all(prices):
        yield Action(seat, "ready")


def _in_section(prices: Sequence[int], number: int) -> Sequence[int]:
    """The prices of the section to which an activity belongs."""
    first = number - number % PER_SECTION
    return prices[first : first + PER_SECTION]


def _spendings(state: FairState, seat: int) -> Iterator[Action]:
    """The ways to spend dice, to begin again, and to be done (D.2-4 to D.2-11)."""
    plan = state.plan(seat)
    if plan.section:
        for number in _on_offer(state, plan):
            die = plan.paper.prices[number]
            yield Action(seat, "buy", _dice([die]), state.sheet.activities[number].key)
        for number, dice in _completions(state, plan):
            yield Action(seat, "complete", _dice(dice), state.sheet.activities[number].key)
        yield from (Action(seat, "move", _dice([die]), section) for die, section in _moves(state, plan))
    else:
        yield from (Action(seat, "start", choice=section.key) for section in state.sheet.sections)
    if plan != state.fresh(seat):
        yield Action(seat, "rethink")
    if not any(_not_done(state, plan)):
        yield Action(seat, "done")


def _here(state: FairState, plan: Plan) -> range:
    """The numbers of the activities in the section where the player is."""
    first = PER_SECTION * _place(state, plan.section)
    return range(first, first + PER_SECTION)


def _place(state: FairState, section: str) -> int:
    return [known.key for known in state.sheet.sections].index(section)


def _on_offer(state: FairState, plan: Plan) -> Iterator[int]:
    """The activities that one of the dice left would buy (D.2-5)."""
    paper = plan.paper
    return (n for n in _here(state, plan) if not paper.bought[n] and paper.prices[n] in plan.left)


def _completions(state: FairState, plan: Plan) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The activities that some of the dice left would complete, with each choice of dice (D.2-6)."""
    for number in _here(state, plan):
        if plan.paper.bought[number] and not plan.paper.dice[number]:
            activity = state.sheet.activities[number]
            choices = dict.fromkeys(combinations(plan.left, activity.spaces))
            yield from ((number, dice) for dice in choices if sum(dice) in activity.requirement.totals)


def _moves(state: FairState, plan: Plan) -> Iterator[tuple[int, str]]:
    """The moves to another section, each with its die; the last die is not spent on one (D.2-7)."""
    if plan.move or len(plan.left) == 1:
        return
    for die in dict.fromkeys(plan.left):
        for section in state.sheet.sections:
            if section.key != plan.section and _leads(die, section.key):
                yield die, section.key


def _leads(die: int, section: str) -> bool:
    """Whether a die leads to a section: an odd one to the Food Hall, an even one to the Midway, any to the Carnival."""
    return {ODD: die % 2 == 1, EVEN: die % 2 == 0}.get(section, True)


def _not_done(state: FairState, plan: Plan) -> Reasons:
    """What stands against ending the turn so."""
    if not plan.section:
        yield Refusal("A section to start in has to be chosen first.", "D.2-8")
        return
    if state.chose(LAST_DIE, "spent") and plan.move and not plan.spent:
        sentence = "After a move a die has to be spent on a purchase or an activity, as this table plays."
        yield Refusal(sentence, "AMB-D-2")
    if state.chose(EXCESS, "forced-only"):
        yield from _could_spend(state, plan)


def _could_spend(state: FairState, plan: Plan) -> Reasons:
    could = [*_on_offer(state, plan), *(number for number, _ in _completions(state, plan))]
    for number in could[:1]:
        way = "be completed" if plan.paper.bought[number] else "be bought"
        title = state.sheet.activities[number].title
        yield Refusal(f"{title} could still {way}, and that comes first, as this table plays.", "AMB-D-3")


def _dice(numbers: Iterable[int]) -> tuple[Die, ...]:
    return tuple(_SHOWN[number] for number in numbers)


_SHOWN: Final = {number: Die(KIND, FaceName(f"pip-{number}")) for number in NUMBERS}


def _numbers(dice: Iterable[Die]) -> tuple[int, ...]:
    return tuple(sorted(number_on(die.face) for die in dice))


def _without(left: tuple[int, ...], dice: Iterable[int]) -> tuple[int, ...]:
    rest = list(left)
    for die in dice:
        rest.remove(die)
    return tuple(rest)


# Playing


def play(state: FairState, action: Action) -> Outcome:
    """The state after a legal action, and what the referee says."""
    return _PLAYS[action.verb](state, action)


def _keys(state: FairState) -> list[str]:
    return [activity.key for activity in state.sheet.activities]


def _named(state: FairState, choice: str) -> tuple[int, Activity]:
    """The activity that a choice names, and its number; it is there."""
    number = _keys(state).index(choice.partition("/")[0])
    return number, state.sheet.activities[number]


def _section(state: FairState, key: str) -> Section:
    return state.sheet.sections[_place(state, key)]


def _written(state: FairState, seat: int, paper: Paper) -> FairState:
    return replace(state, papers=with_set(state.papers, seat, paper))


def _price(state: FairState, action: Action) -> Outcome:
    number, activity = _named(state, action.choice)
    price = int(action.choice.partition("/")[2])
    return _priced(state, action.player, number, price), (
        Call(f"{state.name(action.player)} writes the price {price} at {activity.title}.", "D.2-1"),
    )


def _erase(state: FairState, action: Action) -> Outcome:
    number, activity = _named(state, action.choice)
    return _priced(state, action.player, number, 0), (
        Call(f"{state.name(action.player)} erases the price of {activity.title}.", "D.2-1"),
    )


def _priced(state: FairState, seat: int, number: int, price: int) -> FairState:
    return _written(state, seat, Paper(with_set(state.papers[seat - 1].prices, number + 1, price)))


def _copy(state: FairState, action: Action) -> Outcome:
    call = Call(f"{state.name(action.player)} takes the prices that the sheet suggests.", "D.2-1")
    return _written(state, action.player, Paper(_suggested(state.sheet))), (call,)


def _ready(state: FairState, action: Action) -> Outcome:
    call = Call(f"{state.name(action.player)} has written all prices and is ready.", "D.2-1")
    waiting = replace(state, to_act=_others(state, action.player))
    if waiting.to_act:
        return waiting, (call,)
    opened = Call(f"The fair opens: {state.name(1)} rolls the dice.", "D.2-2")
    return _awaiting(state, turn=1, roller=1), (call, opened)


def _others(state: FairState, seat: int) -> tuple[int, ...]:
    return tuple(other for other in state.to_act if other != seat)


def _roll(state: FairState, action: Action) -> Outcome:
    roll = _numbers(action.dice)
    call = Call(f"{state.name(action.player)} rolls {_spelled(roll)} for the {state.hour} turn.", "D.2-3")
    return _thrown_for_all(state, roll), (call,)


def _thrown_for_all(state: FairState, roll: tuple[int, ...]) -> FairState:
    after = replace(state, phase=Phase.SPENDING, roll=roll, dice_awaited=(), to_act=_seats(state))
    return replace(after, plans=tuple(after.fresh(seat) for seat in _seats(state)))


def _spelled(numbers: Iterable[int]) -> str:
    return spell_list([str(number) for number in numbers], "and")


def _planned(state: FairState, seat: int, plan: Plan) -> FairState:
    return replace(state, plans=with_set(state.plans, seat, plan))


def _begin(state: FairState, action: Action) -> Outcome:
    plan = replace(state.plan(action.player), section=action.choice)
    title = _section(state, action.choice).title
    return _planned(state, action.player, plan), (Call(f"{state.name(action.player)} starts in the {title}.", "D.2-8"),)


def _buy(state: FairState, action: Action) -> Outcome:
    plan, dice = state.plan(action.player), _numbers(action.dice)
    number, activity = _named(state, action.choice)
    paper = replace(plan.paper, bought=with_set(plan.paper.bought, number + 1, new=True))
    after = replace(plan, paper=paper, left=_without(plan.left, dice), spent=True)
    return _planned(state, action.player, after), (
        Call(f"{state.name(action.player)} buys {activity.title} with a {dice[0]}.", "D.2-5"),
    )


def _complete(state: FairState, action: Action) -> Outcome:
    plan, dice = state.plan(action.player), _numbers(action.dice)
    number, activity = _named(state, action.choice)
    paper = replace(plan.paper, dice=with_set(plan.paper.dice, number + 1, dice))
    after = replace(plan, paper=paper, left=_without(plan.left, dice), spent=True)
    worth = counted(activity.points, "point")
    return _planned(state, action.player, after), (
        Call(f"{state.name(action.player)} completes {activity.title} with {_spelled(dice)}: {worth}.", "D.2-6"),
    )


def _move(state: FairState, action: Action) -> Outcome:
    plan, (die,) = state.plan(action.player), _numbers(action.dice)
    after = replace(plan, section=action.choice, left=_without(plan.left, [die]), move=die, spent=False)
    title = _section(state, action.choice).title
    return _planned(state, action.player, after), (
        Call(f"{state.name(action.player)} goes to the {title} with a {die}.", "D.2-7"),
    )


def _rethink(state: FairState, action: Action) -> Outcome:
    call = Call(f"{state.name(action.player)} plans the turn anew, with all six dice.", "AMB-D-12")
    return _planned(state, action.player, state.fresh(action.player)), (call,)


def _done(state: FairState, action: Action) -> Outcome:
    seat, plan = action.player, state.plan(action.player)
    paper = _recorded(state, plan)
    ended = _written(_planned(state, seat, Plan(paper, plan.section)), seat, paper)
    after = replace(ended, scores=with_set(state.scores, seat, _points(state, paper)), to_act=_others(state, seat))
    call = _ended(state, seat, plan)
    return (after, (call,)) if after.to_act else _next_turn(after, call)


def _recorded(state: FairState, plan: Plan) -> Paper:
    """The sheet at the end of a turn: what is left becomes excess where the player is (D.2-11, D.2-12)."""
    place = _place(state, plan.section)
    excess = with_set(plan.paper.excess, place + 1, plan.paper.excess[place] + plan.left)
    return replace(plan.paper, excess=excess, turns=(*plan.paper.turns, (plan.move, plan.section)))


def _ended(state: FairState, seat: int, plan: Plan) -> Call:
    section = _section(state, plan.section)
    ends = f"{state.name(seat)} ends the {state.hour} turn in the {section.title}"
    if not plan.left:
        return Call(f"{ends} with all dice spent.", "D.2-12")
    return Call(f"{ends} with {_spelled(plan.left)} left over as {section.area}.", "D.2-11")


def _points(state: FairState, paper: Paper) -> int:
    """The points of the activities that a sheet has completed."""
    return sum(activity.points for activity, dice in zip(state.sheet.activities, paper.dice, strict=True) if dice)


def _next_turn(state: FairState, *calls: Call) -> Outcome:
    if state.turn == len(HOURS):
        return _final(state, calls)
    after = _awaiting(state, turn=state.turn + 1, roller=state.roller % len(state.players) + 1)
    if state.is_solo:
        return after, calls
    return after, (*calls, Call(f"The dice pass to {state.name(after.roller)} for the {after.hour} turn.", "D.2-2"))


# Scoring


@dataclass(frozen=True)
class Line:
    """A line of the scoring: its title, what each player has of it, and the rule."""

    title: str
    points: tuple[int, ...]
    rule: str


def _lines(state: FairState) -> Iterator[Line]:
    """All that is added up at the end (D.2-15, D.2-16)."""
    yield Line("Experience All Areas", tuple(_experience(state, paper) for paper in state.papers), "D.2-15")
    for place, section in enumerate(state.sheet.sections):
        yield Line(f"{section.title} activities", _section_points(state, place), "D.2-15")
        if not state.is_solo:
            yield _ranked(f"Most in the {section.title}", _most(state, place), section.most)
        yield _fewest(state, place)


def _completed(state: FairState, paper: Paper, place: int) -> list[Activity]:
    first = place * PER_SECTION
    rows = zip(state.sheet.sections[place].activities, paper.dice[first : first + PER_SECTION], strict=True)
    return [activity for activity, dice in rows if dice]


def _experience(state: FairState, paper: Paper) -> int:
    places = range(len(state.sheet.sections))
    return state.sheet.experience if all(_completed(state, paper, place) for place in places) else 0


def _section_points(state: FairState, place: int) -> tuple[int, ...]:
    return tuple(sum(activity.points for activity in _completed(state, paper, place)) for paper in state.papers)


def _most(state: FairState, place: int) -> list[int | None]:
    """How many activities of a section each player completed; None for one who has no claim (AMB-D-8)."""
    counts = [len(_completed(state, paper, place)) for paper in state.papers]
    return [count if count or state.chose(MOST_OF_NONE, "allowed") else None for count in counts]


def _fewest(state: FairState, place: int) -> Line:
    """Who has the least excess in a section, by the sum of its values; alone, it takes none at all (AMB-D-13)."""
    section, sums = state.sheet.sections[place], [sum(paper.excess[place]) for paper in state.papers]
    title = f"Fewest {section.area}"
    if state.is_solo:
        return Line(title, (0 if sums[0] else section.fewest[0],), "D.2-16")
    return _ranked(title, [-total for total in sums], section.fewest)


def _ranked(title: str, values: Sequence[int | None], award: tuple[int, int]) -> Line:
    """The highest value has the primary award and the next the secondary; those level for first have the secondary."""
    ranks = sorted({value for value in values if value is not None}, reverse=True)
    best = ranks[0] if ranks else None
    if values.count(best) > 1:
        award, ranks = (award[1], 0), ranks[:1]
    worth = dict(zip(ranks, award, strict=False))
    level = any(values.count(value) > 1 for value in ranks[:2])
    return Line(title, tuple(0 if v is None else worth.get(v, 0) for v in values), "AMB-D-7" if level else "D.2-15")


def _final(state: FairState, calls: tuple[Call, ...]) -> Outcome:
    lines = tuple(_lines(state))
    totals = tuple(sum(points) for points in zip(*(line.points for line in lines), strict=True))
    winner = tuple(seat for seat in _seats(state) if totals[seat - 1] == max(totals))
    over = replace(state, phase=Phase.OVER, to_act=(), scores=totals, winner=winner, plans=())
    closed = Call(f"The {state.hour} turn is done, and the fair closes.", "D.2-14")
    return over, (*calls, closed, *(_said(state, line) for line in lines), _won(over))


def _said(state: FairState, line: Line) -> Call:
    having = [f"{state.name(seat)} {points}" for seat, points in enumerate(line.points, start=1) if points]
    return Call(f"{line.title}: {spell_list(having, 'and') or 'nobody'}.", line.rule)


def _won(state: FairState) -> Call:
    total = max(state.scores)
    if state.is_solo:
        met = f"{AIM} or more were the aim" if total >= AIM else f"{AIM - total} short of the aim"
        return Call(f"{state.name(1)} has {counted(total, 'point')}, {met}.", "D.2-16")
    names = spell_list([state.name(seat) for seat in state.winner], "and")
    if len(state.winner) > 1:
        return Call(f"{names} share the win with {counted(total, 'point')} each.", "AMB-D-9")
    return Call(f"{names} wins with {counted(total, 'point')}.", "D.2-15")


_PLAYS: Final[dict[str, Callable[[FairState, Action], Outcome]]] = {
    "price": _price,
    "erase": _erase,
    "copy": _copy,
    "ready": _ready,
    "roll": _roll,
    "start": _begin,
    "buy": _buy,
    "complete": _complete,
    "move": _move,
    "rethink": _rethink,
    "done": _done,
}


# Where the dice lie


def lay(state: FairState) -> tuple[DiePosition, ...]:
    """The six dice of the turn, which may be sorted into piles anywhere; () until they are thrown."""
    return tuple(DiePosition(die, None) for die in _dice(state.roll)) if state.phase == Phase.SPENDING else ()


def thrown(_state: FairState, action: Action) -> tuple[DiePosition, ...]:
    """All six dice, wherever the last turn left them; nothing for any other action."""
    return tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice) if action.verb == "roll" else ()


def relaid(state: FairState, lying: tuple[DiePosition, ...]) -> FairState | None:
    """Six dice count as the turn's roll as they lie, while nobody has spent one of them; else they mean nothing."""
    numbers = _numbers(each.die for each in lying)
    if len(numbers) != DICE or not all(numbers):
        return None
    if state.phase == Phase.ROLL:
        return _thrown_for_all(state, numbers)
    if state.phase != Phase.SPENDING or any(plan.left != state.roll for plan in state.plans):
        return None
    plans = tuple(replace(plan, left=numbers) for plan in state.plans)
    return replace(state, roll=numbers, plans=plans)


# In words


def tell(state: FairState) -> str:
    """One sentence: who is to do what."""
    match state.phase:
        case Phase.PLANNING:
            return f"{state.waiting} {_verb(state, 'write')} a price at each activity."
        case Phase.ROLL:
            return f"{state.waiting} rolls all six dice for the {state.hour} turn."
        case Phase.SPENDING:
            return f"{state.hour}: {state.waiting} {_verb(state, 'spend')} {_spelled(state.roll)}."
        case _:
            return _won(state).sentence


def _verb(state: FairState, verb: str) -> str:
    return f"{verb}s" if len(state.to_act) == 1 else verb


def offer_title(state: FairState, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    title = _titled(state, action.choice)
    dice, price = _spelled(_numbers(action.dice)), action.choice.partition("/")[2]
    return _TITLES[action.verb].format(title=title, dice=dice, price=price)


def _titled(state: FairState, choice: str) -> str:
    """The title of the section or activity that a choice names."""
    if choice.partition("/")[0] in _keys(state):
        return _named(state, choice)[1].title
    return next((section.title for section in state.sheet.sections if section.key == choice), "")


_TITLES: Final = {
    "price": "{title}: price {price}",
    "erase": "Erase the price of {title}",
    "copy": "Take the prices that the sheet suggests",
    "ready": "Ready for the fair",
    "roll": "Roll all six dice",
    "start": "Start in the {title}",
    "buy": "Buy {title} with a {dice}",
    "complete": "Complete {title} with {dice}",
    "move": "Go to the {title} with a {dice}",
    "rethink": "Plan this turn anew",
    "done": "Done with this turn",
}


def boards(state: FairState) -> tuple[Board, ...]:
    """The fair in the middle, and before each player the Turns area and the three sections of the sheet."""
    return (_fair(state), *(board for seat in _seats(state) for board in _sheet(state, seat)))


def _fair(state: FairState) -> Board:
    facts = (("Turn", state.hour if state.turn else "planning"), ("Rolls", state.name(state.roller)))
    return Board(0, "The fair", (*facts, ("Dice", _row(state.roll))))


def _row(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _sheet(state: FairState, seat: int) -> Iterator[Board]:
    yield _turns(state, seat)
    if state.phase == Phase.SPENDING:
        yield _map(state, seat)
    yield from (_section_board(state, seat, place) for place in range(len(state.sheet.sections)))
    if state.phase == Phase.OVER:
        rows = tuple(BoardRow(line.title, (line.title, str(line.points[seat - 1]))) for line in _lines(state))
        yield Board(seat, "Scoring", (("Total", str(state.scores[seat - 1])),), ("Line", "Points"), rows)


def _turns(state: FairState, seat: int) -> Board:
    section = _where(state, seat)
    facts = (
        ("Section", _titled(state, section)),
        ("Dice left", _row(state.plans[seat - 1].left if state.plans else ())),
    )
    rows = tuple(_turn_row(state, seat, turn) for turn in range(1, len(HOURS) + 1))
    return Board(seat, "Turns", facts, ("Turn", "Move", "Section"), rows)


def _where(state: FairState, seat: int) -> str:
    return state.plans[seat - 1].section if state.plans else state.papers[seat - 1].section


def _turn_row(state: FairState, seat: int, turn: int) -> BoardRow:
    """A line of the Turns area; its key, an hour, is no action's choice."""
    hour, turns = HOURS[turn - 1], state.papers[seat - 1].turns
    if turn > len(turns):
        return BoardRow(hour, (hour, "", ""), "here" if turn == state.turn else "")
    die, section = turns[turn - 1]
    return BoardRow(hour, (hour, str(die or ""), _titled(state, section)), "done")


def _map(state: FairState, seat: int) -> Board:
    """The way to each section; its row stands for starting there or going there."""
    here = _where(state, seat)
    ways = ((each, _way(each, here)) for each in state.sheet.sections)
    rows = tuple(BoardRow(each.key, (each.title, way), "here" if each.key == here else "") for each, way in ways)
    return Board(seat, "Sections", (), ("Section", "Way there"), rows)


def _way(section: Section, here: str) -> str:
    if not here:
        return "start here, free"
    return "here" if section.key == here else {ODD: "an odd die", EVEN: "an even die"}.get(section.key, "any die")


def _section_board(state: FairState, seat: int, place: int) -> Board:
    """A section: its activities, and last its excess area."""
    section, paper = state.sheet.sections[place], state.paper(seat)
    rows = tuple(_activity_row(state, paper, place * PER_SECTION + n) for n in range(PER_SECTION))
    excess = paper.excess[place]
    cells = (section.area, _row(excess), str(sum(excess)), "", "")
    area = BoardRow(f"{section.key}-excess", cells, "here" if _where(state, seat) == section.key else "")
    return Board(seat, section.title, (), ("Activity", "Dice", "Total", "Points", "Price"), (*rows, area))


def _activity_row(state: FairState, paper: Paper, number: int) -> BoardRow:
    activity, dice = state.sheet.activities[number], paper.dice[number]
    cells = (
        activity.title,
        _row(dice) or _dice_in(activity),
        activity.requirement.words,
        str(activity.points),
        str(paper.prices[number] or ""),
    )
    return BoardRow(activity.key, cells, "done" if dice else "open" if paper.bought[number] else "")


def _dice_in(activity: Activity) -> str:
    return "1 die" if activity.spaces == 1 else f"{activity.spaces} dice"


# Why not


def why_not(state: FairState, action: Action) -> Refusal:
    """Why an action of a player who may act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in VERBS:
        return Refusal(f"Dice County Fair has no {action.verb!r}; a player may {spell_list([*VERBS], 'or')}.", "D.2-3")
    against = _AGAINST[action.verb]
    if against.phase != state.phase:
        return _not_now(state, against.phase)
    return next(against.reasons(state, action), None) or Refusal(f"It is written {against.shape}.", against.rule)


def _not_now(state: FairState, wanted: Phase) -> Refusal:
    if wanted == Phase.PLANNING:
        return Refusal("Prices are written before the first roll, and stand from then on.", "D.2-1")
    if state.phase == Phase.PLANNING:
        return Refusal(f"The fair opens when all are ready: {state.waiting} {_verb(state, 'write')} prices.", "D.2-1")
    if wanted == Phase.ROLL:
        return _once_a_turn(state)
    return Refusal(f"{state.waiting} rolls the dice of the {state.hour} turn first.", "D.2-3")


def _once_a_turn(state: FairState) -> Refusal:
    are = "is" if len(state.to_act) == 1 else "are"
    return Refusal(f"The dice are thrown once a turn, and {state.waiting} {are} not done with this one.", "D.2-3")


def _no_price(state: FairState, action: Action) -> Reasons:
    yield from _no_activity(state, action.choice, "D.2-1")
    number, activity = _named(state, action.choice)
    prices, price = state.papers[action.player - 1].prices, action.choice.partition("/")[2]
    if prices[number]:
        yield Refusal(f"{activity.title} has the price {prices[number]}: that is erased first.", "D.2-1")
    if price not in map(str, NUMBERS):
        yield Refusal(f"A price is a number from 1 to {NUMBERS[-1]}, not {price!r}.", "D.2-1")
    if int(price) in _in_section(prices, number):
        other = state.sheet.activities[prices.index(int(price), number - number % PER_SECTION)].title
        yield Refusal(f"The price {price} stands at {other}, and each is used once in a section.", "D.2-1")


def _no_activity(state: FairState, choice: str, rule: str) -> Reasons:
    key = choice.partition("/")[0]
    if key not in _keys(state):
        yield Refusal(f"There is no activity {key!r} on this sheet.", rule)


def _no_erase(state: FairState, action: Action) -> Reasons:
    yield from _no_activity(state, action.choice, "D.2-1")
    number, activity = _named(state, action.choice)
    if not state.papers[action.player - 1].prices[number]:
        yield Refusal(f"{activity.title} has no price yet.", "D.2-1")


def _no_copy(state: FairState, action: Action) -> Reasons:
    if not state.sheet.suggests_prices:
        yield Refusal("This sheet suggests no prices.", "D.2-1")
    if state.papers[action.player - 1].prices == _suggested(state.sheet):
        yield Refusal("The prices that the sheet suggests stand there already.", "D.2-1")


def _no_ready(state: FairState, action: Action) -> Reasons:
    missing = state.papers[action.player - 1].prices.count(0)
    if missing:
        yield Refusal(f"All 18 activities need a price first: {missing} to go.", "D.2-1")


def _no_roll(state: FairState, action: Action) -> Reasons:
    if len(action.dice) != DICE:
        yield _all_six(state, len(action.dice))


def _all_six(state: FairState, count: int) -> Refusal:
    return Refusal(f"All six dice are thrown for the {state.hour} turn, not {count}.", "D.2-3")


def _no_start(state: FairState, action: Action) -> Reasons:
    plan = state.plan(action.player)
    if plan.section:
        here = f"{state.name(action.player)} is in the {_titled(state, plan.section)}"
        yield Refusal(f"{here}; only the first start is free.", "D.2-8")
    yield from _no_section(state, action.choice, "D.2-8")


def _no_section(state: FairState, choice: str, rule: str) -> Reasons:
    keys = [section.key for section in state.sheet.sections]
    if choice not in keys:
        yield Refusal(f"There is no section {choice!r}; there are {spell_list(keys, 'and')}.", rule)


def _no_buy(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-5")
    plan, (number, activity) = state.plan(action.player), _named(state, action.choice)
    price = plan.paper.prices[number]
    if plan.paper.bought[number]:
        yield Refusal(f"{activity.title} is bought already.", "AMB-D-14")
    if len(action.dice) != 1:
        yield Refusal(f"A purchase takes one die, not {len(action.dice)}.", "D.2-5")
    if _numbers(action.dice) != (price,):
        yield Refusal(f"{activity.title} is bought with a {price}, its price.", "D.2-5")
    yield from _not_left(plan, action)


def _not_here(state: FairState, action: Action, rule: str) -> Reasons:
    """Reasons against a purchase or a completion anywhere but where the player is."""
    yield from _not_started(state, action)
    yield from _no_activity(state, action.choice, rule)
    (number, activity), plan = _named(state, action.choice), state.plan(action.player)
    if number not in _here(state, plan):
        there, here = state.sheet.sections[number // PER_SECTION].title, _titled(state, plan.section)
        yield Refusal(f"{activity.title} is in the {there}, and {state.name(action.player)} is in the {here}.", rule)


def _not_started(state: FairState, action: Action) -> Reasons:
    if not state.plan(action.player).section:
        yield Refusal(f"{state.name(action.player)} chooses a section to start in first.", "D.2-8")


def _not_left(plan: Plan, action: Action) -> Reasons:
    wanted = _numbers(action.dice)
    for number in wanted:
        if wanted.count(number) > plan.left.count(number):
            left = _spelled(plan.left) or "no die"
            yield Refusal(f"Each die is spent once, and this turn has {left} left.", "D.2-4")


def _no_complete(state: FairState, action: Action) -> Reasons:
    yield from _not_here(state, action, "D.2-6")
    plan, (number, activity) = state.plan(action.player), _named(state, action.choice)
    dice = _numbers(action.dice)
    if plan.paper.dice[number]:
        yield Refusal(f"{activity.title} is completed already.", "AMB-D-14")
    if not plan.paper.bought[number]:
        yield Refusal(f"{activity.title} is not bought yet.", "D.2-6")
    if len(dice) != activity.spaces:
        yield Refusal(f"{activity.title} takes exactly {_dice_in(activity)}, not {len(dice)}.", "D.2-6")
    if sum(dice) not in activity.requirement.totals:
        make = "makes" if len(dice) == 1 else "make"
        asks = f"{activity.title} asks for {_total(activity)}"
        yield Refusal(f"{_spelled(dice)} {make} {sum(dice)}, and {asks}.", "D.2-6")
    yield from _not_left(plan, action)


def _total(activity: Activity) -> str:
    """What the total of an activity's dice has to be, in a sentence: `11 or more`, `an odd total`."""
    wanted = activity.requirement.words
    return wanted if wanted[0].isdigit() else f"an {wanted} total"


def _no_move(state: FairState, action: Action) -> Reasons:
    yield from _not_started(state, action)
    yield from _no_section(state, action.choice, "D.2-7")
    plan, dice, who = state.plan(action.player), _numbers(action.dice), state.name(action.player)
    if plan.section == action.choice:
        yield Refusal(f"{who} is in the {_titled(state, plan.section)} already; a move leads to another.", "AMB-D-5")
    if plan.move:
        yield Refusal(f"{who} has moved in this turn already.", "D.2-7")
    if len(dice) != 1:
        yield Refusal(f"A move takes one die, not {len(dice)}.", "D.2-7")
    if not _leads(dice[0], action.choice):
        yield Refusal(f"An odd die leads to the Food Hall and an even one to the Midway, not a {dice[0]}.", "D.2-7")
    yield from _not_left(plan, action)
    if len(plan.left) == 1:
        yield Refusal("The last die of a turn is not spent on a move.", "D.2-7")


def _no_rethink(state: FairState, action: Action) -> Reasons:
    if state.plan(action.player) == state.fresh(action.player):
        yield Refusal(f"{state.name(action.player)} has planned nothing in this turn yet.", "AMB-D-12")


def _no_done(state: FairState, action: Action) -> Reasons:
    yield from _not_done(state, state.plan(action.player))


@dataclass(frozen=True)
class _Against:
    """What can stand against a verb: its phase, the reasons in the order in which a player is told them, its shape."""

    phase: Phase
    reasons: Callable[[FairState, Action], Reasons]
    shape: str
    rule: str


_AGAINST: Final = {
    "price": _Against(Phase.PLANNING, _no_price, "with an activity and a number, =caramel-apple/3", "D.2-1"),
    "erase": _Against(Phase.PLANNING, _no_erase, "with an activity, =caramel-apple", "D.2-1"),
    "copy": _Against(Phase.PLANNING, _no_copy, "without dice and without a choice", "D.2-1"),
    "ready": _Against(Phase.PLANNING, _no_ready, "without dice and without a choice", "D.2-1"),
    "roll": _Against(Phase.ROLL, _no_roll, "with six dice and without a choice", "D.2-3"),
    "start": _Against(Phase.SPENDING, _no_start, "with a section and without dice, =midway", "D.2-8"),
    "buy": _Against(Phase.SPENDING, _no_buy, "with a die and an activity, d6:pip-3 =caramel-apple", "D.2-5"),
    "complete": _Against(Phase.SPENDING, _no_complete, "with its dice and the activity, =caramel-apple", "D.2-6"),
    "move": _Against(Phase.SPENDING, _no_move, "with a die and a section, d6:pip-1 =food-hall", "D.2-7"),
    "rethink": _Against(Phase.SPENDING, _no_rethink, "without dice and without a choice", "AMB-D-12"),
    "done": _Against(Phase.SPENDING, _no_done, "without dice and without a choice", "D.2-11"),
}


def fault(state: FairState, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """What is wrong with a throw that nothing explains: too early, or not of all six dice."""
    if state.phase == Phase.ROLL:
        return _all_six(state, len(thrown))
    return _once_a_turn(state) if state.phase == Phase.SPENDING else _not_now(state, Phase.ROLL)


# The game, with any sheets


VERBS: Final = {
    "price": "Write a price at an activity.",
    "erase": "Erase the price of an activity.",
    "copy": "Take the prices that the sheet suggests.",
    "ready": "Say that all prices are written.",
    "roll": "Roll all six dice, for everybody.",
    "start": "Choose the section to start in, on the first turn.",
    "buy": "Buy an activity with a die that shows its price.",
    "complete": "Complete a bought activity with dice.",
    "move": "Move to another section with a die.",
    "rethink": "Take back all of this turn's plan.",
    "done": "End the turn; what is left becomes excess.",
}


def on_sheets(texts: Mapping[str, str]) -> Game:
    """The game with its own sheet and these, name to TOML text. Raises BadSheet.

    A sheet's reading of the option holds a mark of its text, `fair@1a2b3c4d`: an old game on a file that was changed
    since is not replayed on another sheet.
    """
    own = {_marked(name, text): Sheet.parse(name, text) for name, text in texts.items()}
    shipped = (COUNTY.name, "The sheet that comes with the program: invented, not the makers'.")
    readings = (shipped, *((value, f"The sheet typed in as {sheet.name}.") for value, sheet in own.items()))
    option = Option(SHEET, "Which sheet is played?", readings, "D.1")
    return replace(_GAME, options=(option, *OPTIONS), setup=partial(_setup, {COUNTY.name: COUNTY, **own}))


def _marked(name: str, text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise BadSheet(f"the sheet {name!r}: a sheet is called by small letters, digits and dashes, like my-sheet")
    return f"{name}@{sha256(text.encode()).hexdigest()[:8]}"


_GAME: Final = Game(
    name="dice-county-fair",
    title="Dice County Fair",
    die_set="dice-county-fair",
    seats=(1, 8),
    options=OPTIONS,
    setup=partial(_setup, {COUNTY.name: COUNTY}),
    legal=legal,
    play=play,
    lay=lay,
    thrown=thrown,
    tell=tell,
    offer_title=offer_title,
    why_not=why_not,
    fault=fault,
    verbs=VERBS,
    boards=boards,
    relaid=relaid,
    on_sheets=on_sheets,
    grave=frozenset({"rethink"}),
    ends=frozenset({"done"}),
    cites={"dice": "D.1", "turn": "D.2-2", "over": "D.2-14", "touched": "D.2-3", "cocked": "D.2-3"},
)
GAME: Final = on_sheets({})
