"""A challenged throw stands, or is corrected with all that follows; what else happened meanwhile is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from laid_dice import Dice
from random_matches import random_match
from session_states import a_game, a_match, a_match_after, a_tossed_match, tossup, watched

from referee.actions import Action
from referee.games import named
from referee.journal import Actor, Deed, Source
from referee.sentences import Refused
from vander.table import challenges as module
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult, on_challenge, predict, throws_of
from vander.table.match import Match
from vander.table.session_state import FacesStated, MismatchQuestion, SessionConfig, SessionState, Step

TABLET = Actor("Bob's tablet", 2)
OPENING = ("go", "happy", "happy", "star", "two", "three")


@pytest.fixture
def tossed() -> Match:
    return a_tossed_match()


def state_of(match: Match) -> SessionState:
    return SessionState(SessionConfig(match.start.dice), match)


def challenged(
    state: SessionState,
    entry: int,
    dice: Sequence[ChallengedDie] = (),
    verdict: ChallengeResult = ChallengeResult.CORRECT,
    **more: str,
) -> Step:
    return on_challenge(
        state, Challenge(entry, more.get("action", ""), tuple(dice), verdict, more.get("step", "")), TABLET
    )


def deeds(step: Step) -> list[str]:
    return [str(entry.deed) for entry in step.entries]


def scores(step: Step) -> tuple[int, ...]:
    assert step.state.match is not None
    return step.state.match.state.scores


def test_a_throw_that_stands_is_an_entry_that_changes_nothing(tossed: Match) -> None:
    step = challenged(state_of(tossed), 1, verdict=ChallengeResult.STANDS)
    (entry,) = step.entries
    assert (entry.deed, entry.by) == (Deed.CHALLENGE, TABLET)
    assert entry.note.startswith("Challenged: Ann ")
    assert entry.note.endswith("It stands.")
    assert scores(step) == (4, 3)


def test_a_throw_two_turns_ago_is_corrected_with_all_that_follows(tossed: Match) -> None:
    step = challenged(state_of(tossed), 1, [ChallengedDie(9, "green")])
    assert deeds(step) == ["challenge", "correct"]
    assert [entry.by for entry in step.entries] == [TABLET, TABLET]
    assert "It is Green, not Yellow." in step.entries[0].note
    assert scores(step) == (5, 3)


def test_two_dice_of_a_throw_are_corrected_at_once(tossed: Match) -> None:
    assert scores(challenged(state_of(tossed), 1, [ChallengedDie(9, "green"), ChallengedDie(8, "green")])) == (6, 3)


def test_what_could_not_have_been_is_named_and_only_then_taken_back(tossed: Match) -> None:
    reds = [ChallengedDie(place, "red") for place in range(4)]
    with pytest.raises(Refused, match="Then this could not have happened: Ann takes 4 points"):
        challenged(state_of(tossed), 1, reds)
    step = challenged(state_of(tossed), 1, reds, ChallengeResult.TAKE_BACK)
    assert deeds(step) == ["challenge", "undo", "play"]
    assert scores(step) == (0, 0)
    assert step.state.match is not None
    assert step.state.match.state.to_act == (2,)


def test_nothing_changes_where_the_throw_itself_could_not_have_been(tossed: Match) -> None:
    lot = a_match_after("rollers", "1 lot rollers-purple:pip-5", "2 lot rollers-black:pip-1")
    for verdict in (ChallengeResult.CORRECT, ChallengeResult.TAKE_BACK):
        with pytest.raises(Refused):
            challenged(state_of(lot), 1, [ChallengedDie(0, "zap")], verdict)


def test_what_hands_did_with_the_die_is_told_anew_with_its_picture() -> None:
    thrown = ["black:pip-2", "purple:pip-2", "purple:pip-2", "purple:pip-4", "purple:pip-5", "purple:pip-5"]
    match = a_match(named("rollers"), ("Ann", "Bob"))
    texts = (
        "1 lot rollers-purple:pip-5",
        "2 lot rollers-black:pip-1",
        f"1 roll {' '.join(f'rollers-{each}' for each in thrown)}",
        "1 save rollers-purple:pip-5 rollers-purple:pip-5",
        "1 roll rollers-black:pip-1 rollers-purple:pip-2 rollers-purple:pip-3 rollers-purple:pip-4",
    )
    for text in texts:
        match = match.play([(Action.parse(text), Source.CAMERA)], match.evidence_name())
    fives = [place for place, die in enumerate(match.standing[2][1].action.dice) if die.face == "pip-5"]
    step = challenged(state_of(match), 3, [ChallengedDie(place, "pip-3") for place in fives])
    assert deeds(step) == ["challenge", "undo", "play", "play", "play"]
    assert [entry.evidence for entry in step.entries[2:]] == [f"game-1-entry-{number}" for number in (3, 4, 5)]
    assert str(step.entries[3].action) == "1 save rollers-purple:pip-3 rollers-purple:pip-3"
    assert {entry.device for entry in step.entries[2:]} == {""}  # the camera saw them


def test_after_the_end_a_challenge_may_take_the_win() -> None:
    won = random_match(named("toss-up"), 1000, seed=1)
    assert won.over
    for entry in reversed(throws_of(won)):
        asked = Challenge(entry, "", (ChallengedDie(0, "red"),), ChallengeResult.CORRECT)
        found = predict(won, asked)
        if found.is_plain and found.state.winner != won.state.winner:
            break
    step = on_challenge(state_of(won), asked, TABLET)
    assert step.state.match is not None
    assert step.state.match.state.winner == found.state.winner != won.state.winner


# What happened meanwhile, and what makes no sense


def test_of_two_tablets_the_second_is_told_that_the_throw_was_corrected(tossed: Match) -> None:
    action, step = str(tossed.action_of(1)), tossed.step
    first = challenged(state_of(tossed), 1, [ChallengedDie(9, "green")], action=action, step=step)
    with pytest.raises(Refused, match="Somebody corrected that throw meanwhile: look at it again"):
        challenged(first.state, 1, [ChallengedDie(8, "green")], action=action, step=step)


def test_a_throw_that_was_taken_back_meanwhile_is_said(tossed: Match) -> None:
    with pytest.raises(Refused, match="That throw was taken back meanwhile: nothing was changed"):
        challenged(state_of(tossed.undo().undo()), 3, [ChallengedDie(0, "red")])


def test_what_was_played_since_the_page_looked_has_to_be_looked_at(tossed: Match) -> None:
    later = tossed.play([(Action.parse(f"1 roll {tossup(green=10)}"), Source.CAMERA)])
    with pytest.raises(Refused, match="moved on"):
        challenged(state_of(later), 1, [ChallengedDie(9, "green")], step=tossed.step)


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ([ChallengedDie(10, "green")], "no such die"),
        ([ChallengedDie(0, "purple")], "has a face 'purple'"),
        ([ChallengedDie(0, "green")], "already show that"),
        ([], "already show that"),
    ],
)
def test_a_die_or_a_face_that_there_is_not_is_refused(tossed: Match, dice: list[ChallengedDie], said: str) -> None:
    with pytest.raises(Refused, match=said):
        challenged(state_of(tossed), 1, dice)


def test_what_was_no_throw_is_taken_back_instead(tossed: Match) -> None:
    with pytest.raises(Refused, match=module.NO_THROW):
        challenged(state_of(tossed), 2, verdict=ChallengeResult.STANDS)


def test_an_open_question_is_answered_first() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING), dice.throw(d1="star"))
    assert state.unresolved.prompts
    assert state.match is not None
    (throw,) = throws_of(state.match)
    with pytest.raises(Refused, match="Answer the question on the table first"):
        challenged(state, throw, [ChallengedDie(1, "star")])
    assert deeds(challenged(state, throw, verdict=ChallengeResult.STANDS)) == ["challenge"]


# The dice that still lie there


def test_a_die_that_still_lies_there_shows_its_other_face_from_now_on() -> None:
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING))
    assert state.match is not None
    (throw,) = throws_of(state.match)
    place = next(place for place, die in enumerate(state.match.action_of(throw).dice) if die.face == "star")  # type: ignore[union-attr]
    step = challenged(state, throw, [ChallengedDie(place, "four", number=3)])
    table = step.state.table
    assert table.seen is not None
    assert {die.number: die.die.face for die in table.seen.dice}[3] == "four"
    assert not step.state.unresolved.prompts
    assert any(isinstance(event, FacesStated) and event.faces[3][1].face == "four" for event in step.events)
    again = watched(step.state, dice.look())
    assert again.unresolved == step.state.unresolved


def test_dice_that_do_not_lie_as_the_game_has_them_then_are_asked_about() -> None:
    """The program was started again meanwhile: nobody knows any more which die that throw gave which face."""
    dice = Dice()
    state = a_game(dice.look(), dice.roll(*OPENING))
    assert state.match is not None
    (throw,) = throws_of(state.match)
    step = challenged(replace(state, table=replace(state.table, thrown_by={})), throw, [ChallengedDie(3, "four")])
    assert step.state.unresolved.mismatch is not None
    assert all(isinstance(prompt, MismatchQuestion) for prompt in step.state.unresolved.prompts)
