"""Leaning dice at the table: they are thrown again within their throw, from the camera to the journal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from laid_dice import Dice
from session_scenes import done, entries

from models import die_sets
from referee.dice import Blindness, KindName, Zone
from referee.games import games, named
from referee.journal import Deed
from referee.record_check import check_record, start_of_record
from referee.record_parser import parse_record
from referee.sentences import Refused
from referee.snapshot import Snapshot
from vander.extras.players.exports import export_game
from vander.storage.journal_store import Journal
from vander.table.session import Session
from vision.observations import BlindInterval

GAME, DICE = named("intersection"), die_sets.load("intersection")
OPENING = ("go", "happy", "happy", "star", "two", "three")
OPENED = "1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"


class TossUpDice(Dice):
    """Ten dice of Toss Up!."""

    def kind_of(self, number: int) -> KindName:
        return KindName("tossup")


def opened_leaning(table: Session, dice: Dice, *leaning: int) -> Snapshot:
    """All six are thrown, and these lean."""
    dice.roll(*OPENING)
    dice.leaning = set(leaning)
    table.observe(dice.look())
    return table.snapshot()


def take_up(table: Session, dice: Dice, *numbers: int) -> None:
    """A hand takes dice out of the tray."""
    table.observe(dice.look(at_rest=False, hands_in=True))
    dice.away |= set(numbers)
    table.observe(dice.look())


def thrown_again(table: Session, dice: Dice, **faces: str) -> Snapshot:
    """Throw dice anew, which now lie flat."""
    table.observe(dice.look(at_rest=False, hands_in=True))
    dice.away.clear()
    dice.leaning -= {int(name[1:]) if name[0] == "d" else 6 for name in faces}
    table.observe(dice.throw(**faces))
    return table.snapshot()


def set_flat(table: Session, dice: Dice, number: int, face: str) -> Snapshot:
    """A hand pushes a leaning die flat."""
    table.observe(dice.look(at_rest=False, hands_in=True))
    dice.leaning.discard(number)
    dice.faces[number] = face
    table.observe(dice.look())
    return table.snapshot()


def test_a_leaning_die_is_asked_for_again_and_nothing_is_written(solo: Session, dice: Dice, tmp_path: Path) -> None:
    shown = opened_leaning(solo, dice, 4)
    assert (shown.notice, shown.mood) == ("The die that shows Two leans. Throw it again.", "ask")
    (question,) = shown.questions
    assert (question.sentence, question.dice) == (shown.notice, (4,))
    assert [title for _, title in question.choices] == ["No: it lies flat"]
    assert shown.rule == ""
    assert shown.dice[3].posture == "cocked"
    assert entries(tmp_path) == ()


@pytest.mark.parametrize("leaning", [(4,), (4, 5), (1, 4, 5)])
def test_leaning_dice_thrown_again_are_one_throw_in_the_journal(
    solo: Session, dice: Dice, tmp_path: Path, leaning: tuple[int, ...]
) -> None:
    opened_leaning(solo, dice, *leaning)
    take_up(solo, dice, *leaning)
    assert solo.snapshot().notice == "A leaning die is not in view. Throw it again."
    shown = thrown_again(solo, dice, **{f"d{number}": OPENING[number] for number in leaning})
    assert done(tmp_path) == [f"camera {OPENED}"]
    assert (shown.questions, shown.mood) == ((), "calm")


def test_a_die_that_leans_twice_is_thrown_a_third_time(solo: Session, dice: Dice, tmp_path: Path) -> None:
    opened_leaning(solo, dice, 4)
    dice.throw(d4="sad")
    dice.leaning = {4}
    solo.observe(dice.look())
    assert solo.snapshot().notice == "The die that shows Sad leans. Throw it again."
    thrown_again(solo, dice, d4="two")
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_a_doubtful_face_is_not_asked_while_the_die_leans(solo: Session, dice: Dice) -> None:
    dice.roll(*OPENING)
    dice.leaning, dice.unsure[4] = {4}, (("sad", 0.45),)
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.sentence == solo.snapshot().notice == "The die that shows Two leans. Throw it again."


def test_a_thrown_die_that_lies_flat_after_all_counts_as_it_was_read(solo: Session, dice: Dice, tmp_path: Path) -> None:
    shown = opened_leaning(solo, dice, 4, 5)
    solo.answer(shown.questions[0].number, "lies-flat", die=4)
    (question,) = solo.snapshot().questions
    assert (question.dice, done(tmp_path)) == ((5,), [])
    solo.answer(question.number, "lies-flat")
    assert done(tmp_path) == [f"camera {OPENED}"]
    solo.observe(dice.look())
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())


def test_what_a_die_shows_that_lies_flat_after_all_is_asked_where_that_is_in_doubt(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    dice.roll(*OPENING)
    dice.leaning, dice.unsure[4] = {4}, (("sad", 0.45),)
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "lies-flat")
    assert done(tmp_path) == []
    (question,) = solo.snapshot().questions
    assert question.topic == "face"
    solo.answer(question.number, "two")
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_a_leaning_die_counts_as_people_say(solo: Session, dice: Dice, tmp_path: Path) -> None:
    opened_leaning(solo, dice, 4)
    solo.observe(dice.look(at_rest=False, hands_in=True))
    solo.observe(dice.look())
    solo.correct(4, "two")
    assert done(tmp_path) == [f"camera {OPENED}"]
    solo.observe(dice.look())
    assert solo.snapshot().mood == "calm"


def test_a_leaning_die_that_was_set_flat_is_asked_about(solo: Session, dice: Dice, tmp_path: Path) -> None:
    opened_leaning(solo, dice, 4)
    shown = set_flat(solo, dice, 4, "two")
    (question,) = shown.questions
    assert question.sentence == "The leaning die was set flat. Does it count?"
    assert [answer for answer, _ in question.choices] == ["thrown-again", "counts"]
    assert done(tmp_path) == []
    solo.answer(question.number, "counts")
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_a_leaning_die_that_was_set_flat_is_thrown_again_where_people_say_so(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    opened_leaning(solo, dice, 4)
    (question,) = set_flat(solo, dice, 4, "sad").questions
    solo.answer(question.number, "thrown-again")
    shown = solo.snapshot()
    assert (shown.questions, shown.mood) == ((), "ask")
    assert shown.notice == "A leaning die was set flat, not thrown. Throw it again."
    assert thrown_again(solo, dice, d4="two").questions == ()
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_an_open_question_of_a_die_set_flat_is_answered_by_throwing_it(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    opened_leaning(solo, dice, 4)
    set_flat(solo, dice, 4, "sad")
    assert thrown_again(solo, dice, d4="two").questions == ()
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_by_the_option_a_leaning_die_that_was_set_flat_counts(table: Session, dice: Dice, tmp_path: Path) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {"leaning-die": "set-flat"})
    opened_leaning(table, dice, 4)
    assert set_flat(table, dice, 4, "two").questions == ()
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_a_flat_die_that_was_read_as_leaning_once_counts_unasked(solo: Session, dice: Dice, tmp_path: Path) -> None:
    opened_leaning(solo, dice, 4)
    dice.leaning.clear()
    solo.observe(dice.look())
    assert solo.snapshot().questions == ()
    assert done(tmp_path) == [f"camera {OPENED}"]


def test_a_parked_die_that_is_touched_stays_parked(solo: Session, dice: Dice, tmp_path: Path) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2))
    dice.throw(d3="star", d4="two", d5="three")
    dice.leaning = {4}
    solo.observe(dice.look())
    assert solo.snapshot().notice == "The die that shows Two leans. Throw it again."
    thrown_again(solo, dice, d4="four", d1="happy")
    assert done(tmp_path)[1:] == [
        "camera 1 park traffic:happy traffic:happy",
        "camera 1 on traffic:four traffic:star traffic:three",
    ]


def test_a_parked_die_that_is_turned_is_turned_back_and_nobody_is_accused(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2))
    dice.throw(d3="star", d4="two", d5="three")
    dice.leaning = {4}
    solo.observe(dice.look())
    shown = thrown_again(solo, dice, d4="four", d1="sad")
    (question,) = shown.questions
    assert question.sentence.startswith("A die that was not thrown showed Happy before. Turn it back")
    assert len(entries(tmp_path)) == 1
    dice.faces[1] = "happy"
    solo.observe(dice.look())
    assert [entry.deed for entry in entries(tmp_path)] == [Deed.PLAY] * 3


def test_a_tap_meanwhile_is_refused_with_what_there_is_to_do(solo: Session, dice: Dice) -> None:
    opened_leaning(solo, dice, 4)
    with pytest.raises(Refused, match="The die that shows Two leans"):
        solo.act("1 end")


def test_a_record_of_a_throw_with_a_re_throw_replays(
    solo: Session, dice: Dice, tmp_path: Path, open_table: Callable[..., Session]
) -> None:
    opened_leaning(solo, dice, 4)
    thrown_again(solo, dice, d4="two")
    before = solo.snapshot().state
    again = open_table().snapshot()
    assert again.state == before
    with closing(Journal.in_folder(tmp_path)) as journal:
        record = parse_record(export_game(journal, games()))
    assert next(map(str, record.entries)).startswith(OPENED)
    assert all(not checked.refusal for checked in check_record(GAME, start_of_record(record, GAME, DICE), record))


def test_a_leaning_die_of_toss_up_is_no_further_roll(table: Session, tmp_path: Path) -> None:
    dice = TossUpDice(faces=dict.fromkeys(range(1, 11), "green"))
    table.start("toss-up", ["Ann", "Bob"], {})
    table.observe(dice.look())
    dice.throw(**{f"d{number}": "red" if number < 4 else "green" for number in range(1, 11)})
    dice.leaning = {1, 9}
    table.observe(dice.look())
    assert table.snapshot().notice == "The dice that show Red and Green lean. Throw them again."
    thrown_again(table, dice, d1="yellow", d9="yellow", d8="green")
    assert len(entries(tmp_path)) == 1
    state = table.snapshot().state
    assert named("toss-up").facts(state)["aside"] == 6  # type: ignore[arg-type]


def test_the_tray_is_lent_while_a_die_leans_and_nothing_is_waited_for(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened_leaning(solo, dice, 4)
    solo.lend_tray(True)
    solo.lend_tray(False)
    dice.leaning.clear()
    solo.observe(dice.look())
    assert solo.snapshot().questions == ()
    assert entries(tmp_path) == ()


@pytest.fixture
def reopened(solo: Session, dice: Dice, open_table: Callable[..., Session]) -> Session:
    """Three dice are parked, and the program was started again: no throw has been ruled on since."""
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    again = open_table()
    again.observe(dice.look())
    return again


def test_a_kept_die_that_seems_to_lean_is_said_to_lie_flat_by_one_tap_and_not_asked_about_again(
    reopened: Session, dice: Dice, tmp_path: Path
) -> None:
    dice.leaning.add(3)
    reopened.observe(dice.throw(d4="happy", d5="three"))
    (question,) = reopened.snapshot().questions
    assert question.sentence == "The die that shows Star leans. Set it down flat, as before."
    assert (question.choices, question.dice) == ((("lies-flat", "No: it lies flat"),), (3,))
    reopened.answer(question.number, "lies-flat")
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"
    assert (reopened.snapshot().questions, reopened.snapshot().dice[2].posture) == ((), "flat")
    reopened.undo()
    reopened.observe(dice.throw(d4="happy", d5="four"))
    assert "leans" not in reopened.snapshot().notice


def test_a_kept_die_that_leans_and_is_set_down_needs_no_answer(reopened: Session, dice: Dice, tmp_path: Path) -> None:
    dice.leaning.add(3)
    reopened.observe(dice.throw(d4="happy", d5="three"))
    assert len(reopened.snapshot().questions) == 1
    dice.leaning.clear()
    reopened.observe(dice.look())
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"
    assert reopened.snapshot().questions == ()


def test_a_kept_die_that_seemed_to_lean_from_the_start_stops_no_throw(
    solo: Session, dice: Dice, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.leaning.add(3)
    again = open_table()
    again.observe(dice.look())
    again.observe(dice.throw(d4="happy", d5="three"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_after_missed_frames_it_is_asked_whether_a_leaning_die_was_thrown_again(solo: Session, dice: Dice) -> None:
    opened_leaning(solo, dice, 4)
    solo.observe(dice.look(at_rest=False, hands_in=True))
    dice.leaning.discard(4)
    solo.observe(replace(dice.look(), blind=(BlindInterval(Blindness.NO_FRAMES, 0.0, 1.0),)))
    (question,) = solo.snapshot().questions
    assert question.sentence == "The camera saw nothing for a moment. Was the leaning die thrown again?"
    assert [answer for answer, _ in question.choices] == ["thrown-again", "counts"]
