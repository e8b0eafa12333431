"""Dice County Fair in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.board import Board, BoardPart, BoardRow, DicePlace, Light, Lights, Section, Tally
from referee.games.dice_county_fair.phases import conjugated
from referee.games.dice_county_fair.scoring import (
    ScoreLine,
    award_lines,
    completed_counts,
    excess_sums,
    outcome_call,
    score_lines,
    was_played_out,
)
from referee.games.dice_county_fair.sheet import PER_SECTION, FairSection
from referee.games.dice_county_fair.state import (
    DICE,
    EVEN,
    HOURS,
    ODD,
    FairPhase,
    FairState,
    Paper,
    dice_showing,
    seats_of,
    spell_numbers,
    title_of,
)

ROLL: Final = "dice_rolled"
LEFT: Final = "dice_left"
READY: Final = "is_ready"
PRICED: Final = "prices_written"
DONE: Final = "activities_done"
"""Keys of parts that no action names: an activity's key has no underscore."""


def tell(state: FairState) -> str:
    """Return one sentence: who is to do what."""
    match state.phase:
        case FairPhase.PLANNING:
            return f"{state.waiting} {conjugated(state, 'write')} a price at each activity."
        case FairPhase.ROLL:
            return f"{state.waiting} rolls all six dice for the {state.hour} turn."
        case FairPhase.SPENDING:
            return f"{state.hour}: {state.waiting} {conjugated(state, 'spend')} {spell_numbers(state.roll)}."
        case _:
            return outcome_call(state).sentence


def boards(state: FairState) -> tuple[Board, ...]:
    """Return the fair in the middle, and before each player the sheet, at the end with its points."""
    places = range(len(state.sheet.sections))
    if state.phase == FairPhase.OVER and was_played_out(state):
        scored = list(score_lines(state))
        return (_fair(state), *(_scored_sheet(state, seat, scored) for seat in seats_of(state)))
    awards = tuple(tuple(_awards(state, place)) for place in places)
    return (_fair(state), *(_sheet(state, seat, awards) for seat in seats_of(state)))


def _fair(state: FairState) -> Board:
    facts = (("Turn", state.hour if state.turn else "planning"), ("Rolls", state.name(state.roller)))
    rolled = DicePlace(ROLL, "Rolled", dice_showing(state.roll), room=DICE)
    return Board(0, "The fair", facts, parts=(rolled,) if state.turn else ())


Facts = tuple[tuple[str, str], ...]


def _scored_sheet(state: FairState, seat: int, scored: Sequence[ScoreLine]) -> Board:
    """Return a sheet at the end: the points of each section stand in it, those of all below them."""
    lines = [(line.title, str(line.points[seat - 1])) for line in scored]
    count = (len(lines) - 1) // len(state.sheet.sections)
    inside = tuple(tuple(lines[first : first + count]) for first in range(1, len(lines), count))
    return replace(_sheet(state, seat, inside), facts=(lines[0], ("Total", str(state.scores[seat - 1]))))


def _awards(state: FairState, place: int) -> Iterator[tuple[str, str]]:
    section, lines = state.sheet.sections[place], list(award_lines(state, place))
    if not state.is_solo:
        yield _worth("Most", section.most), _leaders(state, lines[0], completed_counts(state, place))
    sums = excess_sums(state, place)
    if state.is_solo:
        yield f"No {section.area}, {section.fewest[0]}", "lost" if sums[0] else "so far"
    else:
        yield _worth(f"Fewest {section.area}", section.fewest), _leaders(state, lines[-1], sums)


def _worth(title: str, award: tuple[int, int]) -> str:
    return f"{title}, {award[0]} / {award[1]}"


def _leaders(state: FairState, line: ScoreLine, values: Sequence[int]) -> str:
    """Return who would have points of an award, the first first, each with the number that counts for it."""
    if not any(paper.turns for paper in state.papers):
        return ""
    ranks: dict[tuple[int, int], list[int]] = {}
    for seat in seats_of(state):
        if points := line.points[seat - 1]:
            ranks.setdefault((points, values[seat - 1]), []).append(seat)
    return ", ".join(f"{state.names(ranks[rank])} {rank[1]}" for rank in sorted(ranks, reverse=True))


def _sheet(state: FairState, seat: int, facts: tuple[Facts, ...]) -> Board:
    """Return the sheet of a player: what is shown of others too, then the three sections; its rows are the turns."""
    glance = tuple(_glance(state, seat))
    sections = tuple(_section(state, seat, place, facts[place]) for place in range(len(facts)))
    rows = tuple(_turn_row(state, seat, turn) for turn in range(1, len(HOURS) + 1))
    title = state.name(seat)
    return Board(seat, title, (), ("Turn", "Move", "Section"), rows, (*glance, *sections), tuple(p.key for p in glance))


def _glance(state: FairState, seat: int) -> Iterator[BoardPart]:
    """Return what matters of a sheet at a glance: whether its player is done, where the player is, how far."""
    section, paper = _where(state, seat), state.paper(seat)
    if state.phase in (FairPhase.PLANNING, FairPhase.SPENDING):
        yield _ready_light(state, seat)
    if state.phase == FairPhase.PLANNING:
        yield Tally(PRICED, "Prices", sum(map(bool, paper.prices)), of=len(paper.prices))
        return
    left = dice_showing(state.plan(seat).left) if state.plans else ()
    yield DicePlace(LEFT, title_of(state, section) or "No section yet", left)
    yield Tally(DONE, "Activities", sum(map(bool, paper.dice)), of=len(paper.dice))


def _ready_light(state: FairState, seat: int) -> Lights:
    waits = seat in state.awaited
    word = "writes prices" if state.phase == FairPhase.PLANNING else "spends dice"
    done = "ready" if state.phase == FairPhase.PLANNING else "done"
    return Lights(READY, word if waits else done, (Light("green", not waits),))


def _where(state: FairState, seat: int) -> str:
    return state.plans[seat - 1].section if state.plans else state.papers[seat - 1].section


def _turn_row(state: FairState, seat: int, turn: int) -> BoardRow:
    """Return a line of the Turns area; its key, an hour, is no action's choice."""
    hour, turns = HOURS[turn - 1], state.papers[seat - 1].turns
    if turn > len(turns):
        plan = state.plan(seat) if state.plans and turn == state.turn else None
        cells = (str(plan.move or ""), title_of(state, plan.section)) if plan else ("", "")
        return BoardRow(hour, (hour, *cells), "here" if turn == state.turn else "")
    die, section = turns[turn - 1]
    return BoardRow(hour, (hour, str(die or ""), title_of(state, section)), "done")


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
        return "start here, free"
    return "" if section.key == here else {ODD: "an odd die", EVEN: "an even die"}.get(section.key, "any die")


def _activity(state: FairState, paper: Paper, number: int) -> DicePlace:
    activity, dice = state.sheet.activities[number], paper.dice[number]
    return DicePlace(
        activity.key,
        activity.title,
        dice_showing(dice),
        room=activity.spaces,
        points=activity.points,
        price=paper.prices[number],
        needs=activity.requirement.words,
        mark="done" if dice else "open" if paper.bought[number] else "",
    )
