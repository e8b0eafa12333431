"""A die that was taken for another kind is put right, and the die that it was mistaken for with it."""

from __future__ import annotations

import pytest
from rollers_dice import BLACK, PURPLE, RollersDice, rollers_game
from session_states import watched, written

from models.dataset.table_labels import LabelSource
from referee.dice import Die, FaceName
from referee.sentences import Reason, Refused
from vander.table.answers import on_answer
from vander.table.correction import on_kind_correction
from vander.table.seen_dice import likeness
from vander.table.session_state import AnswerWithdrawn, FacesStated, ReadingCorrected, SessionState
from vander.table.undo import on_undo


@pytest.fixture
def dice() -> RollersDice:
    return RollersDice()


def rolled(dice: RollersDice, black: str = "pip-3") -> SessionState:
    """The sixth die was taken for the black one, which shows a 3; the first one shows a 2."""
    state = rollers_game(dice)
    return watched(state, dice.roll("pip-2", *["pip-1"] * 3, "star", black))


def test_two_dice_change_places_in_the_throw_that_was_ruled_on(dice: RollersDice) -> None:
    step = on_kind_correction(rolled(dice), 1, BLACK, "pip-2")
    assert written(step)[0].startswith("tablet correct 1 roll rollers-black:pip-2")
    assert "rollers-purple:pip-3" in written(step)[0]
    said = {1: (1, Die(BLACK, FaceName("pip-2"))), 6: (1, Die(PURPLE, FaceName("pip-3")))}
    assert step.events == (ReadingCorrected(1, 1), ReadingCorrected(6, 1), FacesStated(said, LabelSource.CORRECTED))


def test_what_was_corrected_holds_and_is_no_breach_when_the_camera_looks_again(dice: RollersDice) -> None:
    state = on_kind_correction(rolled(dice), 1, BLACK, "pip-2").state
    after = watched(state, dice.look())
    assert after.match is not None
    assert state.match is not None
    assert after.match.entries == state.match.entries
    assert after.table.seen is not None
    assert [die.number for die in after.table.seen.dice if die.kind == BLACK] == [1]


@pytest.mark.parametrize("black", ["pip-2", "pip-3"])
def test_taken_back_both_dice_are_what_they_were_taken_for_and_nobody_is_asked(dice: RollersDice, black: str) -> None:
    state = rolled(dice, black)
    step = on_undo(on_kind_correction(state, 1, BLACK, "pip-2").state)
    assert step.events == (AnswerWithdrawn(((1, 1),)), AnswerWithdrawn(((6, 1),)))
    after = watched(step.state, dice.look())
    assert (likeness(after.table.seen), after.unresolved) == (likeness(state.table.seen), state.unresolved)


def test_an_answer_about_a_kind_that_is_corrected_holds_no_more(dice: RollersDice) -> None:
    doubted = {1: 0.4, 6: 0.4}
    state = watched(rollers_game(dice), dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3", doubted=doubted))
    (prompt,) = state.unresolved.prompts
    state = on_answer(state, prompt.question.number, "6").state
    step = on_kind_correction(state, 1, BLACK, "pip-2")
    assert step.events[0] == AnswerWithdrawn(((1, 1), (6, 1)))


def test_a_kind_that_does_not_have_the_face_is_refused(dice: RollersDice) -> None:
    for kind, face in ((BLACK, "star"), ("no-such-kind", "pip-1")):
        with pytest.raises(Refused) as refused:
            on_kind_correction(rolled(dice), 5, kind, face)
        assert refused.value.reason is Reason.INVALID


def test_a_die_changes_places_with_one_alone(dice: RollersDice) -> None:
    with pytest.raises(Refused, match="Tap the die that really is a Black die"):
        on_kind_correction(rolled(dice), 6, PURPLE, "pip-3")


def test_a_kind_is_corrected_while_it_is_asked_about(dice: RollersDice) -> None:
    doubted = {1: 0.4, 6: 0.4}
    state = watched(rollers_game(dice), dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3", doubted=doubted))
    step = on_kind_correction(state, 1, BLACK, "pip-2")
    assert step.state.unresolved.prompts == ()
    assert written(step)[0].startswith("camera play 1 roll rollers-black:pip-2")
