"""Dice of one throw that look alike are asked about together, and two tablets may answer at once."""

from __future__ import annotations

import pytest
from laid_dice import Dice
from session_states import a_game, asked, watched, written

from models.dataset.samples import LabelSource
from referee.dice import Die
from referee.sentences import Reason, Refused
from vander.table.answers import on_answer
from vander.table.correction import on_correction
from vander.table.session_state import FacesStated, SessionState

SAD = Die.parse("traffic:sad")


def in_doubt(*, alike: int = 3) -> SessionState:
    """A throw of happy, star and three sad ones that may be happy; `alike` of them are in doubt."""
    dice = Dice()
    dice.roll("go", "happy", "star", "sad", "sad", "sad")
    for number in range(3, 3 + alike):
        dice.unsure[number] = (("happy", 0.3), ("two", 0.01))
    return a_game(Dice().look(), dice.look())


def titles(state: SessionState) -> dict[str, str]:
    return dict(asked(state).choices)


def test_dice_that_look_alike_are_asked_about_in_one_question() -> None:
    question = asked(in_doubt())
    assert (question.sentence, question.dice, question.die) == ("These three: all sad?", (3, 4, 5), 0)
    assert question.choices[:2] == (("sad", "All sad"), ("happy", "All happy"))
    assert question.choices[-1] == ("not-all", "Not all")
    assert (question.likely, question.shown[:2]) == (2, (SAD, Die.parse("traffic:happy")))


def test_two_dice_are_both_and_one_is_asked_about_as_ever() -> None:
    two, one = asked(in_doubt(alike=2)), asked(in_doubt(alike=1))
    assert (two.sentence, two.choices[0]) == ("These two: both sad?", ("sad", "Both sad"))
    assert (one.sentence, one.die, one.dice, one.choices[0]) == ("What does this die show?", 3, (3,), ("sad", "Sad"))
    assert "not-all" not in dict(one.choices)


def test_one_answer_settles_all_of_them_and_the_throw_is_ruled_on() -> None:
    state = in_doubt()
    step = on_answer(state, asked(state).number, "sad")
    assert step.state.unresolved.prompts == ()
    assert written(step) == [
        "tablet answer",
        "camera play 1 roll signal:go traffic:happy traffic:sad traffic:sad traffic:sad traffic:star",
    ]
    assert step.events[0] == FacesStated(dict.fromkeys((3, 4, 5), (1, SAD)), LabelSource.ANSWERED)


def test_dice_that_do_not_all_show_the_same_are_asked_about_one_by_one() -> None:
    state = in_doubt()
    step = on_answer(state, asked(state).number, "not-all")
    assert step.events == ()
    assert [prompt.question.dice for prompt in step.state.unresolved.prompts] == [(3,), (4,), (5,)]
    state = step.state
    for face in ("sad", "happy", "sad"):
        state = on_answer(state, state.unresolved.prompts[0].question.number, face).state
    assert state.unresolved.prompts == ()
    assert state.match is not None
    assert str(state.match.entries[-1].action).count("traffic:happy") == 2


def test_a_die_alone_may_be_answered_for_and_the_others_are_still_asked_about_together() -> None:
    state = in_doubt()
    state = on_answer(state, asked(state).number, "happy", die=4).state
    assert (asked(state).sentence, asked(state).dice) == ("These two: both sad?", (3, 5))


def test_a_die_that_was_not_asked_about_is_not_answered_for() -> None:
    state = in_doubt()
    with pytest.raises(Refused, match="not about that die"):
        on_answer(state, asked(state).number, "happy", die=1)


def test_a_die_that_is_corrected_is_asked_about_no_more() -> None:
    state = on_correction(in_doubt(), 4, "happy").state
    assert asked(state).dice == (3, 5)


def test_dice_that_were_asked_about_one_by_one_are_asked_about_together_in_the_next_throw() -> None:
    dice = Dice()
    dice.roll("go", "happy", "star", "sad", "sad", "sad")
    dice.unsure.update(dict.fromkeys((3, 4, 5), (("happy", 0.3),)))
    state = a_game(Dice().look(), dice.look())
    state = on_answer(state, asked(state).number, "not-all").state
    dice.roll("go", "happy", "star", "sad", "sad", "sad")
    dice.unsure.update(dict.fromkeys((3, 4, 5), (("happy", 0.3),)))
    assert asked(watched(state, dice.look())).dice == (3, 4, 5)


# Two tablets at once


def test_the_same_answer_of_a_second_tablet_changes_nothing() -> None:
    state = in_doubt()
    number = asked(state).number
    state = on_answer(state, number, "sad").state
    again = on_answer(state, number, "sad")
    assert (again.state, again.entries, again.events) == (state, (), ())


def test_another_answer_of_a_second_tablet_is_told_what_was_answered() -> None:
    state = in_doubt()
    number = asked(state).number
    state = on_answer(state, number, "sad").state
    with pytest.raises(Refused) as refused:
        on_answer(state, number, "happy")
    assert refused.value.reason is Reason.CONFLICT
    assert str(refused.value) == "Somebody has just answered: All sad. Correct it if it is wrong."


def test_an_answer_to_a_question_that_never_was_is_refused() -> None:
    state = in_doubt()
    with pytest.raises(Refused) as refused:
        on_answer(state, asked(state).number + 1, "sad")
    assert refused.value.reason is Reason.NOT_FOUND
