"""Hands in the tray, from the camera to the journal: nothing that nobody saw tumble is taken for thrown unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rollers_dice import RollersDice, rollers_game
from session_scenes import done, entries, opened
from session_states import watched

from referee.dice import Blindness, Handling, Zone
from referee.journal import Deed, Source
from referee.sentences import Refused
from referee.snapshot import Question
from referee.umpire import counted_unseen
from vander.table.answers import on_answer
from vander.table.session import Session
from vander.table.session_state import SessionState
from vision.observations import BlindInterval

PLACED, TURNED, UNSEEN = Handling.PLACED, Handling.TURNED, Handling.UNSEEN
TURNED_SENTENCE = "A die was turned: happy, now star. Put it back to happy."


def breaches(folder: Path) -> list[str]:
    return [entry.note for entry in entries(folder) if entry.deed is Deed.BREACH]


def plays(folder: Path) -> list[str]:
    return [line for line in done(folder) if not line.endswith("None")]


def test_a_turned_die_is_named_and_accuses_nobody(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d1="star"))
    shown = solo.snapshot()
    assert (shown.notice, shown.mood) == (TURNED_SENTENCE, "ask")
    assert (len(plays(tmp_path)), breaches(tmp_path)) == (1, [])
    assert shown.questions[0].dice == (1,)
    solo.observe(dice.look())
    assert [entry.note for entry in entries(tmp_path) if entry.deed is Deed.REMARK] == [TURNED_SENTENCE]


def test_a_turned_die_put_back_is_noticed_by_itself(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d1="star"))
    solo.observe(dice.lay(TURNED, d1="happy"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="star"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:star"
    assert breaches(tmp_path) == []


def test_a_turned_die_that_is_thrown_with_the_others_after_all_counts(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d4="star"))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="star"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:star"
    assert breaches(tmp_path) == []


def test_no_tap_goes_past_a_turned_die(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d1="star"))
    give_up = next(offer.action for offer in solo.snapshot().offers if offer.action.verb == "give-up")
    with pytest.raises(Refused, match="A die was turned: happy, now star"):
        solo.act(str(give_up))


def test_a_throw_that_a_hand_hid_counts_once_people_say_so(solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.lay(UNSEEN, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three")
    dice.blind = (BlindInterval(Blindness.HAND, 1.0, 4.0),)
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.sentence == "A hand was in the way. Were these dice thrown?"
    assert (len(question.dice), plays(tmp_path)) == (6, [])
    solo.answer(question.number, "thrown")
    assert len(plays(tmp_path)) == 1
    assert solo.snapshot().questions == ()


@pytest.mark.parametrize("reason", [Blindness.LENS, Blindness.NO_FRAMES])
def test_a_throw_that_no_hand_hid_counts_unseen_and_everybody_is_told(
    solo: Session, dice: Any, tmp_path: Path, reason: Blindness
) -> None:
    dice.lay(UNSEEN, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three")
    dice.blind = (BlindInterval(reason, 1.0, 4.0),)
    solo.observe(dice.look())
    assert (len(plays(tmp_path)), solo.snapshot().questions) == (1, ())
    assert counted_unseen(6, (reason,)) in [entry.note for entry in entries(tmp_path)]


def test_a_throw_that_nobody_saw_is_thrown_again_where_people_say_no(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.lay(UNSEEN, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three"))
    solo.answer(solo.snapshot().questions[0].number, "set-down")
    assert solo.snapshot().notice == "These dice were set down, not thrown. Throw them."
    assert plays(tmp_path) == []
    opened(solo, dice)
    assert len(plays(tmp_path)) == 1
    assert breaches(tmp_path) == []


def test_dice_that_were_not_all_thrown_are_asked_about_one_by_one(solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.marks |= {4: PLACED, 5: PLACED}
    dice.chances |= {4: 0.1, 5: 0.1}
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.sentence == "They were not seen to tumble. Were these dice thrown?"
    solo.answer(question.number, "not-all")
    first, second = solo.snapshot().questions
    assert (first.dice, second.dice) == ((4,), (5,))
    assert first.sentence == "It was not seen to tumble. Was this die thrown?"
    dice.shifted[1] = 3.0
    solo.observe(dice.look())
    assert [question.number for question in solo.snapshot().questions] == [first.number, second.number]
    solo.answer(first.number, "thrown")
    (left,) = solo.snapshot().questions
    assert left.number == second.number
    solo.answer(left.number, "set-down")
    assert solo.snapshot().notice == "This die was set down, not thrown. Throw it."
    assert plays(tmp_path) == []
    solo.observe(dice.throw(d5="two"))
    assert len(plays(tmp_path)) == 1


def test_one_answer_may_be_about_one_of_the_dice_alone(solo: Session, dice: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.marks |= {4: PLACED, 5: PLACED}
    dice.chances |= {4: 0.1, 5: 0.1}
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "thrown", die=4)
    assert [question.dice for question in solo.snapshot().questions] == [(5,)]


def test_dice_set_down_that_were_thrown_after_all_count_once_people_say_so(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.lay(PLACED, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three"))
    (question,) = solo.snapshot().questions
    assert question.choices == (("thrown", "They were thrown"),)
    assert plays(tmp_path) == []
    solo.answer(question.number, "thrown")
    assert len(plays(tmp_path)) == 1


def test_hands_that_tidy_all_dice_make_no_turn(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(PLACED, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    assert (len(plays(tmp_path)), breaches(tmp_path)) == (1, [])


def test_a_die_put_back_after_a_breach_and_dice_thrown_without_a_pause_are_no_breach_again(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d1="star"))
    assert len(breaches(tmp_path)) == 1
    dice.faces[1], dice.zones[1], dice.chances[1] = "happy", Zone.ASIDE, 0.02
    solo.observe(dice.throw(d4="happy", d5="star"))
    assert len(breaches(tmp_path)) == 1
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:star"


def test_taking_the_turned_die_as_it_lies_is_an_entry(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d1="star"))
    solo.answer(solo.snapshot().questions[0].number, "as-it-lies", confirmed=True)
    assert Deed.LAID in [entry.deed for entry in entries(tmp_path)]
    assert solo.snapshot().questions == ()


# A die that leaned, and was ruled on


def thrown_again(solo: Session, dice: Any) -> Question:
    """The fifth die leans, people say what it shows, the throw is ruled on, and then the die is thrown again."""
    dice.leaning.add(5)
    opened(solo, dice)
    solo.correct(5, "three")
    dice.leaning.clear()
    solo.observe(dice.throw(d5="star"))
    (question,) = solo.snapshot().questions
    assert question.sentence == "This die was thrown again. Did it lean?"
    assert question.dice == (5,)
    return question


def test_a_die_thrown_again_after_its_throw_was_ruled_on_is_asked_about_and_no_breach(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.answer(thrown_again(solo, dice).number, "leaned")
    assert breaches(tmp_path) == []
    (correction,) = [entry for entry in entries(tmp_path) if entry.deed is Deed.CORRECT]
    assert str(correction.action).count("star") == 2
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="two"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:two"


def test_a_die_thrown_again_that_did_not_lean_is_a_breach(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.answer(thrown_again(solo, dice).number, "did-not-lean")
    assert len(breaches(tmp_path)) == 1
    assert solo.snapshot().mood == "breach"


def test_a_die_thrown_again_that_nobody_saw_lean_accuses_nobody_before_people_are_asked(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    dice.flat[5] = 0.85
    opened(solo, dice)
    dice.flat.clear()
    solo.observe(dice.throw(d5="star"))
    (question,) = solo.snapshot().questions
    assert (question.sentence, breaches(tmp_path)) == ("This die was thrown again. Did it lean?", [])
    solo.answer(question.number, "leaned")
    assert (solo.snapshot().mood, breaches(tmp_path)) == ("calm", [])
    assert solo.snapshot().interventions[0].sentence == "A throw is corrected."


def test_a_die_thrown_again_that_surely_lay_flat_is_a_breach(solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.flat[5] = 0.97
    opened(solo, dice)
    dice.flat.clear()
    solo.observe(dice.throw(d5="star"))
    assert len(breaches(tmp_path)) == 1


def rolled_one_again(flat: float) -> SessionState:
    """In Rollers one die may be thrown: the third is, which lies flat after the throw with that probability."""
    dice = RollersDice()
    state = rollers_game(dice)
    dice.flat = {3: flat}
    state = watched(state, dice.roll("pip-2", "pip-2", "pip-5", "pip-4", "pip-1", "pip-3"))
    dice.flat = {}
    return watched(state, dice.throw({3: "pip-4"}))


def test_where_one_die_may_be_thrown_it_is_a_further_throw_unless_it_leaned_likelier_than_not() -> None:
    assert rolled_one_again(0.7).unresolved.prompts == ()


@pytest.mark.parametrize(("answer", "rolls"), [("leaned", 1), ("did-not-lean", 2)])
def test_a_die_that_may_have_leaned_is_asked_about_where_throwing_it_again_is_a_legal_throw(
    answer: str, rolls: int
) -> None:
    """It was taken for a further throw without a word."""
    state = rolled_one_again(0.3)
    (prompt,) = state.unresolved.prompts
    assert prompt.question.sentence == "This die was thrown again. Did it lean?"
    step = on_answer(state, prompt.question.number, answer, Source.TABLET)
    assert step.state.unresolved.prompts == ()
    assert step.state.match is not None
    played = [entry.action.verb for entry in step.state.match.entries if entry.action and entry.deed is Deed.PLAY]
    assert played.count("roll") == rolls


def test_a_die_that_the_throw_left_lying_is_no_such_question(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="star"))
    solo.observe(dice.throw(d1="star"))
    assert len(breaches(tmp_path)) == 1


# Dice that left the tray


def test_a_die_that_was_laid_back_from_outside_ends_the_turn_by_the_vander_rule(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.throw(d4="happy", d5="star")
    dice.marks[5] = Handling.RETURNED
    solo.observe(dice.look())
    assert str(entries(tmp_path)[-1].action) == "1 vander"
    assert solo.snapshot().calls[0].rule == "I.2-19"


def test_in_the_throw_for_the_first_turn_a_die_that_left_is_thrown_again_also_once_it_was_laid_back(
    open_table: Any, dice: Any, tmp_path: Path
) -> None:
    table = open_table()
    table.start("intersection", ["Ann", "Bob"], {})
    table.observe(dice.look())
    dice.throw(d1="happy", d2="happy", d3="star", d4="two", d5="three")
    for zone, marks in ((Zone.OUT, {}), (Zone.FIELD, {5: Handling.RETURNED})):
        dice.zones[5], dice.marks = zone, marks
        table.observe(dice.look())
        assert table.snapshot().notice.startswith("A die left the tray")
        assert table.snapshot().questions == ()
    table.observe(dice.throw(d1="happy", d2="happy", d3="star", d4="two", d5="three"))
    assert len([entry for entry in entries(tmp_path) if entry.deed is Deed.PLAY]) == 1


def test_a_die_that_an_elbow_knocked_off_and_that_was_put_back_has_not_left_a_throw(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    before = entries(tmp_path)
    dice.throw(d3="star")
    dice.marks[3] = Handling.RETURNED
    solo.observe(dice.look())
    assert entries(tmp_path) == before
    assert (solo.snapshot().questions, solo.snapshot().mood) == ((), "calm")


def test_a_die_that_may_have_left_is_named_and_none_that_lies_inside_is_ringed(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.throw(d4="happy")
    dice.away.add(5)
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.sentence == "Has a die left the table? Not in sight: 1 Traffic die."
    assert question.dice == ()


def turned_star(solo: Session, dice: Any) -> Question:
    """Ann's first die is turned in its place, which can be taken as it lies."""
    opened(solo, dice)
    solo.observe(dice.lay(TURNED, d1="star"))
    (question,) = solo.snapshot().questions
    return question


