"""Throws made while a question is open: they settle nothing, wait for the answer, and none of them is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laid_dice import Dice, StillPicture, cut_picture
from session_scenes import done, entries, scores

from hardware.cameras.base import CameraReport, CameraStatus
from referee.dice import KindName, Zone
from referee.sentences import Reason, Refused
from vander.table.held_throws import MOST_HELD
from vander.table.session import Session
from vision.frame_reader import TrayPicture
from vision.image_io import decode_picture

OPENING = ("go", "happy", "happy", "star", "two", "three")
TEN = range(1, 11)


class TossUpDice(Dice):
    """Ten dice of Toss Up!."""

    def kind_of(self, number: int) -> KindName:
        return KindName("tossup")


@pytest.fixture
def toss_up(open_table: Callable[..., Session]) -> tuple[Session, TossUpDice]:
    """Ann has nine green dice aside; the last one shows red, and is thrown next."""
    table, dice = open_table(), TossUpDice(faces=dict.fromkeys(TEN, "yellow"))
    table.start("toss-up", ["Ann", "Bob"], {})
    table.observe(dice.look())
    return table, dice


def begin(table: Session) -> None:
    """Ann begins by agreement."""
    table.act("1 begin")


def all_ten(face: str, *others: str) -> dict[str, str]:
    """Return what ten dice show: these first, the others that face."""
    faces = [*others, *(face,) * (10 - len(others))]
    return {f"d{number}": shown for number, shown in zip(TEN, faces, strict=True)}


def last_die_lies_on_red_again(table: Session, dice: Dice) -> None:
    """Nine greens are set aside; the tenth die, which showed red, moves and shows red: it may only have been pushed."""
    begin(table)
    table.observe(dice.throw(**all_ten("green", "red")))
    table.observe(dice.carry(Zone.ASIDE, *range(2, 11)))
    dice.throw(d1="red")
    dice.chances[1] = 0.7
    table.observe(dice.look())


def three_dice_fall_on_red_one_before_the_others(table: Session, dice: Dice) -> None:
    """Seven greens are set aside; the other three dice are thrown, one before the others, and show red."""
    begin(table)
    table.observe(dice.throw(**all_ten("green", "red", "red", "red")))
    table.observe(dice.carry(Zone.ASIDE, *range(4, 11)))
    dice.throw(d1="red")
    table.observe(dice.throw(d2="red", d3="red"))


def test_a_lost_turn_is_not_paid_out_as_the_next_player_throws(toss_up: Any, tmp_path: Path) -> None:
    table, dice = toss_up
    last_die_lies_on_red_again(table, dice)
    (question,) = table.snapshot().questions
    before = len(entries(tmp_path))
    table.observe(dice.throw(**all_ten("yellow", "green")))
    assert table.snapshot().questions == (question,)
    assert (len(entries(tmp_path)), scores(table), table.snapshot().held_throws) == (before, (0, 0), 1)
    table.answer(question.number, question.choices[0][0])
    assert scores(table) == (0, 0)
    assert table.snapshot().held_throws == 0
    assert str(entries(tmp_path)[-1].action).startswith("2 roll")


def test_a_throw_that_is_denied_is_made_again(toss_up: Any, tmp_path: Path) -> None:
    table, dice = toss_up
    three_dice_fall_on_red_one_before_the_others(table, dice)
    (question,) = table.snapshot().questions
    assert [answer for answer, _ in question.choices] == ["0", "thrown-again"]
    table.answer(question.number, "thrown-again")
    assert (table.snapshot().notice, table.snapshot().mood) == ("The 3 dice that moved are thrown again.", "ask")
    with pytest.raises(Refused, match="are thrown again"):
        table.act("1 end")
    table.observe(dice.carry(Zone.FIELD, 4))
    assert table.snapshot().notice == "The 3 dice that moved are thrown again."
    table.observe(dice.carry(Zone.ASIDE, 4))
    table.observe(dice.throw(d1="green", d2="green", d3="green"))
    assert (table.snapshot().mood, table.snapshot().turn_points) == ("calm", 10)


def test_a_denied_throw_is_not_paid_out_by_the_next_players_throw(toss_up: Any) -> None:
    table, dice = toss_up
    three_dice_fall_on_red_one_before_the_others(table, dice)
    table.answer(table.snapshot().questions[0].number, "thrown-again")
    table.observe(dice.throw(**all_ten("yellow", "green")))
    (question,) = table.snapshot().questions
    assert (question.sentence[:16], scores(table)) == ("Before this thro", (0, 0))


def test_a_covered_lens_is_no_way_round_a_question(toss_up: Any, tmp_path: Path) -> None:
    table, dice = toss_up
    last_die_lies_on_red_again(table, dice)
    (question,) = table.snapshot().questions
    before = len(entries(tmp_path))
    table.report_camera(CameraReport(CameraStatus.COVERED, "Something covers the lens."))
    for attempt in (lambda: table.act("1 end"), lambda: table.by_hand("1 roll tossup:green")):
        with pytest.raises(Refused, match="Answer first"):
            attempt()
    assert (len(entries(tmp_path)), table.snapshot().questions) == (before, (question,))
    table.answer(question.number, "thrown")
    assert scores(table) == (0, 0)


def test_a_breach_is_not_settled_by_the_next_players_throw(toss_up: Any, tmp_path: Path) -> None:
    table, dice = toss_up
    begin(table)
    table.observe(dice.throw(**all_ten("yellow", *["green"] * 5)))
    table.observe(dice.throw(d6="red", d7="red"))
    assert table.snapshot().mood == "breach"
    before = len(entries(tmp_path))
    table.observe(dice.throw(**all_ten("yellow", "green")))
    (question,) = table.snapshot().questions
    assert question.sentence.startswith("Before this throw the dice did not lie as they should")
    assert (len(entries(tmp_path)), scores(table)) == (before, (0, 0))


def test_a_pushed_die_is_no_throw_while_others_are_in_a_hand(toss_up: Any, tmp_path: Path) -> None:
    table, dice = toss_up
    begin(table)
    table.observe(dice.throw(**all_ten("green", *["yellow"] * 3)))
    table.observe(dice.carry(Zone.ASIDE, *range(4, 11)))
    before = len(entries(tmp_path))
    dice.throw(d1="yellow")
    dice.chances[1], dice.away = 0.6, {2}
    table.observe(dice.look())
    assert (table.snapshot().questions, table.snapshot().mood) == ((), "calm")
    dice.away = {1, 2, 3}
    table.observe(dice.look())
    assert (table.snapshot().questions, len(entries(tmp_path))) == ((), before)
    dice.away = set()
    table.observe(dice.throw(d1="green", d2="yellow", d3="yellow"))
    assert (table.snapshot().questions, table.snapshot().turn_points) == ((), 8)


def test_dice_in_a_hand_are_not_to_be_put_back_though_others_were_tidied(toss_up: Any) -> None:
    table, dice = toss_up
    begin(table)
    table.observe(dice.throw(**all_ten("green", *["yellow"] * 3)))
    dice.chances[10] = 0.01
    table.observe(dice.carry(Zone.ASIDE, *range(4, 11)))
    dice.away = {1, 2, 3}
    table.observe(dice.look())
    shown = table.snapshot()
    assert (shown.mood, "Put the dice" in shown.notice) == ("calm", False)


@pytest.fixture
def asked(solo: Session, dice: Dice) -> Session:
    """Ann has thrown, and it is asked what the second die shows."""
    dice.roll(*OPENING)
    dice.unsure[2] = (("sad", 0.4),)
    solo.observe(dice.look())
    return solo


def answer(table: Session, choice: str) -> None:
    table.answer(table.snapshot().questions[0].number, choice)


def test_what_hands_do_and_throw_meanwhile_counts_after_the_answer(asked: Session, dice: Dice, tmp_path: Path) -> None:
    asked.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.unsure.clear()
    asked.observe(dice.throw(d4="happy", d5="three"))
    assert done(tmp_path) == []
    shown = asked.snapshot()
    assert shown.notice == "What does this die show? 1 throw waits for the answer."
    assert [(die.face, die.zone) for die in shown.dice[:4]] == [
        ("happy", "aside"),
        ("happy", "aside"),
        ("star", "aside"),
        ("happy", "field"),
    ]
    with pytest.raises(Refused, match="Answer first: What does this die show"):
        asked.correct(4, "star")
    answer(asked, "happy")
    assert [entry.action.verb for entry in entries(tmp_path) if entry.action] == ["roll", "park", "on"]
    assert (asked.snapshot().held_throws, asked.snapshot().mood) == (0, "calm")


def test_an_answer_may_make_something_else_of_what_was_thrown_meanwhile(
    asked: Session, dice: Dice, tmp_path: Path
) -> None:
    dice.unsure.clear()
    asked.observe(dice.throw(d1="two", d2="star"))
    answer(asked, "sad")
    assert done(tmp_path)[-1].endswith("1 fix traffic:star traffic:two =field")


def test_dice_taken_up_do_not_take_the_question_with_them(asked: Session, dice: Dice) -> None:
    (question,) = asked.snapshot().questions
    dice.away = {1, 2, 3, 4, 5, 6}
    asked.observe(dice.look())
    assert asked.snapshot().questions == (question,)
    answer(asked, "happy")
    assert asked.snapshot().last[0].startswith("Ann rolls")


def test_a_second_reading_of_the_same_dice_settles_the_question(asked: Session, dice: Dice, tmp_path: Path) -> None:
    dice.unsure.clear()
    asked.observe(dice.look())
    assert (asked.snapshot().questions, len(done(tmp_path))) == ((), 1)


def test_dice_that_were_moved_and_lie_as_they_lay_are_read_again(asked: Session, dice: Dice, tmp_path: Path) -> None:
    asked.observe(dice.carry(Zone.ASIDE, 1))
    dice.unsure.clear()
    asked.observe(dice.carry(Zone.FIELD, 1))
    assert (asked.snapshot().questions, done(tmp_path)) == (
        (),
        ["camera 1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"],
    )


def test_a_tap_is_refused_with_the_question_while_a_throw_waits(asked: Session, dice: Dice) -> None:
    dice.unsure.clear()
    asked.observe(dice.throw(d4="happy", d5="three"))
    with pytest.raises(Refused, match="Answer first: What does this die show") as refused:
        asked.act("1 end")
    assert refused.value.reason is Reason.CONFLICT


def test_what_was_thrown_meanwhile_is_asked_for_by_name_after_the_game_was_taken_back(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    solo.observe(dice.roll(*OPENING))
    dice.throw(d4="happy", d5="three")
    dice.unsure[4] = (("sad", 0.4),)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    assert solo.snapshot().questions
    dice.unsure.clear()
    solo.observe(dice.throw(d4="two"))
    solo.undo()
    shown = solo.snapshot()
    assert (shown.questions, shown.held_throws, len(done(tmp_path))) == ((), 0, 2)
    assert shown.notice.startswith("Ann's throw was lost.")


def test_more_than_can_wait_is_said(asked: Session, dice: Dice) -> None:
    dice.unsure.clear()
    for _ in range(MOST_HELD + 2):
        asked.observe(dice.roll(*OPENING))
    shown = asked.snapshot()
    assert shown.notice.endswith(f"{MOST_HELD + 2} throws wait for the answer. No more can wait: do not throw.")
    answer(asked, "happy")
    assert (asked.snapshot().held_throws, asked.snapshot().questions[:1] != ()) == (0, False)


class LitPicture(StillPicture):
    """A sight whose frames are so bright."""

    def __init__(self, light: int) -> None:
        self._light = light

    def settled_picture(self) -> TrayPicture:
        return cut_picture(np.full((48, 64, 3), self._light, np.uint8))


def test_the_evidence_and_the_pictures_are_of_the_throw_that_was_asked_about(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    dice.roll(*OPENING)
    dice.unsure[2] = (("sad", 0.4),)
    solo.observe(dice.look(), LitPicture(40))
    (question,) = solo.snapshot().questions
    dice.unsure.clear()
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3), LitPicture(120))
    solo.observe(dice.throw(d4="happy", d5="three"), LitPicture(200))
    assert solo.picture(question.picture)
    answer(solo, "happy")
    names = [entry.evidence for entry in entries(tmp_path) if entry.action]
    light = [round(float(decode_picture(solo.picture(name)).mean()), -1) for name in names]
    assert light == [40, 200, 200]
