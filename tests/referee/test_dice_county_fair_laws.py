"""Laws of Dice County Fair, played at random: whose steps come first, and where the dice go; and counted ways."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import pytest
from any_game import QUIET
from at_the_fair import COUNTY, EVERYTHING, done, fair, later, paper, verbs
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.actions import Action
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair import FairPhase as Phase
from referee.judge import judge

FEW = settings(QUIET, max_examples=8)
ROLLS = st.lists(st.integers(1, 6), min_size=6, max_size=6).map(lambda dice: "".join(map(str, sorted(dice))))


def steps(data: st.DataObject, state: FairState, seat: int) -> list[Action]:
    """A player's turn at random, alone, up to the end."""
    taken: list[Action] = []
    while seat in state.to_act and state.phase == Phase.SPENDING:
        mine = [offer for offer in GAME.legal(state) if offer.player == seat and offer.verb not in GAME.grave]
        taken.append(data.draw(st.sampled_from(mine)))
        after = judge(GAME, state, taken[-1]).state
        assert isinstance(after, FairState)
        state = after
    return taken


def played(state: FairState, actions: Sequence[Action]) -> FairState:
    for each in actions:
        ruling = judge(GAME, state, each)
        assert not ruling.refusal
        assert isinstance(ruling.state, FairState)
        state = ruling.state
    return state


@FEW
@given(st.data())
def test_whose_step_comes_first_changes_nothing(data: st.DataObject) -> None:
    """Any shuffle of the players' plans that keeps each one's own order leads to the same turn."""
    state = fair("Ann", "Bob", "Cy", prices="sheet")
    for _ in range(2):
        state = done(state, f"{state.roller} roll {data.draw(ROLLS)}")
        plans = [steps(data, state, seat) for seat in (1, 2, 3)]
        turns = data.draw(st.permutations([seat for seat, plan in enumerate(plans) for _ in plan]))
        queues = [iter(plan) for plan in plans]
        shuffled = [next(queues[seat]) for seat in turns]
        after = played(state, [each for plan in plans for each in plan])
        assert played(state, shuffled) == after
        state = after


@FEW
@given(st.data())
def test_every_die_of_every_turn_has_gone_somewhere(data: st.DataObject) -> None:
    """Purchases, spaces, moves and excess take six dice a turn, and the score is what is completed."""
    options = {"last_die": data.draw(st.sampled_from(["unspent", "spent"]))}
    state = fair("Ann", prices="sheet", **options)
    for turn in range(1, data.draw(st.integers(2, 4))):
        state = done(state, f"1 roll {data.draw(ROLLS)}")
        state = played(state, steps(data, state, 1) if options["last_die"] == "unspent" else patient(data, state))
        (sheet,) = state.papers
        moves = sum(1 for die, _ in sheet.turns if die)
        spaces = sum(len(dice) for dice in sheet.dice)
        assert sum(sheet.bought) + spaces + moves + sum(len(area) for area in sheet.excess) == 6 * turn
        assert all(bought for bought, dice in zip(sheet.bought, sheet.dice, strict=True) if dice)
        rows = zip(state.sheet.activities, sheet.dice, strict=True)
        assert state.scores == (sum(activity.points for activity, dice in rows if dice),)


def patient(data: st.DataObject, state: FairState) -> list[Action]:
    """A turn that is begun anew where it cannot be ended."""
    taken: list[Action] = []
    now = state
    while now.phase == Phase.SPENDING:
        found = [offer for offer in GAME.legal(now) if offer.verb not in GAME.grave]
        taken.append(data.draw(st.sampled_from(found)) if found else Action(1, "rethink"))
        now = played(now, taken[-1:])
    return taken


def test_a_turn_of_the_strict_reading_is_never_stuck() -> None:
    state = done(later("Ann", last_die="spent", excess="forced-only"), "1 roll 111111", "1 buy 1 =turkey-leg")
    moved = done(state, "1 move 1 =carnival", "1 buy 1 =roller-coaster", "1 done")
    assert moved.phase == Phase.ROLL
    stuck = done(later("Ann", last_die="spent"), "1 roll 555555", "1 move 5 =carnival", "1 buy 5 =haunted-house")
    assert "done" in verbs(stuck)
    nothing = done(later("Ann", last_die="spent"), "1 roll 666666", "1 move 6 =midway", "1 buy 6 =duck-pond", "1 done")
    assert nothing.papers[0].excess == ((), (6,) * 4, ())
    dead = done(paper(later("Ann", last_die="spent"), 1, "duck-pond"), "1 roll 666666", "1 move 6 =midway")
    assert verbs(dead) == ["rethink"]


def any_total(spaces: Sequence[int]) -> FairState:
    """Seat 1 owns all of a Food Hall whose activities take any dice, as many as is said."""
    rows = [line for line in COUNTY.splitlines() if line.startswith("    { title")][:6]
    text = COUNTY
    for place, (row, count) in enumerate(zip(rows, spaces, strict=True)):
        new = (
            f'    {{ title = "Any {place}", spaces = {count}, requirement = ">=1", points = 1, price = {place + 1} }},'
        )
        text = text.replace(row, new)
    assert GAME.on_sheets
    game = GAME.on_sheets({"any": text})
    state = fair("Ann", game=game, sheet=game.options[0].readings[1][0], prices="sheet")
    bought = " ".join(f"any-{place}" for place in range(6))
    return paper(done(state, "1 roll 111111", "1 start =food-hall", "1 done", game=game), 1, bought)


@pytest.mark.parametrize(
    ("numbers", "ways"),
    [
        (EVERYTHING.replace(" ", ""), 2**6 - 1),  # each die is in or out
        ("111111", 6),  # only how many
        ("112233", 3**3 - 1),  # none, one or both of each number
        ("111222", 4**2 - 1),
        ("111123", 5 * 2 * 2 - 1),
    ],
)
def test_the_choices_of_dice_are_counted_once_each(numbers: str, ways: int) -> None:
    state = done(any_total([1, 2, 3, 4, 5, 6]), f"1 roll {numbers}")
    found = [offer for offer in GAME.legal(state) if offer.verb == "complete"]
    assert len(found) == len(set(found)) == ways


def test_the_choices_of_three_different_dice_are_binomial() -> None:
    state = done(any_total([3] * 6), "1 roll 123456")
    assert sum(offer.verb == "complete" for offer in GAME.legal(state)) == 6 * comb(6, 3)


def test_the_same_actions_lead_to_the_same_state() -> None:
    texts = ("1 copy", "1 ready", "1 roll 122355", "1 start =midway", "1 move 1 =food-hall", "1 buy 3 =caramel-apple")
    one, other = done(fair("Ann"), *texts), done(fair("Ann"), *texts)
    assert (one, hash(one)) == (other, hash(other))
