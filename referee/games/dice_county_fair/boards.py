"""Dice County Fair in words, as boards, as facts of `vander check --json`, and how it is played in one minute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypedDict

from referee.board import Board, BoardPart, BoardRow, DicePlace, Light, Lights, Section, Tally
from referee.game import PlayStep
from referee.games.dice_county_fair import scoring
from referee.games.dice_county_fair.sheet import PER_SECTION, FairSection
from referee.games.dice_county_fair.state import (
    DICE,
    EVEN,
    HOURS,
    ODD,
    FairPhase,
    FairState,
    Paper,
    activity_keys,
    dice_showing,
    seats_of,
    title_of,
)
from referee.sentences import say

# Dice County Fair in words: what the table waits for, and what lies before the players


ROLL: Final = "dice_rolled"
LEFT: Final = "dice_left"
READY: Final = "is_ready"
PRICED: Final = "prices_written"
DONE: Final = "activities_done"
"""Keys of parts that no action names: an activity's key has no underscore."""


def tell(state: FairState) -> str:
    """Return one sentence: who is to do what."""
    is_all = 1 < len(state.present) == len(state.awaited)
    who = say("Everybody") if is_all else state.waiting
    match state.phase:
        case FairPhase.PLANNING:
            if all(all(state.paper(seat).prices) for seat in state.awaited):
                return say("{who}: ready for the fair?", who=who)
            return say("{who}: write your prices.", who=who)
        case FairPhase.ROLL:
            return say("{who}: roll all six dice for the {hour} turn.", who=state.waiting, hour=state.hour)
        case FairPhase.SPENDING:
            if not any(state.plan(seat).section for seat in state.awaited):
                return say("{who}: choose where to start.", who=who)
            return say("{who}: spend the dice.", who=who)
        case _:
            return scoring.outcome_call(state).sentence


def boards(state: FairState) -> tuple[Board, ...]:
    """Return the fair in the middle, and before each player the sheet, at the end with its points."""
    places = range(len(state.sheet.sections))
    if state.phase == FairPhase.OVER and scoring.was_played_out(state):
        scored = list(scoring.score_lines(state))
        return (_fair(state), *(_scored_sheet(state, seat, scored) for seat in seats_of(state)))
    awards = tuple(tuple(_awards(state, place)) for place in places)
    return (_fair(state), *(_sheet(state, seat, awards) for seat in seats_of(state)))


def _fair(state: FairState) -> Board:
    turn = state.hour if state.turn else say("planning")
    facts = ((say("Turn"), turn), (say("Rolls"), state.name(state.roller)))
    rolled = DicePlace(ROLL, say("Rolled"), dice_showing(state.roll), room=DICE)
    return Board(0, say("The fair"), facts, parts=(rolled,) if state.turn else ())


Facts = tuple[tuple[str, str], ...]


def _scored_sheet(state: FairState, seat: int, scored: Sequence[scoring.ScoreLine]) -> Board:
    """Return a sheet at the end: the points of each section stand in it, those of all below them."""
    lines = [(line.title, str(line.points[seat - 1])) for line in scored]
    count = (len(lines) - 1) // len(state.sheet.sections)
    inside = tuple(tuple(lines[first : first + count]) for first in range(1, len(lines), count))
    return replace(_sheet(state, seat, inside), facts=(lines[0], (say("Total"), str(state.scores[seat - 1]))))


def _awards(state: FairState, place: int) -> Iterator[tuple[str, str]]:
    section, lines = state.sheet.sections[place], list(scoring.award_lines(state, place))
    if not state.is_solo:
        yield _worth(say("Most"), section.most), _leaders(state, lines[0], scoring.completed_counts(state, place))
    sums = scoring.excess_sums(state, place)
    if state.is_solo:
        award = say("No {area}, {points}", area=section.area, points=section.fewest[0])
        yield award, say("lost") if sums[0] else say("so far")
    else:
        yield _worth(say("Fewest {area}", area=section.area), section.fewest), _leaders(state, lines[-1], sums)


def _worth(title: str, award: tuple[int, int]) -> str:
    return say("{award}, {first} / {second}", award=title, first=award[0], second=award[1])


