"""The page's view of what was learned in play: plain counts, and the dice whose answers look wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from learned import PLDA, SIZES, learned, shows

from models import die_sets
from models.die_sets import DieSetCatalog
from vander.learning.learned_dice import AskedThrow, FeatureStore
from vander.learning.lesson_store import LessonStore
from vander.learning.page_views import HELD_BACK, play_board
from vander.learning.play_evidence import PlayEvidence
from vision.kinds import CLASSES
from vision.table_evidence import EvidenceExample, ReferenceSet
from web.schemas.learning_schemas import AskedShare, PlayBoard

DICE = die_sets.load("intersection")


def opened(folder: Path, *fixed: EvidenceExample) -> PlayEvidence:
    store, taught = FeatureStore(folder / "features", "reader-7", SIZES), LessonStore(folder / "lessons", PLDA)
    return PlayEvidence(store, DieSetCatalog(folder / "dice"), taught, PLDA, ReferenceSet(fixed, 0.9))


def board(play: PlayEvidence) -> PlayBoard:
    return play_board(DICE, play, lambda origin: b"jpeg" if origin == "run-1-12-1" else None, on=True)


def test_before_the_first_throw_there_is_nothing_to_show(tmp_path: Path) -> None:
    shown = board(opened(tmp_path))
    assert (shown.answers, shown.now, shown.before, shown.doubted, shown.notes) == (0, None, None, (), ())
    assert [face.title for face in shown.faces][:2] == ["Happy", "Star"]


def test_what_was_asked_at_first_is_set_against_what_is_asked_now(tmp_path: Path) -> None:
    play = opened(tmp_path)
    play.add("intersection", [learned(1)], [AskedThrow(6, 3)] * 10 + [AskedThrow(6, 1)] * 10)
    assert (board(play).now, board(play).before) == (AskedShare(10, 60), AskedShare(30, 60))
    assert {face.face: face.dice for face in board(play).faces}["sad"] == 1


def test_an_answer_that_looks_wrong_and_one_that_was_contradicted_are_named(tmp_path: Path) -> None:
    play = opened(tmp_path)
    dice = [*(learned(n, "sad") for n in range(1, 7)), *(learned(n, "two") for n in range(7, 12))]
    play.add("intersection", [*dice, learned(12, "two", look="sad"), learned(3, "two", look="sad"), learned(3, "sad")])
    wrong, contradicted = board(play).doubted
    assert (wrong.die, wrong.sentence, wrong.throw, wrong.pictured) == (
        "run-1-12-1",
        "This looks like the others called Sad.",
        1,
        True,
    )
    assert (contradicted.die, contradicted.sentence, contradicted.pictured) == (
        "run-1-3-1",
        "First said to be Two, then Sad: the last word counts.",
        False,
    )
    play.label("intersection", "run-1-3-1", shows("sad"))
    play.label("intersection", "run-1-12-1", shows("sad"))
    assert board(play).doubted == ()


def a_sad_face_that_ships() -> EvidenceExample:
    """A die that looks just like those of a table, and is read as sad by the network alone, perhaps as two."""
    classes = np.full(len(CLASSES), 0.001, np.float32)
    classes[[CLASSES.index("sad"), CLASSES.index("two")]] = 0.92, 0.05
    ships = learned(99, "sad").example
    return replace(ships, features=replace(ships.features, class_probabilities=classes))


def test_what_would_read_dice_worse_is_held_back_and_said_until_it_would_not(tmp_path: Path) -> None:
    """Sad faces are called Two."""
    play = opened(tmp_path, a_sad_face_that_ships())
    play.add("intersection", [learned(number, "two", look="sad") for number in range(1, 6)])
    assert board(play).notes == (HELD_BACK,)
    assert len(play.lesson("intersection").in_use.examples) < 5
    for number in range(1, 6):
        play.label("intersection", f"run-1-{number}-1", shows("sad"))
    assert board(play).notes == ()
    assert len(play.lesson("intersection").in_use.examples) == 5


def test_a_die_that_would_be_read_worse_by_does_not_keep_the_next_ones_from_being_learned(tmp_path: Path) -> None:
    play = opened(tmp_path, a_sad_face_that_ships())
    play.add("intersection", [learned(number, "two", look="sad") for number in range(1, 6)])
    held_back = play.lesson("intersection").held_back
    for number in (6, 7):
        play.add("intersection", [learned(number, "happy")])
        assert happy_in_use(play) == number - 5
        assert (play.lesson("intersection").held_back, board(play).notes) == (held_back, (HELD_BACK,))
    again = opened(tmp_path, a_sad_face_that_ships())
    assert (happy_in_use(again), board(again).notes) == (2, (HELD_BACK,))


def happy_in_use(play: PlayEvidence) -> int:
    return sum(one.label == shows("happy") for one in play.lesson("intersection").in_use.examples)
