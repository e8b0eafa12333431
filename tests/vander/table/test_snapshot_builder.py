"""What is shown of a session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from laid_dice import Dice
from session_states import a_card_game, a_game, no_game, watched

from hardware.cameras.base import CameraReport, CameraStatus
from models.dataset.table_labels import CheckedDie, SpotCheck
from referee.actions import Action
from referee.dice import Die, Handling
from referee.journal import Source
from referee.snapshot import NoticeMood, TrayActivity
from vander.table.camera_events import on_camera_report, on_capturing
from vander.table.session import Session
from vander.table.session_state import MAKE_ROOM, Health, HealthAlert, SessionState
from vander.table.snapshot_builder import LENT, draw, shown_check, snapshot
from vander.table.taps import on_tap
from vision.observations import HAND_STAYS
from web.schemas.learning_schemas import ThrowCheckDie

OPENING = ("go", "happy", "happy", "star", "two", "three")
WEAK = HealthAlert("power", "The power supply is too weak.")
SPOT_CHECK = SpotCheck(7, (CheckedDie(4, 1, Die.parse("traffic:two"), "crop"),))


def breached() -> SessionState:
    dice = Dice()
    return a_game(dice.look(), dice.roll(*OPENING), dice.throw(d1="sad", d2="sad", d3="sad"))


def waiting() -> SessionState:
    return on_tap(a_card_game(pause_s=60.0), Action.parse("1 drop =card")).state


def covered() -> SessionState:
    return on_camera_report(breached(), CameraReport(CameraStatus.COVERED)).state


def trayless() -> SessionState:
    return watched(no_game(), replace(Dice().look(), calibrated=False, doubts=("No tray is in sight.",)))


@pytest.mark.parametrize(
    ("state", "mood"),
    [
        (a_game(Dice().look()), NoticeMood.CALM),
        (breached(), NoticeMood.BREACH),
        (covered(), NoticeMood.LOST),
        (on_capturing(a_game(), True).state, NoticeMood.LOST),
        (waiting(), NoticeMood.ASK),
        (
            watched(no_game(), replace(Dice().look(), calibrated=False, doubts=("No tray is in sight.",))),
            NoticeMood.LOST,
        ),
    ],
    ids=["calm", "breach", "covered", "lent", "waiting", "no tray"],
)
def test_what_hinders_most_is_said_first(state: SessionState, mood: NoticeMood) -> None:
    assert snapshot(state).mood is mood


def test_a_breach_comes_with_its_rule() -> None:
    shown, breach = snapshot(breached()), breached().unresolved.breach
    assert breach is not None
    assert (shown.notice, shown.rule) == (breach.sentence, breach.rule)
    assert len(shown.questions) == 1


def test_a_calm_notice_is_the_prompt_unless_dice_are_still_being_moved() -> None:
    state = a_game(Dice().look())
    assert state.match is not None
    shown = snapshot(state)
    assert (shown.notice, shown.notice_is_prompt) == (state.match.game.tell(state.match.state), True)
    parking = replace(state, unresolved=replace(state.unresolved, unfinished="500 parked."))
    assert (snapshot(parking).notice, snapshot(parking).notice_is_prompt) == ("500 parked.", False)
    assert not snapshot(breached()).notice_is_prompt


def test_a_tray_that_is_lent_is_a_fact_of_its_own() -> None:
    shown = snapshot(on_capturing(a_game(), True).state)
    assert (shown.lent, shown.camera_trouble, shown.manual_entry) == (True, LENT, False)


def test_what_goes_on_in_the_tray() -> None:
    dice = Dice()
    still, moving = dice.look(), dice.look(at_rest=False)
    hand = dice.look(hands_in=True)
    activities = [snapshot(a_game(*seen)).tray for seen in ((), (still,), (still, moving), (still, hand))]
    assert activities == [TrayActivity.UNSEEN, TrayActivity.AT_REST, TrayActivity.MOVING, TrayActivity.HAND_IN]


def test_what_reaches_into_the_tray_is_said_until_it_is_out() -> None:
    dice = Dice()
    sleeve = replace(dice.look(at_rest=False, hands_in=True), doubts=(HAND_STAYS,))
    shown = snapshot(a_game(dice.look(), sleeve))
    assert (shown.notice, shown.mood) == (HAND_STAYS, NoticeMood.ASK)
    shown = snapshot(a_game(dice.look(), sleeve, dice.look()))
    assert (shown.notice_is_prompt, shown.doubts) == (True, ())


def test_what_keeps_play_from_going_on_comes_first_of_the_alerts() -> None:
    shown = snapshot(replace(a_game(), health=Health((WEAK,), "The disk is full.", "No picture could be kept.")))
    assert shown.alerts == (f"The disk is full. {MAKE_ROOM}", WEAK.sentence)
    shown = snapshot(replace(a_game(), health=Health((WEAK,), "", "No picture could be kept.")))
    assert shown.alerts == (WEAK.sentence, "No picture could be kept.")
    assert shown.low_power


def test_an_action_that_waits_may_be_taken_back() -> None:
    shown = snapshot(waiting())
    assert (shown.take_back, shown.waiting and shown.waiting.title) == ("Ann: drop", "Ann: drop")


def test_the_calls_come_with_the_number_of_their_entry_which_only_a_new_one_raises() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING))
    assert state.match is not None
    thrown = snapshot(state).called
    parked = state.match.play([(state.match.game.legal(state.match.state)[0], Source.CAMERA)])
    assert (thrown, parked.replay.last, parked.undo().replay.last) == (1, 2, 1)
    assert parked.undo().play([(Action.parse("1 give-up"), Source.TABLET)]).replay.last == 4
    assert snapshot(no_game()).called == 0


def test_a_throw_is_asked_about_only_where_nothing_else_is() -> None:
    dice = Dice()
    state = replace(a_game(dice.look(), dice.roll(*OPENING)), check=SPOT_CHECK)
    asked = shown_check(state)
    assert asked is not None
    assert (asked.number, asked.dice, snapshot(state).check) == (7, (ThrowCheckDie(4, "Two", "crop"),), 7)
    assert shown_check(replace(breached(), check=SPOT_CHECK)) is None


def test_dice_and_offers_are_worked_out_again_only_when_they_may_differ() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING))
    drawing = draw(state)
    assert draw(watched(state, dice.look(hands_in=True)), drawing) is drawing
    assert draw(watched(state, dice.throw(d1="sad")), drawing) is not drawing


def test_what_hands_did_before_a_game_marks_no_die_in_it(table: Session, dice: Dice, sight: Any) -> None:
    table.observe(dice.look(), sight)
    table.observe(dice.lay(Handling.UNSEEN, d4="star"), sight)
    table.start("intersection", ["Ann", "Bob"], {})
    assert {die.mark for die in table.snapshot().dice} == {""}
    table.observe(dice.lay(Handling.UNSEEN, d5="star"), sight)
    assert [die.number for die in table.snapshot().dice if die.mark] == [5]


def test_a_die_may_be_corrected_to_the_faces_of_its_own_kind_and_is_else_said_to_be_of_another() -> None:
    dice = Dice()
    traffic = next(die for die in snapshot(a_game(dice.look(), dice.roll(*OPENING))).dice if die.kind == "traffic")
    assert [each.face for each in traffic.faces] == ["happy", "star", "sad", "two", "three", "four"]
    assert [(other.kind, [each.face for each in other.faces]) for other in traffic.kinds] == [
        ("signal", ["go", "slow", "stop"])
    ]
