"""Who decided what: each question that is answered, correction and take-back names its device and seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cards import CARDS
from session_scenes import entries, opened
from session_states import a_match

from referee.actions import Action
from referee.dice import Die, FaceName, KindName, Zone
from referee.journal import BUTTON, NOBODY, Actor, Deed, Source
from referee.snapshot import FaceTitle
from vander.table.session import Session

ANN = Actor("Ann's phone", 1)


def traffic(face: str) -> Die:
    return Die(KindName("traffic"), FaceName(face))


def test_an_answer_is_an_entry_with_the_question_the_device_and_both_faces(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "sad", by=ANN)
    answer, play = entries(tmp_path)
    assert (answer.deed, answer.note, answer.by) == (Deed.ANSWER, "What does this die show? Sad.", ANN)
    assert (answer.source, answer.dice) == (Source.TABLET, (traffic("three"), traffic("sad")))
    assert (play.source, play.by) == (Source.CAMERA, NOBODY)


def test_nothing_of_this_leaves_a_trace_and_what_is_chosen_bears_who_chose_it(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.carry(Zone.OUT, 4))
    solo.observe(dice.throw(d5="happy"))
    (question,) = solo.snapshot().questions
    solo.answer(question.number, "as-it-lies", by=ANN, confirmed=True)
    kept = [entry for entry in entries(tmp_path) if entry.deed is Deed.ANSWER]
    assert [(entry.by, entry.note.startswith(question.sentence)) for entry in kept] == [(ANN, True)]
    assert all(entry.by == ANN for entry in entries(tmp_path) if entry.source is Source.TABLET)


def test_a_correction_names_its_device_and_the_die_before_and_after(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.correct(5, "sad", by=ANN)
    last = entries(tmp_path)[-1]
    assert (last.deed, last.by, last.dice) == (Deed.CORRECT, ANN, (traffic("three"), traffic("sad")))


def test_a_correction_of_a_die_that_is_not_ruled_on_leaves_a_trace_too(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    solo.correct(1, "star", by=ANN)
    (said,) = entries(tmp_path)
    assert (said.deed, said.by, said.dice) == (Deed.ANSWER, ANN, (traffic("happy"), traffic("star")))


def test_a_take_back_a_tap_and_the_button_are_named(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.undo(by=ANN)
    solo.act("1 skip", Source.BUTTON, by=BUTTON)
    undone, tapped = entries(tmp_path)[-2:]
    assert (undone.deed, undone.by) == (Deed.UNDO, ANN)
    assert (tapped.source, tapped.by) == (Source.BUTTON, BUTTON)


def test_what_the_camera_sees_after_somebody_decided_is_nobodys(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.undo(by=ANN)
    solo.observe(dice.throw(d1="two", d2="two", d3="two", d4="two", d5="two", d6="go"))
    assert [entry.by for entry in entries(tmp_path) if entry.source is Source.CAMERA] == [NOBODY] * 2


def test_a_note_makes_no_step_of_a_page_old() -> None:
    match = a_match(CARDS, ("Ann", "Bob"))
    noted = match.answered("What happened?", "None of these", ANN).challenged("It is a two.", ANN).remark("A hand.")
    assert noted.state == match.state
    assert not noted.is_old_for(match.step, 0)
    assert not noted.is_old_for_dice(match.step)


def test_what_an_answer_played_moved_dice_and_a_tap_alone_did_not() -> None:
    match = a_match(CARDS, ("Ann", "Bob"))
    action = CARDS.legal(match.state)[0]
    tapped = match.play([(action, Source.TABLET)])
    answered = match.answered("What happened?", "This", ANN).play([(action, Source.TABLET)])
    assert isinstance(action, Action)
    assert (tapped.is_old_for_dice(match.step), answered.is_old_for_dice(match.step)) == (False, True)


# On every tablet


def lines(table: Session) -> list[tuple[str, str]]:
    return [(each.device, each.sentence) for each in table.snapshot().interventions]


def test_corrections_answers_and_take_backs_are_lines_with_device_and_both_faces(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    assert solo.snapshot().interventions == ()
    solo.correct(5, "sad", by=ANN)
    (line,) = solo.snapshot().interventions
    assert (line.sentence, line.device, line.seat) == ("Corrected: Sad, not Three.", "Ann's phone", 1)
    assert (line.kind, line.old, line.new) == ("traffic", FaceTitle("three", "Three"), FaceTitle("sad", "Sad"))
    solo.undo(by=Actor("Bob's tablet"))
    assert lines(solo)[0][0] == "Bob's tablet"
    assert lines(solo)[0][1].startswith("Taken back: ")
    assert lines(solo)[1] == ("Ann's phone", "Corrected: Sad, not Three.")


def test_lines_stay_until_the_throw_after_the_next(solo: Session, dice: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "three", by=ANN)
    dice.unsure.clear()
    assert [device for device, _ in lines(solo)] == ["Ann's phone"]
    solo.undo(by=ANN)
    assert [device for device, _ in lines(solo)] == ["Ann's phone", "Ann's phone"]


def test_a_correction_that_an_undo_enters_again_is_one_line(solo: Session, dice: Any) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"))
    solo.observe(dice.throw(d2="star", d3="two"))
    solo.correct(4, "four", by=ANN)
    solo.undo(by=ANN)
    assert [sentence for _, sentence in lines(solo) if sentence.startswith("Corrected")] == [
        "Corrected: Four, not Two."
    ]


def test_a_tap_on_a_phone_of_another_seat_is_a_line_and_ones_own_is_none(table: Session, dice: Any) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann", "Bob"], {})
    table.observe(dice.throw(d1="happy", d2="happy", d3="sad", d4="sad", d5="two"))
    table.act("1 skip", by=ANN)
    assert lines(table)[0][0] == "Ann's phone"


# On the die


def marks(table: Session) -> dict[int, str]:
    return {die.number: die.mark for die in table.snapshot().dice if die.mark}


def test_a_corrected_face_bears_a_mark_until_the_die_is_thrown_again(solo: Session, dice: Any) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"))
    solo.correct(5, "four", by=ANN)
    assert marks(solo) == {5: "corrected"}
    solo.observe(dice.look())
    assert marks(solo) == {5: "corrected"}
    solo.observe(dice.throw(d2="star", d3="two"))
    assert marks(solo) == {5: "corrected"}
    solo.observe(dice.throw(d1="two", d2="two", d3="two", d4="two", d5="two", d6="go"))
    assert marks(solo) == {}


def test_an_answered_face_bears_a_mark(solo: Session, dice: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "three", by=ANN)
    assert marks(solo) == {5: "answered"}
