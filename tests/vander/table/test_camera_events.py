"""What the camera's side reports, each report a function of a value."""

from __future__ import annotations

from laid_dice import Dice
from session_states import a_card_game, a_game, no_game, watched, written

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from referee.actions import Action
from referee.dice import Zone
from referee.snapshot import TrayActivity
from vander.table.camera_events import on_camera_report, on_capturing, on_observation
from vander.table.session_state import (
    BreachQuestion,
    DiceRecounted,
    DiceSettled,
    Mismatch,
    Mode,
    ThrowEnded,
    ThrowRuled,
)
from vander.table.snapshot_builder import snapshot
from vander.table.taps import on_tap

OPENING = ("go", "happy", "happy", "star", "two", "three")
COVERED = CameraReport(CameraStatus.COVERED)


def test_a_throw_is_ruled_on_and_the_state_before_is_as_it_was() -> None:
    dice = Dice()
    before = a_game(dice.look())
    step = on_observation(before, dice.roll(*OPENING))
    assert written(step) == [
        "camera play 1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
    ]
    assert before.match is not None
    assert before.match.entries == ()


def test_what_is_told_to_those_who_learn() -> None:
    dice = Dice()
    step = on_observation(a_game(dice.look()), dice.roll(*OPENING))
    assert [type(event) for event in step.events] == [ThrowEnded, DiceSettled, ThrowRuled]
    (ruled,) = (event for event in step.events if isinstance(event, ThrowRuled))
    assert [die.number for die in ruled.dice] == [1, 2, 3, 4, 5, 6]
    assert all(die.by_itself for die in ruled.dice)


def test_the_same_dice_once_more_are_no_news() -> None:
    dice = Dice()
    state = a_game(dice.look())
    step = on_observation(state, dice.look())
    assert step.state is state
    assert step.events == ()


def test_while_dice_move_or_a_hand_is_in_nothing_is_ruled_on() -> None:
    dice = Dice()
    state = a_game(dice.look())
    dice.roll(*OPENING)
    for moving in (dice.look(at_rest=False), dice.look(hands_in=True)):
        step = on_observation(state, moving)
        assert (step.entries, step.state.table) == ((), state.table)
    assert step.state.camera.hands_in


def test_pictures_are_named_only_where_the_dice_lie_otherwise() -> None:
    dice = Dice()
    step = on_observation(no_game(), dice.look(), pictured=True)
    assert step.pictures == {number: f"die-{number}-1-run" for number in range(1, 7)}
    assert step.state.table.crops == step.pictures
    assert on_observation(step.state, dice.look(), pictured=True).pictures == {}


def test_evidence_is_kept_where_there_is_a_frame() -> None:
    dice = Dice()
    state = a_game(dice.look())
    thrown = dice.roll(*OPENING)
    assert on_observation(state.with_image(True), thrown).evidence == "game-1-entry-1"
    without = on_observation(state, thrown)
    assert (without.evidence, without.entries[0].evidence) == ("", "")


def test_a_breach_is_recorded_once_and_asked_about() -> None:
    dice = Dice()
    step = on_observation(watched(a_game(dice.look()), dice.roll(*OPENING)), dice.throw(d1="sad", d2="sad", d3="sad"))
    assert written(step) == ["camera breach"]
    (prompt,) = step.state.unresolved.prompts
    assert isinstance(prompt, BreachQuestion)
    again = on_observation(step.state, dice.carry(Zone.ASIDE, 1))
    assert again.entries == ()
    assert again.state.unresolved.prompts == (prompt,), "the open question keeps its number"


def test_a_throw_waits_until_the_action_that_waits_counts() -> None:
    state = on_tap(a_card_game(pause_s=60.0), Action.parse("1 drop =card")).state
    assert on_observation(state, Dice().look()).state.table == state.table


def test_hands_are_followed_until_the_next_throw() -> None:
    dice = Dice()
    state = watched(a_game(dice.look()), dice.roll(*OPENING), dice.carry(Zone.ASIDE, 1, 2, 3))
    assert [str(action) for action in state.unresolved.pending] == ["1 park traffic:happy traffic:happy traffic:star"]


def test_dice_that_lie_wrong_after_a_pause_are_a_mismatch() -> None:
    dice = Dice()
    state = watched(a_game(dice.look()), dice.roll(*OPENING))
    dice.faces[1] = "sad"
    state = watched(on_capturing(on_capturing(state, True).state, False).state, dice.look())
    assert isinstance(state.unresolved.mismatch, Mismatch)


def test_the_cameras_status_is_a_type_and_its_sentence_decides_nothing() -> None:
    state = on_camera_report(a_game(Dice().look()), COVERED).state
    assert (state.is_blind, state.mode, state.takes_manual_entry) == (True, Mode.PLAYING, True)
    back = on_camera_report(state, WORKING)
    assert (back.state.is_blind, back.state.recounts, back.events) == (False, 0, ())


def test_of_dice_that_moved_as_the_camera_was_lost_nothing_is_said_but_that_it_is_gone() -> None:
    dice = Dice()
    state = watched(a_game(dice.look()), dice.look(at_rest=False))
    assert snapshot(state).tray is TrayActivity.MOVING
    shown = snapshot(on_camera_report(state, CameraReport(CameraStatus.LOST, "The camera is gone.")).state)
    assert (shown.tray, shown.notice) == (TrayActivity.UNSEEN, "The camera is gone.")


def test_a_report_that_says_nothing_new_changes_nothing() -> None:
    state = a_game()
    assert on_camera_report(state, WORKING).state is state


def test_a_tray_that_is_lent_is_looked_at_afresh_afterwards() -> None:
    lent = on_capturing(a_game(Dice().look()), True)
    assert (lent.state.mode, lent.state.is_blind, lent.state.takes_manual_entry) == (Mode.CAPTURING, True, False)
    assert lent.events == (DiceRecounted(),)
    back = on_capturing(lent.state, False).state
    assert (back.mode, back.is_blind, back.table.seen) == (Mode.PLAYING, False, None)
