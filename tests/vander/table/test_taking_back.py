"""Corrections and undoing, from the page to the journal."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from laid_dice import SIGNAL
from session_scenes import entries, opened, verbs
from session_states import a_match

from referee.actions import Action
from referee.dice import Die, DieKind, Zone
from referee.game import Game
from referee.games import games
from referee.journal import Deed, Source
from referee.sentences import Reason, Refused
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult
from vander.table.match import IllegalAction, Match
from vander.table.session import Session

ASIDE, FIELD = Zone.ASIDE, Zone.FIELD

# Corrections and undoing


def test_a_corrected_face_is_an_entry_and_changes_the_ruling(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.correct(5, "sad")
    last = entries(tmp_path)[-1]
    assert (last.deed, last.target, "traffic:sad" in str(last.action)) == (Deed.CORRECT, 1, True)
    assert "fix" in verbs(solo.snapshot(), by_tap=False)
    solo.correct(5, "three")
    assert "fix" not in verbs(solo.snapshot(), by_tap=False)
    solo.observe(dice.look())
    assert len(entries(tmp_path)) == 3


def test_a_correction_finds_the_throw_that_its_die_was_in(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"))
    solo.observe(dice.throw(d2="star", d3="two"))
    solo.correct(4, "four")
    assert entries(tmp_path)[-1].target == 1
    solo.correct(3, "star")
    assert entries(tmp_path)[-1].target == 2


def test_a_correction_that_makes_a_later_action_illegal_is_refused(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    before, written = solo.snapshot(), entries(tmp_path)
    with pytest.raises(Refused) as refused:
        solo.correct(1, "sad")
    assert refused.value.reason == Reason.CONFLICT
    assert (solo.snapshot(), entries(tmp_path)) == (before, written)


def test_a_die_that_was_saved_by_its_wrong_face_is_corrected(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    solo.observe(dice.carry(ASIDE, 1, 2))
    solo.observe(dice.throw(d3="star", d4="two", d5="three"))
    solo.correct(1, "star")
    assert entries(tmp_path)[-1].deed is Deed.LAID
    assert solo.snapshot().turn_points == 150
    solo.correct(1, "happy")
    assert solo.snapshot().turn_points == 200
    assert not solo.snapshot().questions


@pytest.mark.parametrize(
    ("die", "face", "reason"), [(9, "sad", Reason.NOT_FOUND), (1, "zap", Reason.INVALID), (1, "", Reason.INVALID)]
)
def test_a_correction_needs_a_die_on_the_table_and_a_face_of_the_game(
    die: int, face: str, reason: Reason, solo: Session, dice: Any
) -> None:
    opened(solo, dice)
    with pytest.raises(Refused) as refused:
        solo.correct(die, face)
    assert refused.value.reason == reason


def test_undo_takes_back_one_entry_after_another(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.undo()
    assert (entries(tmp_path)[-1].deed, entries(tmp_path)[-1].target) == (Deed.UNDO, 3)
    assert solo.snapshot().turn_points == 250
    solo.undo()
    assert solo.snapshot().turn_points == 0
    solo.undo()
    assert not solo.snapshot().take_back
    with pytest.raises(Refused) as refused:
        solo.undo()
    assert refused.value.reason == Reason.CONFLICT


def test_after_an_undo_the_same_throw_may_be_thrown_again(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.undo()
    solo.observe(dice.look())
    assert solo.snapshot().mood == "calm"
    solo.observe(dice.roll("slow", "star", "star", "star", "two", "three"))
    assert len(solo.snapshot().last) == 1
    assert "slow" in solo.snapshot().last[0]
    assert "star" in verbs(solo.snapshot(), by_tap=False)


def test_after_an_undone_park_the_page_says_where_the_dice_differ(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.undo()
    assert solo.snapshot().mood == "ask"
    assert solo.snapshot().notice


def test_take_back_just_after_a_correction_takes_that_back_and_leaves_the_throw(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    throw = solo.snapshot().take_back
    solo.correct(5, "sad")
    assert solo.snapshot().take_back == "Corrected: Sad, not Three."
    solo.undo()
    assert [(entry.deed, entry.note) for entry in entries(tmp_path)[-1:]] == [(Deed.UNDO, "Corrected: Sad, not Three.")]
    assert (solo.snapshot().take_back, solo.snapshot().mood) == (throw, "calm")
    assert "fix" not in verbs(solo.snapshot(), by_tap=False)
    assert {die.number: die.face for die in solo.snapshot().dice}[5] == "three"
    solo.observe(dice.look())
    assert solo.snapshot().take_back == throw
    solo.undo()
    assert not solo.snapshot().take_back


def test_of_two_corrections_of_a_die_the_second_is_taken_back_first(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.correct(5, "sad")
    solo.correct(5, "four")
    solo.undo()
    assert {die.number: die.face for die in solo.snapshot().dice}[5] == "sad"
    assert solo.snapshot().take_back == "Corrected: Sad, not Three."
    solo.undo()
    assert {die.number: die.face for die in solo.snapshot().dice}[5] == "three"


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.correct(5, "sad"),
        lambda table: table.correct(SIGNAL, "sad", kind="traffic"),
        lambda table: table.challenge(Challenge(1, "", (ChallengedDie(1, "sad"),), ChallengeResult.CORRECT)),
        Session.undo,
        Session.void,
    ],
    ids=["face", "kind", "challenge", "take back", "take out"],
)
def test_nothing_that_was_ruled_on_changes_while_dice_roll(
    solo: Session, dice: Any, tmp_path: Path, change: Callable[[Session], None]
) -> None:
    """It would change what the throw that is on its way was made by, and make that a breach."""
    opened(solo, dice)
    before = entries(tmp_path)
    solo.observe(dice.look(at_rest=False))
    with pytest.raises(Refused, match="Wait until the dice lie still") as refused:
        change(solo)
    assert (refused.value.reason, entries(tmp_path)) == (Reason.CONFLICT, before)
    solo.observe(dice.look())
    solo.correct(5, "sad")


def test_a_throw_that_does_not_count_leaves_the_correction_of_an_earlier_die(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"))
    solo.observe(dice.throw(d2="star", d3="two"))
    solo.correct(4, "four")
    solo.void()
    last, match = entries(tmp_path)[-3:], solo.state.match
    assert [(entry.deed, entry.target) for entry in last] == [(Deed.UNDO, 2), (Deed.CORRECT, 1), (Deed.PLAY, 0)]
    assert match is not None
    assert "traffic:four" in str(match.action_of(1))


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_whatever_is_corrected_and_taken_back_what_stands_stays_as_it_was(game: Game) -> None:
    chance = Random(game.name)  # noqa: S311  games, not secrets
    match = a_match(game, ("Ann", "Bob"))
    before = list[list[tuple[int, Action]]]()
    for _ in range(120):
        standing, count = effective(match), len(match.entries)
        done = chance.choice(["play", "play", "play", "correct", "correct", "undo"])
        if done == "undo" and before:
            match = match.undo()
            assert effective(match) == before.pop()
            continue
        if done == "correct" and standing:
            match = corrected_somehow(match, chance)
        elif not match.over:
            match = match.play([(thrown(chance.choice(game.legal(match.state)), match, chance), Source.CAMERA)])
        before += [standing] * (len(match.entries) > count)
    assert before


def thrown(action: Action, match: Match, chance: Random) -> Action:
    """The action with all its dice showing something."""
    kinds = match.start.dice
    return replace(action, dice=tuple(die if die.face else shown(kinds.kind(die.kind), chance) for die in action.dice))


def shown(kind: DieKind, chance: Random) -> Die:
    return Die(kind.name, chance.choice(kind.faces))


def effective(match: Match) -> list[tuple[int, Action]]:
    """What stands, as corrected."""
    return [(entry.number, ruling.action) for entry, ruling in match.standing]


def corrected_somehow(match: Match, chance: Random) -> Match:
    """One of the last actions was in truth another one; the same match where the rules allow none of those tried."""
    states = [match.start, *(ruling.state for _, ruling in match.standing)]
    place = chance.randrange(max(0, len(states) - 4), len(states) - 1)
    actions = match.game.legal(states[place])
    for action in chance.sample(actions, min(3, len(actions))):
        with suppress(IllegalAction):
            return match.correct(match.standing[place][0].number, thrown(action, match, chance))
    return match
