"""Dice put back after a breach or a mismatch: the page says which, and notices it without a tap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from laid_dice import Dice
from session_scenes import entries

from referee.actions import Action
from referee.dice import Handling, Zone
from referee.snapshot import PutBack
from referee.umpire import Explanation
from vander.table.questions import PUT_BACK, put_back_question
from vander.table.session import Session

OPENING = ("go", "happy", "happy", "star", "two", "three")


@pytest.fixture
def breached(solo: Session, dice: Dice, sight: Any) -> Session:
    """Ann throws a happy alone, which she may not, and it shows a sad face."""
    solo.observe(dice.roll(*OPENING), sight)
    solo.observe(dice.throw(d1="sad"), sight)
    assert solo.snapshot().mood == "breach"
    return solo


def missing(face: str, title: str) -> PutBack:
    """A traffic die that is not in view and belongs in the field."""
    picture = f"/faces/intersection/traffic/{face}.jpg"
    return PutBack(0, "traffic", face, title, "", "field", picture=picture)


def test_the_page_says_which_die_goes_back_to_what_with_both_pictures(breached: Session) -> None:
    (wrong,) = breached.snapshot().put_back
    assert (wrong.die, wrong.kind, wrong.face, wrong.title, wrong.shows, wrong.place) == (
        1,
        "traffic",
        "happy",
        "Happy",
        "Sad",
        "",
    )
    assert wrong.crop_before
    assert wrong.crop_before != wrong.crop_now
    assert all(breached.picture(name) for name in (wrong.crop_before, wrong.crop_now))


def test_a_die_put_back_is_noticed_without_a_tap_and_the_next_throw_counts(
    breached: Session, dice: Dice, tmp_path: Path
) -> None:
    breached.observe(dice.throw(d1="happy"))  # the tracker may count what a hand does as a throw
    assert (breached.snapshot().mood, breached.snapshot().questions, breached.snapshot().put_back) == ("calm", (), ())
    breached.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    breached.observe(dice.throw(d4="happy", d5="three"))
    assert breached.snapshot().mood == "calm"
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_of_a_turned_die_alone_it_is_said_where_it_goes_while_others_are_being_parked(
    solo: Session, dice: Dice
) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2))
    solo.observe(dice.lay(Handling.TURNED, d4="four"))
    assert [(each.die, each.title, each.place) for each in solo.snapshot().put_back] == [(4, "Two", "")]
    solo.observe(dice.lay(Handling.TURNED, d4="two"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())
    assert solo.snapshot().notice.startswith("Ann, 200 parked:")


def test_a_die_put_back_and_the_next_throw_seen_at_once_are_no_further_breach(
    breached: Session, dice: Dice, tmp_path: Path
) -> None:
    dice.faces[1], dice.chances[1] = "happy", 0.02
    dice.carry(Zone.ASIDE, 1, 2, 3)
    breached.observe(dice.throw(d4="happy", d5="three"))
    assert breached.snapshot().mood == "calm"
    assert [entry.action.verb for entry in entries(tmp_path) if entry.action][-1] == "on"


def test_each_die_that_is_put_back_leaves_the_board(solo: Session, dice: Dice) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.throw(d1="sad", d3="four"))
    assert [(wrong.die, wrong.title) for wrong in solo.snapshot().put_back] == [(1, "Happy"), (3, "Star")]
    dice.faces[1] = "happy"
    solo.observe(dice.look())
    assert [(wrong.die, wrong.title) for wrong in solo.snapshot().put_back] == [(3, "Star")]


def test_dice_that_should_lie_in_the_bay_are_said_to(solo: Session, dice: Dice) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.undo()
    solo.undo()
    solo.observe(dice.carry(Zone.FIELD, 1, 2))
    wrong = {(each.die, each.title, each.shows, each.place) for each in solo.snapshot().put_back}
    assert (4, "Two", "Happy", "") in wrong


def test_the_signal_die_may_stay_in_the_field_where_the_rules_leave_it(solo: Session, dice: Dice) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.throw(d6="slow", d1="sad", d2="sad"))
    wrong = {(each.title, each.shows, each.place) for each in solo.snapshot().put_back}
    assert ("Go", "Slow", "") in wrong


def test_dice_parked_before_a_refused_throw_go_back_into_the_bay_and_count_there(
    solo: Session, dice: Dice, tmp_path: Path
) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    assert solo.snapshot().turn_points == 250
    solo.observe(dice.throw(d1="sad", d2="four", d3="two", d4="sad", d5="sad", d6="slow"))
    assert solo.snapshot().mood == "breach"
    wanted = {(each.title, each.place) for each in solo.snapshot().put_back}
    assert {("Happy", "aside"), ("Star", "aside"), ("Three", "")} <= wanted
    dice.faces.update({1: "happy", 2: "happy", 3: "star", 4: "two", 5: "three", 6: "go"})
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    shown = solo.snapshot()
    assert (shown.mood, shown.questions, shown.put_back, shown.turn_points) == ("calm", (), (), 250)
    solo.observe(dice.throw(d4="happy", d5="three"))
    assert [str(entry.action) for entry in entries(tmp_path) if entry.action][-2:] == [
        "1 park traffic:happy traffic:happy traffic:star",
        "1 on traffic:happy traffic:three",
    ]


def test_a_die_that_is_not_there_is_to_be_laid_there(solo: Session, dice: Dice) -> None:
    solo.observe(dice.roll(*OPENING))
    dice.faces.pop(5)
    solo.observe(dice.throw(d1="sad"))
    assert missing("three", "Three") in solo.snapshot().put_back or solo.snapshot().questions


def test_after_a_step_was_taken_back_no_present_picture_is_shown_as_the_one_of_before(
    solo: Session, dice: Dice, sight: Any
) -> None:
    solo.observe(dice.roll(*OPENING), sight)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3), sight)
    solo.observe(dice.throw(d4="happy", d5="three"), sight)
    solo.undo()
    wrong = {each.die: each for each in solo.snapshot().put_back}
    assert (wrong[4].face, wrong[4].crop_before, bool(wrong[4].crop_now)) == ("two", "", True)


def test_dice_taken_up_or_laid_outside_are_being_put_back_and_the_breach_stands(breached: Session, dice: Dice) -> None:
    before = breached.snapshot()
    for away, outside in (({1}, {}), ({1, 3}, {}), (set(), {1: Zone.OUT})):
        dice.away, dice.zones = away, {**dice.zones, **outside}
        breached.observe(dice.look())
        shown = breached.snapshot()
        assert (shown.mood, shown.notice, shown.questions) == ("breach", before.notice, before.questions)
        assert missing("happy", "Happy") in shown.put_back
    breached.observe(dice.lay(Handling.TURNED, d1="happy"))
    assert (breached.snapshot().mood, breached.snapshot().put_back) == ("calm", ())


@pytest.fixture
def lost(breached: Session, dice: Dice) -> Session:
    """While the breach stands another die is thrown, and two leave the tray: it is asked whether they did."""
    dice.throw(d5="two")
    dice.away = {3, 4}
    breached.observe(dice.look())
    (question,) = breached.snapshot().questions
    assert question.sentence == "Has a die left the table? Not in sight: 2 Traffic dice."
    return breached


def test_the_page_shows_the_dice_that_lie_there_while_a_question_about_fewer_is_open(lost: Session, dice: Dice) -> None:
    assert [die.number for die in lost.snapshot().dice] == [1, 2, 5, 6]
    dice.away = set()
    lost.observe(dice.lay(Handling.RETURNED, d3="star", d4="four"))
    shown = lost.snapshot()
    assert [(die.number, die.face) for die in shown.dice] == list(enumerate(dice.faces.values(), 1))
    assert [question.sentence for question in shown.questions] == ["Has a die left the table?"]
    assert {(wrong.die, wrong.title, wrong.shows) for wrong in shown.put_back} == {
        (1, "Happy", "Sad"),
        (4, "Three", "Four"),
    }


def test_all_dice_put_back_end_a_breach_and_what_was_asked_meanwhile(lost: Session, dice: Dice, tmp_path: Path) -> None:
    dice.away = set()
    lost.observe(dice.lay(Handling.RETURNED, d3="star", d4="four"))
    lost.observe(dice.lay(Handling.TURNED, d1="happy", d4="two", d5="three"))
    shown = lost.snapshot()
    assert (shown.mood, shown.questions, shown.put_back, shown.held_throws) == ("calm", (), (), 0)
    lost.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    lost.observe(dice.throw(d4="happy", d5="three"))
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_that_dice_were_only_put_back_is_the_first_answer(solo: Session) -> None:
    match = solo.state.match
    assert match is not None
    question = put_back_question(match, Explanation(((Action.parse("1 give-up"),),)), {}, (1,)).question
    assert [answer for answer, _ in question.choices] == [PUT_BACK, "0"]
