"""Questions as they are shown: whose throw it is, what each answer makes of the table, and where the dice lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from laid_dice import Dice
from session_states import a_game, asked, watched
from switch_dice import ROLLED, THREE_AGAIN
from test_throw_questions import started
from true_tray import FRAME, TrayPictures

from referee.dice import Die, FaceName, Handling, KindName, Zone
from referee.snapshot import Question, QuestionTopic
from vander.table.answers import on_answer, shown_questions
from vander.table.session import Session
from vander.table.session_state import SessionState
from vision.frame_reader import CameraPicture, is_cut
from vision.frames import Frame
from vision.image_io import decode_picture
from vision.tray_calibration import TrayLayout

OPENING = ("go", "happy", "happy", "star", "two", "three")


def traffic(*faces: str) -> tuple[Die, ...]:
    return tuple(Die(KindName("traffic"), FaceName(face)) for face in faces)


def the_question(state: SessionState) -> Question:
    (question,) = shown_questions(state)
    return question


def test_who_threw_is_answered_by_a_player_and_says_nothing_else() -> None:
    question = the_question(started(ROLLED, THREE_AGAIN))
    assert question.seat == 0
    assert [(effect.answer, effect.seat, effect.steps) for effect in question.effects] == [("1", 1, ()), ("2", 2, ())]


def test_each_way_shows_the_thrown_dice_and_whose_turn_it_is_then() -> None:
    state = started(ROLLED, THREE_AGAIN)
    state = on_answer(state, asked(state).number, "2").state
    question = the_question(state)
    assert question.seat == 2
    first = question.effects[0]
    assert [die.face for die in first.after] == ["pip-2", "pip-5", "pip-6", "block"]
    assert (first.seat, first.turn) == (2, 1)  # a block ends the turn: Ann goes on
    assert [len(effect.steps) for effect in question.effects] == [9, 8, 7, 6, 5, 4, 3, 2]
    assert first.steps[-1].dice == first.after


def test_dice_that_nobody_saw_tumble_count_or_go_back_to_what_they_showed() -> None:
    dice = Dice()
    state = a_game(
        dice.look(),
        dice.roll(*OPENING),
        dice.carry(Zone.ASIDE, 1, 2, 3),
        dice.lay(Handling.UNSEEN, d4="star", d5="happy"),
    )
    question = the_question(state)
    thrown, laid = question.effects[:2]
    assert question.seat == 1
    assert (thrown.answer, thrown.before, thrown.after) == ("thrown", traffic("two", "three"), traffic("star", "happy"))
    assert (laid.answer, laid.before, laid.after) == ("set-down", traffic("star", "happy"), traffic("two", "three"))


def test_answers_look_different_where_a_die_shows_what_it_showed_before() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING), dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.throw(d4="two", d5="three")
    dice.chances |= {4: 0.95, 5: 0.95}
    thrown, laid = the_question(watched(state, dice.look())).effects[:2]
    in_a_hand = (Die(KindName("traffic")),) * 2
    assert (thrown.answer, thrown.before, thrown.after) == ("thrown", in_a_hand, traffic("two", "three"))
    assert (laid.answer, laid.before, laid.after) == ("set-down", (), traffic("two", "three"))


def test_a_die_that_may_have_been_left_lying_is_asked_about_alone() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING), dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.chances[5] = 0.3
    state = watched(state, dice.throw(d4="happy"))
    thrown, left = the_question(state).effects[:2]
    assert (thrown.answer, left.answer) == ("thrown", "set-down")
    assert thrown.after == left.after == traffic("three")


def test_a_breach_is_about_dice_that_lie_wrong() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING), dice.throw(d1="sad"))
    assert the_question(state).topic is QuestionTopic.PUT_BACK
    assert state.unresolved.breach is not None


def test_the_snapshot_has_a_picture_of_the_tray_and_where_each_die_lies_in_it(
    solo: Session, dice: Dice, sight: Any
) -> None:
    solo.observe(dice.roll(*OPENING), sight)
    shown = solo.snapshot()
    assert shown.tray_picture
    ring = shown.dice[0].ring
    assert ring is not None
    assert (round(ring.x * 324), round(ring.y * 249), round(ring.edge * 324)) == (30 + 12, 50 + 12, 16)
    before = shown.tray_picture
    solo.observe(dice.throw(d1="sad"), sight)
    assert solo.snapshot().tray_picture not in ("", before)


def test_without_pictures_no_picture_of_the_tray_is_named(solo: Session, dice: Dice) -> None:
    solo.observe(dice.roll(*OPENING))
    assert (solo.snapshot().tray_picture, solo.snapshot().dice[0].ring) == ("", None)


def test_the_picture_of_the_tray_shows_the_tray_from_above_and_nothing_of_the_room(solo: Session, dice: Dice) -> None:
    pictures = TrayPictures(FRAME)
    solo.observe(dice.roll(*OPENING), pictures)
    jpeg = solo.picture(solo.snapshot().tray_picture)
    assert is_cut(jpeg)
    height, width = decode_picture(jpeg).shape[:2]
    assert (width, round(height / width, 2)) == (800, round(249 / 324, 2))


def test_a_frame_without_a_tray_has_no_picture_from_above() -> None:
    assert CameraPicture(Frame(np.full((480, 640, 3), 90, np.uint8), 1, 0.0), TrayLayout()).upright_jpeg() is None
