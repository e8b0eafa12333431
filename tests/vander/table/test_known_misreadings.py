"""A die that people corrected keeps what they said while it lies unmoved: after a restart, and when a game is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from laid_dice import Dice

from referee.dice import Zone
from vander.table.session import Session

OPENING = ("go", "happy", "happy", "star", "two", "three")
Opener = Callable[..., Session]


@pytest.fixture
def corrected(table: Session, dice: Dice) -> Session:
    """Ann parked three dice and threw two; the camera reads die 4 as a two, and somebody said that it shows a star."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll(*OPENING))
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.observe(dice.throw(d4="two", d5="three"))
    table.correct(4, "star")
    return table


def calm(table: Session) -> tuple[str, object, object, dict[int, str]]:
    shown = table.snapshot()
    return str(shown.mood), shown.questions, shown.put_back, {die.number: die.face for die in shown.dice}


LIES = {1: "happy", 2: "happy", 3: "star", 4: "star", 5: "three", 6: "go"}


def test_after_a_restart_an_unmoved_die_that_is_read_wrong_again_shows_what_was_said(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    again.observe(dice.look())
    assert calm(again) == ("calm", (), (), LIES)
    assert again.snapshot().resumed.endswith("The camera reads Two, but that die counts as you said: Star.")
    assert [die.mark for die in again.snapshot().dice if die.number == 4] == ["corrected"]
    assert again.snapshot().turn_points == corrected.snapshot().turn_points


def test_a_die_that_was_corrected_and_parked_then_is_known_in_the_bay(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    corrected.observe(dice.carry(Zone.ASIDE, 4))
    corrected.observe(dice.throw(d5="happy"))
    dice.shifted[4] = -9.0
    corrected.observe(dice.look())
    again = open_table()
    dice.recount()
    again.observe(dice.look())
    assert calm(again)[:3] == ("calm", (), ())


def test_a_game_that_is_left_and_played_on_with_the_dice_unmoved_asks_nothing(corrected: Session, dice: Dice) -> None:
    corrected.start("intersection", ["Cleo"], {}, leave_open=True)
    corrected.play_on(1)
    dice.recount()
    corrected.observe(dice.look())
    assert calm(corrected) == ("calm", (), (), LIES)


def test_a_throw_makes_an_end_of_what_was_said(corrected: Session, dice: Dice, open_table: Opener) -> None:
    corrected.observe(dice.carry(Zone.ASIDE, 4))
    corrected.act("1 end")
    corrected.observe(dice.roll("go", "happy", "happy", "star", "two", "happy"))
    again = open_table()
    dice.recount()
    again.observe(dice.look())
    assert calm(again)[:3] == ("calm", (), ())
    assert calm(again)[3][4] == "two"


def test_a_wrong_correction_is_asked_about_once_the_die_was_moved_with_two_faces_that_differ(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    dice.shifted[4] = 20.0
    again.observe(dice.look())
    (wrong,) = again.snapshot().put_back
    assert (wrong.die, wrong.title, wrong.shows) == (4, "Star", "Two")
    assert again.snapshot().mood == "ask"


def test_a_wrong_correction_is_asked_about_once_the_die_is_read_otherwise(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    dice.faces[4] = "three"
    again.observe(dice.look())
    (wrong,) = again.snapshot().put_back
    assert (wrong.title, wrong.shows) == ("Star", "Three")


@pytest.mark.parametrize("number", [4, 5])  # which of the two that are read alike is the wrong one, people know
def test_a_die_that_is_said_to_be_read_wrong_while_dice_lie_wrong_changes_no_throw(
    table: Session, dice: Dice, open_table: Opener, number: int
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll(*OPENING))
    again = open_table()
    dice.recount()
    dice.faces[4] = "three"
    again.observe(dice.look())
    assert len(again.snapshot().put_back) == 1
    again.correct(number, "two")
    match = again.state.match
    assert match is not None
    assert str(match.entries[-1].deed) == "answer"
    assert calm(again)[:3] == ("calm", (), ())


def test_a_die_in_doubt_of_which_people_say_what_the_game_has_changes_no_earlier_throw(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    dice.shifted[4] = 20.0
    dice.unsure[4] = (("star", 0.4),)
    again.observe(dice.look())
    before = again.state.match
    again.correct(4, "star")
    after = again.state.match
    assert before is not None
    assert after is not None
    assert [str(entry.deed) for entry in after.entries[len(before.entries) :]] == ["answer"]
    assert (after.state, calm(again)) == (before.state, ("calm", (), (), LIES))


def test_a_die_in_doubt_that_the_game_has_as_it_was_read_is_corrected_there(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    dice.faces[5], dice.unsure[5] = "three", (("sad", 0.4),)
    again.observe(dice.look())
    again.correct(5, "sad")
    match = again.state.match
    assert match is not None
    assert str(match.entries[-1].deed) == "correct"


def test_a_die_in_doubt_that_may_lie_right_is_not_among_those_that_lie_wrong(
    corrected: Session, dice: Dice, open_table: Opener
) -> None:
    again = open_table()
    dice.recount()
    dice.shifted[4] = 20.0
    dice.unsure[4] = (("star", 0.4),)
    dice.faces[1] = "three"
    again.observe(dice.look())
    assert [(wrong.die, wrong.title, wrong.shows) for wrong in again.snapshot().put_back] == [(1, "Happy", "Three")]


def test_what_is_kept_goes_with_the_die_and_stays_while_nobody_sees_the_tray(corrected: Session, dice: Dice) -> None:
    def kept() -> list[str]:
        match = corrected.state.match
        return [str(each) for each in match.kept.misreadings] if match else []

    assert kept() == ["traffic:two=traffic:star@120.0,50.0,0.0"]
    dice.shifted[4] = 7.0
    corrected.observe(dice.look())
    assert kept() == ["traffic:two=traffic:star@127.0,50.0,0.0"]
    corrected.observe(replace(dice.look(), calibrated=False, dice=()))
    assert kept() == ["traffic:two=traffic:star@127.0,50.0,0.0"]
    corrected.observe(dice.look())
    corrected.correct(4, "two")
    assert kept() == []
