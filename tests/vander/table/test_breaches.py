"""Doubts, questions and breaches, from the camera to the journal."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cards import CARDS
from session_scenes import entries, kept, opened, scores

from referee.dice import Handling, Zone
from referee.journal import Deed, Source
from referee.sentences import Reason, Refused
from referee.snapshot import QuestionTopic
from vander.table.session import Session

ASIDE, FIELD = Zone.ASIDE, Zone.FIELD

# Doubts and questions


def test_a_doubt_that_matters_is_asked_and_its_answer_is_ruled_on(solo: Session, dice: Any, sight: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look(), sight)
    (question,) = solo.snapshot().questions
    assert (question.die, [answer for answer, _ in question.choices[:2]]) == (5, ["three", "sad"])
    assert question.picture == solo.snapshot().dice[4].crop
    assert solo.snapshot().mood == "ask"
    solo.observe(dice.look(), sight)
    assert solo.snapshot().questions == (question,)
    solo.answer(question.number, "sad")
    after = solo.snapshot()
    assert after.questions == ()
    assert after.dice[4].face == "sad"
    assert "1 fix traffic:? traffic:? =field" in [str(offer.action) for offer in after.offers]
    solo.observe(dice.look(), sight)
    assert solo.snapshot() == after


def test_a_question_takes_only_its_own_answers(solo: Session, dice: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    number = solo.snapshot().questions[0].number
    for question, choice, reason in ((number + 1, "sad", Reason.NOT_FOUND), (number, "go", Reason.INVALID)):
        with pytest.raises(Refused) as refused:
            solo.answer(question, choice)
        assert refused.value.reason == reason


def test_what_was_ruled_on_stands_though_the_reading_wavers(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    dice.faces[5] = "sad"
    solo.observe(dice.look())
    assert len(entries(tmp_path)) == 1
    assert solo.snapshot().dice[4].face == "three"


def test_a_doubtful_die_beyond_the_sets_count_is_none(solo: Session, dice: Any) -> None:
    dice.faces[7], dice.unsure[7] = "sad", (("two", 0.3),)
    opened(solo, dice)
    assert [die.number for die in solo.snapshot().dice] == [1, 2, 3, 4, 5, 6]
    dice.unsure.clear()
    solo.observe(dice.carry(ASIDE, 1))
    assert len(solo.snapshot().dice) == 7


# Breaches


def test_a_breach_is_recorded_once_with_its_picture_and_play_goes_on(
    solo: Session, dice: Any, sight: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    thrown = dice.throw(d1="star")
    solo.observe(thrown, sight)
    solo.observe(dice.look(), sight)
    breach = entries(tmp_path)[-1]
    assert (breach.number, breach.deed, breach.source) == (2, Deed.BREACH, Source.CAMERA)
    shown = solo.snapshot()
    assert (shown.mood, shown.notice, shown.evidence) == ("breach", breach.note, breach.evidence)
    assert solo.picture(breach.evidence)[:2] == b"\xff\xd8"
    (question,) = shown.questions
    solo.answer(question.number, "as-it-lies", confirmed=True)
    assert solo.snapshot().mood != "breach"
    assert [entry.deed for entry in entries(tmp_path)[1:]] == [Deed.BREACH, Deed.ANSWER, Deed.LAID]


def test_a_table_put_right_after_a_breach_is_calm_again(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.throw(d1="star"))
    assert solo.snapshot().mood == "breach"
    solo.observe(dice.throw(d1="happy"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())


def test_a_breach_whose_dice_fell_as_they_lay_is_told_and_nothing_has_to_be_put_back(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "sad", "star", "two", "three"))
    solo.observe(dice.throw(d2="sad"))
    assert entries(tmp_path)[-1].deed is Deed.BREACH
    shown = solo.snapshot()
    assert (shown.mood, shown.questions, shown.put_back) == ("calm", (), ())
    assert shown.notice == entries(tmp_path)[-1].note
    solo.observe(dice.throw(d2="sad"))
    assert [entry.deed for entry in entries(tmp_path)[-2:]] == [Deed.BREACH, Deed.BREACH]
    solo.observe(dice.throw(d1="star", d2="star"))
    assert str(entries(tmp_path)[-1].action) == "1 fix traffic:star traffic:star =field"


def test_dice_parked_before_such_a_breach_stay_parked(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(signal="go"))
    assert entries(tmp_path)[-1].deed is Deed.BREACH
    assert (solo.snapshot().questions, solo.snapshot().put_back, solo.snapshot().turn_points) == ((), (), 250)
    solo.observe(dice.throw(d4="happy", d5="three"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_dice_put_right_one_by_one_after_a_breach_are_asked_nothing(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    solo.observe(dice.throw(signal="slow", d2="sad", d4="two", d5="star"))
    assert solo.snapshot().mood == "breach"
    for turned in ({"d2": "two"}, {"d4": "star"}, {"d5": "four"}):
        solo.observe(dice.lay(Handling.TURNED, **turned))
        assert [question.topic for question in solo.snapshot().questions] == [QuestionTopic.PUT_BACK]
    solo.observe(dice.lay(Handling.TURNED, signal="go"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    solo.observe(dice.throw(d1="two", signal="slow"))
    assert str(entries(tmp_path)[-1].action) == "1 go signal:slow traffic:two"


def test_a_legal_throw_after_a_breach_counts_and_the_die_that_lies_wrong_is_still_to_be_put_right(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    solo.observe(dice.throw(d2="star"))
    assert solo.snapshot().mood == "breach"
    solo.observe(dice.throw(d1="two", signal="slow"))
    assert [str(entry.action) for entry in entries(tmp_path)[1:] if entry.deed is Deed.PLAY] == [
        "1 go signal:slow traffic:two"
    ]
    assert solo.snapshot().mood == "ask"
    assert "3 x star" in solo.snapshot().notice
    solo.observe(dice.lay(Handling.TURNED, d2="two"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    assert len([entry for entry in entries(tmp_path) if entry.deed is Deed.BREACH]) == 1


@pytest.mark.parametrize("refused", [1, 2, 3, 5])
def test_a_legal_throw_counts_after_any_number_of_refused_ones(
    solo: Session, dice: Any, tmp_path: Path, refused: int
) -> None:
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    for illegal in ({"d2": "star"}, {"d4": "sad"}, {"d5": "sad"}, {"d2": "happy"}, {"d3": "happy"})[:refused]:
        solo.observe(dice.throw(**illegal))
        assert solo.snapshot().mood == "breach"
    solo.observe(dice.throw(d1="two", signal="slow"))
    plays = [str(entry.action) for entry in entries(tmp_path)[1:] if entry.deed is Deed.PLAY]
    assert plays == ["1 go signal:slow traffic:two"]
    assert solo.snapshot().mood == "ask"


def test_a_die_of_a_refused_throw_may_be_in_the_legal_one(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    solo.observe(dice.throw(d1="star", d2="star"))
    solo.observe(dice.throw(d4="sad"))
    solo.observe(dice.throw(d1="two", signal="slow"))
    assert str(entries(tmp_path)[-1].action) == "1 go signal:slow traffic:two"


def test_dice_of_several_refused_throws_are_put_back_by_hand_one_by_one(solo: Session, dice: Any) -> None:
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    solo.observe(dice.throw(d2="star"))
    solo.observe(dice.throw(d4="sad"))
    solo.observe(dice.lay(Handling.TURNED, d2="two"))
    assert [question.topic for question in solo.snapshot().questions] == [QuestionTopic.PUT_BACK]
    solo.observe(dice.lay(Handling.TURNED, d4="star"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())


def test_a_die_that_fell_where_it_lay_is_asked_about_before_anybody_is_accused(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    dice.chances[5] = 0.3
    solo.observe(dice.throw(d4="happy"))
    assert len(entries(tmp_path)) == 1
    (question,) = solo.snapshot().questions
    assert (question.die, question.sentence) == (5, "It was not seen to tumble. Was this die thrown?")
    solo.answer(question.number, "thrown")
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_a_die_that_fell_where_it_lay_is_asked_about_before_what_another_shows(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    dice.throw(d4="happy")
    dice.chances[5], dice.unsure[4] = 0.3, (("sad", 0.3),)
    solo.observe(dice.look())
    assert "Was this die thrown?" in solo.snapshot().questions[0].sentence
    solo.answer(solo.snapshot().questions[0].number, "thrown")
    assert solo.snapshot().questions[0].die == 4
    solo.answer(solo.snapshot().questions[0].number, "happy")
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_a_die_that_lay_still_in_sight_was_left_lying_and_nobody_is_asked(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy"))
    assert (solo.snapshot().mood, entries(tmp_path)[-1].deed) == ("breach", Deed.BREACH)


def test_a_die_that_was_left_lying_is_a_breach(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    dice.chances[5] = 0.3
    solo.observe(dice.throw(d4="happy"))
    solo.answer(solo.snapshot().questions[0].number, "set-down")
    assert (solo.snapshot().mood, entries(tmp_path)[-1].deed) == ("breach", Deed.BREACH)
    solo.observe(dice.throw(d4="happy", d5="two"))
    assert (solo.snapshot().mood, str(entries(tmp_path)[-1].action)) == ("calm", "1 on traffic:happy traffic:two")


def test_an_entry_names_no_picture_but_one_that_is_on_disk(
    solo: Session, dice: Any, sight: Any, tmp_path: Path
) -> None:
    (tmp_path / "evidence").write_text("a file stands where the folder should be")
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    assert entries(tmp_path)[-1].evidence == ""
    assert "could not be kept" in " ".join(solo.snapshot().alerts)
    (tmp_path / "evidence").unlink()
    solo.observe(dice.throw(d1="star"), sight)
    breach = entries(tmp_path)[-1]
    assert (tmp_path / "evidence" / f"{breach.evidence}.jpg").read_bytes()[:2] == b"\xff\xd8"
    assert solo.snapshot().alerts == ()


def test_what_cannot_be_written_has_not_happened(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.observe(dice.carry(ASIDE, 4))
    before = solo.snapshot()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database:
        database.execute("ALTER TABLE entries RENAME TO hidden")
        with pytest.raises(Refused) as refused:
            solo.act("1 end")
        assert refused.value.reason == Reason.UNAVAILABLE
        told = solo.snapshot()
        assert told.unsaved
        assert (told.state, told.dice, told.last, told.offers) == (
            before.state,
            before.dice,
            before.last,
            before.offers,
        )
        database.execute("ALTER TABLE hidden RENAME TO entries")
    solo.act("1 end")
    assert scores(solo) == (350,)


def test_an_undo_that_cannot_reopen_the_game_changes_nothing(
    open_table: Callable[..., Session], tmp_path: Path
) -> None:
    cards = open_table(games=(CARDS,))
    cards.start("cards", ["Ann", "Bob"], {})
    cards.act("1 finish")
    before = cards.snapshot()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as database:
        database.execute("CREATE TRIGGER shut BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'the card fails'); END")
        with pytest.raises(Refused, match="the card fails") as refused:
            cards.undo()
        assert refused.value.reason == Reason.UNAVAILABLE
        assert cards.snapshot() == before
        assert kept(tmp_path) == (True, 1)
        database.execute("DROP TRIGGER shut")
    cards.undo()
    assert kept(tmp_path) == (False, 2)
    assert cards.in_play


# Before a turn's first throw: how the dice lie matters to nobody


@pytest.fixture
def begun(solo: Session, dice: Any) -> Session:
    """Ann throws five dice of the six with which her turn begins."""
    solo.observe(dice.throw(d1="sad", d2="two", d3="star", d4="star", d5="four"))
    if solo.snapshot().questions:  # the sixth may have fallen where it lay
        solo.answer(solo.snapshot().questions[0].number, "set-down")
    return solo


def test_before_the_first_throw_of_a_turn_nothing_is_to_be_put_back(begun: Session) -> None:
    shown = begun.snapshot()
    assert (shown.mood, shown.questions, shown.put_back) == ("breach", (), ())


def test_the_first_throw_is_made_again_and_counts(begun: Session, dice: Any, tmp_path: Path) -> None:
    begun.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    assert (begun.snapshot().mood, entries(tmp_path)[-1].deed) == ("calm", Deed.PLAY)


def test_a_die_that_fell_late_completes_the_first_throw(begun: Session, dice: Any, tmp_path: Path) -> None:
    begun.observe(dice.throw(signal="go"))
    assert str(entries(tmp_path)[-1].action).startswith("1 roll signal:go")


def test_no_die_of_a_refused_first_throw_can_be_thrown_again_alone(begun: Session, dice: Any, tmp_path: Path) -> None:
    begun.observe(dice.throw(d1="happy", signal="go"))
    assert (begun.snapshot().mood, begun.snapshot().questions) == ("breach", ())
    begun.observe(dice.throw(d2="happy"))
    assert begun.snapshot().mood == "breach"
    assert not [entry for entry in entries(tmp_path) if entry.deed is Deed.PLAY]
    begun.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    assert (begun.snapshot().mood, entries(tmp_path)[-1].deed) == ("calm", Deed.PLAY)


def test_a_die_that_was_pushed_is_no_part_of_the_throw_after_it(solo: Session, dice: Any, tmp_path: Path) -> None:
    """The push looked like a throw. Nothing follows from it, nobody is asked, and the real throw is ruled on."""
    solo.observe(dice.roll("go", "sad", "two", "star", "star", "four"))
    dice.throw(d3="star")
    dice.chances[3] = 0.3
    solo.observe(dice.look())
    pushed = solo.snapshot()
    assert (pushed.mood, pushed.questions, pushed.notice) == ("calm", (), "Ann: roll the go with a sad face.")
    solo.observe(dice.throw(d1="two", signal="slow"))
    assert [str(entry.action) for entry in entries(tmp_path)[1:]][-1] == "1 go signal:slow traffic:two"
    assert not [entry for entry in entries(tmp_path) if entry.deed is Deed.BREACH]
