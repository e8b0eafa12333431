"""Throws that nobody saw, since the program was started again: they are offered, given by hand, or made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from laid_dice import Dice
from rollers_dice import RollersDice
from session_scenes import all_entries, done, entries, verbs

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from referee.dice import Handling
from referee.journal import Deed
from vander.table.session import Session

FIRST = ("pip-1", "pip-2", "pip-2", "pip-4", "pip-5", "pip-3")


@pytest.fixture
def cut(open_table: Callable[..., Session]) -> tuple[Session, RollersDice]:
    """Ann leaves two 2s and the 4 lying and throws the other three; while they roll the plug is pulled."""
    table, dice = open_table(), RollersDice()
    table.start("rollers", ["Ann", "Bob"], {}, starter=1)
    table.observe(dice.look())
    table.observe(dice.roll(*FIRST))
    again = open_table()
    dice.faces.update({1: "pip-2", 5: "star", 6: "pip-5"})
    dice.number, dice.thrown = 0, {}
    again.observe(dice.look())
    return again, dice


def test_a_throw_that_was_cut_off_is_offered_and_counts(cut: tuple[Session, RollersDice], tmp_path: Path) -> None:
    table, _ = cut
    (question,) = table.snapshot().questions
    assert question.sentence == "Was this thrown while nobody was watching?"
    assert [answer for answer, _ in question.choices] == ["0", "put-back", "as-it-lies"]
    assert question.choices[0][1] == "Yes: save 2, 2 and 4, then roll 3 dice: 2, 5, star"
    table.answer(question.number, "0")
    assert [line.split()[2] for line in done(tmp_path)[-2:]] == ["save", "roll"]
    assert (table.snapshot().mood, table.snapshot().questions) == ("calm", ())


def test_the_dice_put_back_are_noticed_without_a_tap(cut: tuple[Session, RollersDice], tmp_path: Path) -> None:
    table, dice = cut
    before = len(entries(tmp_path))
    dice.faces.update({1: "pip-1", 5: "pip-5", 6: "pip-3"})
    table.observe(dice.look())
    assert (table.snapshot().questions, table.snapshot().mood, len(entries(tmp_path))) == ((), "calm", before)
    last = all_entries(tmp_path)[-1]
    assert (last.deed, last.note) == (Deed.UNANSWERED, "Was this thrown while nobody was watching?")
    assert not [line for line in table.snapshot().interventions if line.deed is Deed.UNANSWERED]


def test_the_throw_that_is_asked_for_counts_after_the_dice_were_said_to_be_put_back(
    cut: tuple[Session, RollersDice], tmp_path: Path
) -> None:
    table, dice = cut
    table.answer(table.snapshot().questions[0].number, "put-back")
    assert table.snapshot().notice.endswith("Put the dice like this.")
    table.observe(dice.throw({1: "pip-3", 5: "pip-1", 6: "pip-1"}))
    assert (table.snapshot().questions, table.snapshot().mood) == ((), "calm")
    assert [line.split()[2] for line in done(tmp_path)[-2:]] == ["save", "roll"]


def test_a_throw_made_while_that_is_asked_waits_for_the_answer(
    cut: tuple[Session, RollersDice], tmp_path: Path
) -> None:
    table, dice = cut
    (question,) = table.snapshot().questions
    table.observe(dice.throw({1: "pip-3", 5: "pip-1", 6: "pip-1"}))
    assert (table.snapshot().questions, table.snapshot().held_throws) == ((question,), 1)
    table.answer(question.number, "0")
    assert [line.split()[2] for line in done(tmp_path)[-4:]] == ["save", "roll", "save", "roll"]


def test_the_throw_may_be_given_by_hand_after_its_save_was_tapped(
    cut: tuple[Session, RollersDice], tmp_path: Path
) -> None:
    table, dice = cut
    assert "save" in verbs(table.snapshot())
    table.act("1 save rollers-purple:pip-2 rollers-purple:pip-2 rollers-purple:pip-4")
    assert table.snapshot().manual_entry
    table.by_hand("1 roll rollers-black:pip-5 rollers-purple:pip-2 rollers-purple:star")
    assert done(tmp_path)[-1].startswith("hand 1 roll")
    table.observe(dice.look(), occasion=table.occasion)
    assert (table.snapshot().mood, table.snapshot().questions) == ("calm", ())


def test_the_throw_may_be_given_by_hand_as_the_dice_lie(cut: tuple[Session, RollersDice], tmp_path: Path) -> None:
    table, dice = cut
    table.by_hand("1 roll rollers-black:pip-5 rollers-purple:pip-2 rollers-purple:star")
    assert [line.split()[:3:2] for line in done(tmp_path)[-2:]] == [["hand", "save"], ["hand", "roll"]]
    table.observe(dice.look(), occasion=table.occasion)
    assert (table.snapshot().mood, table.snapshot().questions) == ("calm", ())


def test_going_on_as_the_dice_lie_is_still_an_entry(cut: tuple[Session, RollersDice], tmp_path: Path) -> None:
    table, _ = cut
    table.answer(table.snapshot().questions[0].number, "as-it-lies", confirmed=True)
    assert Deed.LAID in {entry.deed for entry in entries(tmp_path)}


def test_a_throw_in_which_the_camera_was_lost_is_offered_though_one_of_its_dice_fell_as_it_lay(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "sad", "star", "four", "three"))
    solo.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    solo.report_camera(WORKING)
    solo.observe(dice.lay(Handling.UNSEEN, d1="two"))
    (question,) = solo.snapshot().questions
    assert question.sentence == "Was this thrown while nobody was watching?"
    assert [answer for answer, _ in question.choices] == ["0", "put-back", "as-it-lies"]
    assert solo.snapshot().interventions[0].sentence.startswith("A die shows two after happy, and the camera did not")
    solo.answer(question.number, "0")
    assert done(tmp_path)[-1].endswith("1 fix traffic:sad traffic:two =field")
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())


def test_a_die_turned_while_the_camera_was_lost_is_put_back_and_that_is_noticed(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "sad", "star", "four", "three"))
    solo.observe(dice.lay(Handling.UNSEEN, d1="two"))
    solo.answer(solo.snapshot().questions[0].number, "put-back")
    assert solo.snapshot().mood == "ask"
    solo.observe(dice.lay(Handling.TURNED, d1="happy"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    assert Deed.BREACH not in {entry.deed for entry in entries(tmp_path)}
