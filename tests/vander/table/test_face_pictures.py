"""What faces look like at this table: pictures of dice that people spoke of."""

from __future__ import annotations

from typing import Any

from vander.table.session import Session


def in_doubt(dice: Any, *numbers: int) -> Any:
    dice.roll("go", "happy", "star", "sad", "sad", "sad")
    dice.unsure.update(dict.fromkeys(numbers, (("happy", 0.3),)))
    return dice.look()


def test_a_face_is_pictured_by_the_die_that_people_said_shows_it(solo: Session, dice: Any, sight: Any) -> None:
    solo.observe(in_doubt(dice, 3), sight)
    (question,) = solo.snapshot().questions
    assert solo.face_picture("intersection", "traffic", "sad") is None
    solo.answer(question.number, "sad")
    assert solo.face_picture("intersection", "traffic", "sad") == solo.picture(question.crops[0])
    assert solo.face_picture("intersection", "traffic", "star") is None
    assert solo.face_picture("rollers", "traffic", "sad") is None


def test_a_face_is_no_longer_pictured_by_a_die_that_shows_another(solo: Session, dice: Any, sight: Any) -> None:
    solo.observe(in_doubt(dice, 3), sight)
    solo.answer(solo.snapshot().questions[0].number, "sad")
    solo.correct(3, "happy")
    assert solo.face_picture("intersection", "traffic", "sad") is None
    assert solo.face_picture("intersection", "traffic", "happy") is not None


def test_the_picture_of_a_face_stays_when_its_die_is_thrown_again(solo: Session, dice: Any, sight: Any) -> None:
    solo.observe(in_doubt(dice, 3), sight)
    solo.answer(solo.snapshot().questions[0].number, "sad")
    solo.observe(dice.throw(d1="two", d3="two"), sight)
    assert solo.face_picture("intersection", "traffic", "sad") is not None


def test_a_die_that_was_never_pictured_pictures_no_face(solo: Session, dice: Any) -> None:
    solo.observe(in_doubt(dice, 3))
    solo.answer(solo.snapshot().questions[0].number, "sad")
    assert solo.face_picture("intersection", "traffic", "sad") is None
