"""Dice County Fair in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.board import Board, BoardRow
from referee.games.dice_county_fair.phases import conjugated
from referee.games.dice_county_fair.scoring import outcome_call, score_lines, was_played_out
from referee.games.dice_county_fair.sheet import PER_SECTION, FairSection
from referee.games.dice_county_fair.state import (
    EVEN,
    HOURS,
    ODD,
    FairPhase,
    FairState,
    Paper,
    dice_wanted,
    seats_of,
    spell_numbers,
    title_of,
)


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
    """Return the fair in the middle, and before each player the Turns area and the three sections of the sheet."""
    return (_fair(state), *(board for seat in seats_of(state) for board in _sheet(state, seat)))


def _fair(state: FairState) -> Board:
    facts = (("Turn", state.hour if state.turn else "planning"), ("Rolls", state.name(state.roller)))
    return Board(0, "The fair", (*facts, ("Dice", _row(state.roll))))


def _row(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _sheet(state: FairState, seat: int) -> Iterator[Board]:
    yield _turns(state, seat)
    if state.phase == FairPhase.SPENDING:
        yield _map(state, seat)
    yield from (_section_board(state, seat, place) for place in range(len(state.sheet.sections)))
    if state.phase == FairPhase.OVER and was_played_out(state):
        rows = tuple(BoardRow(line.title, (line.title, str(line.points[seat - 1]))) for line in score_lines(state))
        yield Board(seat, "Scoring", (("Total", str(state.scores[seat - 1])),), ("Line", "Points"), rows)


def _turns(state: FairState, seat: int) -> Board:
    section = _where(state, seat)
    facts = (
        ("Section", title_of(state, section)),
        ("Dice left", _row(state.plans[seat - 1].left if state.plans else ())),
    )
    rows = tuple(_turn_row(state, seat, turn) for turn in range(1, len(HOURS) + 1))
    return Board(seat, "Turns", facts, ("Turn", "Move", "Section"), rows)


def _where(state: FairState, seat: int) -> str:
    return state.plans[seat - 1].section if state.plans else state.papers[seat - 1].section


def _turn_row(state: FairState, seat: int, turn: int) -> BoardRow:
    """Return a line of the Turns area; its key, an hour, is no action's choice."""
    hour, turns = HOURS[turn - 1], state.papers[seat - 1].turns
    if turn > len(turns):
        return BoardRow(hour, (hour, "", ""), "here" if turn == state.turn else "")
    die, section = turns[turn - 1]
    return BoardRow(hour, (hour, str(die or ""), title_of(state, section)), "done")


def _map(state: FairState, seat: int) -> Board:
    """Return the way to each section; its row stands for starting there or going there."""
    here = _where(state, seat)
    ways = ((each, _way(each, here)) for each in state.sheet.sections)
    rows = tuple(BoardRow(each.key, (each.title, way), "here" if each.key == here else "") for each, way in ways)
    return Board(seat, "Sections", (), ("Section", "Way there"), rows)


def _way(section: FairSection, here: str) -> str:
    if not here:
        return "start here, free"
    return "here" if section.key == here else {ODD: "an odd die", EVEN: "an even die"}.get(section.key, "any die")


def _section_board(state: FairState, seat: int, place: int) -> Board:
    """Return the board of a section: its activities, and last its excess area."""
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
        _row(dice) or dice_wanted(activity),
        activity.requirement.words,
        str(activity.points),
        str(paper.prices[number] or ""),
    )
    return BoardRow(activity.key, cells, "done" if dice else "open" if paper.bought[number] else "")
