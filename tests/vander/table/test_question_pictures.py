"""What can be shown of an open question: the tray before and after, with the dice in question ringed, and a film."""

from __future__ import annotations

import pytest
from laid_dice import Dice
from true_tray import FRAME, TrayPictures

from referee.dice import Handling
from referee.sentences import Reason, Refused
from vander.table.session import Session
from vision.image_io import decode_picture

OPENING = ("go", "happy", "happy", "star", "two", "three")


@pytest.fixture
def sight() -> TrayPictures:
    return TrayPictures(FRAME)


def asked(solo: Session, dice: Dice, sight: TrayPictures) -> int:
    """The first die was turned after the throw. Returns the number of the question."""
    solo.observe(dice.roll(*OPENING), sight)
    solo.observe(dice.lay(Handling.TURNED, d1="star"), sight)
    (question,) = solo.snapshot().questions
    return question.number


def test_the_tray_is_shown_as_it_was_ruled_on_and_as_it_lies(solo: Session, dice: Dice, sight: TrayPictures) -> None:
    found = solo.question_pictures(asked(solo, dice, sight))
    assert found.before is not None
    assert found.after is not None
    assert found.after.name == solo.snapshot().tray_picture
    assert found.before.name not in ("", found.after.name)
    assert len(found.before.rings) == len(found.after.rings) == 1
    for tray in (found.before, found.after):
        assert decode_picture(solo.picture(tray.name)).size
    assert not found.has_film


def test_the_tray_as_it_was_ruled_on_stays_at_hand_however_often_it_is_pictured_again(
    solo: Session, dice: Dice, sight: TrayPictures
) -> None:
    number = asked(solo, dice, sight)
    before = solo.question_pictures(number).before
    assert before is not None
    for face in ("two", "three", "sad", "four", "star"):
        solo.observe(dice.lay(Handling.TURNED, d1=face), sight)
    assert decode_picture(solo.picture(before.name)).size
    last = solo.question_pictures(solo.snapshot().questions[0].number)
    assert last.before == before


def test_a_question_that_is_not_open_has_no_pictures_and_no_film(
    solo: Session, dice: Dice, sight: TrayPictures
) -> None:
    number = asked(solo, dice, sight)
    for ask in (solo.question_pictures, solo.question_film):
        with pytest.raises(Refused) as refused:
            ask(number + 1)
        assert refused.value.reason is Reason.NOT_FOUND
    with pytest.raises(Refused):
        solo.question_film(number)