def _leaders(state: FairState, line: scoring.ScoreLine, values: Sequence[int]) -> str:
    """Return who would have points of an award, the first first, each with the number that counts for it."""
    if not any(paper.turns for paper in state.papers):
        return ""
    ranks: dict[tuple[int, int], list[int]] = {}
    for seat in seats_of(state):
        if points := line.points[seat - 1]:
            ranks.setdefault((points, values[seat - 1]), []).append(seat)
    best_first = sorted(ranks, reverse=True)
    return _row([say("{names} {number}", names=state.names(ranks[rank]), number=rank[1]) for rank in best_first])


def _row(words: Sequence[str]) -> str:
    """Return words with commas between them."""
    if len(words) < 2:
        return words[0] if words else ""
    return say("{first}, {rest}", first=words[0], rest=_row(words[1:]))


def _sheet(state: FairState, seat: int, facts: tuple[Facts, ...]) -> Board:
    """Return the sheet of a player: what is shown of others too, then the three sections; its rows are the turns."""
    glance = tuple(_glance(state, seat))
    sections = tuple(_section(state, seat, place, facts[place]) for place in range(len(facts)))
    rows = tuple(_turn_row(state, seat, turn) for turn in range(1, len(HOURS) + 1))
    head = (say("Turn"), say("Move"), say("Section"))
    return Board(seat, state.name(seat), (), head, rows, (*glance, *sections), tuple(part.key for part in glance))


def _glance(state: FairState, seat: int) -> Iterator[BoardPart]:
    """Return what matters of a sheet at a glance: whether its player is done, where the player is, how far."""
    section, paper = _where(state, seat), state.paper(seat)
    if state.phase in (FairPhase.PLANNING, FairPhase.SPENDING):
        yield _ready_light(state, seat)
    if state.phase == FairPhase.PLANNING:
        yield Tally(PRICED, say("Prices"), sum(map(bool, paper.prices)), of=len(paper.prices))
        return
    left = dice_showing(state.plan(seat).left) if state.plans else ()
    yield DicePlace(LEFT, title_of(state, section) or say("No section yet"), left)
    yield Tally(DONE, say("Activities"), sum(map(bool, paper.dice)), of=len(paper.dice))


def _ready_light(state: FairState, seat: int) -> Lights:
    waits = seat in state.awaited
    word = say("writes prices") if state.phase == FairPhase.PLANNING else say("spends dice")
    done = say("ready") if state.phase == FairPhase.PLANNING else say("done")
    return Lights(READY, word if waits else done, (Light("green", not waits),))


def _where(state: FairState, seat: int) -> str:
    return state.plans[seat - 1].section if state.plans else state.papers[seat - 1].section


def _turn_row(state: FairState, seat: int, turn: int) -> BoardRow:
    """Return a line of the Turns area; its key, an hour, is no action's choice."""
    hour, turns = HOURS[turn - 1], state.papers[seat - 1].turns
    if turn > len(turns):
        plan = state.plan(seat) if state.plans and turn == state.turn else None
        cells = (str(plan.move or ""), title_of(state, plan.section)) if plan else ("", "")
        return BoardRow(str(hour), (hour, *cells), "here" if turn == state.turn else "")
    die, section = turns[turn - 1]
    return BoardRow(str(hour), (hour, str(die or ""), title_of(state, section)), "done")


def _section(state: FairState, seat: int, place: int, facts: Facts) -> Section:
    """Return a section: its activities, and last its excess area. Its key stands for starting there or going there."""
    section, paper = state.sheet.sections[place], state.paper(seat)
    activities = tuple(_activity(state, paper, place * PER_SECTION + n) for n in range(PER_SECTION))
    excess = paper.excess[place]
    area = DicePlace(f"{section.key}_excess", section.area, dice_showing(excess), points=sum(excess))
    is_here = _where(state, seat) == section.key
    return Section(section.key, section.title, (*activities, area), _way(state, seat, section), is_here, facts)


def _way(state: FairState, seat: int, section: FairSection) -> str:
    """Return how the player gets to the section, '' while nobody moves, and once a die was spent on a move."""
    if state.phase != FairPhase.SPENDING or seat not in state.to_act or state.plan(seat).move:
        return ""
    here = _where(state, seat)
    if not here:
        return say("free")
    return "" if section.key == here else _MOVES.get(section.key, "1 - 6")


_MOVES: Final = {ODD: "1 · 3 · 5", EVEN: "2 · 4 · 6"}


