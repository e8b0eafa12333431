"""A throw that is asked about is not lost: not by a restart, not by lending the tray, not by an untrue answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from laid_dice import Dice
from session_scenes import all_entries, done, entries, is_about_asking
from session_states import a_game, watched

from referee.dice import Handling
from referee.fair_play import find_asked
from referee.journal import Deed
from referee.sentences import Reason, Refused
from referee.snapshot import Question
from vander.table.answers import on_answer
from vander.table.questions import PUT_BACK
from vander.table.session import Session
from vander.table.session_state import MeaningQuestion, Unresolved
from vander.table.snapshot_builder import find_interventions
from vision.tray_calibration import TRAY_MOVED, TappedTray, TrayLayout
from vision.tray_edge import TrayEdge

WAS_IT_THROWN = "Was this thrown while nobody was watching?"
ROLL = "tablet 1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"


@pytest.fixture
def asked(solo: Session, dice: Dice) -> Session:
    """Ann has thrown, and it is asked what the second die shows."""
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[2] = (("sad", 0.4),)
    solo.observe(dice.look())
    return solo


@pytest.fixture
def woken(asked: Session, dice: Dice, open_table: Callable[..., Session]) -> Session:
    """The program is started again before anybody answers, and the dice lie as they lay."""
    assert asked.snapshot().questions
    again = open_table()
    dice.throw_number, dice.thrown = 0, {}
    dice.unsure.clear()
    again.observe(dice.look())
    return again


def about_asking(folder: Path) -> list[str]:
    return [entry.note for entry in all_entries(folder) if is_about_asking(entry)]


def test_a_question_about_a_throw_is_in_the_journal_while_it_is_open(asked: Session, tmp_path: Path) -> None:
    assert about_asking(tmp_path) == ["What does this die show?"]
    assert find_asked(all_entries(tmp_path)) == "What does this die show?"
    assert find_interventions(asked.state.match) == ()
    asked.answer(asked.snapshot().questions[0].number, "happy")
    assert (find_asked(all_entries(tmp_path)), len(about_asking(tmp_path))) == ("", 1)


def test_after_a_restart_it_is_asked_whether_it_was_thrown(woken: Session, dice: Dice, tmp_path: Path) -> None:
    (question,) = woken.snapshot().questions
    assert question.sentence == WAS_IT_THROWN
    assert [answer for answer, _ in question.choices] == ["0", PUT_BACK]
    woken.observe(dice.look())
    assert woken.snapshot().questions == (question,)
    woken.answer(question.number, "0")
    assert (woken.snapshot().questions, done(tmp_path)[-1]) == ((), ROLL)


def test_it_is_asked_again_after_each_restart_until_it_is_answered(
    woken: Session, dice: Dice, open_table: Callable[..., Session]
) -> None:
    again = open_table()
    again.observe(dice.look())
    (question,) = again.snapshot().questions
    again.answer(question.number, PUT_BACK)
    last = open_table()
    last.observe(dice.look())
    assert (question.sentence, last.snapshot().questions) == (WAS_IT_THROWN, ())


def test_the_throw_of_before_a_restart_may_be_given_by_hand(woken: Session, tmp_path: Path) -> None:
    assert woken.snapshot().manual_entry
    woken.by_hand(ROLL.removeprefix("tablet "))
    assert (woken.snapshot().questions, done(tmp_path)[-1].split()[:3]) == ((), ["hand", "1", "roll"])


def test_a_throw_made_before_the_answer_waits(woken: Session, dice: Dice, tmp_path: Path) -> None:
    (question,) = woken.snapshot().questions
    woken.observe(dice.roll("go", "four", "four", "four", "sad", "sad"))
    assert (woken.snapshot().questions, woken.snapshot().held_throws) == ((question,), 1)
    assert done(tmp_path) == []


def test_the_tray_is_not_lent_while_a_question_about_a_throw_is_open(asked: Session) -> None:
    questions = asked.snapshot().questions
    with pytest.raises(Refused, match="Answer the open question first: What does this die show") as refused:
        asked.lend_tray(True)
    assert (refused.value.reason, asked.snapshot().questions) == (Reason.CONFLICT, questions)
    asked.answer(questions[0].number, "happy")
    asked.lend_tray(True)
    assert asked.snapshot().mood == "lost"


def by_taps() -> TrayLayout:
    spots = (0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)
    edge = TrayEdge(np.zeros((3, 4), np.uint8), np.zeros((4, 2)))
    return TrayLayout.by_taps(250.0, 180.0, TappedTray(spots, (4, 3), edge))


def test_no_other_tray_is_used_while_a_question_about_a_throw_is_open(asked: Session) -> None:
    layout = by_taps()
    occasion, questions = asked.occasion, asked.snapshot().questions
    with pytest.raises(Refused, match="Answer the open question first: What does this die show"):
        asked.use_tray(layout)
    assert (asked.occasion, asked.state.config.bay) == (occasion, True)
    asked.answer(questions[0].number, "happy")
    asked.use_tray(layout)
    assert asked.occasion != occasion
    assert (asked.state.config.layout, asked.state.config.bay) == (layout, False)
    asked.observe(replace(Dice().look(), calibrated=False, doubts=("No tray is in sight.",)))
    assert asked.snapshot().camera_trouble == "No tray is in sight."


def test_a_tapped_tray_that_is_lost_at_the_start_is_no_empty_one(
    solo: Session, dice: Dice, open_table: Callable[..., Session]
) -> None:
    solo.observe(dice.lay(Handling.UNSEEN, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three"))
    assert solo.snapshot().questions
    again = open_table()
    again.use_tray(by_taps())
    dice.recount()
    dice.marks.clear()
    lost = replace(dice.look(), dice=(), calibrated=False, doubts=(TRAY_MOVED,))
    again.observe(lost)
    assert (again.snapshot().camera_trouble, again.snapshot().questions, again.snapshot().put_back) == (
        TRAY_MOVED,
        (),
        (),
    )
    again.observe(dice.look())
    (question,) = again.snapshot().questions
    assert question.sentence == WAS_IT_THROWN
    assert [choice for choice, _ in question.choices] == ["0", PUT_BACK]


def test_dice_that_do_not_lie_as_before_were_not_put_back() -> None:
    dice = Dice()
    state = watched(a_game(dice.look()), dice.roll("go", "happy", "happy", "star", "two", "three"))
    state = watched(state, dice.throw(d1="star"))
    question = Question(1, "What happened?", ((PUT_BACK, "The dice were only put back"),))
    state = replace(state, unresolved=Unresolved(prompts=(MeaningQuestion(question),)))
    with pytest.raises(Refused, match="do not lie as before"):
        on_answer(state, 1, PUT_BACK)


def test_an_answer_that_denies_a_throw_says_what_it_would_have_come_to(
    woken: Session, dice: Dice, tmp_path: Path
) -> None:
    woken.answer(woken.snapshot().questions[0].number, PUT_BACK)
    (said,) = [entry for entry in entries(tmp_path) if entry.deed is Deed.ANSWER]
    assert said.note.startswith(f"{WAS_IT_THROWN} No: it is thrown now. It would have been: Ann ")


def test_a_question_is_open_until_something_but_a_remark_follows(asked: Session) -> None:
    match = asked.state.match
    assert match is not None
    later = match.remark("A hand was seen.").entries
    assert find_asked(later) == "What does this die show?"
