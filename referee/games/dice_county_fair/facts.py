"""Dice County Fair as `vander check --json` tells it. docs/record.md names every key, and none of them changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from referee.games.dice_county_fair.state import FairState, activity_keys, seats_of


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
