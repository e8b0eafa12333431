"""A game that goes on: after a restart, after a pause, and with the dice as they lie."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from session_scenes import done, entries, opened, scores, verbs

from referee.dice import Zone
from referee.journal import Deed, Source
from referee.sentences import Reason, Refused
from vander.storage.data_folder import BrokenJournal
from vander.table.session import Session

ASIDE, FIELD = Zone.ASIDE, Zone.FIELD

# Starting again


def test_a_game_goes_on_where_it_was(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    again = open_table()
    assert again.snapshot().state == solo.snapshot().state
    assert again.snapshot().last == solo.snapshot().last
    again.observe(dice.look())
    assert again.snapshot().mood == "calm"
    again.observe(dice.carry(ASIDE, 4))
    again.act("1 end")
    assert scores(again) == (350,)


def test_a_table_that_changed_meanwhile_is_said_to_differ_until_it_is_put_right(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces[1] = "sad"
    again = open_table()
    again.observe(dice.look())
    assert again.snapshot().mood == "ask"
    assert "sad" in again.snapshot().notice
    assert len(entries(tmp_path)) == 1
    dice.faces[1] = "happy"
    again.observe(dice.look())
    assert again.snapshot().mood == "calm"


def test_after_a_pause_people_may_go_on_with_the_dice_as_they_now_lie(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces[4] = "star"
    again = open_table()
    again.observe(dice.look())
    (question,) = again.snapshot().questions
    assert [answer for answer, _ in question.choices] == ["as-it-lies"]
    again.answer(question.number, "as-it-lies", confirmed=True)
    assert again.snapshot().mood == "calm"
    again.observe(dice.carry(ASIDE, 1, 2, 3, 4))
    assert again.snapshot().turn_points == 300


def reopened_with_a_star(solo: Session, dice: Any, open_table: Callable[..., Session], die: int) -> Session:
    """Three dice are parked and two thrown; after the restart one of them shows a star, as somebody turned it."""
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="two", d5="sad"))
    dice.faces[die] = "star"
    again = open_table()
    again.observe(dice.look())
    return again


def test_a_throw_beside_dice_that_did_not_lie_as_they_should_is_asked(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    again = reopened_with_a_star(solo, dice, open_table, 2)
    before = len(entries(tmp_path))
    again.observe(dice.throw(d1="four", d5="two"))
    (question,) = again.snapshot().questions
    assert "did not lie as they should" in question.sentence
    assert next(title for _, title in question.choices) == "Fix a sad face with a parked happy one"
    assert len(entries(tmp_path)) == before
    again.answer(question.number, "0")
    assert done(tmp_path)[-1].endswith("1 fix traffic:four traffic:two =parked")


def test_a_legal_throw_of_the_die_that_lay_wrong_counts_unasked(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    again = reopened_with_a_star(solo, dice, open_table, 1)
    again.observe(dice.throw(d1="four", d5="two"))
    assert (again.snapshot().questions, again.snapshot().mood) == ((), "calm")
    assert done(tmp_path)[-1].endswith("1 fix traffic:four traffic:two =parked")


def test_a_wrong_throw_beside_dice_that_did_not_lie_as_they_should_is_no_breach(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    again = reopened_with_a_star(solo, dice, open_table, 1)
    before = len(entries(tmp_path))
    again.observe(dice.throw(d2="four", d4="two"))
    (question,) = again.snapshot().questions
    assert [answer for answer, _ in question.choices] == ["as-it-lies"]
    assert again.snapshot().mood == "ask"
    assert len(entries(tmp_path)) == before


def test_a_journal_that_the_rules_refuse_is_refused(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE entries SET action = '1 end'")
    with pytest.raises(BrokenJournal, match="cannot be gone on with"):
        open_table()


def test_a_game_that_is_over_is_not_gone_on_with_unless_it_is_undone(
    table: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    while table.snapshot().state is not None and not (table.snapshot().state.winner):  # type: ignore[union-attr]
        table.observe(dice.roll("go", "four", "four", "four", "four", "four"))
        table.observe(dice.carry(ASIDE, 1, 2, 3, 4, 5))
        table.act("1 end")
    assert scores(table) == (6000,)
    assert open_table().snapshot().game is None
    table.undo()
    assert scores(open_table()) == (4800,)


# Going on as the dice lie


@pytest.fixture
def laid(solo: Session, dice: Any) -> Session:
    """Ann threw a die that she should not have, and plays on as the dice lie."""
    opened(solo, dice)
    solo.observe(dice.throw(d1="star"))
    solo.answer(solo.snapshot().questions[0].number, "as-it-lies", confirmed=True)
    return solo


def test_going_on_as_the_dice_lie_is_an_entry_and_the_next_legal_throw_is_none_of_a_breach(
    laid: Session, dice: Any, tmp_path: Path
) -> None:
    *_, breach, last = [entry for entry in entries(tmp_path) if entry.deed is not Deed.ANSWER]
    assert (breach.deed, last.deed, last.source) == (Deed.BREACH, Deed.LAID, Source.TABLET)
    assert last.note.split()[1:3] == ["traffic:happy@field", "traffic:star@field"]
    assert (laid.snapshot().mood, laid.snapshot().last[0]) == ("calm", "The game goes on with the dice as they lie.")
    laid.observe(dice.carry(ASIDE, 1, 2, 3))
    assert laid.snapshot().turn_points == 200
    laid.observe(dice.throw(d4="happy", d5="three"))
    assert laid.snapshot().mood == "calm"
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_that_the_dice_were_laid_so_can_be_taken_back(laid: Session, tmp_path: Path) -> None:
    before = len(entries(tmp_path))
    laid.undo()
    last = entries(tmp_path)[-1]
    assert (last.deed, last.target) == (Deed.UNDO, before)
    assert "happy" in laid.snapshot().notice
    laid.undo()
    assert not laid.snapshot().take_back


def test_a_table_that_goes_on_as_laid_goes_on_so_after_a_new_start(
    laid: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    again = open_table()
    assert again.snapshot().state == laid.snapshot().state
    again.observe(dice.look())
    assert (again.snapshot().mood, again.snapshot().last) == ("calm", laid.snapshot().last)


def test_a_die_that_was_laid_is_corrected_by_laying_the_dice_anew(laid: Session, dice: Any, tmp_path: Path) -> None:
    laid.correct(1, "sad")
    undone, last = entries(tmp_path)[-2:]
    assert (undone.deed, last.deed) == (Deed.UNDO, Deed.LAID)
    assert "traffic:sad@field" in last.note
    assert "fix" in verbs(laid.snapshot(), by_tap=False)
    laid.observe(dice.throw(d1="star", d2="two"))
    assert str(entries(tmp_path)[-1].action).startswith("1 fix")
    with pytest.raises(Refused, match="has changed") as refused:
        laid.correct(3, "sad")
    assert refused.value.reason == Reason.CONFLICT


def test_dice_that_lie_so_that_the_rules_know_no_such_table_are_only_gone_on_from(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces.pop(5)
    solo.observe(dice.throw(d1="star"))
    while solo.snapshot().questions:
        question = solo.snapshot().questions[0]
        solo.answer(question.number, question.choices[-1][0])
    assert Deed.LAID not in {entry.deed for entry in entries(tmp_path)}
    assert solo.snapshot().mood == "ask"
