"""What people decide, each decision a function of a value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laid_dice import Dice
from session_states import a_card_game, a_game, a_match, asked, no_game, watched, written

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.actions import Action
from referee.dice import Zone
from referee.games import games, named
from referee.journal import Source
from referee.sentences import Reason, Refused
from referee.snapshot import Question
from vander.table.answers import on_answer
from vander.table.camera_events import on_camera_report, on_capturing
from vander.table.questions import AS_IT_LIES, PUT_BACK, WAS_SET_DOWN, WAS_THROWN
from vander.table.session_state import (
    BreachQuestion,
    DiceRecounted,
    FaceQuestion,
    FacesStated,
    MeaningQuestion,
    MismatchQuestion,
    Mode,
    SessionState,
    ThrowEnded,
    Unresolved,
)
from vander.table.taps import SetupRequest, check_setup, check_tap, is_wait_over, on_start, on_tap, on_waited
from vander.table.undo import on_manual, on_undo

OPENING = ("go", "happy", "happy", "star", "two", "three")
ROLL = "1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
LOST = CameraReport(CameraStatus.LOST, "The camera is gone.")


def opened(dice: Dice) -> SessionState:
    """Ann has thrown for the first time."""
    return a_game(dice.look(), dice.roll(*OPENING))


def lost(state: SessionState) -> SessionState:
    return on_camera_report(state, LOST).state


# Setting up


def test_a_set_up_is_checked_before_anything_happens() -> None:
    request = SetupRequest("intersection", ("Ann",), {})
    setup = check_setup(no_game(), request, games(), die_sets)
    assert (setup.game.name, setup.players, setup.dice.name) == ("intersection", ("Ann",), "intersection")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (SetupRequest("chess", ("Ann",), {}), Reason.NOT_FOUND),
        (SetupRequest("intersection", (), {}), Reason.INVALID),
        (SetupRequest("intersection", ("Ann", "Bob", " ann"), {}), Reason.INVALID),
        (SetupRequest("dice", ("Ann",), {}, "no such dice"), Reason.NOT_FOUND),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(request_: SetupRequest, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        check_setup(no_game(), request_, games(), die_sets)
    assert refused.value.reason is reason


def test_an_old_page_ends_no_game_but_its_own() -> None:
    request = SetupRequest("intersection", ("Ann",), {}, step="0.0")
    with pytest.raises(Refused, match="moved on"):
        check_setup(a_game(), request, games(), die_sets)


def test_a_new_game_resolves_all_that_was_open() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.throw(d1="sad", d2="sad", d3="sad"))
    assert state.unresolved.breach is not None
    step = on_start(state, a_match(named("intersection"), ("Bob",)))
    assert step.state.unresolved == Unresolved()
    assert step.state.table.ruled is state.table.seen
    assert (step.entries, step.events) == ((), (ThrowEnded(),))


def test_other_dice_are_counted_from_one() -> None:
    state = replace(no_game(), config=replace(no_game().config, dice=die_sets.load("d6")))
    step = on_start(state, a_match(named("intersection")))
    assert step.state.recounts == 1
    assert DiceRecounted() in step.events


# Taps


def test_a_tap_counts_what_hands_did_before_it() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.carry(Zone.ASIDE, 1, 2, 3), dice.throw(d4="happy", d5="three"))
    state = watched(state, dice.carry(Zone.ASIDE, 4))
    step = on_tap(state, Action.parse("1 end"), Source.BUTTON)
    assert written(step) == ["camera play 1 park traffic:happy", "button play 1 end"]
    assert state.match is not None
    assert state.match.entries[-1].action != Action.parse("1 end"), "the state before is as it was"


def test_a_tap_against_the_rules_is_refused_with_its_rule() -> None:
    with pytest.raises(Refused) as refused:
        on_tap(opened(Dice()), Action.parse("1 end"))
    assert refused.value.reason is Reason.CONFLICT
    assert refused.value.rule


def test_no_tap_counts_while_dice_move() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.look(hands_in=True))
    with pytest.raises(Refused, match="Wait until the dice lie still"):
        on_tap(state, Action.parse("1 give-up"))


def test_without_a_game_nothing_is_tapped() -> None:
    with pytest.raises(Refused, match="No game"):
        check_tap(no_game(), Action.parse("1 end"), "")


def test_a_tap_of_an_old_page_is_refused() -> None:
    with pytest.raises(Refused, match="moved on"):
        check_tap(opened(Dice()), Action.parse("1 end"), "1.0")


def test_moves_by_hand_that_nobody_sees_are_tapped_and_lead_to_manual_mode() -> None:
    state = lost(opened(Dice()))
    step = on_tap(state, Action.parse("1 park traffic:happy traffic:happy traffic:star"))
    assert step.state.mode is Mode.MANUAL
    assert written(step) == ["tablet play 1 park traffic:happy traffic:happy traffic:star"]


# Actions that wait


def waiting() -> SessionState:
    return on_tap(a_card_game(pause_s=60.0), Action.parse("1 drop =card")).state


def test_an_action_that_may_be_interrupted_waits_and_writes_nothing() -> None:
    step = on_tap(a_card_game(pause_s=60.0), Action.parse("1 drop =card"))
    assert step.entries == ()
    assert step.state.waiting is not None
    assert (step.state.waiting.title, step.state.waiting.sentence) == ("Ann: drop", "Bob may stop Ann.")


def test_an_action_that_has_waited_counts() -> None:
    state = waiting()
    assert state.waiting is not None
    step = on_waited(state, state.waiting, Source.TABLET, state.match)
    assert (written(step), step.state.waiting) == (["tablet play 1 drop =card"], None)


def test_tapped_twice_it_still_waits_and_another_of_the_same_player_is_refused() -> None:
    state = waiting()
    assert on_tap(state, Action.parse("1 drop =card")).state is state
    with pytest.raises(Refused, match="does not count yet"):
        on_tap(state, Action.parse("1 stop =2"))


def test_whoever_interrupts_is_said_with_the_refusal_and_nothing_waits_any_more() -> None:
    state = waiting()
    assert state.waiting is not None
    stopped = on_tap(state, Action.parse("2 stop =1")).state
    assert is_wait_over(stopped, state.waiting)
    step = on_waited(stopped, state.waiting, Source.TABLET, state.match)
    assert str(step.refused) == "Bob: stop. Ann has been stopped."
    assert (step.entries, step.state.waiting) == ((), None)


def test_taking_back_takes_back_what_waits_and_writes_nothing() -> None:
    state = waiting()
    assert state.waiting is not None
    step = on_undo(state)
    assert (step.entries, step.state.waiting) == ((), None)
    with pytest.raises(Refused, match="Taken back before it counted"):
        on_waited(step.state, state.waiting, Source.TABLET, state.match)


# By hand


def test_a_throw_is_entered_where_nobody_sees_the_tray() -> None:
    step = on_manual(lost(a_game()), Action.parse(ROLL))
    assert written(step) == [f"hand play {ROLL}"]
    assert step.state.mode is Mode.MANUAL
    assert step.state.table.seen is None


def test_once_the_camera_is_back_dice_are_counted_from_one_and_compared() -> None:
    state = on_manual(lost(a_game()), Action.parse(ROLL)).state
    step = on_camera_report(state, CameraReport())
    assert (step.state.mode, step.state.recounts) == (Mode.PLAYING, state.recounts + 1)
    assert watched(step.state, Dice().look()).unresolved.mismatch is not None


def test_what_the_camera_sees_is_not_entered_by_hand() -> None:
    with pytest.raises(Refused, match="The camera sees the tray"):
        on_manual(opened(Dice()), Action.parse(ROLL))


def test_while_the_tray_is_lent_nothing_is_entered_by_hand() -> None:
    with pytest.raises(Refused, match="showing dice"):
        on_manual(on_capturing(a_game(), True).state, Action.parse(ROLL))


def test_a_decision_is_no_throw() -> None:
    with pytest.raises(Refused, match="not a throw"):
        on_manual(lost(opened(Dice())), Action.parse("1 give-up"))


# Answers, for each kind of prompt


def test_a_face_question_takes_a_face() -> None:
    dice = Dice()
    dice.roll(*OPENING)
    dice.unsure[5] = (("sad", 0.3),)
    state = a_game(Dice().look(), dice.look())
    (prompt,) = state.unresolved.prompts
    assert isinstance(prompt, FaceQuestion)
    step = on_answer(state, prompt.question.number, "three")
    assert (written(step), step.state.unresolved.prompts) == (["tablet answer", f"camera play {ROLL}"], ())
    assert isinstance(step.events[0], FacesStated)


def one_die_left_lying() -> SessionState:
    """Ann parked three dice and threw one of the other two; the second may have fallen as it lay."""
    dice = Dice()
    before = watched(opened(dice), dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.chances[5] = 0.3
    return watched(before, dice.throw(d4="happy"))


def test_a_die_that_fell_as_it_lay_counts_for_the_throw_once_somebody_says_so() -> None:
    state = one_die_left_lying()
    step = on_answer(state, asked(state).number, WAS_THROWN)
    assert written(step)[-1] == "camera play 1 on traffic:happy traffic:three"


def test_a_die_that_was_left_lying_makes_it_a_breach() -> None:
    state = one_die_left_lying()
    step = on_answer(state, asked(state).number, WAS_SET_DOWN)
    assert written(step) == ["tablet answer", "camera breach"]
    assert step.state.unresolved.breach is not None


def test_after_a_breach_the_game_goes_on_as_the_dice_lie() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.throw(d1="sad", d2="sad", d3="sad"))
    (prompt,) = state.unresolved.prompts
    assert isinstance(prompt, BreachQuestion)
    step = on_answer(state, prompt.question.number, AS_IT_LIES, confirmed=True)
    assert step.state.unresolved.breach is None
    assert step.state.table.ruled is step.state.table.seen


def test_dice_that_lie_wrong_after_a_pause_are_taken_as_they_lie() -> None:
    dice = Dice()
    state = replace(opened(dice), table=a_game().table)
    dice.faces[1] = "sad"
    state = watched(state, dice.look())
    (prompt,) = state.unresolved.prompts
    assert isinstance(prompt, MismatchQuestion)
    step = on_answer(state, prompt.question.number, AS_IT_LIES, Source.BUTTON, confirmed=True)
    assert (written(step), step.state.unresolved.mismatch) == (["button answer", "button laid"], None)


def test_dice_that_were_put_back_need_no_ruling() -> None:
    question = Question(1, "What happened?", (("0", "Play on"), (PUT_BACK, "The dice were only put back")))
    state = replace(opened(Dice()), unresolved=Unresolved(prompts=(MeaningQuestion(question),)))
    step = on_answer(state, 1, PUT_BACK)
    assert (written(step), step.state.unresolved) == (["tablet answer"], Unresolved())


def test_what_is_not_asked_or_no_answer_is_refused() -> None:
    dice = Dice()
    state = watched(opened(dice), dice.throw(d1="sad", d2="sad", d3="sad"))
    number = asked(state).number
    for question, choice, reason in ((number + 1, AS_IT_LIES, Reason.NOT_FOUND), (number, "go", Reason.INVALID)):
        with pytest.raises(Refused) as refused:
            on_answer(state, question, choice)
        assert refused.value.reason is reason


# Taking back


def test_the_last_standing_entry_is_taken_back() -> None:
    step = on_undo(opened(Dice()))
    assert written(step) == ["tablet undo"]
    with pytest.raises(Refused, match="nothing to take back"):
        on_undo(step.state)
