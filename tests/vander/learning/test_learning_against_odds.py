"""Learning in play where people contradict each other, take back, start again, restore, or find damage on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from test_play_learner import NAME, OPENING, Learning

from referee.sentences import Refused
from vander.backup import create_backup, restore_backup
from vander.storage.journal_store import Journal
from vision.classification import Reader


@pytest.fixture
def learning(tmp_path: Path, dice: Any, reader: Reader) -> Iterator[Learning]:
    with closing(Journal.in_folder(tmp_path / "data")) as journal:
        yield Learning(tmp_path / "data", journal, dice, reader)


def doubt_of_three(learning: Learning) -> None:
    """Throw three sad faces that may be happy."""
    learning.dice.roll("go", "happy", "star", "sad", "sad", "sad")
    learning.dice.unsure = dict.fromkeys((3, 4, 5), (("happy", 0.3),))
    learning.look(learning.dice.look())


def labels(learning: Learning) -> list[str]:
    return [str(die.label[1]) for die in learning.said()]


def test_of_two_tablets_that_answer_for_three_dice_at_once_one_counts_for_all_three(learning: Learning) -> None:
    doubt_of_three(learning)
    (question,) = learning.table.snapshot().questions
    together, refused = Barrier(2), list[str]()

    def answer(face: str) -> None:
        together.wait(60)
        try:
            learning.table.answer(question.number, face)
        except Refused as error:
            refused.append(str(error))

    tablets = [Thread(target=answer, args=(face,)) for face in ("sad", "happy")]
    for tablet in tablets:
        tablet.start()
    for tablet in tablets:
        tablet.join(60)
    assert len(refused) == 1
    assert refused[0].startswith("Somebody has just answered: ")
    said = labels(learning)
    assert len(said) == 3
    assert len(set(said)) == 1
    assert [die.face for die in learning.table.snapshot().dice][2:5] == said


def test_an_answer_that_is_mended_and_whose_throw_is_taken_back_leaves_nothing(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learning.table.correct(5, "three")
    learning.table.undo()
    assert labels(learning) == []


def test_the_same_wrong_answer_again_and_again_is_one_example_for_each_throw(learning: Learning) -> None:
    for _ in range(3):
        learning.doubt()
        learning.answer("sad")
        learning.table.undo()
        learning.doubt()
        learning.answer("sad")
        learning.table.undo()
    assert labels(learning) == []


def test_a_start_in_the_middle_of_a_question_learns_nothing(learning: Learning) -> None:
    learning.doubt()
    assert learning.table.snapshot().questions
    learning.learner = learning.opened()
    assert labels(learning) == []


@pytest.mark.parametrize("damage", [b"", b"\0" * 5000, b"00000000 {}\n", b"{" * 3000 + b"\n"])
def test_a_file_that_was_damaged_before_the_start_stops_neither_play_nor_learning(
    tmp_path: Path, dice: Any, reader: Reader, damage: bytes
) -> None:
    features = tmp_path / "features"
    features.mkdir()
    (features / f"{NAME}.jsonl").write_bytes(damage)
    with closing(Journal.in_folder(tmp_path)) as journal:
        learning = Learning(tmp_path, journal, dice, reader)
        learning.doubt()
        learning.answer("three")
        assert labels(learning) == ["three"]
        learning.opened()
        assert [str(die.label[1]) for die in learning.play.lesson(NAME).learned.dice if die.is_answer] == ["three"]


def test_what_was_learned_is_in_a_backup_and_comes_back(learning: Learning, tmp_path: Path) -> None:
    learning.doubt()
    learning.answer("three")
    assert labels(learning) == ["three"]
    kept = (tmp_path / "data/features" / f"{NAME}.jsonl").read_bytes()
    create_backup(tmp_path / "data", tmp_path / "kept.zip")
    restore_backup(tmp_path / "other", tmp_path / "kept.zip")
    assert (tmp_path / "other/features" / f"{NAME}.jsonl").read_bytes() == kept


def test_of_a_die_that_leaned_only_what_it_shows_thrown_again_is_learned(learning: Learning) -> None:
    dice = learning.dice
    dice.roll(*OPENING)
    dice.leaning, dice.unsure[5] = {5}, (("sad", 0.3),)
    learning.look(dice.look())
    (asked,) = learning.table.snapshot().questions
    assert [title for _, title in asked.choices] == ["No: it lies flat"]
    dice.leaning.clear()
    dice.throw(d5="sad")
    dice.unsure[5] = (("three", 0.3),)
    learning.look(dice.look())
    learning.answer("sad")
    assert labels(learning) == ["sad"]
