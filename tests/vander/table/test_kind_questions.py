"""Which die is of which kind is asked where the ruling depends on it, once, and with one tap."""

from __future__ import annotations

import pytest
from rollers_dice import BLACK, PURPLE, RollersDice, rollers_game
from session_states import NOON, asked, no_game, watched, written

from models import die_sets
from models.dataset.table_labels import LabelSource
from referee.dice import Die, FaceName, Zone
from referee.games import named
from referee.snapshot import QuestionTopic
from vander.storage.journal_schema import KeptGame
from vander.table.answers import on_answer
from vander.table.camera_events import on_observation
from vander.table.correction import on_correction
from vander.table.doubts import likely_kinds
from vander.table.match import Match
from vander.table.session_state import FacesStated, SessionState, Step
from vander.table.snapshot_builder import snapshot
from vander.table.taps import on_start


@pytest.fixture
def dice() -> RollersDice:
    return RollersDice()


def doubtful_roll(dice: RollersDice) -> SessionState:
    """The first die shows a 2, the sixth a 3, and one of them is the black one."""
    return watched(rollers_game(dice), dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3", doubted={1: 0.4, 6: 0.4}))


def stated(step: Step) -> list[FacesStated]:
    return [event for event in step.events if isinstance(event, FacesStated)]


def test_the_black_die_is_asked_for_where_its_face_counts(dice: RollersDice) -> None:
    question = asked(doubtful_roll(dice))
    assert (question.sentence, question.topic) == ("Which is the black die?", QuestionTopic.KIND)
    assert question.dice == (6, 1, 2, 3, 4)  # the likeliest first; no black die has a star
    assert question.choices == (
        ("6", "Shows 3"),
        ("1", "Shows 2"),
        ("2", "Shows 1"),
        ("3", "Shows 1"),
        ("4", "Shows 1"),
    )
    assert question.likely == 4


def test_one_tap_says_which_it_is_and_the_others_follow_from_the_counts(dice: RollersDice) -> None:
    state = doubtful_roll(dice)
    step = on_answer(state, asked(state).number, "1")
    assert step.state.unresolved.prompts == ()
    assert "rollers-black:pip-2" in written(step)[1]
    assert "rollers-purple:pip-3" in written(step)[1]
    said = {1: (1, Die(BLACK, FaceName("pip-2"))), 6: (1, Die(PURPLE, FaceName("pip-3")))}
    assert stated(step) == [FacesStated(said, LabelSource.ANSWERED)]


def test_what_was_answered_holds_while_the_reading_wavers(dice: RollersDice) -> None:
    state = doubtful_roll(dice)
    state = on_answer(state, asked(state).number, "1").state
    step = on_observation(state, dice.look())
    assert (step.entries, step.state.unresolved.prompts) == ((), ())
    dice.doubted = {1: 0.3, 6: 0.1}
    assert on_observation(state, dice.look()).entries == ()


def test_a_die_of_the_throw_that_was_read_for_sure_may_be_the_one(dice: RollersDice) -> None:
    state = doubtful_roll(dice)
    step = on_answer(state, asked(state).number, "2")
    assert "rollers-black:pip-1" in written(step)[1]
    assert stated(step)[0].faces.keys() == {1, 2, 6}


def test_a_doubt_that_cannot_change_the_ruling_is_not_asked_about(dice: RollersDice) -> None:
    state = rollers_game(dice)
    step = on_observation(state, dice.roll("pip-3", *["pip-1"] * 3, "star", "pip-3", doubted={1: 0.4, 6: 0.4}))
    assert step.state.unresolved.prompts == ()
    assert written(step)[0].startswith("camera play 1 roll rollers-black:pip-3")
    assert stated(step) == []


def test_the_counts_settle_a_doubt_about_a_die_where_the_black_one_is_known(dice: RollersDice) -> None:
    state = watched(rollers_game(dice), dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3"))
    dice.zones[6] = dice.zones[5] = Zone.ASIDE
    step = on_observation(watched(state, dice.look()), dice.throw({1: "pip-4", 2: "pip-5"}, doubted={1: 0.4}))
    assert not any(prompt.question.topic is QuestionTopic.KIND for prompt in step.state.unresolved.prompts)


def test_the_kind_is_asked_before_the_face_and_the_face_is_learned_with_it(dice: RollersDice) -> None:
    state = rollers_game(dice)
    dice.unsure[1] = ("pip-5", 0.3)
    state = watched(state, dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3", doubted={1: 0.4, 6: 0.4}))
    step = on_answer(state, asked(state).number, "1")
    assert asked(step.state).topic is QuestionTopic.FACE
    assert stated(step)[0].faces.keys() == {6}
    step = on_answer(step.state, asked(step.state).number, "pip-5")
    assert "rollers-black:pip-5" in written(step)[1]
    assert stated(step)[0].faces == {1: (1, Die(BLACK, FaceName("pip-5")))}


def test_nobody_learns_a_kind_from_a_face_that_is_stated_while_the_kind_is_in_doubt(dice: RollersDice) -> None:
    step = on_correction(doubtful_roll(dice), 1, "pip-4")
    assert stated(step) == []
    assert asked(step.state).topic is QuestionTopic.KIND


def test_a_die_whose_kind_is_in_doubt_is_shown_as_unsure(dice: RollersDice) -> None:
    shown = snapshot(doubtful_roll(dice))
    assert [die.number for die in shown.dice if die.confidence <= 0.5] == [1, 6]
    assert shown.notice == "Which is the black die?"


def test_before_a_breach_is_recorded_the_kind_in_doubt_is_asked(dice: RollersDice) -> None:
    state = rollers_game(dice)
    for _ in range(3):
        state = watched(state, dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3"))
    step = on_observation(state, dice.throw({1: "pip-4", 6: "pip-4"}, doubted={1: 0.4, 6: 0.4}))
    assert step.entries == ()
    question = asked(step.state)
    assert question.topic is QuestionTopic.KIND
    assert written(on_answer(step.state, question.number, "6"))[1].startswith("camera breach")


def test_it_may_be_none_of_the_dice_where_the_black_one_is_out_of_sight(dice: RollersDice) -> None:
    del dice.faces[6]
    game, rollers = named("dice"), die_sets.load("rollers")
    match = Match.of(KeptGame(1, "dice", ("Ann",), {}, rollers.name, NOON), game, rollers)
    state = watched(on_start(no_game(), match).state, dice.look())
    state = watched(state, dice.throw(dict.fromkeys(range(1, 6), "pip-2"), doubted={1: 0.4, 2: 0.4}))
    state = watched(state, dice.throw({1: "pip-2", 2: "pip-3"}, doubted={1: 0.4, 2: 0.4}))
    question = asked(state)
    assert question.choices[-1] == ("none", "None of them")
    step = on_answer(state, question.number, "none")
    assert set(stated(step)[0].faces) == {1, 2}
    assert {die.kind for _, die in stated(step)[0].faces.values()} == {PURPLE}


def test_a_die_of_a_doubtful_kind_is_no_mark_on_the_tray(dice: RollersDice) -> None:
    dice.kinds = dict.fromkeys(range(1, 7), PURPLE)  # six purple ones are one too many
    state = watched(rollers_game(dice), dice.roll("pip-2", *["pip-1"] * 3, "star", "pip-3", doubted={6: 0.4}))
    assert [die.number for die in snapshot(state).dice] == [1, 2, 3, 4, 5, 6]
    state = on_answer(state, asked(state).number, "6").state if state.unresolved.prompts else state
    assert state.match is not None
    assert "rollers-black:pip-3" in str(state.match.entries[-1].action)


def test_ways_to_give_kinds_come_likeliest_first_and_keep_to_the_counts(dice: RollersDice) -> None:
    doubted = {1: 0.3, 2: 0.4, 6: 0.5}
    state = watched(rollers_game(dice), dice.roll("pip-2", "pip-3", *["pip-1"] * 3, "pip-4", doubted=doubted))
    assert state.table.seen is not None
    seen = state.table.seen
    found = likely_kinds(state.dice, seen, [die for die in seen.dice if die.kinds])
    assert [[number for number, kind in kinds.items() if kind == BLACK] for kinds in found] == [[6], [2], [1]]
