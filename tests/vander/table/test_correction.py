"""What becomes of a game when people say that a die was read wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laid_dice import Dice
from session_states import a_game, asked, watched, written

from models.dataset.table_labels import CheckedDie, LabelSource, SpotCheck
from referee.actions import Action
from referee.dice import Die, Zone
from referee.sentences import Reason, Refused
from vander.table.answers import on_answer
from vander.table.camera_events import on_observation
from vander.table.correction import on_check_answer, on_correction, read_check_answer
from vander.table.session_state import (
    AnswerWithdrawn,
    DoubtSettled,
    FacesStated,
    ReadingCorrected,
    SessionState,
    Step,
)
from vander.table.taps import on_tap
from vander.table.undo import on_undo, on_void

OPENING = ("go", "happy", "happy", "star", "two", "three")
THREE = Die.parse("traffic:three")


def opened(dice: Dice) -> SessionState:
    return a_game(dice.look(), dice.roll(*OPENING))


def checked(state: SessionState) -> SessionState:
    """People are asked about the dice 4 and 5 of the last throw."""
    dice = (CheckedDie(4, 1, Die.parse("traffic:two")), CheckedDie(5, 1, THREE))
    return replace(state, check=SpotCheck(7, dice))


def test_a_throw_that_was_ruled_on_is_corrected() -> None:
    step = on_correction(opened(Dice()), 4, "sad")
    assert written(step) == [
        "tablet correct 1 roll signal:go traffic:happy traffic:happy traffic:sad traffic:star traffic:three"
    ]
    assert [type(event) for event in step.events[:2]] == [ReadingCorrected, FacesStated]


def test_a_face_that_was_read_so_is_confirmed_and_changes_no_entry() -> None:
    step = on_correction(opened(Dice()), 4, "two")
    assert step.entries == ()
    assert step.events == (FacesStated({4: (1, Die.parse("traffic:two"))}, LabelSource.CONFIRMED),)


@pytest.mark.parametrize(("die", "face", "reason"), [(9, "sad", Reason.NOT_FOUND), (1, "zap", Reason.INVALID)])
def test_what_is_no_die_or_no_face_is_refused(die: int, face: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        on_correction(opened(Dice()), die, face)
    assert refused.value.reason is reason


def test_an_old_page_corrects_nothing_that_was_thrown_since() -> None:
    with pytest.raises(Refused, match="moved on"):
        on_correction(opened(Dice()), 1, "sad", step="1.0")


def test_a_die_that_was_stated_keeps_its_face_while_it_is_not_thrown() -> None:
    dice = Dice()
    state = on_correction(opened(dice), 4, "sad").state
    state = watched(state, dice.carry(Zone.ASIDE, 1))
    assert state.table.seen is not None
    assert next(die.die.face for die in state.table.seen.dice if die.number == 4) == "sad"


def test_a_check_that_finds_nothing_wrong_is_told_and_writes_nothing() -> None:
    state = checked(opened(Dice()))
    answer = read_check_answer(state, 7, {})
    assert (answer.misread, answer.corrected) == ((), {})
    step = on_check_answer(state, answer)
    assert (step.entries, step.refused) == ((), None)
    assert step.events[0] == FacesStated(answer.stated, LabelSource.CHECKED)


def test_a_check_that_finds_a_die_wrong_corrects_the_game() -> None:
    state = checked(opened(Dice()))
    answer = read_check_answer(state, 7, {4: "sad"})
    assert answer.misread == (4,)
    assert written(on_check_answer(state, answer))[0].startswith("tablet correct")


def test_a_check_finds_no_die_wrong_while_others_move() -> None:
    state = checked(opened(Dice()))
    rolling = replace(state, camera=replace(state.camera, at_rest=False))
    assert read_check_answer(rolling, 7, {}).misread == ()
    with pytest.raises(Refused, match="Wait until the dice lie still"):
        read_check_answer(rolling, 7, {4: "sad"})


def test_what_the_rules_let_nobody_correct_is_refused_after_the_answer_was_told() -> None:
    dice = Dice()
    state = checked(watched(opened(dice), dice.carry(Zone.ASIDE, 1, 2, 3), dice.throw(d4="happy", d5="three")))
    answer = read_check_answer(state, 7, {4: "sad"})
    gone = replace(state, table=replace(state.table, seen=None))
    step = on_check_answer(gone, answer)
    assert step.refused is not None
    assert (step.refused.reason, len(step.events)) == (Reason.NOT_FOUND, 1)


def test_a_check_that_is_over_is_not_answered() -> None:
    with pytest.raises(Refused, match="no longer asked about"):
        read_check_answer(opened(Dice()), 7, {})
    with pytest.raises(Refused, match="not asked about"):
        read_check_answer(checked(opened(Dice())), 7, {1: "sad"})


# What holds no more


def withdrawn(step: Step) -> list[tuple[tuple[int, int], ...]]:
    return [event.dice for event in step.events if isinstance(event, AnswerWithdrawn)]


def answered(dice: Dice) -> SessionState:
    """Die 5 was in doubt, and people said that it shows a three."""
    dice.roll(*OPENING)
    dice.unsure[5] = (("sad", 0.3),)
    state = a_game(Dice().look(), dice.look())
    return on_answer(state, asked(state).number, "three").state


def test_an_answer_that_is_corrected_holds_no_more() -> None:
    step = on_correction(answered(Dice()), 5, "sad")
    assert withdrawn(step) == [((5, 1),)]
    assert [type(event) for event in step.events] == [AnswerWithdrawn, FacesStated]


def test_an_answer_that_is_said_once_more_holds() -> None:
    assert withdrawn(on_correction(answered(Dice()), 5, "three")) == []


def test_a_reading_that_is_corrected_withdraws_no_answer() -> None:
    assert withdrawn(on_correction(opened(Dice()), 4, "sad")) == []


def test_an_answer_that_a_check_corrects_holds_no_more_before_the_new_one_is_told() -> None:
    state = replace(answered(Dice()), check=SpotCheck(7, (CheckedDie(5, 1, THREE),)))
    step = on_check_answer(state, read_check_answer(state, 7, {5: "sad"}))
    assert withdrawn(step) == [((5, 1),)]
    assert isinstance(step.events[0], AnswerWithdrawn)


def test_a_throw_that_is_taken_back_takes_what_was_said_of_its_dice_along() -> None:
    state = answered(Dice())
    step = on_undo(state)
    assert [sorted(dice) for dice in withdrawn(step)] == [[(number, 1) for number in range(1, 7)]]
    assert withdrawn(on_correction(step.state, 5, "sad")) == []


def test_a_throw_that_does_not_count_leaves_its_answers_true() -> None:
    assert withdrawn(on_void(answered(Dice()))) == []


def test_a_decision_that_is_taken_back_withdraws_no_answer() -> None:
    given_up = on_tap(answered(Dice()), Action.parse("1 give-up")).state
    assert withdrawn(on_undo(given_up)) == []


# Doubts that nobody was asked about


def settled(step: Step) -> list[DoubtSettled]:
    return [event for event in step.events if isinstance(event, DoubtSettled)]


def test_a_doubt_about_a_die_that_was_kept_is_settled_by_the_next_throw_that_is_ruled_on() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.unsure[3] = (("two", 0.4),)
    state = watched(state, dice.look())
    step = on_observation(state, dice.throw(d4="happy", d5="three"))
    assert not step.state.unresolved.prompts
    assert settled(step) == [DoubtSettled({3: (1, Die.parse("traffic:star"))}, LabelSource.RULED)]


def test_a_doubt_that_was_answered_is_settled_by_no_ruling() -> None:
    dice = Dice()
    state = watched(answered(dice), dice.carry(Zone.ASIDE, 1, 2, 3))
    assert settled(on_observation(state, dice.throw(d4="happy"))) == []


def test_a_doubt_that_the_ruling_leaves_open_is_not_settled() -> None:
    dice = Dice()
    state = a_game(dice.look())
    dice.roll("stop", *OPENING[1:])
    dice.unsure[5] = (("sad", 0.3),)
    step = on_observation(state, dice.look())
    assert written(step)[0].startswith("camera play 1 roll")
    assert settled(step) == []
