"""Hand changes without an effect on the score: everybody reads one remark, and there is no breach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from laid_dice import Dice
from rollers_dice import RollersDice
from session_scenes import entries, opened
from session_states import a_game, a_match, no_game, watched
from switch_dice import ROLLED, SEEN_EMPTY, lying_die

from models import die_sets
from referee.dice import Die, FaceName, Handling, KindName, Zone
from referee.games import named
from referee.journal import Deed
from referee.snapshot import FaceTitle
from referee.umpire import HandChange, HandDeed
from vander.table.remarks import with_told_hands
from vander.table.session import Session
from vander.table.session_state import SessionState, Step
from vander.table.snapshot_builder import find_interventions
from vander.table.taps import on_start

TURNED, PLACED = Handling.TURNED, Handling.PLACED


def remarks(state: SessionState) -> list[str]:
    assert state.match is not None
    return [entry.note for entry in state.match.entries if entry.deed is Deed.REMARK]


def plays(state: SessionState) -> int:
    assert state.match is not None
    return sum(entry.deed is Deed.PLAY for entry in state.match.entries)


@dataclass
class TossUpDice(RollersDice):
    """The ten dice of Toss Up!, of which some may be away."""

    faces: dict[int, str] = field(default_factory=lambda: dict.fromkeys(range(1, 11), "yellow"))
    kinds: Mapping[int, KindName] = field(default_factory=lambda: dict.fromkeys(range(1, 11), KindName("tossup")))

    def without(self, number: int) -> None:
        """Take a die out of the tray."""
        del self.faces[number]


def after_two_greens(dice: TossUpDice) -> SessionState:
    """Ann has thrown two green dice, which lie in the bay."""
    state = on_start(no_game(), a_match(named("toss-up"), ("Ann", "Bob")), starter=1).state
    state = watched(state, dice.look(), dice.roll("green", "green", *["yellow"] * 8))
    dice.zones.update({1: Zone.ASIDE, 2: Zone.ASIDE})
    return watched(state, dice.look())


def the_others(face: str) -> dict[int, str]:
    return {3: "green", **dict.fromkeys(range(4, 11), face)}


def test_a_die_that_is_taken_out_of_the_tray_before_a_throw_is_told_to_everybody() -> None:
    dice = TossUpDice()
    state = after_two_greens(dice)
    dice.without(2)
    state = watched(state, dice.throw(the_others("yellow")))
    assert plays(state) == 3
    assert remarks(state) == ["A die was taken out of the tray: green."]
    assert state.unresolved.prompts == ()


def test_nothing_is_told_of_a_plain_throw() -> None:
    dice = TossUpDice()
    state = watched(after_two_greens(dice), dice.throw(the_others("yellow")))
    assert (plays(state), remarks(state)) == (3, [])


def test_a_free_die_that_is_turned_before_the_first_throw_of_a_turn_is_a_line_and_no_more(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.lay(TURNED, d1="star"))
    shown = solo.snapshot()
    assert (shown.mood, shown.questions) == ("calm", ())
    assert [line.sentence for line in shown.interventions] == ["A die was turned: sad, now star."]
    opened(solo, dice)
    assert [entry.deed for entry in entries(tmp_path)].count(Deed.REMARK) == 1


def test_free_dice_that_are_tidied_are_not_told(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.lay(PLACED, d1="star", d2="happy"))
    assert Deed.REMARK not in [entry.deed for entry in entries(tmp_path)]


def test_a_thrown_die_that_is_turned_is_told_also_where_another_die_shows_its_old_face() -> None:
    spare = tuple(lying_die(number, "pip-4", 0) for number in (1, 2))
    before = replace(ROLLED, dice=(*spare, *ROLLED.dice))
    turned = replace(lying_die(12, "pip-6", 2), handled=TURNED)
    after = replace(before, throw=2, dice=(*(die for die in before.dice if die.number != 12), turned))
    table = replace(no_game(), config=replace(no_game().config, dice=die_sets.load("switch-16")))
    table = watched(table, replace(SEEN_EMPTY, dice=tuple(replace(die, thrown=0) for die in before.dice)))
    begun = on_start(table, a_match(named("switch-16"), ("Ann", "Bob")), 1).state
    state = watched(begun, before, after, replace(after, frame=99))
    assert remarks(state) == ["A die was turned: 4, now 6. It counts as 4."]
    line, *_ = find_interventions(state.match)
    assert (line.kind, line.old, line.new) == ("d6", FaceTitle("pip-4", "4"), FaceTitle("pip-6", "6"))
    assert (state.unresolved.prompts, state.unresolved.breach) == ((), None)


HAPPY, STAR = Die(KindName("traffic"), FaceName("happy")), Die(KindName("traffic"), FaceName("star"))
TURNED_STAR = HandChange(HandDeed.TURNED, 1, HAPPY, STAR)
SWAPPED = (HandChange(HandDeed.SWAPPED, 1, HAPPY, STAR, 3), HandChange(HandDeed.SWAPPED, 3, STAR, HAPPY, 1))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ((TURNED_STAR,), "A die was turned: happy, now star. It counts as happy."),
        ((TURNED_STAR, replace(TURNED_STAR, number=2)), "2 dice were turned. They count as before."),
        (SWAPPED, "Two dice were swapped: happy and star. They count as before."),
        ((HandChange(HandDeed.ADDED, 7, None, STAR),), "A die was added that shows star."),
        ((HandChange(HandDeed.TAKEN, 0, Die(KindName("traffic"))),), "A die was taken out of the tray."),
    ],
)
def test_each_deed_has_its_sentence_and_is_said_once(changes: tuple[HandChange, ...], sentence: str) -> None:
    dice = Dice()
    state = watched(a_game(dice.look()), dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert state.match is not None
    step = with_told_hands(Step(state), state.match, changes, "")
    assert remarks(step.state) == [sentence]
    assert step.state.match is not None
    assert with_told_hands(step, step.state.match, changes, "") is step