def test_going_on_as_the_dice_lie_is_asked_a_second_time_with_what_changes(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    first = turned_star(solo, dice)
    solo.answer(first.number, "as-it-lies")
    (sure,) = solo.snapshot().questions
    assert sure.sentence == "Sure? The game goes on with star instead of happy."
    assert [answer for answer, _ in sure.choices] == ["go-back", "as-it-lies"]
    assert Deed.LAID not in [entry.deed for entry in entries(tmp_path)]
    solo.answer(first.number, "as-it-lies")  # the same answer again is no second one
    assert solo.snapshot().questions == (sure,)
    solo.answer(sure.number, "as-it-lies")
    assert solo.snapshot().questions == ()
    assert [entry.deed for entry in entries(tmp_path)][-2:] == [Deed.ANSWER, Deed.LAID]
    assert entries(tmp_path)[-2].note == f"{first.sentence} Go on as the dice lie."


def test_whoever_is_not_sure_goes_back_to_the_question(solo: Session, dice: Any, tmp_path: Path) -> None:
    first = turned_star(solo, dice)
    solo.answer(first.number, "as-it-lies")
    solo.answer(solo.snapshot().questions[0].number, "go-back")
    (again,) = solo.snapshot().questions
    assert (again.sentence, again.choices) == (first.sentence, first.choices)
    assert Deed.ANSWER not in [entry.deed for entry in entries(tmp_path)]


def test_a_page_that_has_asked_twice_itself_says_so(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.answer(turned_star(solo, dice).number, "as-it-lies", confirmed=True)
    assert solo.snapshot().questions == ()
    assert entries(tmp_path)[-1].deed is Deed.LAID


def test_a_throw_in_a_moment_without_pictures_counts_and_everybody_is_told(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    dice.lay(Handling.UNSEEN, signal="go", d1="happy", d2="happy", d3="star", d4="two", d5="three")
    dice.blind = (BlindInterval(Blindness.NO_FRAMES, 1.0, 1.3),)
    solo.observe(dice.look())
    assert solo.snapshot().questions == ()
    *_, told, played = entries(tmp_path)
    assert str(told.note) == "The camera saw nothing for a moment. These dice count as thrown."
    assert (told.deed, played.deed) == (Deed.REMARK, Deed.PLAY)
