"""What a table agrees on, at the session: entries like others, and dice that are taken as they lie."""

from __future__ import annotations

import pytest
from laid_dice import Dice
from session_states import a_card_game, a_game, a_match, no_game, watched, written

from models import die_sets
from referee.actions import Action
from referee.dice import Zone
from referee.games import games, named
from referee.sentences import Reason, Refused
from vander.table.session_state import SessionState
from vander.table.snapshot_builder import snapshot
from vander.table.taps import SetupRequest, check_setup, on_start, on_tap
from vander.table.undo import on_undo, on_void

OPENING = ("go", "happy", "happy", "star", "two", "three")
THROWN = "signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"


def said(state: SessionState, text: str) -> SessionState:
    return on_tap(state, Action.parse(text)).state


def at_turns(*players: str) -> SessionState:
    """A game in which the first player begins without lot, and throws."""
    dice = Dice()
    state = said(a_game(dice.look(), players=players), "1 begin")
    return watched(state, dice.roll(*OPENING))


def test_a_player_who_leaves_in_the_turn_hands_it_on_and_the_dice_are_taken_as_they_lie() -> None:
    state = at_turns("Ann", "Bob", "Cy")
    step = on_tap(state, Action(1, "quit"))
    assert written(step) == ["tablet play 1 quit"]
    assert step.state.match
    assert (step.state.match.state.to_act, step.state.unresolved.mismatch) == ((2,), None)
    assert step.state.table.ruled == step.state.table.seen


def test_one_who_leaves_out_of_turn_leaves_the_dice_in_hand_alone() -> None:
    dice = Dice()
    state = said(a_game(dice.look(), players=("Ann", "Bob", "Cy")), "1 begin")
    state = watched(state, dice.roll(*OPENING), dice.carry(Zone.ASIDE, 1, 2))
    assert state.unresolved.pending
    after = said(state, "3 quit")
    assert after.unresolved == state.unresolved
    assert after.match
    assert after.match.state.gone == (3,)
    assert after.match.with_hands(after.unresolved.pending).state != after.match.state


def test_leaving_is_taken_back_like_any_other_entry() -> None:
    state = said(at_turns("Ann", "Bob", "Cy"), "2 quit")
    back = on_undo(state).state
    assert back.match
    assert (back.match.state.gone, back.match.state.to_act) == ((), (1,))


def test_a_throw_that_does_not_count_is_kept_and_thrown_again() -> None:
    state = at_turns("Ann", "Bob")
    assert snapshot(state).last_throw.startswith("Ann rolls ")
    step = on_void(state)
    assert written(step) == ["tablet undo", f"tablet play 1 void {THROWN}"]
    assert step.state.match
    assert step.state.match.state.dice_awaited
    assert snapshot(step.state).last_throw == ""
    assert [call.rule for call in snapshot(step.state).calls] == ["A.1-4"]


def test_what_was_done_with_a_throw_goes_with_it() -> None:
    state = at_turns("Ann", "Bob")
    state = said(state, "1 give-up")
    step = on_void(state)
    assert written(step) == ["tablet undo", "tablet undo", f"tablet play 1 void {THROWN}"]
    assert step.state.match
    assert step.state.match.state.to_act == (1,)


def test_after_a_throw_that_does_not_count_the_next_one_is_ruled_on() -> None:
    dice = Dice()
    state = said(a_game(dice.look(), players=("Ann", "Bob")), "1 begin")
    state = on_void(watched(state, dice.roll(*OPENING))).state
    state = watched(state, dice.roll("go", "star", "star", "sad", "two", "four"))
    assert state.match
    assert state.match.standing[-1][1].action.verb == "roll"


def test_without_a_throw_there_is_none_to_take_out() -> None:
    with pytest.raises(Refused) as refused:
        on_void(a_game(players=("Ann", "Bob")))
    assert refused.value.reason is Reason.CONFLICT


def test_nothing_is_agreed_on_while_an_action_waits() -> None:
    waiting = on_tap(a_card_game(pause_s=1), Action(1, "drop", choice="card"))
    assert waiting.state.waiting is not None
    with pytest.raises(Refused, match="Wait a moment"):
        on_void(waiting.state)


def test_what_the_table_cannot_agree_on_is_refused_with_its_rule() -> None:
    with pytest.raises(Refused) as refused:
        said(at_turns("Ann", "Bob"), "2 skip")
    assert (refused.value.reason, refused.value.rule) == (Reason.CONFLICT, "A.1-3")


def test_the_first_entry_says_who_begins_where_the_table_has_chosen() -> None:
    step = on_start(no_game(), a_match(named("intersection"), ("Ann", "Bob")), 2)
    assert written(step) == ["tablet play 2 begin"]
    assert step.state.match
    assert step.state.match.state.to_act == (2,)


@pytest.mark.parametrize(("game", "starter"), [("intersection", 3), ("dice", 1)])
def test_nobody_begins_who_cannot(game: str, starter: int) -> None:
    request = SetupRequest(game, ("Ann", "Bob"), {}, starter=starter)
    with pytest.raises(Refused):
        check_setup(no_game(), request, games(), die_sets)