def _activity(state: FairState, paper: Paper, number: int) -> DicePlace:
    activity, dice = state.sheet.activities[number], paper.dice[number]
    return DicePlace(
        activity.key,
        activity.title,
        dice_showing(dice),
        room=activity.spaces,
        points=activity.points,
        price=paper.prices[number],
        needs=activity.requirement.short,
        mark="done" if dice else "open" if paper.bought[number] else "",
    )


# Dice County Fair as `vander check --json` tells it. docs/record.md names every key, and none of them changes


class SheetFacts(TypedDict):
    """A player's sheet, with what stands on it in pencil; activities and sections by their keys.

    `section` is '' before the first turn; `dice` are those of the turn that are not spent yet. `done` holds the dice
    that completed each activity, `excess` the values in each section's area.
    """

    section: str
    dice: list[int]
    prices: dict[str, int]
    bought: list[str]
    done: dict[str, list[int]]
    excess: dict[str, list[int]]


class FairFacts(TypedDict):
    """The turn, who rolls its dice and what they show, and the sheets in the order of the seats.

    `turn` is 0 while prices are written. `excess` is the sum of all excess dice of each seat.
    """

    phase: str
    turn: int
    roller: int
    roll: list[int]
    excess: list[int]
    sheets: list[SheetFacts]


def facts(state: FairState) -> FairFacts:
    """Return what everybody at the table can see."""
    papers = [state.paper(seat) for seat in seats_of(state)]
    return FairFacts(
        phase=state.phase.value,
        turn=state.turn,
        roller=state.roller,
        roll=list(state.roll),
        excess=[sum(map(sum, paper.excess)) for paper in papers],
        sheets=[_sheet_facts(state, seat) for seat in seats_of(state)],
    )


def _sheet_facts(state: FairState, seat: int) -> SheetFacts:
    paper, keys = state.paper(seat), activity_keys(state)
    plan = state.plan(seat) if state.plans else None
    return SheetFacts(
        section=plan.section if plan else paper.section,
        dice=list(plan.left) if plan else [],
        prices=dict(_written(keys, paper.prices)),
        bought=[key for key, is_bought in zip(keys, paper.bought, strict=True) if is_bought],
        done={key: list(dice) for key, dice in zip(keys, paper.dice, strict=True) if dice},
        excess={section.key: list(values) for section, values in zip(state.sheet.sections, paper.excess, strict=True)},
    )


def _written(keys: Sequence[str], prices: Sequence[int]) -> list[tuple[str, int]]:
    return [(key, price) for key, price in zip(keys, prices, strict=True) if price]


# How Dice County Fair is played, in one minute


STEPS: Final = (
    PlayStep(
        say("Write a price at each activity: 1 to 6, each number once in a section."),
        (
            Section(
                "",
                say("Food Hall"),
                (
                    DicePlace("", say("Popcorn"), price=2, room=1),
                    DicePlace("", say("Lemonade"), price=5, room=2),
                    DicePlace("", say("Caramel Apple"), price=3, room=3),
                ),
            ),
        ),
    ),
    PlayStep(
        say("One roll of six dice is for all. You use it on your own sheet."),
        (DicePlace("", "", dice_showing((1, 2, 3, 3, 4, 6))),),
    ),
    PlayStep(
        say("Buy an activity where you are with a die that shows its price."),
        (
            DicePlace("", say("Spend"), dice_showing((3,))),
            DicePlace("", say("Caramel Apple"), price=3, room=3, needs="11+", mark="open"),
        ),
    ),
    PlayStep(
        say("Complete it with dice of one turn that add up to what it asks."),
        (
            DicePlace(
                "",
                say("Caramel Apple"),
                dice_showing((2, 4, 6)),
                points=7,
                needs="11+",
                mark="done",
            ),
        ),
    ),
    PlayStep(
        say("Once a turn you may move with a die. Odd: Food Hall. Even: Midway. Any: Carnival."),
        (
            DicePlace("", say("Food Hall"), dice_showing((1, 3, 5))),
            DicePlace("", say("Midway"), dice_showing((2, 4, 6))),
            DicePlace("", say("Carnival"), dice_showing((1, 2, 6))),
        ),
    ),
    PlayStep(
        say("Few dice left over win awards. After twelve turns the most points win."),
        (
            DicePlace("", say("Coins"), dice_showing((1,)), room=2),
            DicePlace("", say("Tokens"), room=2),
            DicePlace("", say("Tickets"), room=2),
        ),
    ),
)
